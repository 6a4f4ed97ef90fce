"""A domain of terms: shared nodes that fold what is constant, and print themselves as SMT-LIB.

The engine's evaluator runs over these nodes as it runs over values. Numbers know their bounds, so that each gets just the bits it
needs; a comparison of a chain of writes with a constant is pushed down the chain, so that most of a campaign becomes plain Booleans.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from plainchant.records import Changing, Frozen, field


class Num(Frozen, eq=False):
    """A number term. op: const, var, either (condition, then, otherwise), plus, minus."""

    op: str
    low: int
    high: int
    arguments: tuple[Term, ...] = ()
    name: str = ""

    @property
    def is_const(self) -> bool:
        return self.op == "const"


class Cond(Frozen, eq=False):
    """A condition term. op: true, false, var, and, or, not, equal, less."""

    op: str
    arguments: tuple[Term, ...] = ()
    name: str = ""


Term = Num | Cond

TRUE = Cond("true")
FALSE = Cond("false")


class Terms(Changing):
    """The table of nodes: the same node is made only once. Implements the engine's `Domain`."""

    _nodes: dict[tuple[object, ...], Term] = field(default_factory=dict)
    _opposites: dict[int, Cond] = field(default_factory=dict)

    # ------------------------------------------------------------ variables

    def condition_variable(self, name: str) -> Cond:
        """A free Boolean."""
        return self._cond("var", (), name)

    def number_variable(self, name: str, low: int, high: int) -> Num:
        """A free number from low to high (the bounds must be asserted, see `within`)."""
        key = ("var", name)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Num("var", low, high, (), name)
        assert isinstance(found, Num)
        return found

    def within(self, number: Num) -> Cond:
        """That a free number keeps its bounds."""
        low, high = self.number(number.low), self.number(number.high)
        return self.all_of((self.opposite(self._less(number, low)), self.opposite(self._less(high, number))))

    # ------------------------------------------------------------ the domain

    def number(self, value: int) -> Num:
        key = ("const", value)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Num("const", value, value)
        assert isinstance(found, Num)
        return found

    def truth(self, value: bool) -> Cond:
        return TRUE if value else FALSE

    def plus(self, left: Num, right: Num) -> Num:
        if left.is_const and right.is_const:
            return self.number(left.low + right.low)
        if right.is_const and right.low == 0:
            return left
        if left.is_const and left.low == 0:
            return right
        return self._num("plus", left.low + right.low, left.high + right.high, (left, right))

    def minus(self, left: Num, right: Num) -> Num:
        if left.is_const and right.is_const:
            return self.number(left.low - right.low)
        if right.is_const and right.low == 0:
            return left
        return self._num("minus", left.low - right.high, left.high - right.low, (left, right))

    def either(self, condition: Cond, then: Num, otherwise: Num) -> Num:
        if condition is TRUE or then is otherwise:
            return then
        if condition is FALSE:
            return otherwise
        return self._num(
            "either", min(then.low, otherwise.low), max(then.high, otherwise.high), (condition, then, otherwise)
        )  # fmt: skip

    def equal(self, left: Num, right: Num) -> Cond:
        if left.is_const and not right.is_const:
            left, right = right, left
        return self._compared("equal", left, right)

    def less(self, left: Num, right: Num) -> Cond:
        return self._compared("less", left, right)

    def all_of(self, items: Iterable[Cond]) -> Cond:
        return self._joined("and", items, TRUE, FALSE)

    def some_of(self, items: Iterable[Cond]) -> Cond:
        return self._joined("or", items, FALSE, TRUE)

    def _joined(self, op: str, items: Iterable[Cond], neutral: Cond, absorbing: Cond) -> Cond:
        """Conditions joined by `and` or `or`: each once, those of a join of the same sort themselves, none that changes nothing."""
        kept: dict[int, Cond] = {}
        for item in items:
            if item is absorbing:
                return absorbing
            for one in item.arguments if item.op == op else (item,):
                if one is not neutral:
                    assert isinstance(one, Cond)
                    kept[id(one)] = one
        if any(one.op == "not" and id(one.arguments[0]) in kept for one in kept.values()):
            return absorbing
        if len(kept) == 1:
            return next(iter(kept.values()))
        return self._cond(op, tuple(kept.values())) if kept else neutral

    def opposite(self, item: Cond) -> Cond:
        if item is TRUE:
            return FALSE
        if item is FALSE:
            return TRUE
        if item.op == "not":
            inner = item.arguments[0]
            assert isinstance(inner, Cond)
            return inner
        return self._cond("not", (item,))

    def assigned(self, variable: int, value: Num) -> Num:
        return value

    # ------------------------------------------------------------ nodes

    def _cond(self, op: str, arguments: tuple[Term, ...], name: str = "") -> Cond:
        key = (op, name, *map(id, arguments))
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Cond(op, arguments, name)
        assert isinstance(found, Cond)
        return found

    def _num(self, op: str, low: int, high: int, arguments: tuple[Term, ...]) -> Num:
        key = (op, *map(id, arguments))
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Num(op, low, high, arguments)
        assert isinstance(found, Num)
        return found

    def _less(self, left: Num, right: Num) -> Cond:
        return self._cond("less", (left, right))

    def _compared(self, op: str, left: Num, right: Num) -> Cond:
        """A comparison: what the bounds settle is constant, one with a constant is pushed down the `either`s of the other side."""
        settled = _by_bounds(op, left, right)
        if settled is not None:
            return settled
        if right.is_const or left.is_const:
            return self._pushed(op, left, right)
        return self._cond(op, (left, right))

    def _pushed(self, op: str, left: Num, right: Num) -> Cond:
        """Pushes a comparison with a constant down the other side; without recursion along the chain, since chains are long."""
        chain, constant = (left, right) if right.is_const else (right, left)
        links: list[Num] = []
        result: Cond | None = None
        while (result := self._known_or_settled(op, chain, constant, right.is_const)) is None and chain.op == "either":
            links.append(chain)
            following = chain.arguments[2]
            assert isinstance(following, Num)
            chain = following
        if result is None:
            result = self._cond(op, (chain, constant) if right.is_const else (constant, chain))
        for link in reversed(links):
            condition, then, _ = link.arguments
            assert isinstance(condition, Cond)
            assert isinstance(then, Num)
            inner = self._compared(op, *((then, constant) if right.is_const else (constant, then)))
            result = self.some_of((self.all_of((condition, inner)), self.all_of((self.opposite(condition), result))))
            self._nodes[("pushed", op, right.is_const, id(link), constant.low)] = result
        return result

    def _known_or_settled(self, op: str, chain: Num, constant: Num, chain_is_left: bool) -> Cond | None:
        known = self._nodes.get(("pushed", op, chain_is_left, id(chain), constant.low))
        if known is not None:
            assert isinstance(known, Cond)
            return known
        return _by_bounds(op, *((chain, constant) if chain_is_left else (constant, chain)))


def _by_bounds(op: str, left: Num, right: Num) -> Cond | None:
    """What the bounds of two numbers say about their comparison; None if they leave it open."""
    if op == "equal":
        if left is right:
            return TRUE
        return FALSE if left.high < right.low or right.high < left.low else None
    if left.high < right.low:
        return TRUE
    return FALSE if left.low >= right.high else None


# ---------------------------------------------------------------- printing


def bits(low: int, high: int) -> int:
    """The width of a signed bit vector that holds low to high."""
    return max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0) + 1


def in_order(root: Term, done: Container[int]) -> Iterator[Term]:
    """Every node below the root once, arguments first, without those that are done (and what is below them)."""
    seen: set[int] = set()
    stack: list[tuple[Term, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif id(node) not in seen and id(node) not in done:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(argument, False) for argument in reversed(node.arguments)]


class Printer:
    """Writes nodes as SMT-LIB definitions, each once; `text` is the script so far."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self.lines: list[str] = []
        self._kept: list[Term] = []

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def name(self, term: Term) -> str:
        """The name (or constant) that stands for a term, after its definition was written."""
        if id(term) not in self._names:
            for node in list(in_order(term, self._names)):
                self._define(node)
        return self._names[id(term)]

    def declare(self, name: str) -> None:
        """A free Boolean that is no term: the literal of an assumption."""
        self.lines.append(f"(declare-const {name} Bool)")

    def hold(self, literal: str, term: Cond) -> None:
        """Assert that a literal implies a term."""
        self.lines.append(f"(assert (=> {literal} {self.name(term)}))")

    def always(self, term: Cond) -> None:
        self.lines.append(f"(assert {self.name(term)})")

    def _define(self, node: Term) -> None:
        self._kept.append(node)  # its id must stay its own
        if isinstance(node, Num) and node.is_const:
            self._names[id(node)] = _constant(node.low, bits(node.low, node.high))
            return
        if node.op in ("true", "false", "not"):  # what is this short needs no name
            self._names[id(node)] = f"(not {self._names[id(node.arguments[0])]})" if node.arguments else node.op
            return
        sort = "Bool" if isinstance(node, Cond) else f"(_ BitVec {bits(node.low, node.high)})"
        if node.op == "var":
            self._names[id(node)] = node.name
            self.lines.append(f"(declare-const {node.name} {sort})")
            return
        name = f"n{len(self._names)}"
        self.lines.append(f"(define-fun {name} () {sort} {self._body(node)})")
        self._names[id(node)] = name

    def _body(self, node: Term) -> str:
        names = self._names
        match node.op:
            case "and" | "or":
                return f"({node.op} {' '.join(names[id(a)] for a in node.arguments)})"
            case "equal" | "less":
                left, right = node.arguments
                assert isinstance(left, Num)
                assert isinstance(right, Num)
                width = max(bits(left.low, left.high), bits(right.low, right.high))
                sign = "=" if node.op == "equal" else "bvslt"
                return f"({sign} {self._wide(left, width)} {self._wide(right, width)})"
        assert isinstance(node, Num)
        width = bits(node.low, node.high)
        if node.op == "either":
            condition, then, otherwise = node.arguments
            assert isinstance(then, Num)
            assert isinstance(otherwise, Num)
            return f"(ite {names[id(condition)]} {self._wide(then, width)} {self._wide(otherwise, width)})"
        left, right = node.arguments
        assert isinstance(left, Num)
        assert isinstance(right, Num)
        sign = "bvadd" if node.op == "plus" else "bvsub"
        wide = max(width, bits(left.low, left.high), bits(right.low, right.high))
        if wide == width:
            return f"({sign} {self._wide(left, width)} {self._wide(right, width)})"
        return f"((_ extract {width - 1} 0) ({sign} {self._wide(left, wide)} {self._wide(right, wide)}))"

    def _wide(self, number: Num, width: int) -> str:
        own = bits(number.low, number.high)
        if number.is_const:
            return _constant(number.low, width)
        if own == width:
            return self._names[id(number)]
        return f"((_ sign_extend {width - own}) {self._names[id(number)]})"


def _constant(value: int, width: int) -> str:
    return f"(_ bv{value % (1 << width)} {width})"

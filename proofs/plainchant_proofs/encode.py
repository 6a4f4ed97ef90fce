"""From a program to terms: the writer chain. Blocks are visited in topological order; each has the condition that play arrives at it.

A variable has one current term; a block that writes it makes a new one, `arrived ? value : before`. Since play passes each block at most
once, in this order, what a block reads is what play has at that point. No merge nodes are needed, and the size stays linear in the book.
What assignments and conditions mean is said by the engine's evaluator, which runs here over terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from plainchant.meaning.evaluate import carry_out, truth
from plainchant.meaning.kernel import CAMPAIGN, Branch, Cases, Choose, Cond, Goto, Program, Range, Set, Stop, Truth
from plainchant.records import Changing, field
from plainchant_proofs.slicing import Slice
from plainchant_proofs.terms import FALSE, TRUE, Num, Terms
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.topology import Unrolled


class Tracker(Protocol):
    """Puts free terms for guards and writes, tied to their meaning only while an assumption says so (for explanations)."""

    def guard(self, block: int, number: int, condition: Cond, term: Term) -> Term:
        """What stands for the guard with this number at a block."""
        ...

    def write(self, block: int, assignment: Set, value: Num) -> Num:
        """What stands for the value of a variable behind a write."""
        ...


class Encoding(Changing, dict=True):
    """A book as terms.

    `arrives[b]` says that play arrives at block b; `edges[(b, i)]` that it leaves b by its i-th way; `at_section[s]` are the variables'
    terms on arrival at section s, and `final` those when play has stopped. `laws` always hold.
    """

    program: Program
    origin: tuple[int, ...]
    bound: int | None
    terms: Terms
    arrives: dict[int, Term] = field(default_factory=dict)
    edges: dict[tuple[int, int], Term] = field(default_factory=dict)
    selected: dict[tuple[int, int], Term] = field(default_factory=dict)
    case_guards: dict[int, list[Term]] = field(default_factory=dict)
    option_guards: dict[int, list[Term]] = field(default_factory=dict)
    numbers: dict[int, Num] = field(default_factory=dict)
    at_block: dict[int, dict[int, Num]] = field(default_factory=dict)
    final: dict[int, Num] = field(default_factory=dict)
    entrances: dict[str, Term] = field(default_factory=dict)
    laws: list[Term] = field(default_factory=list)

    def condition(self, expression: Cond, values: Mapping[int, Num]) -> Term:
        """A kernel condition as a term, where the variables have these values."""
        return truth(expression, lambda v: values[v], self.terms)

    @property
    def campaign(self) -> str | None:
        """The entrance of campaigns; None if the book has none."""
        return CAMPAIGN if CAMPAIGN in self.entrances else None

    @cached_property
    def _copies(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for copy, origin in enumerate(self.origin):
            found.setdefault(origin, []).append(copy)
        return found

    def copies(self, block: int) -> list[int]:
        """The copies of a block of the book that unrolling has made, the block itself among them."""
        return self._copies[block]

    def passing(self, target: int | tuple[int, int]) -> Term:
        """That play arrives at a block of the book, or leaves it by a way (in any copy of it)."""
        if isinstance(target, int):
            return self.terms.some_of(self.arrives.get(copy, FALSE) for copy in self.copies(target))
        block, way = target
        return self.terms.some_of(self.edges.get((copy, way), FALSE) for copy in self.copies(block))

    def meeting(self, condition: Cond, at: int | None) -> Term:
        """That a condition holds when play comes to a printed end, or (whenever it does) arrives at the block `at`, which was kept."""
        if at is None:
            return self.terms.all_of((self.condition(condition, self.final), self.ended()))
        return self.terms.some_of(
            self.terms.all_of((self.arrives.get(copy, FALSE), self.condition(condition, self.at_block[copy])))
            for copy in self.copies(at)
        )  # fmt: skip

    def ended(self, kinds: Iterable[str] = ("end",)) -> Term:
        """That play has stopped in one of these ways."""
        stops = sorted(block for kind in kinds for block in self._stops.get(kind, ()))
        return self.terms.some_of(self.arrives[b] for b in stops if b in self.arrives)

    @cached_property
    def _stops(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, block in enumerate(self.program.blocks):
            if isinstance(block.exit, Stop):
                found.setdefault(block.exit.kind, []).append(number)
        return found


def encode(
    unrolled: Unrolled, slice_: Slice, keep: Iterable[int] = (), tracker: Tracker | None = None, terms: Terms | None = None,
    apart: Callable[[int], bool] = lambda _block: False,
) -> Encoding:  # fmt: skip
    """Encode a program, led past all that its slice (of the unrolled program) says does not matter.

    `keep` are blocks at whose arrival all values are wanted later. A `tracker` may put its own terms for guards and writes; it shares `terms`.
    Two encodings in the same terms decide alike, except at the blocks that are kept `apart` in one of them.
    """
    encoder = _Encoder(unrolled, slice_, frozenset(keep), tracker, terms or Terms(), apart)
    return encoder.run(unrolled.order)


class _Encoder:
    def __init__(
        self, unrolled: Unrolled, slice_: Slice, keep: frozenset[int], tracker: Tracker | None, terms: Terms,
        apart: Callable[[int], bool],
    ) -> None:  # fmt: skip
        self.program = unrolled.program
        self.apart = apart
        self.slice = slice_
        self.relevant = slice_.relevant
        self.keep = keep
        self.tracker = tracker
        self.terms = terms
        self.result = Encoding(self.program, unrolled.origin, unrolled.bound, self.terms)
        self.current: dict[int, Num] = {v: self.terms.number(self.program.variables[v].initial) for v in slice_.relevant}
        self.incoming: dict[int, list[Term]] = {}

    def run(self, order: tuple[int, ...]) -> Encoding:
        self._entrances()
        for block in order:
            arrives = self.terms.some_of(self.incoming.pop(block, ()))
            self.result.arrives[block] = arrives
            if block in self.keep:
                self.result.at_block[block] = dict(self.current)
            if arrives is not FALSE:
                self._block(block, arrives)
        self.result.final = dict(self.current)
        return self.result

    def _entrances(self) -> None:
        """Exactly one way in."""
        entrances = self.program.entrances
        literals = [self.terms.condition_variable(f"enter_{i}") for i in range(len(entrances))]
        for entrance, literal in zip(entrances, literals, strict=True):
            self.result.entrances[entrance.name] = literal
            self.incoming.setdefault(entrance.block, []).append(literal)
            self._write(-1, entrance.sets, literal)
        self.result.laws += _exactly_one(literals, self.terms)

    def _block(self, block: int, arrives: Term) -> None:
        self._write(block, self.program.blocks[block].sets, arrives)
        exit_ = self.program.blocks[block].exit
        match exit_:
            case Goto(target):
                self._edge(block, 0, target, arrives)
            case Branch():
                self._branch(block, exit_, arrives)
            case Cases():
                self._cases(block, exit_, arrives)
            case Choose():
                self._choose(block, exit_, arrives)
            case Range():
                self._range(block, exit_, arrives)

    def _read(self, variable: int) -> Num:
        return self.current[variable]

    def _write(self, block: int, sets: tuple[Set, ...], arrives: Term) -> None:
        """Carry out assignments where play arrives; a variable that is written twice counts for the last of them."""
        wanted = {s.variable: s for s in sets if s.variable in self.relevant}
        for variable, value in carry_out([s for s in sets if s.variable in wanted], self._read, self.terms).items():
            new = self.terms.either(arrives, value, self.current[variable])
            if self.tracker is not None and block >= 0:
                new = self.tracker.write(block, wanted[variable], new)
            self.current[variable] = new

    def _edge(self, block: int, way: int, target: int, taken: Term) -> None:
        self.result.edges[(block, way)] = taken
        if taken is not FALSE:
            self.incoming.setdefault(self.slice.past(target), []).append(taken)

    def _guard(self, block: int, number: int, condition: Cond) -> Term:
        if not self.slice.follows(condition):
            return self.terms.condition_variable(f"open_{block}_{number}")
        term = truth(condition, self._read, self.terms)
        return term if self.tracker is None or condition == Truth(True) else self.tracker.guard(block, number, condition, term)

    def _branch(self, block: int, exit_: Branch, arrives: Term) -> None:
        if not self.slice.decides(block):
            self._edge(block, 1, exit_.otherwise, arrives)
            return
        condition = self._guard(block, 0, exit_.condition)
        self._edge(block, 0, exit_.then, self.terms.all_of((arrives, condition)))
        self._edge(block, 1, exit_.otherwise, self.terms.all_of((arrives, self.terms.opposite(condition))))

    def _cases(self, block: int, exit_: Cases, arrives: Term) -> None:
        """The case that applies; where several do, one of them is selected."""
        guards = [self._guard(block, i, case.condition) for i, case in enumerate(exit_.cases)]
        self.result.case_guards[block] = guards
        picks = [self.terms.condition_variable(f"{self._decision('pick', block)}_{i}") for i in range(len(guards))]
        applying = [self.terms.all_of((pick, guard)) for pick, guard in zip(picks, guards, strict=True)]
        any_applies = self.terms.some_of(guards)
        self._one_of(arrives, any_applies, picks, applying)
        for i, (case, applies) in enumerate(zip(exit_.cases, applying, strict=True)):
            self.result.selected[(block, i)] = picks[i]
            self._edge(block, i, case.target, self.terms.all_of((arrives, applies)))
        hole = self.terms.all_of((arrives, self.terms.opposite(any_applies)))
        self._edge(block, len(guards), exit_.hole, hole)

    def _choose(self, block: int, exit_: Choose, arrives: Term) -> None:
        if self.slice.only_asks(exit_):
            self._edge(block, 0, exit_.options[0].target, arrives)
            return
        guards = [self._guard(block, i, option.condition) for i, option in enumerate(exit_.options)]
        self.result.option_guards[block] = guards
        picks = [self.terms.condition_variable(f"{self._decision('pick', block)}_{i}") for i in range(len(guards))]
        allowed = [self.terms.all_of((pick, guard)) for pick, guard in zip(picks, guards, strict=True)]
        self._one_of(arrives, TRUE, picks, allowed)
        before = dict(self.current)
        for i, (option, taken) in enumerate(zip(exit_.options, allowed, strict=True)):
            self.result.selected[(block, i)] = picks[i]
            taken = self.terms.all_of((arrives, taken))
            wanted = [s for s in option.sets if s.variable in self.relevant]
            for variable, value in carry_out(wanted, before.__getitem__, self.terms).items():
                self.current[variable] = self.terms.either(taken, value, self.current[variable])
            self._edge(block, i, option.target, taken)

    def _decision(self, what: str, block: int) -> str:
        return f"other_{what}_{block}" if self.apart(block) else f"{what}_{block}"

    def _one_of(self, arrives: Term, when: Term, picks: list[Term], applying: list[Term]) -> None:
        """Whenever play is here (and `when` holds), exactly one is picked, and it applies."""
        here = self.terms.all_of((arrives, when))
        some = self.terms.some_of((self.terms.opposite(here), self.terms.some_of(applying)))
        if some is not TRUE:
            self.result.laws.append(some)
        self.result.laws += _at_most_one(picks, self.terms)

    def _range(self, block: int, exit_: Range, arrives: Term) -> None:
        if exit_.variable in self.relevant:
            number = self.terms.number_variable(self._decision("number", block), exit_.low, exit_.high)
            self.result.numbers[block] = number
            self.result.laws.append(self.terms.within(number))
            self.current[exit_.variable] = self.terms.either(arrives, number, self.current[exit_.variable])
        self._edge(block, 0, exit_.target, arrives)


def _at_most_one(literals: list[Term], terms: Terms) -> list[Term]:
    """At most one of the literals: pairwise up to six, by a ladder beyond."""
    if len(literals) <= 6:
        return [
            terms.opposite(terms.all_of((a, b))) for i, a in enumerate(literals) for b in literals[i + 1 :]
        ]  # fmt: skip
    half = len(literals) // 2
    left, right = terms.some_of(literals[:half]), terms.some_of(literals[half:])
    between = terms.opposite(terms.all_of((left, right)))
    return [between, *_at_most_one(literals[:half], terms), *_at_most_one(literals[half:], terms)]


def _exactly_one(literals: list[Term], terms: Terms) -> list[Term]:
    return [terms.some_of(literals), *_at_most_one(literals, terms)]

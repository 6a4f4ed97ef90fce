"""What every statement's lowering needs: the growing graph, forks and joins, questions, ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from plainchant.meaning.kernel import (
    Cond,
    Const,
    Goto,
    Instruction,
    Note,
    Num,
    Set,
    Stop,
    Truth,
    all_of,
    at_most,
    reads,
)
from plainchant.meaning.lowering.asking import Asking
from plainchant.meaning.lowering.bounds import bounds
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.lowering.graph import Graph
from plainchant.meaning.lowering.routes import Routes
from plainchant.meaning.resolve import Whose, find_whose, index_kind
from plainchant.meaning.symbols import Kind, Value
from plainchant.text import tree as t
from plainchant.text.place import Cite
from plainchant.text.statement_text import headline

if TYPE_CHECKING:
    from plainchant.meaning.lowering.again import SharedRule


class Lowering:
    """Everything that lowering a statement needs: the graph that grows, names and variables, and who is asked what.

    `ways` says for each form of statement how it is lowered; `cites` are the printed lines of the statement at hand; `rule_ends` are the
    blocks at which the rules under way end; `arguments` counts how often each is in use; `shared` are the rules of the section that may lead to themselves.
    """

    def __init__(self, graph: Graph, expressions: Expressions, routes: Routes, ways: Mapping[type[t.Statement], Way]) -> None:
        self.graph = graph
        self.expressions = expressions
        self.names = expressions.names
        self.variables = expressions.variables
        self.asking = Asking(graph, expressions)
        self.routes = routes
        self.ways = ways
        self.cites: tuple[Cite, ...] = ()
        self.in_verb: list[t.Statement] = []
        self.rule_ends: list[int] = []
        self.arguments: Counter[str] = Counter()
        self.shared: dict[str, SharedRule] = {}

    def body(self, body: t.Body | None, frame: Frame) -> None:
        for statement in body.statements if body else ():
            if self.graph.open is not None:
                self.statement(statement, frame)

    def statement(self, statement: t.Statement, frame: Frame) -> None:
        outer = self.cites
        self.cites = statement.cites or outer
        self.ways[type(statement)](self, statement, frame)
        self.cites = outer

    def note(self, statement: t.Statement, form: str = "", instruction: Instruction | None = None) -> None:
        """Say what is carried out; inside a verb the sentence that used it says enough."""
        if self.in_verb and self.in_verb[-1] is not statement:
            return
        self.graph.note(Note(headline(statement), self.cites, statement.span, form, instruction))

    @contextmanager
    def using(self, names: Iterable[str]) -> Iterator[None]:
        """While the body of a rule, verb or event is lowered: its arguments are in use, and another use of it needs others."""
        self.arguments.update(names := tuple(names))
        yield
        self.arguments.subtract(names)

    def condition(self, expression: t.Expr, frame: Frame) -> Cond:
        condition = self.expressions.condition(expression, frame)
        self.asking.before(condition)
        return condition

    def number(self, expression: t.Expr, frame: Frame, statement: t.Statement, hint: Kind | None = None) -> Num:
        """A number that is used: what it reads is asked, and an entry that was never recorded has none."""
        value = self.expressions.number(expression, frame, hint)
        self.asking.before(value)
        needed = all_of(*self.expressions.needs(expression, frame))
        self.only_if(needed, "impossible", f"{headline(statement)}: the number was never recorded", statement)
        return value

    def only_if(self, condition: Cond, kind: str, about: str, statement: t.Statement) -> None:
        """Go on if the condition holds, else stop."""
        yes, no = self.graph.fork(condition, "", self.cites)
        if self.graph.resume(no):
            self.graph.close(Stop(kind, about, self.cites, statement.span, reads(condition)))
        self.graph.resume(yes)

    def fork(self, condition: Cond, then: Callable[[], None], otherwise: Callable[[], None] | None = None, words: str = "") -> None:
        """Both sides of a condition, and the way on behind them; `words` if it is a printed one."""
        yes, no = self.graph.fork(condition, words, self.cites)
        before = set(self.asking.known)
        ends: list[tuple[int, set[int]]] = []
        for block, side in ((yes, then), (no, otherwise)):
            self.asking.known = set(before)
            if self.graph.resume(block):
                if side is not None:
                    side()
                if self.graph.open is not None:
                    ends.append((self.graph.open, self.asking.known))
                    self.graph.open = None
        self._join(ends)

    def _join(self, ends: list[tuple[int, set[int]]]) -> None:
        """Several open blocks lead to one; known is what all of them know."""
        self.graph.open = None
        if not ends:
            return
        if len(ends) == 1:
            self.graph.open, self.asking.known = ends[0]
            return
        after = self.graph.new()
        for block, _ in ends:
            self.graph.open = block
            self.graph.close(Goto(after))
        self.graph.open = after
        self.asking.known = set.intersection(*(known for _, known in ends))

    def each_side(self, starts: Sequence[tuple[int, Callable[[], None]]]) -> None:
        """Several blocks that are entered from one exit, and the way on behind them."""
        before = set(self.asking.known)
        ends = []
        for block, side in starts:
            self.asking.known = set(before)
            self.graph.open = block
            side()
            if self.graph.open is not None:
                ends.append((self.graph.open, self.asking.known))
                self.graph.open = None
        self._join(ends)

    def for_members(self, kind: Kind, frame: Frame, condition: t.Expr | None, each: Callable[[int, Frame], None]) -> None:
        self.asking.seats(kind)
        for position, present in self.expressions.members(kind):
            inner = frame.about(kind, position)

            def with_condition(inner: Frame = inner, position: int = position) -> None:
                wanted = Truth(True) if condition is None else self.condition(condition, inner)
                self.fork(wanted, lambda: each(position, inner))

            self.fork(present, with_condition)

    def owner(self, whose: Whose | None, frame: Frame, then: Callable[[int | None], None]) -> None:
        """Do something for the member that is meant; one known only in play is told apart by cases."""
        owners = self.expressions.owners(whose, frame)
        self.asking.before(*(is_owner for _, is_owner in owners))
        for position, is_owner in owners:
            self.fork(is_owner, partial(then, position))

    def set(self, variable: int, value: Num) -> None:
        self.graph.set(Set(variable, value, self.cites))

    def in_range(self, value: Num, low: int, high: int | None, words: str, statement: t.Statement) -> None:
        least, most = bounds(self.variables, value)
        fits_below: Cond = Truth(True) if least is not None and least >= low else at_most(Const(low), value)
        fits_above: Cond = Truth(True)
        if high is not None and (most is None or most > high):
            fits_above = at_most(value, Const(high))
        self.only_if(all_of(fits_below, fits_above), "range", f"“{words}”", statement)


def place_of(lowering: Lowering, place: t.Target, frame: Frame) -> tuple[Value, Whose | None]:
    """What a place names, and whose it is."""
    symbol = frame.scope.value(place.name.text)
    assert symbol is not None
    kind = index_kind(symbol)
    if kind is None:
        return symbol, None
    return symbol, Whose(kind) if place.index is None else find_whose(place.index, kind, frame.scope)


Way = Callable[[Lowering, t.Statement, Frame], None]
"""How one form of statement is lowered."""

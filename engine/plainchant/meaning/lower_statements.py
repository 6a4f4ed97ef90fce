"""From statements to blocks: one short method for each form of the language, in terms of the kernel's few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plainchant.meaning.asking import Asking
from plainchant.meaning.check_expressions import list_with
from plainchant.meaning.graph import Graph
from plainchant.meaning.kernel import (
    Case,
    Cases,
    Choose,
    Cond,
    Const,
    Either,
    Equal,
    Goto,
    Less,
    Minus,
    Note,
    Num,
    Option,
    Plus,
    Read,
    Set,
    Stop,
    Truth,
    all_of,
    at_most,
    opposite,
    reads,
    some_of,
)
from plainchant.meaning.lower_expressions import Expressions, Frame
from plainchant.meaning.names import member_positions
from plainchant.meaning.phrases import match_verb, subject_of
from plainchant.meaning.resolve import MemberOf, Named, Scope, Whose, find_whose, index_kind, kind_hint, resolve
from plainchant.meaning.symbols import Bag, Entry, Keep, Kind, Section, Value
from plainchant.text import tree as t
from plainchant.text.statement_text import headline
from plainchant.text.tree import Cite

Way = Callable[[t.Statement, Frame], None]


class Statements:
    """Lowers statements into a graph; `leave` says how a part is left (where Standalone Mode ends)."""

    def __init__(self, graph: Graph, expressions: Expressions, routes: Routes) -> None:
        self.graph = graph
        self.expressions = expressions
        self.names = expressions.names
        self.variables = expressions.variables
        self.asking = Asking(graph, expressions)
        self.routes = routes
        self._cites: tuple[Cite, ...] = ()
        self._in_verb: list[t.Statement] = []

    def body(self, body: t.Body | None, frame: Frame) -> None:
        for statement in body.statements if body else ():
            if self.graph.open is not None:
                self.statement(statement, frame)

    def statement(self, statement: t.Statement, frame: Frame) -> None:
        outer = self._cites
        self._cites = statement.cites or outer
        self._ways[type(statement)](self, statement, frame)
        self._cites = outer

    def _note(self, statement: t.Statement, instruction: bool = False) -> None:
        """Say what is carried out; inside a verb the sentence that used it says enough."""
        if self._in_verb and self._in_verb[-1] is not statement:
            return
        self.graph.note(Note(headline(statement), self._cites, statement.span, instruction))

    # ------------------------------------------------------------ small helpers

    def _condition(self, expression: t.Expr, frame: Frame) -> Cond:
        condition = self.expressions.condition(expression, frame)
        self.asking.before(condition)
        return condition

    def _number(self, expression: t.Expr, frame: Frame, statement: t.Statement, hint: Kind | None = None) -> Num:
        """A number that is used: what it reads is asked, and an entry that was never recorded has none."""
        value = self.expressions.number(expression, frame, hint)
        self.asking.before(value)
        needed = all_of(*self.expressions.needs(expression, frame))
        self._only_if(needed, "impossible", f"{headline(statement)}: the number was never recorded", statement)
        return value

    def _only_if(self, condition: Cond, kind: str, about: str, statement: t.Statement) -> None:
        """Go on if the condition holds, else stop."""
        yes, no = self.graph.fork(condition)
        if self.graph.resume(no):
            self.graph.close(Stop(kind, about, self._cites, statement.span, reads(condition)))
        self.graph.resume(yes)

    def _fork(self, condition: Cond, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Both sides of a condition, and the way on behind them."""
        yes, no = self.graph.fork(condition)
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

    def _each_side(self, starts: Sequence[tuple[int, Callable[[], None]]]) -> None:
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

    def _for_members(self, kind: Kind, frame: Frame, condition: t.Expr | None, each: Callable[[int, Frame], None]) -> None:
        self.asking.seats(kind)
        for position, present in self.expressions.members(kind):
            inner = frame.about(kind, position)

            def with_condition(inner: Frame = inner, position: int = position) -> None:
                wanted = Truth(True) if condition is None else self._condition(condition, inner)
                self._fork(wanted, lambda: each(position, inner))

            self._fork(present, with_condition)

    def _owner(self, whose: Whose | None, frame: Frame, then: Callable[[int | None], None]) -> None:
        """Do something for the member that is meant; one known only in play is told apart by cases."""
        owners = self.expressions.owners(whose, frame)
        self.asking.before(*(is_owner for _, is_owner in owners))
        for position, is_owner in owners:
            self._fork(is_owner, lambda position=position: then(position))  # type: ignore[misc]

    def _set(self, variable: int, value: Num) -> None:
        self.graph.set(Set(variable, value))

    # ------------------------------------------------------------ ways on

    def _jump(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Jump | t.SkipPart)
        self._note(statement)
        self.routes.go(self.names.section(statement.target, frame.scope.part)[0], frame.scope.part, self._cites)

    def _continue(self, statement: t.Statement, frame: Frame) -> None:
        self._note(statement)
        following = self.names.next_part(frame.scope.part or "")
        assert following is not None
        self.routes.go(following.sections[0], frame.scope.part, self._cites)

    def _over(self, statement: t.Statement, _frame: Frame) -> None:
        assert isinstance(statement, t.Over)
        self._note(statement)
        self.graph.close(Stop("end", statement.label, self._cites, statement.span))

    def _nothing(self, statement: t.Statement, _frame: Frame) -> None:
        self._note(statement)

    def _play(self, statement: t.Statement, frame: Frame) -> None:
        part = self.names.parts[frame.scope.part or ""]
        self._note(statement)
        before = next((s for s in part.sections if s.kind == "before any other resolution"), None)
        without = before or next((s for s in part.sections if s.kind == "no resolution"), None)
        named = [s for s in part.sections if s.by_a_card and s.kind == "resolution"]
        outcomes: list[tuple[str, Section, int]] = [(f"{s.words} was reached", before or s, i) for i, s in enumerate(named, 1)]
        if without is not None:
            outcomes.append(("no resolution was reached", without, 0))
        mark = None if before is None else self.expressions.reached_resolution(part.name)
        options, ways = [], []
        for words, section, number in outcomes:
            block = self.graph.new()
            sets = () if mark is None else (Set(mark, Const(number)),)
            options.append(Option(words, Truth(True), sets, block, section.cites))
            ways.append((block, section))
        if len(options) == 1:
            self.graph.close(Goto(options[0].target))
        else:
            prompt = f"How did “{part.words}” end?"
            self.graph.close(Choose("table", "the table", prompt, self._cites, tuple(options)))
        for block, section in ways:
            self.graph.open = block
            self.routes.go(section, part.name, self._cites)

    def _go_on(self, statement: t.Statement, frame: Frame) -> None:
        self._note(statement)
        part = self.names.parts[frame.scope.part or ""]
        mark = self.expressions.reached_resolution(part.name)
        named = [s for s in part.sections if s.by_a_card and s.kind == "resolution"]
        for number, section in enumerate(named, 1):
            yes, no = self.graph.fork(Equal(Read(mark), Const(number)))
            if self.graph.resume(yes):
                self.routes.go(section, part.name, self._cites)
            self.graph.resume(no)
        self.graph.close(Stop("hole", "which resolution was reached", self._cites, statement.span, (mark,)))

    def _card_may(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.CardMay)
        target = self.names.section(statement.target, frame.scope.part)[0]
        part = self.names.parts[target.part or ""]
        away, after = self.graph.new(), self.graph.new()
        prompt = f"Does a card send the investigators to “{part.words}”?"
        options = (
            Option("yes", Truth(True), (), away, self._cites),
            Option("no", Truth(True), (), after, self._cites),
        )
        self.graph.close(Choose("table", "the table", prompt, self._cites, options))
        self.routes.ways_back[part.name] = after
        self.graph.open = away
        self.routes.go(target, frame.scope.part, self._cites, leaving=False)
        self.graph.open = after
        self.asking.known = set()

    def _go_back(self, statement: t.Statement, frame: Frame) -> None:
        self._note(statement)
        part = frame.scope.part or ""
        if part in self.routes.ways_back:
            self.graph.close(Goto(self.routes.ways_back[part]))
        else:
            self.graph.close(Stop("dead-end", headline(statement), self._cites, statement.span))

    # ------------------------------------------------------------ the log

    def _entry(self, ref: t.EntryRef, frame: Frame) -> Named:
        found = resolve(t.Value(ref.name, ref.index, span=ref.span), frame.scope)
        assert isinstance(found, Named)
        return found

    def _record(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Record)
        if statement.under is not None:
            self._record_under(statement, frame)
            return
        value = None if statement.value is None else self._number(statement.value, frame, statement)
        for ref in statement.entries:
            found = self._entry(ref, frame)
            entry = found.symbol
            assert isinstance(entry, Entry)
            if value is not None:
                self._in_range(value, entry.low, entry.high, entry.words, statement)
            self._note(statement)

            def write(position: int | None, entry: Entry = entry) -> None:
                self._set(self.variables.number(entry, position), Const(1))
                if value is not None:
                    self._set(self.variables.number(entry, position, None, "number"), value)

            self._owner(found.whose, frame, write)

    def _record_under(self, statement: t.Record, frame: Frame) -> None:
        assert statement.under is not None
        listed = self._list(statement.under, frame)
        assert listed.listed is not None
        self._note(statement)
        for ref in statement.entries:
            position = member_positions(listed.listed, ref.name)[0]
            self._set(self.variables.number(listed, None, position), Const(1))

    def _list(self, ref: t.Ref, frame: Frame) -> Entry:
        found = self._entry(t.EntryRef(ref.names[-1]), frame).symbol
        assert isinstance(found, Entry)
        return found

    def _tally(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Tally)
        count = self._number(statement.count, frame, statement)
        entry = self._list(statement.entry, frame)
        self._note(statement)
        number = self.variables.number(entry, None, None, "number")
        self._set(self.variables.number(entry), Const(1))
        self._set(number, Plus(Read(number), count))

    def _cross_off(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.CrossOff)
        for ref in statement.entries:
            value = t.Value(ref.name, ref.index)
            found = resolve(value, frame.scope)
            if isinstance(found, MemberOf):
                listed = list_with(found.kind, frame.scope)
                assert listed is not None
                self._cross_off_one(self.variables.number(listed, None, found.position), statement)
            elif found is not None:
                symbol = found.symbol
                self._owner(
                    found.whose, frame,
                    lambda position, symbol=symbol: self._cross_off_one(self.variables.number(symbol, position), statement),  # type: ignore[misc]
                )  # fmt: skip

    def _cross_off_one(self, variable: int, statement: t.Statement) -> None:
        words = self.variables.all[variable].words
        self._only_if(Equal(Read(variable), Const(1)), "impossible", f"cross off “{words}”, which is not recorded", statement)
        self._note(statement)
        self._set(variable, Const(2))

    def _cross_off_each(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.CrossOffEach)
        self._note(statement)
        for variable in self._list_variables(self._list(statement.list, frame)):
            self._set(variable, Either(Equal(Read(variable), Const(1)), Const(2), Read(variable)))

    def _list_variables(self, entry: Entry) -> list[int]:
        return self.expressions.slots(entry, None)

    def _list_some(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.ListSome) and isinstance(statement.count, t.Number)
        entry = self._list(statement.list, frame)
        assert entry.listed is not None
        self._note(statement)
        for number in range(1, statement.count.value + 1):
            after = self.graph.new()
            options = tuple(
                Option(member.words, Equal(Read(v), Const(0)), (Set(v, Const(1)),), after, self._cites)
                for member, v in zip(entry.listed.members, self._list_variables(entry), strict=True)
            )  # fmt: skip
            prompt = f"{entry.words}: which are listed? ({number} of {statement.count.value})"
            self.asking.choose(Choose("players", "the investigators", prompt, self._cites, options))
            self.graph.start(after)

    # ------------------------------------------------------------ bags and lists

    def _place(self, place: t.Target, frame: Frame) -> tuple[Value, Whose | None]:
        symbol = frame.scope.value(place.name.text)
        assert symbol is not None
        kind = index_kind(symbol)
        if kind is None:
            return symbol, None
        return symbol, Whose(kind) if place.index is None else find_whose(place.index, kind, frame.scope)

    def _transfer(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Transfer)
        amounts = self._amounts(statement, frame)
        if statement.source is None:
            self._put(statement, amounts, frame)
            return
        symbol, whose = self._place(statement.source, frame)
        self._owner(whose, frame, lambda position: self._take(statement, amounts, symbol, position, frame))

    def _amounts(self, statement: t.Transfer, frame: Frame) -> dict[int, Num]:
        """How many of each item, by its position."""
        place = statement.source or statement.destination
        assert place is not None
        symbol, _ = self._place(place, frame)
        kind = symbol.kind if isinstance(symbol, Bag) else symbol.type.kind if isinstance(symbol, Keep) else None
        assert kind is not None
        amounts: dict[int, Num] = {}
        for thing in statement.things:
            position = member_positions(kind, thing.item)[0]
            count = Const(1) if thing.count is None else self._number(thing.count, frame, statement)
            amounts[position] = Plus(amounts[position], count) if position in amounts else count
        return amounts

    def _put(self, statement: t.Transfer, amounts: dict[int, Num], frame: Frame) -> None:
        assert statement.destination is not None
        symbol, whose = self._place(statement.destination, frame)

        def put(position: int | None) -> None:
            self._note(statement)
            slots = self.expressions.slots(symbol, position)
            for item, count in amounts.items():
                value = Plus(Read(slots[item]), count) if isinstance(symbol, Bag) else Const(1)
                self._set(slots[item], value)

        self._owner(whose, frame, put)

    def _take(self, statement: t.Transfer, amounts: dict[int, Num], symbol: Value, owner: int | None, frame: Frame) -> None:
        slots = self.expressions.slots(symbol, owner)
        if statement.partial:
            amounts = {
                i: Either(Less(Read(slots[i]), count), Read(slots[i]), count) for i, count in amounts.items()
            }  # fmt: skip
        else:
            self._all_there(statement, amounts, slots)
        if statement.destination is None:
            self._note(statement)
        else:
            kept = {i: self._remembered(i, count) for i, count in amounts.items()} if statement.partial else amounts
            amounts = kept
            self._put(statement, kept, frame)
        for i, count in amounts.items():
            self._set(slots[i], Minus(Read(slots[i]), count))

    def _remembered(self, item: int, count: Num) -> Num:
        """A value that must not change while it is used twice."""
        variable = self.variables.hidden(f"moved {item}", 0, None)
        self._set(variable, count)
        return Read(variable)

    def _all_there(self, statement: t.Transfer, amounts: dict[int, Num], slots: list[int]) -> None:
        """All are taken, or nothing is: each is looked for before the first is moved."""
        for i, count in amounts.items():
            words = self.variables.all[slots[i]].words
            about = f"{headline(statement)}: “{words}” is not there"
            self._only_if(at_most(count, Read(slots[i])), "impossible", about, statement)

    def _remove_each(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.RemoveEach)
        symbol, whose = self._place(statement.place, frame)

        def empty(position: int | None) -> None:
            self._note(statement)
            for slot in self.expressions.slots(symbol, position):
                self._set(slot, Const(0))

        self._owner(whose, frame, empty)

    def _holds(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Holds)
        bag = frame.scope.value(statement.bag.text)
        assert isinstance(bag, Bag)
        positions = [member_positions(bag.kind, item)[0] for item in statement.items]
        self._note(statement)
        for i, slot in enumerate(self.expressions.slots(bag, None)):
            self._set(slot, Const(positions.count(i)))

    # ------------------------------------------------------------ variables

    def _change(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Change)
        symbol, whose = self._place(statement.target, frame)
        assert isinstance(symbol, Keep)
        hint = symbol.type.kind or kind_hint(statement.amount, frame.scope)
        amount = self._number(statement.amount, frame, statement, hint)

        def change(position: int | None) -> None:
            variable = self.variables.number(symbol, position)
            value = {
                "set": amount, "increase": Plus(Read(variable), amount), "decrease": Minus(Read(variable), amount),
            }[statement.operator]  # fmt: skip
            if symbol.type.form == "number":
                self._in_range(value, symbol.type.low or 0, symbol.type.high, symbol.name.replace("_", " "), statement)
            self._note(statement)
            self._set(variable, value)

        self._owner(whose, frame, change)

    def _in_range(self, value: Num, low: int, high: int | None, words: str, statement: t.Statement) -> None:
        least, most = self._bounds(value)
        fits_below: Cond = Truth(True) if least is not None and least >= low else at_most(Const(low), value)
        fits_above: Cond = Truth(True)
        if high is not None and (most is None or most > high):
            fits_above = at_most(value, Const(high))
        self._only_if(all_of(fits_below, fits_above), "range", f"“{words}”", statement)

    def _bounds(self, value: Num) -> tuple[int | None, int | None]:
        """The least and the greatest that an expression can be, as far as the variables' declarations say (None: no bound)."""
        match value:
            case Const(number):
                return number, number
            case Read(variable):
                declared = self.variables.all[variable]
                return declared.low, declared.high
            case Plus(left, right):
                (a, b), (c, d) = self._bounds(left), self._bounds(right)
                return None if a is None or c is None else a + c, None if b is None or d is None else b + d
            case Minus(left, right):
                (a, b), (c, d) = self._bounds(left), self._bounds(right)
                return None if a is None or d is None else a - d, None if b is None or c is None else b - c
            case Either(_, then, otherwise):
                (a, b), (c, d) = self._bounds(then), self._bounds(otherwise)
                return None if a is None or c is None else min(a, c), None if b is None or d is None else max(b, d)
        return None, None

    def _deal(self, statement: t.Statement, frame: Frame) -> None:
        """One at a time round the seats: with n seats the seat i (from 0) gets one for each k below the count with k mod n = i."""
        assert isinstance(statement, t.Deal) and isinstance(statement.count, t.Number)
        keep = frame.scope.value(statement.field.text)
        assert isinstance(keep, Keep) and keep.index is not None
        self.asking.seats(keep.index)
        seats = Read(self.variables.number(keep.index))
        self._note(statement)
        for i in range(len(keep.index.members)):
            share: Num = Const(0)
            for taken in range(keep.index.low or 0, (keep.index.high or 0) + 1):
                dealt = len([k for k in range(statement.count.value) if k % taken == i])
                share = Either(Equal(seats, Const(taken)), Const(dealt), share)
            self._set(self.variables.number(keep, i), share)

    def _evenly(self, statement: t.Statement, frame: Frame) -> None:
        """Rounds in which each that has something gives one; in the last, incomplete round a reader says which of them give."""
        assert isinstance(statement, t.Evenly)
        count = self._number(statement.count, frame, statement)
        keep = frame.scope.value(statement.field.text)
        assert isinstance(keep, Keep) and keep.index is not None
        fields = [self.variables.number(keep, i) for i in range(len(keep.index.members))]
        left = self.variables.hidden("still to be removed", 0, None)
        self._note(statement)
        self._set(left, count)
        having = [Less(Const(0), Read(field)) for field in fields]
        number_having = _total(having)
        last = self.graph.new()
        for _ in range(keep.type.high or 0):
            whole_round = all_of(at_most(number_having, Read(left)), some_of(*having))
            yes, no = self.graph.fork(whole_round)
            self.graph.open = no
            self.graph.close(Goto(last))
            self.graph.open = yes
            self._set(left, Minus(Read(left), number_having))
            for field in fields:
                self._set(field, Minus(Read(field), Either(Less(Const(0), Read(field)), Const(1), Const(0))))
        self.graph.start(last)
        for i, field in enumerate(fields):
            self._gives_one(statement, keep.index.members[i].words, field, left, _total(having[i:]))

    def _gives_one(self, statement: t.Evenly, words: str, field: int, left: int, candidates: Num) -> None:
        """Whether one of the last round gives: asked only if not all of the rest must, or none may."""
        gives, after = self.graph.new(), self.graph.new()
        may = all_of(Less(Const(0), Read(field)), Less(Const(0), Read(left)))
        must = at_most(candidates, Read(left))
        yes, no = self.graph.fork(may)
        self.graph.open = no
        self.graph.close(Goto(after))
        self.graph.open = yes
        forced, free = self.graph.fork(must)
        self.graph.open = forced
        self.graph.close(Goto(gives))
        self.graph.open = free
        prompt = f"{headline(statement)}: does {words} give one more?"
        options = (
            Option("yes", Truth(True), (), gives, self._cites),
            Option("no", Truth(True), (), after, self._cites),
        )
        self.graph.close(Choose("reading", "the text does not say who", prompt, self._cites, options))
        self.graph.open = gives
        self._set(field, Minus(Read(field), Const(1)))
        self._set(left, Minus(Read(left), Const(1)))
        self.graph.start(after)

    # ------------------------------------------------------------ verbs, rules, instructions

    def _verb_use(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.VerbUse)
        subject = subject_of(statement, frame.scope)
        assert subject is not None
        matched = match_verb(subject.kind, subject.rest, self.names)
        assert matched is not None

        def one(position: int, inner: Frame) -> None:
            arguments = {name: self._argument(name, value, inner, statement) for name, value in matched.arguments.items()}
            from plainchant.meaning.check import verb_parameters

            scope = Scope(self.names, None, parameters=verb_parameters(matched.verb)).about(subject.kind)
            self._note(statement)
            self._in_verb.append(statement)
            self.body(matched.verb.body, Frame(scope, {subject.kind.name: position}, arguments))
            self._in_verb.pop()

        if subject.whose is None:
            self._for_members(subject.kind, frame, statement.condition, one)
        else:
            self._owner(subject.whose, frame, lambda position: one(position or 0, frame.about(subject.kind, position or 0)))

    def _argument(self, name: str, value: t.Expr, frame: Frame, statement: t.Statement, kind: Kind | None = None) -> Num:
        """An argument keeps the value that it had when the rule began."""
        number = self._number(value, frame, statement, kind)
        if isinstance(number, Const) or (isinstance(number, Read) and self.variables.all[number.variable].asked):
            return number
        variable = self.variables.hidden(f"argument {name}", 0, None)
        self._set(variable, number)
        return Read(variable)

    def _do(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Do)
        rule = self.names.rules[statement.rule.text]
        arguments = {
            p.name: self._argument(f"{rule.name}.{p.name}", value, frame, statement, p.type.kind)
            for p, value in zip(rule.parameters, statement.arguments, strict=True)
        }
        scope = Scope(self.names, None, parameters={p.name: p for p in rule.parameters})
        self._note(statement)
        self.body(rule.body, Frame(scope, {}, arguments))

    def _instruct(self, statement: t.Statement, _frame: Frame) -> None:
        self._note(statement, instruction=True)

    # ------------------------------------------------------------ blocks

    def _if(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.If)
        self._arms(list(zip(statement.arms, statement.arm_cites, strict=False)), statement, frame)

    def _arms(self, arms: list[tuple[tuple[t.Expr, t.Body], tuple[Cite, ...]]], statement: t.If, frame: Frame) -> None:
        if not arms:
            self.body(statement.otherwise, frame)
            return
        ((expression, body), cites), *rest = arms
        self._cites = cites or self._cites
        condition = self._condition(expression, frame)
        self._fork(condition, lambda: self.body(body, frame), lambda: self._arms(rest, statement, frame))

    def _check(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Check)
        guards: list[Cond] = []
        for case in statement.cases:
            own = Truth(True) if case.condition is None else self.expressions.condition(case.condition, frame)
            guards.append(all_of(*(opposite(guard) for guard in guards), own) if case.after else own)
        self.asking.before(*guards)
        cases, sides = [], []
        for case, guard in zip(statement.cases, guards, strict=True):
            block = self.graph.new()
            words = headline(case)
            cases.append(Case(guard, block, words, case.cites or _first_cites(case.body) or self._cites))
            sides.append((block, lambda body=case.body: self.body(body, frame)))
        hole = self.graph.new()
        about = f"check “{statement.title}”"
        self.graph.close(Cases(about, self._cites, tuple(cases), hole))
        self.graph.open = hole
        read = reads(some_of(*guards))
        all_cites = tuple(dict.fromkeys(cite for case in cases for cite in case.cites)) or self._cites
        self.graph.close(Stop("hole", about, all_cites, statement.span, read))
        self._each_side(sides)

    def _by(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.By)
        kind = kind_hint(statement.subject, frame.scope)
        assert kind is not None
        subject = self._number(statement.subject, frame, statement)
        remaining = list(statement.arms)

        def rest() -> None:
            arm = remaining.pop(0)
            if not remaining:
                self.body(arm.body, frame)
                return
            position = kind.position(arm.member.text)
            assert position is not None
            self._fork(Equal(subject, Const(position)), lambda: self.body(arm.body, frame), rest)

        rest()

    def _for_each(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.ForEach)
        kind = self.names.kind(statement.kind.text)
        assert kind is not None
        self._for_members(kind, frame, statement.condition, lambda _, inner: self.body(statement.body, inner))

    def _decide(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Decide)
        decider = "chance" if statement.who is None else f"the {_phrase_words(statement.who)}"
        chooser = "chance" if statement.who is None else "players"
        if statement.limit is None:
            self._one_decision(statement, frame, chooser, decider, None)
            return
        used = [self.variables.hidden(f"{frame.scope.part}.{option.words}", 0, 1, 0, frame.scope.part or "") for option in statement.options]
        for variable in used:
            self._set(variable, Const(0))
        done = self.graph.new()
        for _ in range(statement.limit):
            if self.graph.open is not None:
                self._one_decision(statement, frame, chooser, decider, (used, done))
        self.graph.start(done)

    def _one_decision(
        self, statement: t.Decide, frame: Frame, chooser: str, decider: str, limited: tuple[list[int], int] | None
    ) -> None:  # fmt: skip
        conditions = [
            Truth(True) if option.condition is None else self.expressions.condition(option.condition, frame)
            for option in statement.options
        ]
        self.asking.before(*conditions)
        options, sides = [], []
        for i, (option, condition) in enumerate(zip(statement.options, conditions, strict=True)):
            block = self.graph.new()
            sets: tuple[Set, ...] = ()
            if limited is not None:
                variable = limited[0][i]
                condition, sets = all_of(condition, Equal(Read(variable), Const(0))), (Set(variable, Const(1)),)
            options.append(Option(option.words, condition, sets, block, option.cites or self._cites))
            sides.append((block, lambda option=option: self._option(option, frame)))
        prompt = f"{decider[:1].upper()}{decider[1:]} must decide" if chooser == "players" else "At random"
        if limited is not None:
            options.append(Option("no more", Truth(True), (), limited[1], self._cites))
            prompt = f"{prompt} (up to {statement.limit}, one at a time)"
        self.asking.choose(Choose(chooser, decider, prompt, self._cites, tuple(options)))
        self._each_side(sides)

    def _option(self, option: t.Option, frame: Frame) -> None:
        outer, self._cites = self._cites, option.cites or self._cites
        self.body(option.body, frame)
        self._cites = outer

    def _choose(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.Choose)
        if isinstance(statement.who, t.That):
            chooser_kind = self.names.kind(statement.who.kind.text)
            assert chooser_kind is not None
            decider = chooser_kind.members[frame.positions[chooser_kind.name]].words
        else:
            decider = f"the {_phrase_words(statement.who)}"
        kind = self.names.kind(statement.kind.text)
        assert kind is not None
        verb = "may choose" if statement.optional else "chooses"
        prompt = f"{decider[:1].upper()}{decider[1:]} {verb} a {kind.words}"
        self._choose_member(kind, statement, statement.condition, statement.body, statement.optional, decider, prompt, frame)

    def _any_one_may(self, statement: t.Statement, frame: Frame) -> None:
        assert isinstance(statement, t.AnyOneMay)
        kind = self.names.kind(statement.kind.text)
        assert kind is not None
        done = "; ".join(headline(s) for s in statement.body.statements)
        prompt = f"Any one {kind.name} may: {done}"
        self._choose_member(kind, statement, None, statement.body, True, f"any one {kind.name}", prompt, frame)

    def _choose_member(
        self, kind: Kind, statement: t.Statement, condition: t.Expr | None, body: t.Body, optional: bool,
        decider: str, prompt: str, frame: Frame,
    ) -> None:  # fmt: skip
        self.asking.seats(kind)
        options, sides = [], []
        for position, present in self.expressions.members(kind):
            inner = frame.about(kind, position)
            allowed = present if condition is None else all_of(present, self._condition(condition, inner))
            block = self.graph.new()
            options.append(Option(kind.members[position].words, allowed, (), block, self._cites))
            sides.append((block, lambda inner=inner: self.body(body, inner)))
        if optional:
            block = self.graph.new()
            options.append(Option("nobody" if kind.is_group else "none", Truth(True), (), block, self._cites))
            sides.append((block, lambda: None))
        del statement
        self.asking.choose(Choose("players", decider, prompt, self._cites, tuple(options)))
        self._each_side(sides)

    _ways: dict[type[t.Statement], Callable[[Statements, t.Statement, Frame], None]] = {  # noqa: RUF012 - one table for all
        t.Jump: _jump, t.SkipPart: _jump, t.ContinuePrinted: _continue, t.PlayScenario: _play, t.GoOn: _go_on,
        t.GoBack: _go_back, t.CardMay: _card_may, t.Over: _over, t.Nothing: _nothing, t.Record: _record, t.Tally: _tally,
        t.CrossOff: _cross_off, t.CrossOffEach: _cross_off_each, t.ListSome: _list_some, t.Transfer: _transfer,
        t.RemoveEach: _remove_each, t.Holds: _holds, t.Change: _change, t.Deal: _deal, t.Evenly: _evenly, t.VerbUse: _verb_use,
        t.Do: _do, t.Instruct: _instruct, t.If: _if, t.Check: _check, t.By: _by, t.ForEach: _for_each, t.Decide: _decide,
        t.Choose: _choose, t.AnyOneMay: _any_one_may,
    }  # fmt: skip


class Routes:
    """How play gets from section to section: each has its first block, and each scenario that can be played alone ends when left."""

    def __init__(self, graph: Graph, expressions: Expressions, starts: dict[str, int], alone: dict[str, int]) -> None:
        self.graph = graph
        self.expressions = expressions
        self.starts = starts
        self.alone = alone
        self.ways_back: dict[str, int] = {}

    def go(self, section: Section, part: str | None, cites: tuple[Cite, ...], *, leaving: bool = True) -> None:
        """Lead from a section of `part` to another; entering another part forgets that part's facts."""
        if section.part != part:
            if leaving and part in self.alone:
                self._end_of_standalone(part, self.alone[part], cites)
            for variable in self.expressions.variables.of_part(section.part or ""):
                initial = self.expressions.variables.all[variable].initial
                self.graph.set(Set(variable, Const(initial)))
        self.graph.close(Goto(self.starts[section.key]))

    def _end_of_standalone(self, part: str, number: int, cites: tuple[Cite, ...]) -> None:
        mode = self.expressions.variables.hidden("standalone", 0, len(self.alone))
        yes, no = self.graph.fork(Equal(Read(mode), Const(number)))
        self.graph.open = yes
        words = self.expressions.names.parts[part].words
        self.graph.close(Stop("end", f"the end of “{words}”, played alone", cites))
        self.graph.open = no


def _total(conditions: Sequence[Cond]) -> Num:
    from plainchant.meaning.kernel import number_of

    return number_of(tuple(conditions))


def _phrase_words(phrase: t.Phrase) -> str:
    return " ".join(item.text if isinstance(item, t.Name) else "…" for item in phrase.items)


def _first_cites(body: t.Body) -> tuple[Cite, ...]:
    return body.statements[0].cites if body.statements else ()


__all__ = ["Routes", "Statements", "Way", "replace"]

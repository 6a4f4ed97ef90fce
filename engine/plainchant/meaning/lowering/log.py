"""Statements that write the campaign log."""

from __future__ import annotations

from collections.abc import Callable

from plainchant.meaning.check_expressions import list_with
from plainchant.meaning.kernel import Choose, Const, Either, Equal, Option, Plus, Read, Set
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.names import member_positions
from plainchant.meaning.resolve import MemberOf, Named, resolve
from plainchant.meaning.symbols import Entry
from plainchant.text import tree as t


def _entry(lowering: Lowering, ref: t.EntryRef, frame: Frame) -> Named:
    found = resolve(t.Value(ref.name, ref.index, span=ref.span), frame.scope)
    assert isinstance(found, Named)
    return found


def lower_record(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Record)
    if statement.under is not None:
        _record_under(lowering, statement, frame)
        return
    value = None if statement.value is None else lowering.number(statement.value, frame, statement)
    for ref in statement.entries:
        found = _entry(lowering, ref, frame)
        entry = found.symbol
        assert isinstance(entry, Entry)
        if value is not None:
            lowering.in_range(value, entry.low, entry.high, entry.words, statement)
        lowering.note(statement)

        def write(position: int | None, entry: Entry = entry) -> None:
            lowering.set(lowering.variables.number(entry, position), Const(1))
            if value is not None:
                lowering.set(lowering.variables.number(entry, position, None, "number"), value)

        lowering.owner(found.whose, frame, write)


def _record_under(lowering: Lowering, statement: t.Record, frame: Frame) -> None:
    assert statement.under is not None
    listed = _list(lowering, statement.under, frame)
    assert listed.listed is not None
    lowering.note(statement)
    for ref in statement.entries:
        position = member_positions(listed.listed, ref.name)[0]
        lowering.set(lowering.variables.number(listed, None, position), Const(1))


def _list(lowering: Lowering, ref: t.Ref, frame: Frame) -> Entry:
    found = _entry(lowering, t.EntryRef(ref.names[-1]), frame).symbol
    assert isinstance(found, Entry)
    return found


def lower_tally(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Tally)
    count = lowering.number(statement.count, frame, statement)
    entry = _list(lowering, statement.entry, frame)
    lowering.note(statement)
    number = lowering.variables.number(entry, None, None, "number")
    lowering.set(lowering.variables.number(entry), Const(1))
    lowering.set(number, Plus(Read(number), count))


def lower_cross_off(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.CrossOff)
    for ref in statement.entries:
        _for_entry(lowering, ref, frame, lambda variable: _cross_off_one(lowering, variable, statement))


def _cross_off_one(lowering: Lowering, variable: int, statement: t.Statement) -> None:
    words = lowering.variables.all[variable].words
    lowering.only_if(Equal(Read(variable), Const(1)), "impossible", f"cross off “{words}”, which is not recorded", statement)
    lowering.note(statement)
    lowering.set(variable, Const(2))


def lower_leave_out(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.LeaveOut)
    lowering.note(statement)
    for ref in statement.entries:
        _for_entry(lowering, ref, frame, lambda variable: lowering.set(variable, Const(0)))


def lower_card_may_record(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.CardMayRecord)
    _for_entry(lowering, statement.entry, frame, lambda variable: _card_records(lowering, statement, variable))


def _card_records(lowering: Lowering, statement: t.Statement, variable: int) -> None:
    """The table says whether a card recorded it; only then the statement is carried out."""
    prompt = f"Does a card record “{lowering.variables.all[variable].words}”?"
    recorded, after = lowering.asking.yes_or_no("table", "the table", prompt, lowering.cites)
    lowering.graph.open = recorded
    lowering.note(statement, "card")
    lowering.set(variable, Const(1))
    lowering.graph.start(after)


def _for_entry(lowering: Lowering, ref: t.EntryRef, frame: Frame, then: Callable[[int], None]) -> None:
    """Do something with the state variable of an entry, or of a thing in a checklist."""
    found = resolve(t.Value(ref.name, ref.index), frame.scope)
    if isinstance(found, MemberOf):
        listed = list_with(found.kind, frame.scope)
        assert listed is not None
        then(lowering.variables.number(listed, None, found.position))
    elif found is not None:
        symbol = found.symbol
        lowering.owner(found.whose, frame, lambda position: then(lowering.variables.number(symbol, position)))


def lower_cross_off_each(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.CrossOffEach)
    lowering.note(statement)
    for variable in lowering.expressions.slots(_list(lowering, statement.list, frame), None):
        lowering.set(variable, Either(Equal(Read(variable), Const(1)), Const(2), Read(variable)))


def lower_list_some(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.ListSome) and isinstance(statement.count, t.Number)
    entry = _list(lowering, statement.list, frame)
    assert entry.listed is not None
    lowering.note(statement)
    for number in range(1, statement.count.value + 1):
        after = lowering.graph.new()
        options = tuple(
            Option(member.words, Equal(Read(v), Const(0)), (Set(v, Const(1)),), after, lowering.cites)
            for member, v in zip(entry.listed.members, lowering.expressions.slots(entry, None), strict=True)
        )  # fmt: skip
        prompt = f"{entry.words}: which are listed? ({number} of {statement.count.value})"
        lowering.asking.choose(Choose("players", "the investigators", prompt, lowering.cites, options))
        lowering.graph.start(after)

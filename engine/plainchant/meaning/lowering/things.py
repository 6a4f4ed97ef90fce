"""Statements that move tokens and cards, and that change kept variables."""

from __future__ import annotations

from plainchant.meaning.kernel import (
    Cond,
    Const,
    Either,
    Equal,
    Goto,
    Less,
    Minus,
    Note,
    Num,
    Plus,
    Read,
    Truth,
    all_of,
    at_most,
    number_of,
    reads,
    some_of,
)
from plainchant.meaning.lowering.context import Lowering, place_of
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.names import member_positions
from plainchant.meaning.resolve import kind_hint, named_member
from plainchant.meaning.symbols import Bag, Keep, Kind, Value
from plainchant.text import tree as t
from plainchant.text.statement_text import headline


def lower_transfer(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Transfer)
    amounts = _amounts(lowering, statement, frame)
    if statement.source is None:
        _put(lowering, statement, amounts, frame)
        return
    symbol, whose = place_of(lowering, statement.source, frame)
    lowering.owner(whose, frame, lambda position: _take(lowering, statement, amounts, symbol, position, frame))


def _amounts(lowering: Lowering, statement: t.Transfer, frame: Frame) -> dict[int, Num]:
    """How many of each item, by its position."""
    place = statement.source or statement.destination
    assert place is not None
    symbol, _ = place_of(lowering, place, frame)
    kind = symbol.kind if isinstance(symbol, Bag) else symbol.type.kind if isinstance(symbol, Keep) else None
    assert kind is not None
    amounts: dict[int, Num] = {}
    for thing in statement.things:
        count = Const(1) if thing.count is None else lowering.number(thing.count, frame, statement)
        item = _item(lowering, thing.item, kind, frame, statement)
        shares = {item.value: count} if isinstance(item, Const) else _shares(item, count, kind)
        for position, share in shares.items():
            amounts[position] = Plus(amounts[position], share) if position in amounts else share
    # What the amounts look at changes while things are moved, one after the other.
    return {i: _remembered(lowering, i, amount) if _looks_at_things(lowering, amount) else amount for i, amount in amounts.items()}


def _looks_at_things(lowering: Lowering, amount: Num) -> bool:
    return any(lowering.variables.all[variable].role in ("bag", "keep") for variable in reads(amount))


def _item(lowering: Lowering, item: t.Name | t.That, kind: Kind, frame: Frame, statement: t.Statement) -> Num:
    """The position of a thing: of a fixed one, or of one that only play names."""
    if isinstance(item, t.Name) and (positions := member_positions(kind, item)):
        return Const(positions[0])
    named = item if isinstance(item, t.That) else named_member(item, kind, frame.scope)
    assert named is not None
    return lowering.number(named, frame, statement, kind)


def _shares(item: Num, count: Num, kind: Kind) -> dict[int, Num]:
    """So many of the thing that is named, and none of the others."""
    return {i: Either(Equal(item, Const(i)), count, Const(0)) for i in range(len(kind.members))}


def _put(lowering: Lowering, statement: t.Transfer, amounts: dict[int, Num], frame: Frame) -> None:
    assert statement.destination is not None
    symbol, whose = place_of(lowering, statement.destination, frame)

    def put(position: int | None) -> None:
        lowering.note(statement)
        slots = lowering.expressions.slots(symbol, position)
        for item, count in amounts.items():
            lowering.set(slots[item], Plus(Read(slots[item]), count) if isinstance(symbol, Bag) else _ticked(slots[item], count))

    lowering.owner(whose, frame, put)


def _ticked(slot: int, count: Num) -> Num:
    """A list holds a thing once, and one that it holds already stays."""
    return Const(1) if isinstance(count, Const) else Either(Less(Const(0), count), Const(1), Read(slot))


def _take(lowering: Lowering, statement: t.Transfer, amounts: dict[int, Num], symbol: Value, owner: int | None, frame: Frame) -> None:
    slots = lowering.expressions.slots(symbol, owner)
    if statement.partial:
        amounts = {
            i: Either(Less(Read(slots[i]), count), Read(slots[i]), count) for i, count in amounts.items()
        }  # fmt: skip
    else:
        _all_there(lowering, statement, amounts, slots)
    if statement.destination is None:
        lowering.note(statement)
    else:
        kept = {i: _remembered(lowering, i, count) for i, count in amounts.items()} if statement.partial else amounts
        amounts = kept
        _put(lowering, statement, kept, frame)
    for i, count in amounts.items():
        lowering.set(slots[i], Minus(Read(slots[i]), count))


def _remembered(lowering: Lowering, item: int, count: Num) -> Num:
    """A value that must not change while it is used twice."""
    variable = lowering.variables.passing(f"moved {item}", 0, None)
    lowering.set(variable, count)
    return Read(variable)


def lower_move_each(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """All that a bag holds goes to another, which may be the same."""
    assert isinstance(statement, t.MoveEach)
    source, from_whom = place_of(lowering, statement.source, frame)
    destination, to_whom = place_of(lowering, statement.destination, frame)

    def move(taken: list[int], put: list[int]) -> None:
        lowering.note(statement)
        for here, there in zip(taken, put, strict=True):
            if here != there:
                lowering.set(there, Plus(Read(there), Read(here)))
                lowering.set(here, Const(0))

    slots = lowering.expressions.slots
    lowering.owner(
        from_whom, frame, lambda one: lowering.owner(to_whom, frame, lambda other: move(slots(source, one), slots(destination, other)))
    )


def lower_cost(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """The cost is paid if it can be paid in full; else the rule ends before anything was done."""
    assert isinstance(statement, t.Cost)
    _go_on_if(lowering, _payable(lowering, statement.payment, frame), statement, "it cannot be paid in full")
    if lowering.graph.open is not None:
        lowering.statement(statement.payment, frame)


def _payable(lowering: Lowering, payment: t.Transfer | t.Change, frame: Frame) -> Cond:
    """Whether all that is paid is there."""
    place = payment.target if isinstance(payment, t.Change) else payment.source
    if place is None:
        return Truth(True)
    symbol, whose = place_of(lowering, place, frame)
    if isinstance(payment, t.Change):
        amounts: dict[int, Num] = {0: lowering.number(payment.amount, frame, payment)}
    else:
        amounts = _amounts(lowering, payment, frame)

    def slots(position: int | None) -> list[int]:
        return (
            [lowering.variables.number(symbol, position)] if isinstance(payment, t.Change) else lowering.expressions.slots(symbol, position)
        )

    owners = lowering.expressions.owners(whose, frame)
    lowering.asking.before(*(is_owner for _, is_owner in owners))
    return some_of(
        *(all_of(is_owner, *(at_most(count, Read(slots(position)[i])) for i, count in amounts.items())) for position, is_owner in owners)
    )


def lower_only_if(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.OnlyIf)
    _go_on_if(lowering, lowering.condition(statement.condition, frame), statement, "it is not so")


def _go_on_if(lowering: Lowering, condition: Cond, statement: t.Statement, otherwise: str) -> None:
    """Go on with the rule, or leave it; the account says why it was left."""
    yes, no = lowering.graph.fork(condition, headline(statement), lowering.cites)
    if lowering.graph.resume(no):
        lowering.graph.note(Note(f"{headline(statement)}: {otherwise}", lowering.cites, statement.span))
        lowering.graph.close(Goto(lowering.rule_ends[-1]))
    lowering.graph.resume(yes)


def _all_there(lowering: Lowering, statement: t.Transfer, amounts: dict[int, Num], slots: list[int]) -> None:
    """All are taken, or nothing is: each is looked for before the first is moved."""
    for i, count in amounts.items():
        words = lowering.variables.all[slots[i]].words
        about = f"{headline(statement)}: “{words}” is not there"
        lowering.only_if(at_most(count, Read(slots[i])), "impossible", about, statement)


def lower_remove_each(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.RemoveEach)
    symbol, whose = place_of(lowering, statement.place, frame)

    def empty(position: int | None) -> None:
        lowering.note(statement)
        for slot in lowering.expressions.slots(symbol, position):
            lowering.set(slot, Const(0))

    lowering.owner(whose, frame, empty)


def lower_holds(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Holds)
    bag = frame.scope.value(statement.bag.text)
    assert isinstance(bag, Bag)
    positions = [member_positions(bag.kind, item)[0] for item in statement.items]
    lowering.note(statement)
    for i, slot in enumerate(lowering.expressions.slots(bag, None)):
        lowering.set(slot, Const(positions.count(i)))


def lower_change(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Change)
    symbol, whose = place_of(lowering, statement.target, frame)
    assert isinstance(symbol, Keep)
    hint = symbol.type.kind or kind_hint(statement.amount, frame.scope)
    amount = lowering.number(statement.amount, frame, statement, hint)

    def change(position: int | None) -> None:
        variable = lowering.variables.number(symbol, position)
        value = {
            "set": amount, "increase": Plus(Read(variable), amount), "decrease": Minus(Read(variable), amount),
        }[statement.operator]  # fmt: skip
        if symbol.type.form == "number":
            lowering.in_range(value, symbol.type.low or 0, symbol.type.high, symbol.name.replace("_", " "), statement)
        lowering.note(statement)
        lowering.set(variable, value)

    lowering.owner(whose, frame, change)


def lower_deal(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """One at a time round the seats: with n seats the seat i (from 0) gets one for each k below the count with k mod n = i."""
    assert isinstance(statement, t.Deal) and isinstance(statement.count, t.Number)
    keep = frame.scope.value(statement.field.text)
    assert isinstance(keep, Keep) and keep.index is not None
    lowering.asking.seats(keep.index)
    seats = Read(lowering.variables.number(keep.index))
    lowering.note(statement)
    for i in range(len(keep.index.members)):
        share: Num = Const(0)
        for taken in range(keep.index.low or 0, (keep.index.high or 0) + 1):
            dealt = len([k for k in range(statement.count.value) if k % taken == i])
            share = Either(Equal(seats, Const(taken)), Const(dealt), share)
        lowering.set(lowering.variables.number(keep, i), share)


def lower_evenly(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """Rounds in which each that has something gives one; in the last, incomplete round a reader says which of them give."""
    assert isinstance(statement, t.Evenly)
    count = lowering.number(statement.count, frame, statement)
    keep = frame.scope.value(statement.field.text)
    assert isinstance(keep, Keep) and keep.index is not None
    fields = [lowering.variables.number(keep, i) for i in range(len(keep.index.members))]
    left = lowering.variables.passing("still to be removed", 0, None)
    lowering.note(statement)
    lowering.set(left, count)
    having = [Less(Const(0), Read(field)) for field in fields]
    number_having = number_of(tuple(having))
    last = lowering.graph.new()
    for _ in range(keep.type.high or 0):
        whole_round = all_of(at_most(number_having, Read(left)), some_of(*having))
        yes, no = lowering.graph.fork(whole_round)
        lowering.graph.open = no
        lowering.graph.close(Goto(last))
        lowering.graph.open = yes
        lowering.set(left, Minus(Read(left), number_having))
        for field in fields:
            lowering.set(field, Minus(Read(field), Either(Less(Const(0), Read(field)), Const(1), Const(0))))
    lowering.graph.start(last)
    for i, field in enumerate(fields):
        _gives_one(lowering, statement, keep.index.members[i].words, field, left, number_of(tuple(having[i:])))


def _gives_one(lowering: Lowering, statement: t.Evenly, words: str, field: int, left: int, candidates: Num) -> None:
    """Whether one of the last round gives: asked only if not all of the rest must, or none may."""
    may = all_of(Less(Const(0), Read(field)), Less(Const(0), Read(left)))
    yes, no = lowering.graph.fork(may)
    lowering.graph.open = yes
    forced, free = lowering.graph.fork(at_most(candidates, Read(left)))
    lowering.graph.open = free
    prompt = f"{headline(statement)}: does {words} give one more?"
    gives, after = lowering.asking.yes_or_no("reading", "the text does not say who", prompt, lowering.cites)
    for block, target in ((no, after), (forced, gives)):
        lowering.graph.open = block
        lowering.graph.close(Goto(target))
    lowering.graph.open = gives
    lowering.set(field, Minus(Read(field), Const(1)))
    lowering.set(left, Minus(Read(left), Const(1)))
    lowering.graph.start(after)

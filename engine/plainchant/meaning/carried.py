"""What the members of a kind carry, as it is written behind their names: checked, and brought into the order of the members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from plainchant.meaning.reporter import Reporter
from plainchant.meaning.symbols import Attribute, Kind, Type
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t

Literal = Callable[[t.Name, Type], int]
"""The value that a literal of a type stands for; it complains of one that does not fit."""


def listed_members(items: Iterable[t.Item]) -> dict[str, list[t.Member]]:
    """The members of each kind, those that are listed with it and those that are listed elsewhere."""
    members: dict[str, list[t.Member]] = {}
    items = list(items)
    for kinds in (item for item in items if isinstance(item, t.Kinds)):
        members.setdefault(kinds.name.text, []).extend(kinds.members)
    for further in (item for item in items if isinstance(item, t.Members)):
        name = further.kind.text
        members.setdefault(name if name in members else name.removesuffix("s"), []).extend(further.members)
    return members


def attribute(
    written: t.Attribute, kind: Kind, type_: Type, members: Sequence[t.Member], literal: Literal, report: Reporter
) -> Attribute:  # fmt: skip
    """What each member of a kind carries under one name."""
    by_name = {member.name.text: member for member in reversed(members)}
    values = tuple(_carried(by_name[member.name], written, type_, literal, report) for member in kind.members)
    return Attribute(written.name.text, written.name.span, written.cites, None, type_, kind, values)


def check_carried(members: Sequence[t.Member], attributes: Sequence[t.Attribute], report: Reporter) -> None:
    """Complain of what a member carries and the kind does not name, or of what it names twice."""
    known = [one.name.text for one in attributes]
    for name in (carried.name for member in members for carried in member.carried):
        if name.text not in known:
            report("PC201", name.span, name=name.text, nearest=nearest_name(name.text, known))
    for name, first in _again(members):
        report("PC202", name.span, name=name.text, first=str(first.span.line))


def _again(members: Sequence[t.Member]) -> Iterator[tuple[t.Name, t.Name]]:
    for member in members:
        seen: dict[str, t.Name] = {}
        for carried in member.carried:
            if carried.name.text in seen:
                yield carried.name, seen[carried.name.text]
            seen.setdefault(carried.name.text, carried.name)


def _carried(
    member: t.Member, written: t.Attribute, type_: Type, literal: Literal, report: Reporter
) -> int | tuple[int, ...] | None:  # fmt: skip
    """What one member carries; None if it carries none."""
    given = next((one for one in member.carried if one.name.text == written.name.text), None)
    if given is None:
        if not written.optional:
            report("PC316", member.name.span, member=member.name.text, name=written.name.text)
        return None
    if type_.form == "list" and type_.kind:
        of_one = Type("member", 0, len(type_.kind.members) - 1, type_.kind)
        return tuple(literal(value, of_one) for value in given.values)
    if given.listed:
        report("PC301", given.span, what=f"“{written.name.text}”", found="a list", expected=str(type_))
        return None
    return literal(given.values[0], type_)

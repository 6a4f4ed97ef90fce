"""What people want to see of a state: the campaign log, the bags, the seats."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainchant.meaning.kernel import Program
from plainchant.records import Frozen

RECORDED, CROSSED_OFF = 1, 2


class LogLine(Frozen):
    """A line that stands in the campaign log: its words (X filled in), its number if it has one, whether it is crossed off.

    For a checklist `title` is the list's heading, for any other entry it is empty.
    """

    entry: str
    title: str
    words: str
    number: int | None
    crossed_off: bool


class Seat(Frozen):
    """A seat that is taken, with its fields as (label, value in words)."""

    words: str
    fields: tuple[tuple[str, str], ...]


def campaign_log(program: Program, values: Sequence[int]) -> tuple[LogLine, ...]:
    """The lines that stand in the log, in the order of the book's declarations."""
    lines = []
    for entry in program.log:
        for words, state, number in entry.lines:
            if values[state] not in (RECORDED, CROSSED_OFF):
                continue
            value = None if number is None else values[number]
            shown = words if value is None or entry.form != "number" else with_number(words, value)
            title = entry.title if entry.form == "list" else ""
            lines.append(LogLine(entry.name, title, shown, value, values[state] == CROSSED_OFF))
    return tuple(lines)


def with_number(words: str, number: int) -> str:
    """An entry's words with its X filled in."""
    return re.sub(r"\bX\b", str(number), words, count=1)


def bag(program: Program, values: Sequence[int], name: str | None = None) -> dict[str, int]:
    """The tokens of a bag (the book's first, if none is named) with how many of each, those that are there.

    Raises KeyError for a name that is no bag's.
    """
    shown = program.bags[0] if name is None else next((b for b in program.bags if b.name == name), None)
    if shown is None:
        raise KeyError(name)
    return {words: values[variable] for words, variable in shown.tokens if values[variable]}


def seats(program: Program, values: Sequence[int]) -> tuple[Seat, ...]:
    """The seats that are taken, with all fields that are not empty."""
    found = []
    for group in program.groups:
        for words, fields in group.seats[: max(0, values[group.count])]:
            shown = tuple(
                (label, program.variables[v].shown(values[v])) for label, v in fields if values[v] or ":" not in label
            )  # fmt: skip
            found.append(Seat(words, shown))
    return tuple(found)


def state(program: Program, values: Sequence[int]) -> dict[str, int]:
    """All variables by name."""
    return {variable.name: value for variable, value in zip(program.variables, values, strict=True)}

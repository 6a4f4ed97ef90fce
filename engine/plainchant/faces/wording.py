"""What happened in a play, in people's words: each statement carried out and each change of the log, the bag and the seats as one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plainchant.meaning.kernel import LogEntry, Program, SectionInfo
from plainchant.play.account import Changes, Passage
from plainchant.play.documents import cites_words
from plainchant.play.views import CROSSED_OFF, LogLine, Seat, with_number
from plainchant.records import Frozen
from plainchant.text.place import Cite


class Line(Frozen):
    """A line for people. `sort`: do (people do it), log, bag, keep (other changes), or flow (what was carried out otherwise)."""

    sort: str
    text: str
    cites: str


class Words:
    """Says a program's changes in its printed words."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._states: dict[int, tuple[LogEntry, str, int | None]] = {}
        self._marks: dict[int, tuple[LogEntry, str, int]] = {}
        for entry in program.log:
            for words, state, number in entry.lines:
                self._states[state] = (entry, words, number)
                if number is not None:
                    self._marks[number] = (entry, words, state)
        self._bags = {variable: (bag.words, token) for bag in program.bags for token, variable in bag.tokens}
        self._fields = {
            variable: (label, words) for group in program.groups for words, fields in group.seats for label, variable in fields
        }  # fmt: skip

    def cites(self, cites: Iterable[Cite]) -> str:
        return cites_words(tuple(cites), self.program.source)

    def section(self, section: SectionInfo) -> str:
        """A section with its part, once if both are called the same."""
        return section.part_words if section.words == section.part_words else f"{section.part_words} / {section.words}"

    def lines(self, passage: Passage, values: tuple[int, ...], cites: tuple[Cite, ...]) -> list[Line]:
        """The lines of a passage. `values` are those after the step, `cites` is what the step itself cites."""
        found: list[Line] = []
        for deed in passage.deeds:
            where = self.cites(cites if deed.note is None else deed.note.cites)
            told = [Line(sort, text, where) for sort, text in self._changes(deed.changes, values, passage.section.part)]
            if deed.note is not None and (deed.note.instruction or not told):
                by_people = deed.note.instruction or deed.note.form == "play"
                told.insert(0, Line("do" if by_people else "flow", sentence(deed.note.text), where))
            found += told
        return found

    def log(self, lines: Iterable[LogLine]) -> list[tuple[str, bool]]:
        """The campaign log, each line with whether it is crossed off; checklists under their titles, tally marks counted."""
        tallies = {entry.name for entry in self.program.log if entry.form == "tally"}
        shown: list[tuple[str, bool]] = []
        title = ""
        for line in lines:
            if line.title and line.title != title:
                shown.append((f"{line.title}:", False))
            title = line.title
            words = f"{line.words} ({line.number})" if line.entry in tallies else line.words
            shown.append((f"  – {words}" if title else words, line.crossed_off))
        return shown

    def _changes(self, changes: Changes, values: tuple[int, ...], part: str) -> Iterable[tuple[str, str]]:
        yield from (("log", text) for text in self._log(changes, values))
        yield from (("bag", text) for text in self._bag(changes))
        yield from (("keep", text) for text in self._seats(changes))
        yield from (("keep", text) for text in self._kept(changes, part))

    # ------------------------------------------------------------ the log

    def _log(self, changes: Changes, values: tuple[int, ...]) -> Iterable[str]:
        listed: dict[tuple[str, bool], list[str]] = {}
        for variable, (_, new) in changes.items():
            if variable not in self._states:
                continue
            entry, words, number = self._states[variable]
            if entry.form == "list":
                listed.setdefault((entry.title, new == CROSSED_OFF), []).append(words)
            elif number is None or entry.form != "tally":
                shown = words if number is None else with_number(words, changes[number][1] if number in changes else values[number])
                yield f"{'crossed off' if new == CROSSED_OFF else 'recorded'}: “{shown}”"
        for (title, crossed), things in listed.items():
            verb = "crossed off under" if crossed else "listed under"
            yield f"{verb} “{title}”: {', '.join(things)}"
        for variable, (old, new) in changes.items():
            if variable not in self._marks:
                continue
            entry, words, state = self._marks[variable]
            if entry.form == "tally":
                yield f"tally marks next to “{words}”: {new - old:+d} (now {new})".replace("-", "–")
            elif state not in changes and values[state]:
                yield f"recorded: “{with_number(words, new)}” (instead of {old})"

    # ------------------------------------------------------------ bags

    def _bag(self, changes: Changes) -> Iterable[str]:
        moved: dict[tuple[str, str], list[str]] = {}
        for variable, (old, new) in changes.items():
            if variable in self._bags:
                bag, token = self._bags[variable]
                moved.setdefault((bag, "in" if new > old else "out"), []).append(copies(abs(new - old), token))
        for (bag, way), tokens in moved.items():
            yield f"{'into' if way == 'in' else 'out of'} {bag}: {', '.join(tokens)}"

    # ------------------------------------------------------------ seats, and what else is kept

    def _seats(self, changes: Changes) -> Iterable[str]:
        """The fields of seats: those of one label in one line, things of a list gathered by their owner."""
        fields: dict[str, list[str]] = {}
        for variable, (old, new) in changes.items():
            if variable not in self._fields:
                continue
            label, seat = self._fields[variable]
            name, _, thing = label.partition(": ")
            if thing:
                fields.setdefault(f"{'into' if new else 'out of'} the {name} of {seat}", []).append(thing)
            else:
                fields.setdefault(label, []).append(f"{seat} {self._step(variable, old, new)}")
        yield from (f"{label}: {', '.join(texts)}" for label, texts in fields.items())

    def _kept(self, changes: Changes, part: str) -> Iterable[str]:
        """Other variables that rules change. Those of a part that is entered only just are made ready, which is no news."""
        texts = []
        for variable, (old, new) in changes.items():
            declared = self.program.variables[variable]
            if declared.role == "keep" and variable not in self._fields and declared.scope in ("", part):
                texts.append(f"{declared.words}: {self._step(variable, old, new)}")
        if texts:
            yield "; ".join(texts)

    def _step(self, variable: int, old: int, new: int) -> str:
        declared = self.program.variables[variable]
        return declared.shown(new) if declared.values else f"{old} → {new}"


def copies(count: int, words: str) -> str:
    """`2 × skull`, or only the words of a single thing."""
    return words if count == 1 else f"{count} × {words}"


def sentence(text: str) -> str:
    """A statement as people read it: printed words in their own quotes, the first letter large."""
    shown = quotes(text)
    return shown[:1].upper() + shown[1:]


def quotes(text: str) -> str:
    """Printed words in their own quotes instead of straight ones."""
    return re.sub(r'"((?:\\.|[^"\\])*)"', lambda match: f"“{match.group(1)}”".replace('\\"', '"'), text)


def seat_text(seat: Seat) -> str:
    """The fields of a seat in one text: numbers and words first, then what lies in its lists."""
    plain = [f"{label} {value}" for label, value in seat.fields if ": " not in label]
    lists: dict[str, list[str]] = {}
    for label, _ in seat.fields:
        name, _, thing = label.partition(": ")
        if thing:
            lists.setdefault(name, []).append(thing)
    return " · ".join(plain + [f"{name}: {', '.join(things)}" for name, things in lists.items()])


def bag_text(tokens: dict[str, int]) -> str:
    """What a bag holds, in one text."""
    if not tokens:
        return "empty"
    return f"{sum(tokens.values())} in all: {', '.join(copies(count, token) for token, count in tokens.items())}"

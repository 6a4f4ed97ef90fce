"""Positions: what the table knows at one moment, read from a file, with everything that is wrong in it told at its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from plainchant.meaning.kernel import Answerable, Program
from plainchant.meaning.words import nearest_name, plain
from plainchant.records import Changing, Frozen, field
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.place import Span
from plainchant.text.source import Source

POSITION = "plainchant/position/1"
OTHERWISE = "otherwise"
"""In the place of a list: where all are that the position does not name."""

_ASKED = ("fact", "reading", "seats")


class Position(Frozen):
    """Values of all variables, and the numbers of those that are not known: nobody has told them."""

    values: tuple[int, ...]
    unknown: frozenset[int]


def of_state(program: Program, values: Sequence[int]) -> Position:
    """The position of a play: only what was not asked yet is unknown."""
    unknown = {n for n, v in enumerate(program.variables) if v.role in _ASKED and values[n] == v.unknown}
    return Position(tuple(values), frozenset(unknown))


def read_position(path: Path, program: Program) -> tuple[Position | None, tuple[Diagnostic, ...]]:
    """The position that a file tells of a book; None with all that is wrong with it.

    A file tells answers alone: what rules keep (a log, bags, variables) is unknown to it, and only a saved play has it.
    """
    source, diagnostics = _source(path)
    if source is None:
        return None, diagnostics
    reader = _Reader(source, program)
    document = reader.parsed()
    if document is not None:
        reader.take(document)
    if reader.found:
        return None, tuple(reader.found)
    values = [variable.initial for variable in program.variables]
    for number, (value, _) in reader.told.items():
        values[number] = value
    unknown = frozenset(n for n in range(len(values)) if n not in reader.told and program.variables[n].role != "hidden")
    return Position(tuple(values), unknown), ()


def _source(path: Path) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    try:
        return Source(str(path), path.read_text(encoding="utf-8")), ()
    except FileNotFoundError:
        return None, (problem("PC001", path=str(path)),)
    except UnicodeDecodeError:
        return None, (problem("PC510", path=str(path), why="it is not UTF-8 text"),)
    except OSError as error:
        return None, (problem("PC006", path=str(path), why=error.strerror or str(error)),)


class _Reader(Changing):
    """Collects what a document tells: the value of each variable, and the words by which it was told."""

    source: Source
    program: Program
    told: dict[int, tuple[int, str]] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    def parsed(self) -> Mapping[str, Any] | None:
        """The JSON object of the file."""
        try:
            document = json.loads(self.source.text, object_pairs_hook=_each_once)
        except _Twice as error:
            self._wrong("PC510", error.args[0], why=f"“{error.args[0]}” stands twice in one object", path=self.source.name)
            return None
        except json.JSONDecodeError as error:
            at = Span(self.source.name, error.lineno, error.colno, error.lineno, error.colno + 1)
            line = self.source.line(error.lineno)
            self.found.append(problem("PC510", at, source_line=line, path=self.source.name, why=f"it is no JSON ({error.msg})"))
            return None
        except (RecursionError, ValueError):  # nested too deeply, or a number of some thousand digits
            self._wrong("PC510", "", why="it is nested too deeply, or holds a number that is too large", path=self.source.name)
            return None
        why = self._why_not(document)
        if why:
            self._wrong("PC510", "", why=why, path=self.source.name)
            return None
        known: Mapping[str, Any] = document
        return known

    def _why_not(self, document: Any) -> str:
        if not isinstance(document, dict):
            return "it is no JSON object"
        if document.get("schema") != POSITION:
            return f"its schema is not “{POSITION}”"
        if document.get("book", self.program.book) != self.program.book:
            return f"it is one of “{document['book']}”, not of “{self.program.book}”"
        strange = [key for key in document if key not in ("schema", "plainchant", "book", "facts", "readings")]
        if strange:
            return f"“{strange[0]}” is nothing that a position tells"
        wrong = next((key for key in ("facts", "readings") if not isinstance(document.get(key, {}), dict)), "")
        return f"“{wrong}” is no JSON object" if wrong else ""

    def take(self, document: Mapping[str, Any]) -> None:
        for key, roles in (("facts", ("fact", "seats")), ("readings", ("reading",))):
            known = {one.name: one for one in self.program.answerable if one.role in roles}
            for name, told in document.get(key, {}).items():
                if name in known:
                    self._answered(known[name], told)
                else:
                    self._wrong("PC201", name, name=name, nearest=nearest_name(name, list(known)))

    def _answered(self, one: Answerable, told: Any) -> None:
        if not one.lines:
            return
        if not one.lines[0][0]:
            self._set(one, one.lines[0][2], told, one.name)
        elif not isinstance(told, dict):
            self._wrong("PC301", one.name, what=f"“{one.name}”", found=_sort(told), expected="an object that tells it of each")
        elif one.answers:
            self._by_answer(one, told)
        else:
            for name, number in told.items():
                variable = self._line(one, name)
                if variable is not None:
                    self._set(one, variable, number, name)

    def _by_answer(self, one: Answerable, told: Mapping[str, Any]) -> None:
        """Each answer with those of which it is true, as the cards lie on the table."""
        for answer, members in told.items():
            if answer == OTHERWISE:
                continue
            value = self._value(one, answer, answer)
            if not isinstance(members, list) or not all(isinstance(name, str) for name in members):
                self._wrong("PC301", answer, what=f"“{answer}”", found=_sort(members), expected="a list of names")
                continue
            for name in members:
                variable = self._line(one, name)
                if variable is not None and value is not None:
                    self._once(variable, value, answer, name)
        if OTHERWISE in told:
            value = self._value(one, told[OTHERWISE], str(told[OTHERWISE]))
            for _, _, variable in one.lines if value is not None else ():
                self.told.setdefault(variable, (value or 0, OTHERWISE))

    def _once(self, variable: int, value: int, answer: str, name: str) -> None:
        if variable in self.told:
            self._wrong("PC511", name, name=name, first=self.told[variable][1], second=answer, occurrence=2)
        else:
            self.told[variable] = (value, answer)

    def _line(self, one: Answerable, name: str) -> int | None:
        """The variable of the one that is called so, by its identifier or its printed words."""
        for member, words, variable in one.lines:
            if name == member or plain(name) == plain(words):
                return variable
        self._wrong("PC201", name, name=name, nearest=nearest_name(name, [w for line in one.lines for w in line[:2]]))
        return None

    def _set(self, one: Answerable, variable: int, told: Any, at: str) -> None:
        value = self._value(one, told, at) if one.answers else self._number(one, variable, told, at)
        if value is not None:
            self.told[variable] = (value, at)

    def _number(self, one: Answerable, variable: int, told: Any, at: str) -> int | None:
        low, high = self.program.variables[variable].low, self.program.variables[variable].high or 0
        if not isinstance(told, int) or isinstance(told, bool):
            self._wrong("PC301", at, what=f"“{at}”", found=_sort(told), expected=f"a number from {low} to {high}")
        elif not low <= told <= high:
            self._wrong("PC302", at, value=told, low=low, high=high)
        else:
            return told
        return None

    def _value(self, one: Answerable, told: Any, at: str) -> int | None:
        """The value of an answer that is given by its identifier or its words; yes and no also as true and false."""
        low = self.program.variables[one.lines[0][2]].low
        words = {True: "yes", False: "no"}.get(told) if isinstance(told, bool) else told
        for i, answer in enumerate(one.answers):
            if isinstance(words, str) and (words == answer[0] or plain(words) == plain(answer[1])):
                return low + i
        if isinstance(words, str):
            self._wrong("PC201", words, name=words, nearest=nearest_name(words, [answer[0] for answer in one.answers]))
        else:
            expected = "one of " + ", ".join(answer[0] for answer in one.answers)
            self._wrong("PC301", at, what=f"“{at}”", found=_sort(told), expected=expected)
        return None

    def _wrong(self, code: str, word: str, *, occurrence: int = 1, **values: Any) -> None:
        """Complain at the place where a word stands in the file (the first time, or as often as is said)."""
        span = _place(self.source, word, occurrence)
        self.found.append(problem(code, span, source_line=self.source.line(span.line), **values))


def _place(source: Source, word: str, occurrence: int) -> Span:
    quoted = json.dumps(word, ensure_ascii=False)
    seen = 0
    for number, line in enumerate(source.lines, 1):
        for column in _columns(line, quoted):
            seen += 1
            if word and seen == occurrence:
                return Span(source.name, number, column, number, column + len(quoted))
    return Span(source.name, 1, 1, 1, 2) if occurrence == 1 else _place(source, word, 1)


def _columns(line: str, quoted: str) -> Iterator[int]:
    start = line.find(quoted)
    while start >= 0:
        yield start + 1
        start = line.find(quoted, start + 1)


class _Twice(Exception):
    """A key that an object has twice."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _Twice(key)
        made[key] = value
    return made


def _sort(told: Any) -> str:
    """What a JSON value is, in words."""
    words = {bool: "true or false", int: "a number", float: "a number with a fraction", str: "a word", list: "a list", dict: "an object"}
    return words.get(type(told), "nothing")

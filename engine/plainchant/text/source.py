"""A file as text: bytes become lines, and what no grammar should see (encodings, tabs, abysses) becomes diagnostics."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.layout import without_words
from plainchant.text.place import Span

MAX_DEPTH = 48
"""Blocks in blocks and brackets in brackets; far more than any rulebook has, and safe for every later stage."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\x85]")
_NOTS = re.compile(rf"(?:\b(?:not|(?:every|any|no|how +many) +\w+ +(?:has|have))\s+){{{MAX_DEPTH}}}")
_SUM_SIGN = re.compile(r"(?<=[\w)])\s*[+-]\s*(?=[\w(])")
_LARGE_NUMBER = re.compile(r"(?<!\w)[0-9]{10,}")


class Source(Frozen, dict=True):
    """The text of one file, lines ended by a single newline each, with the name that diagnostics show."""

    name: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """Line `number`, counted from 1; empty beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def span(self, line: int, column: int, length: int = 1) -> Span:
        return Span(self.name, line, column, line, column + length)


def read_source(path: Path, name: str | None = None) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Read a rules file. CRLF and CR become newlines, a BOM is dropped; the text is empty if it cannot be used."""
    shown = name or str(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Source(shown, ""), (problem("PC001", path=shown),)
    except IsADirectoryError:
        return Source(shown, ""), (problem("PC002", path=shown),)
    except OSError as error:
        return Source(shown, ""), (problem("PC006", path=shown, why=error.strerror or "unknown reason"),)
    return source_from_bytes(data, shown)


def source_from_bytes(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Decode and normalise; diagnose what makes the text unusable."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        span = Span(name, line, column, line, column + 1)
        return Source(name, ""), (problem("PC003", span, byte=error.start + 1, value=data[error.start]),)
    source = Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
    return source, unusable(source)


def unusable(source: Source) -> tuple[Diagnostic, ...]:
    """What makes a text unusable, whatever it says: strange signs, numbers too large, nesting too deep."""
    return _signs(source) + _large_numbers(source) + _depth(source)


def _signs(source: Source) -> tuple[Diagnostic, ...]:
    """Tabs and control characters, the first of each line."""
    found: list[Diagnostic] = []
    for number, line in enumerate(source.lines, 1):
        tab = line.find("\t")
        if tab >= 0:
            found.append(problem("PC004", source.span(number, tab + 1), source_line=line.replace("\t", " ")))
        control = _CONTROL.search(line)
        if control:
            shown = _CONTROL.sub("·", line.replace("\t", " "))
            found.append(problem("PC007", source.span(number, control.start() + 1), source_line=shown, value=ord(control.group())))
    return tuple(found)


def _large_numbers(source: Source) -> tuple[Diagnostic, ...]:
    """Numbers that no later stage should have to work with."""
    found: list[Diagnostic] = []
    for number, line in enumerate(source.lines, 1):
        match = _LARGE_NUMBER.search(line) and _LARGE_NUMBER.search(without_words(line))
        if match:
            digits = len(match.group())
            found.append(problem("PC118", source.span(number, match.start() + 1, digits), source_line=line, digits=digits))
    return tuple(found)


def _depth(source: Source) -> tuple[Diagnostic, ...]:
    """Blocks or brackets nested deeper than any rulebook; the first place of each."""
    columns = [0]
    for number, line in enumerate(source.lines, 1):
        bare = line.lstrip(" ")
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(bare)
        while columns[-1] > indent:
            columns.pop()
        if indent > columns[-1]:
            columns.append(indent)
        if len(columns) > MAX_DEPTH:
            return (problem("PC005", source.span(number, indent + 1), source_line=line, what="blocks", limit=MAX_DEPTH),)
        if not _may_be_deep(bare):
            continue
        depth = 0
        words = without_words(bare)
        if _NOTS.search(words) or len(_SUM_SIGN.findall(words)) > MAX_DEPTH:
            return (problem("PC005", source.span(number, indent + 1), source_line=line, what="operators", limit=MAX_DEPTH),)
        for match in re.finditer(r"[()]", words):
            depth += 1 if match.group() == "(" else -1
            if depth > MAX_DEPTH:
                at = source.span(number, indent + match.start() + 1)
                return (problem("PC005", at, source_line=line, what="brackets", limit=MAX_DEPTH),)
    return ()


def _may_be_deep(line: str) -> bool:
    """Whether a line has room for so many operators or brackets; hardly any has, and a look at the others would take longer than to parse them."""
    return len(line) > MAX_DEPTH * len("not ") or line.count("+") + line.count("-") > MAX_DEPTH or line.count("(") > MAX_DEPTH

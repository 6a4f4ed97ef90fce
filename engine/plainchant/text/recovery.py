"""All syntax errors of a file in one run: each is mended by lines that fit in its place, and the parser goes on behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.layout import (
    block_end,
    headers_above,
    indent_of,
    line_above,
    line_below,
    says_something,
    without_comment,
)
from plainchant.text.mistakes import Mistake, diagnose, stand_in
from plainchant.text.repairs import Failure
from plainchant.text.source import Source

MAX_ERRORS = 25
"""Syntax errors reported for one file."""

ParseText = Callable[[str], object]
"""Parses a text; raises Lark's UnexpectedInput or DedentError."""


class Recovered(Frozen):
    """A text that the parser takes, the errors of the original, and the lines (counted from 1) that are not as they were written."""

    text: str
    diagnostics: tuple[Diagnostic, ...]
    mended: frozenset[int]


def recover(source: Source, parse: ParseText) -> Recovered:
    """Find all syntax errors of a text that does not parse."""
    lines = list(source.lines)
    reported: dict[int, int] = {}
    found: list[Diagnostic] = []
    start = 0
    while start < len(lines) and len(found) < MAX_ERRORS:
        end = _chunk_end(lines, start)
        failure = _failure(parse, lines, start, end)
        if failure is None:
            start = end
            continue
        tries = reported[failure.index] = reported.get(failure.index, 0) + 1
        if tries > 3:
            lines[start:end] = [""] * (end - start)
            continue
        reach = _Reach(lines, parse)
        if tries > 1 or _lost_its_block(lines, failure, source):
            mistake = Mistake(Diagnostic("PC101", ""), failure.index, _second_try(failure.index, lines, reach, tries))
        else:
            mistake = diagnose(failure, source, lines, reach)
            found.append(mistake.diagnostic)
        lines[mistake.first : mistake.first + len(mistake.lines)] = mistake.lines
        start = _chunk_start(lines, min(start, mistake.first))
    lines[start:] = [""] * (len(lines) - start)
    mended = frozenset(number for number, line in enumerate(source.lines, 1) if line != lines[number - 1])
    return Recovered("\n".join(lines), tuple(found), mended)


def _second_try(index: int, lines: Sequence[str], reach: _Reach, tries: int) -> tuple[str, ...]:
    """A line that fails again although it was mended is not reported again: something else stands in, in the end nothing."""
    return stand_in(index, lines, reach) if tries < 3 else ("",) * (block_end(lines, index) - index)


def _lost_its_block(lines: Sequence[str], failure: Failure, source: Source) -> bool:
    """Whether a header misses its block only because the lines below it were moved or blanked."""
    if failure.accepts != {"_INDENT"}:
        return False
    written = line_below(source.lines, failure.index)
    return written is not None and indent_of(source.lines[written]) > indent_of(source.lines[failure.index])


# ---------------------------------------------------------------- chunks: a line in the first column, and what is below it


def _chunk_end(lines: Sequence[str], start: int) -> int:
    """One past the chunk that begins at `start`."""
    first = start if says_something(lines[start]) else line_below(lines, start)
    if first is None:
        return len(lines)
    return next((i for i in range(first + 1, len(lines)) if says_something(lines[i]) and indent_of(lines[i]) == 0), len(lines))


def _chunk_start(lines: Sequence[str], index: int) -> int:
    """Where the chunk begins that holds line `index`."""
    while index > 0 and not (says_something(lines[index]) and indent_of(lines[index]) == 0):
        index -= 1
    return index


# ---------------------------------------------------------------- attempts


class _Reach:
    """Tries lines in the place of others, in a small text of only the headers above them and the block below."""

    def __init__(self, lines: Sequence[str], parse: ParseText) -> None:
        self._lines = lines
        self._parse = parse

    def __call__(self, first: int, instead: Sequence[str], whole: bool) -> int:
        """The index of the next line that is not understood; the number of all lines if there is none in reach."""
        lines = self._lines
        head = next((line for line in instead if says_something(line)), "")
        above = _standing_alone([*headers_above(lines, first, indent_of(head)), head])[:-1]
        behind = first + len(instead)
        tried = [*above, *instead, *lines[behind : self._stop(first, behind, indent_of(head), whole)]]
        failure = _failure(self._parse, tried, 0, len(tried))
        return len(lines) if failure is None else failure.index - len(above) + first

    def _stop(self, first: int, behind: int, indent: int, whole: bool) -> int:
        """Where the attempt ends: behind the first line of the block, or behind the block, its `otherwise` arms and what stands beside it."""
        lines = self._lines
        if behind > first + 1:
            return behind
        if not whole:
            below = line_below(lines, first)
            return behind if below is None or indent_of(lines[below]) <= indent else below + 1
        stop = block_end(lines, first, indent)
        while (below := line_below(lines, stop - 1)) is not None and _is_further_arm(lines[below], indent):
            stop = block_end(lines, below)
        # What stands beside it must fit behind it, too.
        return stop if below is None or indent_of(lines[below]) != indent else block_end(lines, below)


def _is_further_arm(line: str, indent: int) -> bool:
    return indent_of(line) == indent and line.lstrip(" ").startswith("otherwise")


def _standing_alone(headers: Sequence[str]) -> list[str]:
    """Headers, and in front of each `otherwise` the `if` or `when` that it needs."""
    alone: list[str] = []
    for above, header in zip(["", *headers], headers, strict=False):
        if header.lstrip(" ").startswith("otherwise"):
            word = "when" if above.split()[:1] == ["check"] else "if"
            alone.append(f"{' ' * indent_of(header)}{word} yes: nothing happens")
        alone.append(header)
    return alone


def _failure(parse: ParseText, lines: Sequence[str], start: int, end: int) -> Failure | None:
    """Where the parser stops in these lines; None if it does not."""
    try:
        parse("\n".join(lines[start:end]) + "\n")
    except DedentError:
        return _misfit(lines, start, end)
    except UnexpectedInput as error:
        return _placed(error, lines, start, end)
    return None


def _misfit(lines: Sequence[str], start: int, end: int) -> Failure:
    columns = [0]
    for index in range(start, end):
        if not says_something(lines[index]):
            continue
        indent = indent_of(lines[index])
        if indent > columns[-1]:
            columns.append(indent)
        while columns[-1] > indent:
            columns.pop()
        if columns[-1] != indent:
            return Failure(index + 1, indent + 1, "misfit", "", frozenset())
    raise AssertionError("the lexer saw an indentation that matches no block, but there is none")


def _placed(error: UnexpectedInput, lines: Sequence[str], start: int, end: int) -> Failure:
    """The failure with its place: errors at a line's end point behind its last sign, those about a block at its line."""
    accepts = frozenset(getattr(error, "accepts", None) or getattr(error, "allowed", None) or getattr(error, "expected", None) or ())
    known = isinstance(error.line, int) and error.line > 0
    index = start + error.line - 1 if known else end
    if isinstance(error, UnexpectedCharacters):
        return Failure(index + 1, error.column, "sign", lines[index][error.column - 1 :][:1] or "?", accepts)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    at_line_end = token.type in ("_NEWLINE", "_INDENT", "_DEDENT", "$END")
    if token.type == "_INDENT":
        index = line_below(lines, index) or index
        return Failure(index + 1, indent_of(lines[index]) + 1, "_INDENT", "", accepts)
    if not at_line_end and accepts != {"_INDENT"}:
        return Failure(index + 1, error.column, token.type, str(token), accepts)
    if not (at_line_end and known and says_something(lines[index])):
        index = line_above(lines, min(index, end)) or 0
    return Failure(index + 1, len(without_comment(lines[index]).rstrip()) + 1, token.type, "", accepts)

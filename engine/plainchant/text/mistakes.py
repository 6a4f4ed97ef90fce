"""What a syntax error means: the mistakes that people make often, each with a repair that is tried before it is advised."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.expected import all_spellings, expectation, spellings
from plainchant.text.layout import (
    block_end,
    headers_above,
    indent_of,
    indented,
    line_above,
    line_below,
    open_columns,
    says_something,
    without_comment,
)
from plainchant.text.repairs import Failure, Repair, misspelt_anywhere, open_bracket, repairs, shown
from plainchant.text.source import Source

LONGEST_LINE = 2_000
"""Longer lines are reported as they are; no repair is looked for."""

_LEAVES = (
    "nothing happens", '"x"', 'x "x"', "x: flag", "keep x: flag", "when yes: nothing happens", "x: nothing happens", "use x", "x",
    "printed in x, 1 lines", '"x" is ignored', "if yes: nothing happens", "with x: flag",
)  # fmt: skip
_HEADERS = (
    "if yes", "when yes", '"x"', "x", 'check "x"', "the x decide", "by x", 'section "x"', 'scenario x "x"', "throughout", 'fact x "x"',
    "campaign log", "kinds x", "members of x", 'group x of 1 to 2 "x"', "rule x", 'book x "x"', "order of play",
)  # fmt: skip
"""Lines that can stand in for a broken one, so that the lines around it can be understood."""


class Mistake(Frozen):
    """A diagnosis, and lines that stand in for the broken ones from index `first` on (as many as they replace)."""

    diagnostic: Diagnostic
    first: int
    lines: tuple[str, ...]


Reach = Callable[[int, Sequence[str], bool], int]
"""Puts lines in the place of those from an index on and says which line (its index) is not understood next.

The flag asks to try the whole block below, and not its first line only."""


def diagnose(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake:
    """What is wrong at the place where the parser stopped. `lines` are those of the file, earlier mistakes mended."""
    if failure.found == "misfit":
        return _misfit(failure, source, lines)
    if failure.found == "_INDENT":
        return _unexpected_block(failure, source, lines, reach)
    if failure.accepts == {"_INDENT"}:
        return _missing_block(failure, source, lines, reach)
    line = lines[failure.index]
    possible = list(repairs(failure, line)) if len(line) <= LONGEST_LINE else []
    for repair in possible:
        if reach(failure.index, [repair.line], False) > failure.index:
            return Mistake(_told(repair, failure, source, lines), failure.index, (repair.line,))
    certain = next((repair for repair in possible if repair.certain), None)
    if certain is not None:
        return Mistake(_told(certain, failure, source, lines), failure.index, stand_in(failure.index, lines, reach))
    return (
        _other_block(failure, source, lines, reach)
        or _missing_word(failure, source, lines, reach)
        or Mistake(_general(failure, source, lines), failure.index, stand_in(failure.index, lines, reach))
    )


def stand_in(index: int, lines: Sequence[str], reach: Reach) -> tuple[str, ...]:
    """A line that fits in the place of a broken one; if none fits, blanks for the line and its block."""
    indent = " " * indent_of(lines[index])
    header = block_end(lines, index) > index + 1
    best, line = index, ""
    for words in _HEADERS if header else _LEAVES:
        reached = reach(index, [indent + words], True)
        if reached > best:
            best, line = reached, indent + words
    return (line,) if line else ("",) * (block_end(lines, index) - index)


# ---------------------------------------------------------------- places


def _at(code: str, source: Source, lines: Sequence[str], index: int, column: int, length: int = 1, **values: Any) -> Diagnostic:
    """A diagnostic at a place of the mended lines, shown in the line as it was written."""
    written = source.line(index + 1)
    column += indent_of(written) - indent_of(lines[index])
    return problem(code, source.span(index + 1, max(1, column), max(1, length)), source_line=written, **values)


def _told(repair: Repair, failure: Failure, source: Source, lines: Sequence[str]) -> Diagnostic:
    return _at(repair.code, source, lines, failure.index, repair.column, repair.length, **repair.values)


def _general(failure: Failure, source: Source, lines: Sequence[str]) -> Diagnostic:
    expected, place = expectation(failure.accepts, failure.found), (source, lines, failure.index, failure.column)
    if failure.found in ("_NEWLINE", "_DEDENT", "$END"):
        opened = open_bracket(lines[failure.index])
        if opened is not None:
            return _at("PC111", source, lines, failure.index, opened + 1)
        return _at("PC113", *place, expected=expected)
    if failure.found == "sign":
        return _at("PC103", *place, found=shown(failure.text), expected=expected)
    return _at("PC101", *place, len(failure.text), found=shown(failure.text), expected=expected)


# ---------------------------------------------------------------- blocks


def _misfit(failure: Failure, source: Source, lines: Sequence[str]) -> Mistake:
    """A line whose indentation matches no block around it; it and the lines below that share it move to the nearest column."""
    index, columns = failure.index, open_columns(lines, failure.index)
    found = indent_of(lines[index])
    outer = max(column for column in columns if column < found)
    odd = _odd_first_line(lines, index, outer + 1)
    if odd is not None:
        return _odd_one(odd, index, source, lines)
    nearest = min(columns, key=lambda column: (abs(column - found), -column))
    return Mistake(_wrong_column(source, lines, index, columns), index, _aligned(lines, index, outer, nearest))


def _wrong_column(source: Source, lines: Sequence[str], index: int, columns: Sequence[int]) -> Diagnostic:
    found, expected = indent_of(lines[index]), " or ".join(str(column) for column in columns)
    return _at("PC104", source, lines, index, found + 1, found=found, expected=expected)


def _odd_first_line(lines: Sequence[str], index: int, right_of: int) -> int | None:
    """The first line of the block that `index` is in, if the second (`index`) and most others agree in another column."""
    header = next((i for i in range(index - 1, -1, -1) if says_something(lines[i]) and indent_of(lines[i]) < right_of), None)
    first = None if header is None else line_below(lines, header)
    if header is None or first is None or first == index or indent_of(lines[first]) <= indent_of(lines[header]):
        return None
    wanted, odd = indent_of(lines[index]), indent_of(lines[first])
    between = [i for i in range(first + 1, index) if says_something(lines[i]) and indent_of(lines[i]) <= odd]
    later = lines[index + 1 : block_end(lines, header)]
    if any(says_something(line) and indent_of(line) == odd for line in later):
        return None
    alike = sum(says_something(line) and indent_of(line) == wanted for line in later)
    return first if not between and (alike or (odd % 4 and not wanted % 4)) else None


def _odd_one(first: int, index: int, source: Source, lines: Sequence[str]) -> Mistake:
    wanted, odd = indent_of(lines[index]), indent_of(lines[first])
    moved = (indented(line, wanted - odd) if line.strip() else line for line in lines[first:index])
    return Mistake(_wrong_column(source, lines, first, (wanted,)), first, tuple(moved))


def _aligned(lines: Sequence[str], index: int, outer: int, column: int) -> tuple[str, ...]:
    """The rest of a block whose header stands in column `outer`: lines left of `column` move there, with what is below them."""
    moved, base, by = [], -1, 0
    for line in lines[index : block_end(lines, index, outer)]:
        if says_something(line):
            if indent_of(line) < column or base < 0:
                base, by = indent_of(line), column - indent_of(line)
            elif indent_of(line) < base or indent_of(line) == column:
                by = 0
        moved.append(indented(line, by) if line.strip() else line)
    return tuple(moved)


def _moved(lines: Sequence[str], index: int, indent: int, by: int) -> tuple[str, ...]:
    """The lines from `index` on that are indented at least so far, moved."""
    end = block_end(lines, index, indent - 1)
    return tuple(indented(line, by) if line.strip() else line for line in lines[index:end])


def _unexpected_block(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake:
    index = failure.index
    indent, above = indent_of(lines[index]), line_above(lines, index)
    odd = None if above is None else _odd_first_line(lines, index, indent_of(lines[above]))
    if odd is not None:
        return _odd_one(odd, index, source, lines)
    nobody = None if above is None else _nobody_decides(above, index, source, lines)
    if nobody is not None:
        return nobody
    misspelt = None if above is None else _misspelt_header(above, index, source, lines, reach)
    if misspelt is not None:
        return misspelt
    diagnostic = _at("PC106", source, lines, index, indent + 1, len(without_comment(lines[index]).strip()))
    moved = _moved(lines, index, indent, (0 if above is None else indent_of(lines[above])) - indent)
    if reach(index, moved[:1], False) > index:
        return Mistake(diagnostic, index, moved)
    return Mistake(diagnostic, index, ("",) * len(moved))


def _nobody_decides(above: int, index: int, source: Source, lines: Sequence[str]) -> Mistake | None:
    """`the decide` is a sentence about somebody called so; with a block below, a decision in which a word is missing."""
    found = re.match(r" *the (?=(decides?) *(@.*)?$)", lines[above])
    if found is None:
        return None
    missing = _at("PC114", source, lines, above, found.end() + 1, word="investigators", before=f"before “{found.group(1)}”")
    return Mistake(missing, above, (f"{found.group()}investigators {lines[above][found.end() :]}", *lines[above + 1 : index]))


def _misspelt_header(above: int, index: int, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """A line that would govern the block below it, were one of its words spelt right."""
    for repair in misspelt_anywhere(lines[above]):
        if reach(above, [repair.line], False) > index:
            return Mistake(_at(repair.code, source, lines, above, repair.column, repair.length, **repair.values), above, (repair.line,))
    return None


def _missing_block(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake:
    """A header without its block; where the next lines would fit, they were meant to be the block."""
    index = failure.index
    header = without_comment(lines[index]).strip()
    diagnostic = _at("PC105", source, lines, index, indent_of(lines[index]) + 1, len(header), header=header.split("@")[0].strip())
    below = line_below(lines, index)
    if below is not None and indent_of(lines[below]) == indent_of(lines[index]):
        end = block_end(lines, index, indent_of(lines[index]) - 1)
        moved = [lines[index], *(indented(line, 4) if line.strip() else line for line in lines[index + 1 : end])]
        reached = reach(index, moved, False) - index
        if reached > below - index:
            return Mistake(diagnostic, index, tuple(moved[:reached]))
    return Mistake(diagnostic, index, stand_in(index, lines, reach))


def _other_block(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """A line that cannot stand where it is indented, but would in another block that is open there."""
    index, indent = failure.index, indent_of(lines[failure.index])
    if failure.column != indent + 1:
        return None
    above = line_above(lines, index)
    if above is None or indent_of(lines[above]) < indent:
        return None
    for column in sorted({*open_columns(lines, index)} - {indent}, key=lambda column: abs(column - indent)):
        # To the left it takes the lines along that stand beside it; to the right only its own block.
        end = block_end(lines, index, indent - 1) if column < indent else block_end(lines, index)
        moved = tuple(indented(line, column - indent) if line.strip() else line for line in lines[index:end])
        if reach(index, moved, False) >= index + len(moved):
            words = without_comment(lines[index]).strip()
            headers = headers_above(lines, index, column)
            where = f"the block of “{_brief(headers[-1])}”" if headers else "the top level"
            diagnostic = _at("PC117", source, lines, index, indent + 1, len(words), line=_brief(words), found=column, where=where)
            return Mistake(diagnostic, index, moved)
    return None


def _brief(line: str) -> str:
    words = without_comment(line).split("@")[0].strip()
    return words if len(words) <= 40 else words[:39] + "…"


# ---------------------------------------------------------------- a word too few or too many


def _missing_word(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """One word or sign of the language that makes the line complete, or one that is too much."""
    index, line, here = failure.index, lines[failure.index], failure.column - 1
    if len(line) > LONGEST_LINE or len(failure.accepts) > 20:
        return None
    words = {"," if word.startswith(", ") and line.startswith(word[2:], here) else word for word in spellings(failure.accepts)}
    words = set() if here == indent_of(line) else words  # a line that does not begin as one lacks more than a word
    found = [(word, mended) for word in sorted(words) if reach(index, [mended := _inserted(line, here, word)], False) > index]
    if len(found) == 1:
        word, mended = found[0]
        opened = open_bracket(line)
        if word == ")" and opened is not None:
            return Mistake(_at("PC111", source, lines, index, opened + 1), index, (mended,))
        before = f"before {shown(failure.text)}" if failure.text.strip() else "at the end of the line"
        return Mistake(_at("PC114", source, lines, index, here + 1, word=word, before=before), index, (mended,))
    if found or not failure.text.strip():
        return None
    return _other_word(failure, source, lines, reach) or _word_too_many(failure, source, lines, reach)


def _inserted(line: str, here: int, word: str) -> str:
    before, behind = line[:here].rstrip(), line[here:]
    return f"{before}{'' if word in (':', ',', ')') else ' '}{word} {behind}".rstrip()


def _other_word(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """The one word of the language that makes the line complete in the place of what stands there."""
    index, line, here = failure.index, lines[failure.index], failure.column - 1
    behind = line[here + len(failure.text) :]
    mended = {word: f"{line[:here]}{word}{behind}" for word in spellings(failure.accepts)}
    found = [word for word, instead in mended.items() if reach(index, [instead], False) > index]
    if len(found) != 1 or failure.found in ("STRING", "NUMBER", "CITE"):
        return None
    said, nearest = failure.text, found[0]
    return Mistake(_at("PC112", source, lines, index, here + 1, len(said), found=said, nearest=nearest), index, (mended[nearest],))


def _word_too_many(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """The word at the place, or a word of the language before it, without which the line is complete."""
    index, line, here = failure.index, lines[failure.index], failure.column - 1
    before = re.search(r"([a-z]+) *$", line[:here])
    run = re.match(r"[^\w\s\"]*", line[here:]).group() if failure.found == "sign" else ""  # type: ignore[union-attr]
    words = [(here, run or failure.text)] if failure.found not in ("STRING", "NUMBER", "CITE") else []
    words += [(before.start(1), before.group(1))] if before and before.group(1) in all_spellings() else []
    for start, word in words:
        without = (line[:start] + line[start + len(word) :].lstrip()).rstrip()
        if without.strip() and reach(index, [without], False) > index:
            return Mistake(_at("PC115", source, lines, index, start + 1, len(word), word=word), index, (without,))
    return None

"""What a syntax error means: the mistakes that people make often, each with a repair that is tried before it is advised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

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
    without_words,
)
from plainchant.text.source import Source

LONGEST_LINE = 2_000
"""Longer lines are reported as they are; no repair is looked for."""

_SIGNS = {
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "!": "not ", "&": "and",
    "|": "or", "–": "-", "—": "-", "−": "-", ";": ",", "’": "'",
}  # fmt: skip
"""Signs of other languages and of the typesetter, and what this language writes."""

_LEAVES = (
    "nothing happens", '"x"', 'x "x"', "x: flag", "keep x: flag", "when yes: nothing happens", "x: nothing happens", "use x", "x",
    "printed in x, 1 lines", '"x" is ignored', "if yes: nothing happens",
)  # fmt: skip
_HEADERS = (
    "if yes", "when yes", '"x"', "x", 'check "x"', "the x decide", "by x", 'section "x"', 'scenario x "x"', "throughout", 'fact x "x"',
    "campaign log", "kinds x", 'group x of 1 to 2 "x"', "rule x", 'book x "x"', "order of play",
)  # fmt: skip
"""Lines that can stand in for a broken one, so that the lines around it can be understood."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Where the parser stopped: what it found (a terminal, or `sign`, or `misfit`) and what it would have taken."""

    line: int
    column: int
    found: str
    text: str
    accepts: frozenset[str]

    @property
    def index(self) -> int:
        return self.line - 1


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnosis, and lines that stand in for the broken ones from index `first` on (as many as they replace)."""

    diagnostic: Diagnostic
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Repair:
    """One line's repair; `certain` is reported even if the line has further mistakes."""

    code: str
    column: int
    length: int
    line: str
    values: dict[str, object]
    certain: bool = False


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
    repairs = list(_repairs(failure, line)) if len(line) <= LONGEST_LINE else []
    for repair in repairs:
        if reach(failure.index, [repair.line], False) > failure.index:
            return _repaired(repair, failure, source, lines)
    shifted = _other_block(failure, source, lines, reach)
    if shifted:
        return shifted
    inserted = _missing_word(failure, source, lines, reach)
    if inserted:
        return inserted
    for repair in repairs:
        if repair.certain:
            mistake = _repaired(repair, failure, source, lines)
            return Mistake(mistake.diagnostic, failure.index, stand_in(failure.index, lines, reach))
    return Mistake(_general(failure, source, lines), failure.index, stand_in(failure.index, lines, reach))


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


def _at(code: str, source: Source, lines: Sequence[str], index: int, column: int, length: int = 1, **values: object) -> Diagnostic:
    """A diagnostic at a place of the mended lines, shown in the line as it was written."""
    written = source.line(index + 1)
    column += indent_of(written) - indent_of(lines[index])
    return problem(code, source.span(index + 1, max(1, column), max(1, length)), source_line=written, **values)


def _repaired(repair: _Repair, failure: Failure, source: Source, lines: Sequence[str]) -> Mistake:
    diagnostic = _at(repair.code, source, lines, failure.index, repair.column, repair.length, **repair.values)
    return Mistake(diagnostic, failure.index, (repair.line,))


def _general(failure: Failure, source: Source, lines: Sequence[str]) -> Diagnostic:
    expected, place = expectation(failure.accepts, failure.found), (source, lines, failure.index, failure.column)
    if failure.found in ("_NEWLINE", "_DEDENT", "$END"):
        opened = _open_bracket(lines[failure.index])
        if opened is not None:
            return _at("PC111", source, lines, failure.index, opened + 1)
        return _at("PC113", *place, expected=expected)
    if failure.found == "sign":
        return _at("PC103", *place, found=_shown(failure.text), expected=expected)
    return _at("PC101", *place, len(failure.text), found=_shown(failure.text), expected=expected)


def _shown(text: str) -> str:
    """A sign as a message shows it: invisible ones by their names, long ones shortened."""
    if len(text) == 1 and (not text.isprintable() or text.isspace()):
        return f"U+{ord(text):04X} ({unicodedata.name(text, 'no name').lower()})"
    return f"“{text if len(text) <= 40 else text[:39] + '…'}”"


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
    alike = sum(says_something(line) and indent_of(line) == wanted for line in lines[index + 1 : block_end(lines, header)])
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
            elif indent_of(line) < base:
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
    diagnostic = _at("PC106", source, lines, index, indent + 1, len(without_comment(lines[index]).strip()))
    moved = _moved(lines, index, indent, (0 if above is None else indent_of(lines[above])) - indent)
    if reach(index, moved[:1], False) > index:
        return Mistake(diagnostic, index, moved)
    return Mistake(diagnostic, index, ("",) * len(moved))


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
        moved = _moved(lines, index, indent, column - indent) if column < indent else (indented(lines[index], column - indent),)
        if reach(index, moved[:1], False) > index:
            words = without_comment(lines[index]).strip()
            headers = headers_above(lines, index, column)
            where = f"the block of “{_brief(headers[-1])}”" if headers else "the top level"
            diagnostic = _at("PC117", source, lines, index, indent + 1, len(words), line=_brief(words), found=column, where=where)
            return Mistake(diagnostic, index, moved)
    return None


def _brief(line: str) -> str:
    words = without_comment(line).split("@")[0].strip()
    return words if len(words) <= 40 else words[:39] + "…"


# ---------------------------------------------------------------- repairs of one line


def _repairs(failure: Failure, line: str) -> Iterator[_Repair]:
    column = failure.column
    yield from _quotes(line)
    yield from _sign(failure, line, column)
    if failure.found == "_NEWLINE" and without_comment(line).rstrip().endswith(":"):
        colon = without_comment(line).rfind(":")
        yield _Repair("PC115", colon + 1, 1, line[:colon] + line[colon + 1 :], {"word": ":"})
    cite = next((m for m in re.finditer(r"@\S*", without_words(line)) if m.start() < column <= m.end()), None)
    if cite and failure.found != "CITE":
        without = line[: cite.start()].rstrip() + line[cite.end() :]
        yield _Repair("PC109", cite.start() + 1, len(cite.group()), without, {"found": cite.group()}, True)
    capital = _capital(line, column)
    if capital and ("NUMBER" in failure.accepts or "STRING" not in failure.accepts):
        yield from capital
    yield from _misspelt(failure, line)
    yield from _bare_words(failure, line)
    yield from capital


def _quotes(line: str) -> Iterator[_Repair]:
    match = re.search(r"[“”„«»‟]", without_words(line))
    if match:
        yield _Repair("PC110", match.start() + 1, 1, _straight(line), {}, True)
    if '"' not in without_words(line):
        return
    values: dict[str, object] = {}
    for opening in (m.start() for m in re.finditer(r'(?<!\\)"', without_comment(line))):
        words = re.match(r'(?:\\.|[^"\\])*', line[opening + 1 :]).group()  # type: ignore[union-attr]
        for length in _ends_of_words(words):
            mended = line[: opening + 1 + length] + '"' + line[opening + 1 + length :]
            yield _Repair("PC102", opening + 1, length + 1, mended, values)
    last = without_words(line).rfind('"')
    yield _Repair("PC102", last + 1, len(line[last:].rstrip()), line + '"', values, True)


def _ends_of_words(words: str) -> list[int]:
    """Where printed words that begin here may have ended: before a citation, at the end, before a colon or comma."""
    cites = [m.start() for m in re.finditer(r"\s*@[a-z0-9]", words)]
    signs = [m.start() for m in re.finditer(r"\s*[:,]", words)]
    return [*cites, len(words.rstrip()), *reversed(signs)]


def _straight(line: str) -> str:
    """The line with straight quotes around printed words that typographic ones enclose."""
    return re.sub(r'("(?:\\.|[^"\\])*")|[“”„«»‟]', lambda m: m.group(1) or '"', line)


def _sign(failure: Failure, line: str, column: int) -> Iterator[_Repair]:
    for sign, ours in _SIGNS.items():
        for start in (column - 1, column - 2):
            if line[start : start + len(sign)] == sign and not (start < column - 1 and len(sign) == 1):
                mended = line[:start] + (f" {ours} " if ours.isalpha() else ours) + line[start + len(sign) :]
                values: dict[str, object] = {} if sign == "==" else {"found": f"“{sign}”", "expected": f"write “{ours.strip()}”"}
                yield _Repair("PC107" if sign == "==" else "PC103", start + 1, len(sign), mended, values, sign != "!")
                return
    if failure.found == "sign" and failure.text.isspace():
        values = {"found": _shown(failure.text), "expected": "write a plain space"}
        mended = "".join(" " if c.isspace() else c for c in line)
        yield _Repair("PC103", column, 1, mended, values, True)


def _capital(line: str, column: int) -> list[_Repair]:
    match = re.compile(r"\w*[A-Z]\w*").match(line, column - 1)
    if match is None:
        return []
    start = max(re.search(r"\w*$", line[: column - 1]).start(), 0)  # type: ignore[union-attr]
    word = line[start : match.end()]
    small = line[:start] + word.lower() + line[match.end() :]
    return [_Repair("PC116", start + 1, len(word), small, {"found": word, "small": word.lower()})]


def _misspelt(failure: Failure, line: str) -> Iterator[_Repair]:
    """Words at the place, or the word before it, that are nearly words of the language."""
    here = failure.column - 1
    before = re.search(r"[A-Za-z]+ *$", line[:here])
    places = [(here, spellings(failure.accepts))] + ([(before.start(), list(all_spellings()))] if before else [])
    found: list[tuple[float, _Repair]] = []
    for start, known in places:
        for phrase in known:
            said = re.compile(r" +".join(["[A-Za-z]+"] * (phrase.count(" ") + 1))).match(line, start)
            if said is None or not phrase[0].isalpha() or said.group() == phrase or len(said.group()) > 60:
                continue
            alike = _likeness(said.group().lower(), phrase)
            if alike >= 0.7:
                mended = line[:start] + phrase + line[said.end() :]
                values: dict[str, object] = {"found": said.group(), "nearest": phrase}
                found.append((alike, _Repair("PC112", start + 1, len(said.group()), mended, values)))
    yield from (repair for _, repair in sorted(found, key=lambda pair: -pair[0])[:5])


def _likeness(said: str, phrase: str) -> float:
    """How alike two phrases are; letters in another order count as nearly the same."""
    return 0.9 if sorted(said) == sorted(phrase) else SequenceMatcher(None, said, phrase).ratio()


def _bare_words(failure: Failure, line: str) -> Iterator[_Repair]:
    """Plain words where printed words are meant: everything from a word to the next sign, quoted."""
    bare = without_words(line)
    expression = not failure.accepts.isdisjoint({"NUMBER", "IS", "_AND", "_OR"})
    starts = [m.start() for m in re.finditer(r"(?<![\w·\"])[^\W\d_]", bare)]
    behind = sum(start < failure.column for start in starts)
    for start in reversed(starts[max(0, behind - 8) : behind + 6]):
        match = re.compile(r"[^@#\":,()=<>]+").match(bare, start)
        words = match.group().rstrip() if match else ""
        if not words or "·" in words or "_" in words or (expression and (re.search(r"\d", words) or " " not in words)):
            continue
        end = start + len(words)
        if end < failure.column - 1 or (" " not in words and words.islower()):
            continue
        yield _Repair("PC108", start + 1, len(words), f'{line[:start]}"{words}"{line[end:]}', {"words": words})


# ---------------------------------------------------------------- a word too few or too many


def _missing_word(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """One word or sign of the language that makes the line complete, or one that is too much."""
    index, line, here = failure.index, lines[failure.index], failure.column - 1
    if len(line) > LONGEST_LINE or len(failure.accepts) > 20:
        return None
    found = []
    for word in spellings(failure.accepts):
        head = line[:here].rstrip() if word in (":", ",", ")") else line[:here]
        mended = f"{head}{word} {line[here:]}" if here < len(line) else f"{head} {word}"
        if word != "s" and reach(index, [mended], False) > index:
            found.append((word, mended))
    if len(found) == 1:
        word, mended = found[0]
        opened = _open_bracket(line)
        if word == ")" and opened is not None:
            return Mistake(_at("PC111", source, lines, index, opened + 1), index, (mended,))
        before = f"before {_shown(failure.text)}" if failure.text.strip() else "at the end of the line"
        return Mistake(_at("PC114", source, lines, index, here + 1, word=word, before=before), index, (mended,))
    if found or not failure.text.strip():
        return None
    return _word_too_many(failure, source, lines, reach)


def _word_too_many(failure: Failure, source: Source, lines: Sequence[str], reach: Reach) -> Mistake | None:
    """The word at the place, or a word of the language before it, without which the line is complete."""
    index, line, here = failure.index, lines[failure.index], failure.column - 1
    before = re.search(r"([a-z]+) *$", line[:here])
    words = [(here, failure.text)] if failure.found not in ("STRING", "NUMBER", "CITE") else []
    words += [(before.start(1), before.group(1))] if before and before.group(1) in all_spellings() else []
    for start, word in words:
        without = (line[:start] + line[start + len(word) :].lstrip()).rstrip()
        if reach(index, [without], False) > index:
            return Mistake(_at("PC115", source, lines, index, start + 1, len(word), word=word), index, (without,))
    return None


def _open_bracket(line: str) -> int | None:
    stack = []
    for index, sign in enumerate(without_words(line)):
        if sign == "(":
            stack.append(index)
        elif sign == ")" and stack:
            stack.pop()
    return stack[-1] if stack else None

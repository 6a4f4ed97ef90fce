"""Repairs of one line: what its mistake may be, and how the line reads without it; which one is true is tried elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any

from plainchant.records import Frozen
from plainchant.text.expected import all_spellings, spellings
from plainchant.text.layout import indent_of, without_comment, without_words

_SIGNS = {
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "!": "not ", "&": "and",
    "|": "or", "–": "-", "—": "-", "−": "-", ";": ",", "’": "'",
}  # fmt: skip
"""Signs of other languages and of the typesetter, and what this language writes."""

_FOREIGN = {"else": "otherwise", "elif": "otherwise if", "else if": "otherwise if", "goto": "go to", "foreach": "for each"}
"""Words of other languages, and what this one says."""

_SPOKEN = {
    "is at least": ">=", "is no less than": ">=", "is at most": "<=", "is no more than": "<=", "is more than": ">", "is greater than": ">",
    "is less than": "<", "is fewer than": "<", "is equal to": "=", "equals": "=", "zero": "0", "one": "1", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
"""Comparisons and numbers as they are spoken and printed, and as this language writes them."""


class Failure(Frozen):
    """Where the parser stopped: what it found (a terminal, or `sign`, or `misfit`) and what it would have taken."""

    line: int
    column: int
    found: str
    text: str
    accepts: frozenset[str]

    @property
    def index(self) -> int:
        return self.line - 1


class Repair(Frozen):
    """One line's repair; `certain` is reported even if the line has further mistakes."""

    code: str
    column: int
    length: int
    line: str
    values: dict[str, Any]
    certain: bool = False


def repairs(failure: Failure, line: str) -> Iterator[Repair]:
    """What may be wrong with the line at the place where the parser stopped, the likeliest first."""
    column = failure.column
    yield from _quotes(line)
    yield from _sign(failure, line, column)
    if failure.found in ("_NEWLINE", "_COLON") and without_comment(line).rstrip().endswith(":"):
        colon = without_comment(line).rfind(":")
        yield Repair("PC115", colon + 1, 1, line[:colon] + line[colon + 1 :], {"word": ":"})
    cite = next((m for m in re.finditer(r"@\S*", without_words(line)) if m.start() < column <= m.end()), None)
    if cite and failure.found != "CITE":
        without = line[: cite.start()].rstrip() + line[cite.end() :]
        yield Repair("PC109", cite.start() + 1, len(cite.group()), without, {"found": cite.group()}, True)
    yield from _spoken(line)
    capital = _capital(line, column)
    if capital and ("NUMBER" in failure.accepts or "STRING" not in failure.accepts):
        yield from capital
    yield from _misspelt(failure, line)
    yield from _bare_words(failure, line)
    yield from capital


def _quotes(line: str) -> Iterator[Repair]:
    match = re.search(r"[“”„«»‟]", without_words(line))
    if match:
        yield Repair("PC110", match.start() + 1, 1, _straight(line), {}, True)
    if '"' not in without_words(line):
        return
    values: dict[str, Any] = {}
    for opening in (m.start() for m in re.finditer(r'(?<!\\)"', without_comment(line))):
        words = re.match(r'(?:\\.|[^"\\])*', line[opening + 1 :]).group()  # type: ignore[union-attr]
        for length in _ends_of_words(words):
            mended = line[: opening + 1 + length] + '"' + line[opening + 1 + length :]
            yield Repair("PC102", opening + 1, length + 1, mended, values)
    last = without_words(line).rfind('"')
    yield Repair("PC102", last + 1, len(line[last:].rstrip()), line + '"', values, True)


def _ends_of_words(words: str) -> list[int]:
    """Where printed words that begin here may have ended: before a citation, at the end, before a colon or comma."""
    cites = [m.start() for m in re.finditer(r"\s*@[a-z0-9]", words)]
    signs = [m.start() for m in re.finditer(r"\s*[:,]", words)]
    return [*cites, len(words.rstrip()), *reversed(signs)]


def _straight(line: str) -> str:
    """The line with straight quotes around printed words that typographic ones enclose."""
    return re.sub(r'("(?:\\.|[^"\\])*")|[“”„«»‟]', lambda m: m.group(1) or '"', line)


def _sign(failure: Failure, line: str, column: int) -> Iterator[Repair]:
    for sign, ours in _SIGNS.items():
        for start in (column - 1, column - 2):
            if line[start : start + len(sign)] == sign and not (start < column - 1 and len(sign) == 1):
                mended = line[:start] + (f" {ours} " if ours.isalpha() else ours) + line[start + len(sign) :]
                values: dict[str, Any] = {} if sign == "==" else {"found": f"“{sign}”", "expected": f"write “{ours.strip()}”"}
                yield Repair("PC107" if sign == "==" else "PC103", start + 1, len(sign), mended, values, sign != "!")
                return
    if failure.found == "sign" and failure.text.isspace():
        values = {"found": shown(failure.text), "expected": "write a plain space"}
        mended = "".join(" " if c.isspace() else c for c in line)
        yield Repair("PC103", column, 1, mended, values, True)


def _spoken(line: str) -> Iterator[Repair]:
    """Comparisons and numbers in words: each by itself, and then all of the line together."""
    pattern = re.compile(r"(?<![\w·])(?:" + "|".join(_SPOKEN) + r")(?![\w·])")
    found = list(pattern.finditer(without_words(line)))
    for match in found:
        mended = line[: match.start()] + _SPOKEN[match.group()] + line[match.end() :]
        yield Repair("PC112", match.start() + 1, len(match.group()), mended, {"found": match.group(), "nearest": _SPOKEN[match.group()]})
    if len(found) > 1:
        mended = line
        for match in reversed(found):
            mended = mended[: match.start()] + _SPOKEN[match.group()] + mended[match.end() :]
        first = found[0]
        yield Repair("PC112", first.start() + 1, len(first.group()), mended, {"found": first.group(), "nearest": _SPOKEN[first.group()]})


def _capital(line: str, column: int) -> list[Repair]:
    match = re.compile(r"\w*[A-Z]\w*").match(line, column - 1)
    if match is None:
        return []
    start = max(re.search(r"\w*$", line[: column - 1]).start(), 0)  # type: ignore[union-attr]
    word = line[start : match.end()]
    small = line[:start] + word.lower() + line[match.end() :]
    return [Repair("PC116", start + 1, len(word), small, {"found": word, "small": word.lower()})]


def _misspelt(failure: Failure, line: str) -> Iterator[Repair]:
    """Words at the place, before it, or at the line's beginning that are nearly words of the language, or such of other languages."""
    here = failure.column - 1
    before = re.search(r"[A-Za-z]+ *$", line[:here])
    found = _nearly(line, here, spellings(failure.accepts))
    if before:
        found += _nearly(line, before.start(), all_spellings())
    found += _nearly(line, indent_of(line), [phrase for phrase in all_spellings() if phrase.count(" ") > 1])
    yield from _likeliest(found)


def misspelt_anywhere(line: str) -> Iterator[Repair]:
    """Words of a line that are nearly words of the language, wherever they stand; for a line that is none of the expected sort."""
    starts = [m.start() for m in re.finditer(r"(?<![\w·])[A-Za-z]", without_words(line))]
    yield from _likeliest([found for start in starts[:12] for found in _nearly(line, start, all_spellings())])


def _nearly(line: str, start: int, known: Iterable[str]) -> list[tuple[float, Repair]]:
    """For the words from a place on, those of the known phrases that they resemble, with the likeness."""
    found: list[tuple[float, Repair]] = []
    for phrase in (phrase for phrase in known if phrase[0].isalpha()):
        for said in _said(line, start, phrase.count(" ") + 1):
            alike = _likeness(said.lower(), phrase)
            if said != phrase and alike >= (0.65 if len(phrase) > 4 else 0.7):
                mended = line[:start] + phrase + line[start + len(said) :]
                found.append((alike, Repair("PC112", start + 1, len(said), mended, {"found": said, "nearest": phrase})))
    return found


def _likeliest(found: list[tuple[float, Repair]]) -> Iterator[Repair]:
    yield from (repair for _, repair in sorted(found, key=lambda pair: -pair[0])[:6])


def _said(line: str, start: int, words: int) -> Iterator[str]:
    """So many words from a place on, and one fewer or more."""
    for count in (words, words - 1, words + 1) if words > 1 else (1, 2):
        match = re.compile(r" +".join(["[A-Za-z]+"] * count)).match(line, start)
        if match and len(match.group()) <= 60:
            yield match.group()


def _likeness(said: str, phrase: str) -> float:
    """How alike two phrases are; letters in another order, and the words of other languages, count as nearly the same."""
    if _FOREIGN.get(said) == phrase:
        return 1.0
    return 0.9 if sorted(said) == sorted(phrase) else SequenceMatcher(None, said, phrase).ratio()


def _bare_words(failure: Failure, line: str) -> Iterator[Repair]:
    """Plain words where printed words are meant: everything from a word to the next sign, quoted."""
    bare = without_words(line)
    expression = not failure.accepts.isdisjoint({"NUMBER", "IS", "_AND", "_OR"})
    starts = [m.start() for m in re.finditer(r"(?<![\w·\"])[^\W\d_]", bare)]
    behind = sum(start < failure.column for start in starts)
    for start in reversed(starts[max(0, behind - 8) : behind + 6]):
        match = re.compile(r"[^@#\":,()=<>]+").match(bare, start)
        words = match.group().rstrip() if match else ""
        if (
            words.startswith("the total of ")
            or not words
            or "·" in words
            or "_" in words
            or (expression and (re.search(r"\d", words) or " " not in words))
        ):
            continue
        end = start + len(words)
        if end < failure.column - 1 or (" " not in words and words.islower()):
            continue
        yield Repair("PC108", start + 1, len(words), f'{line[:start]}"{words}"{line[end:]}', {"words": words})


def open_bracket(line: str) -> int | None:
    """Where the innermost bracket opens that is not closed."""
    stack = []
    for index, sign in enumerate(without_words(line)):
        if sign == "(":
            stack.append(index)
        elif sign == ")" and stack:
            stack.pop()
    return stack[-1] if stack else None


def shown(text: str) -> str:
    """A sign as a message shows it: invisible ones by their names, long ones shortened."""
    if len(text) == 1 and (not text.isprintable() or text.isspace()):
        return f"U+{ord(text):04X} ({unicodedata.name(text, 'no name').lower()})"
    return f"“{text if len(text) <= 40 else text[:39] + '…'}”"

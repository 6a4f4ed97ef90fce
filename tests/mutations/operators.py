"""Mutations of rules files: one place changed at a time, as a transcriber might get it wrong. A change of a citation is none."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from plainchant.records import Frozen

SEED = "circle"
UNTOUCHED = ("claims.rules", "known_findings.rules", "book.rules")
"""Files that say what ought to hold, and not what is printed."""


class Mutant(Frozen):
    """One changed place: by which operator, in which file and line, what stood there and what stands there now (nothing: struck)."""

    operator: str
    file: str
    line: int
    before: str
    after: str
    text: str

    @property
    def name(self) -> str:
        """What tells it from the others, whatever its line is: the file, the operator, and both wordings."""
        return f"{self.file.removesuffix('.rules')}: {self.operator}: {self.before} → {self.shown}"

    @property
    def shown(self) -> str:
        """What stands there now, on one line."""
        return " ⏎ ".join(part.strip() for part in self.after.split("\n")) or "struck"


class _Line(Frozen):
    """A line of a file as it is, and its words without citations and those apart; a comment has no words."""

    number: int
    text: str
    indent: int
    words: str
    cites: str


class _File(Frozen):
    name: str
    lines: tuple[_Line, ...]
    others: dict[str, tuple[str, ...]]
    """Names that could be taken for another one of the same sort: sections, entries."""

    def block(self, line: _Line) -> int:
        """How many lines a line governs, itself among them."""
        below = 1
        while line.number + below < len(self.lines):
            following = self.lines[line.number + below]
            if following.words and following.indent <= line.indent:
                break
            below += 1
        return below


Change = tuple[str, int]
"""The new words of a line (empty: struck), and how many lines they replace."""
Operator = Callable[[_File, _Line], Iterator[Change]]


def _guard_dropped(_: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r"(if|otherwise if|when|otherwise when) (.+?)(:.*)?$", line.words)
    if found and found.group(2) not in ("yes", "no"):
        yield f"{found.group(1)} yes{found.group(3) or ''}", 1


def _guard_negated(_: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r"(if|otherwise if|when|otherwise when) (.+?)(: (?!.*\" /).*)?$", line.words)
    if found:
        yield f"{found.group(1)} not ({found.group(2)}){found.group(3) or ''}", 1


def _jump_swapped(file: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r'(.*(?:proceed to|skip to|go to) )("(?:\\.|[^"])*")$', line.words)
    if found:
        for other in file.others["section"]:
            if other != found.group(2):
                yield found.group(1) + other, 1


def _record_removed(_: _File, line: _Line) -> Iterator[Change]:
    for statement in ("record ", "cross off "):
        head, found, _tail = line.words.partition(statement)
        if found and (not head or head.endswith(": ")):
            yield head + "nothing happens", 1


def _off_by_one(_: _File, line: _Line) -> Iterator[Change]:
    for found in re.finditer(r"(?<![\w+–\"-])(\d)(?![\w\"])", _outside_of_quotes(line.words)):
        if re.match(r"(fact|keep|reading|group|kinds) ", line.words):
            continue
        for new in (int(found.group(1)) - 1, int(found.group(1)) + 1):
            if new >= 0:
                yield line.words[: found.start()] + str(new) + line.words[found.end() :], 1


def _restriction_dropped(_: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r'("(?:\\.|[^"])*") only if .+?(: .*)?$', line.words)
    if found:
        yield found.group(1) + (found.group(2) or ""), 1


def _arm_removed(file: _File, line: _Line) -> Iterator[Change]:
    if re.match(r"(when |otherwise when |otherwise)", line.words) or re.match(r'"(?:\\.|[^"])*"( only if .+?)?(:.*)?$', line.words):
        yield "", file.block(line)


def _token_swapped(_: _File, line: _Line) -> Iterator[Change]:
    tokens = ("skull", "cultist", "tablet", "elder_thing")
    if re.search(r"(add|remove|move|holds) ", line.words):
        for found in re.finditer(r"\b(skull|cultist|tablet|elder_thing)\b", _outside_of_quotes(line.words)):
            other = tokens[(tokens.index(found.group(1)) + 1) % len(tokens)]
            yield line.words[: found.start()] + other + line.words[found.end() :], 1


def _departure_swapped(_: _File, line: _Line) -> Iterator[Change]:
    for old, new in (("= defeated", "= resigned"), ("= resigned", "= defeated"), ("every investigator has", "any investigator has")):
        if old in line.words:
            yield line.words.replace(old, new, 1), 1


def _wrong_entry(file: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r'(.*\brecord )("(?:\\.|[^"])*")( as .*)?$', line.words)
    if found:
        for other in file.others["entry"]:
            if other != found.group(2):
                yield f"{found.group(1)}{other}{found.group(3) or ''}", 1


def _wrong_entry_asked(file: _File, line: _Line) -> Iterator[Change]:
    found = re.match(r'((?:otherwise )?(?:if|when) (?:not )?)("(?:\\.|[^"])*")(.*)$', line.words)
    if found:
        for other in file.others["entry"]:
            if other != found.group(2):
                yield found.group(1) + other + found.group(3), 1


def _connective_swapped(_: _File, line: _Line) -> Iterator[Change]:
    swaps = ((" and ", " or "), (" or ", " and "), (" <= ", " < "), (" >= ", " > "), (" > ", " >= "), (" = ", " != "))
    if re.match(r"(if|otherwise if|when|otherwise when|define) ", line.words) or " only if " in line.words:
        plain = _outside_of_quotes(line.words)
        for old, new in swaps:
            place = plain.find(old)
            if place >= 0:
                yield line.words[:place] + new + line.words[place + len(old) :], 1


def _otherwise_lost(_: _File, line: _Line) -> Iterator[Change]:
    """`otherwise if` read as a condition of its own."""
    if line.words.startswith("otherwise if "):
        yield line.words.removeprefix("otherwise "), 1


def _statement_doubled(_: _File, line: _Line) -> Iterator[Change]:
    if re.match(r"(add|remove|move|each investigator (earns|suffers)|record \d) ?", line.words) and not line.words.endswith(":"):
        yield f"{line.words}\n{' ' * line.indent}{line.words}", 1


OPERATORS: dict[str, Operator] = {
    "guard dropped": _guard_dropped,
    "guard negated": _guard_negated,
    "jump to another section": _jump_swapped,
    "record or cross off removed": _record_removed,
    "count off by one": _off_by_one,
    "restriction dropped": _restriction_dropped,
    "arm or option removed": _arm_removed,
    "token swapped": _token_swapped,
    "departure swapped": _departure_swapped,
    "wrong entry recorded": _wrong_entry,
    "wrong entry asked about": _wrong_entry_asked,
    "connective swapped": _connective_swapped,
    "otherwise lost": _otherwise_lost,
    "statement doubled": _statement_doubled,
}


def mutants(folder: Path, each: int) -> list[Mutant]:
    """Up to so many mutants of each operator, the same ones as long as the lines that they change are the same."""
    found: dict[str, dict[str, list[Mutant]]] = {}
    for file in _files(folder):
        for line in file.lines:
            for operator, change in OPERATORS.items():
                for words, replaced in change(file, line):
                    mutant = Mutant(operator, file.name, line.number + 1, line.words, words, _text(file, line, words, replaced))
                    found.setdefault(operator, {}).setdefault(f"{file.name}:{line.number}", []).append(mutant)
    chosen = []
    for places in found.values():
        # One change of a place is enough: which one, and which places, is drawn from the wordings, so that edits elsewhere alter nothing.
        one_each = [min(changes, key=_drawn) for changes in places.values()]
        chosen += sorted(one_each, key=_drawn)[:each]
    return chosen


def _drawn(mutant: Mutant) -> str:
    return hashlib.sha256(f"{SEED}\0{mutant.name}".encode()).hexdigest()


def _files(folder: Path) -> Iterator[_File]:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.rules"))}
    entries = tuple(
        dict.fromkeys(re.findall(r'(?m)^    \w+ +("[a-zA-Z][^"\n]*") *(?:@|$)', texts["campaign_log.rules"].partition("campaign log\n")[2]))
    )
    for name, text in texts.items():
        if name not in UNTOUCHED:
            kinds = r"section|resolution|no resolution|before any other resolution"
            sections = tuple(re.findall(rf'(?m)^    (?:{kinds}) ("(?:\\.|[^"])*")', text))
            yield _File(name, tuple(_lines(text)), {"section": sections, "entry": entries})


def _lines(text: str) -> Iterator[_Line]:
    for number, line in enumerate(text.split("\n")):
        found = re.match(r"( *)(.*?)((?: +@[\w:,\-]+)*) *$", line)
        assert found is not None
        words = "" if found.group(2).startswith("#") else found.group(2)
        yield _Line(number, line, len(found.group(1)), words, found.group(3))


def _outside_of_quotes(words: str) -> str:
    """The line with its quoted words blanked, every sign at its place."""
    return re.sub(r'"(?:\\.|[^"])*"', lambda found: '"' + "_" * (len(found.group()) - 2) + '"', words)


def _text(file: _File, line: _Line, words: str, replaced: int) -> str:
    """The whole changed file."""
    new: Sequence[str] = [" " * line.indent + part.strip() + line.cites for part in words.split("\n")] if words else []
    old = [one.text for one in file.lines]
    return "\n".join([*old[: line.number], *new, *old[line.number + replaced :]])

"""Each printed line of a book's sources: transcribed by which rules, waived for which reason, or missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from plainchant.meaning.modules import Library, Module
from plainchant.meaning.words import identifier
from plainchant.records import Frozen
from plainchant.text import tree as t
from plainchant.text.declaration_text import declaration_headline
from plainchant.text.printed import BLANK, RULE, LineTable, Printed

TRANSCRIBED, WAIVED, MISSING = "transcribed", "waived", "missing"
STATES = (TRANSCRIBED, WAIVED, MISSING)

_D = TypeVar("_D", t.Waive, t.NotTranscribed)

NO_RULES = t.Claim | t.Acknowledge | t.Waive | t.NotTranscribed
"""Declarations that speak about printed lines and do not transcribe them."""


class Cited(Frozen):
    """A printed line that a declaration speaks of; `rule` is the name by which that is known, `at` the citation."""

    source: str
    line: int
    rule: str
    at: t.Span


class PrintedLine(Frozen):
    """A printed line and what became of it. `rules` are the names of what cites it, `reason` why it is waived or missing."""

    source: str
    line: int
    line_class: str
    state: str
    rules: tuple[str, ...] = ()
    reason: str = ""


class SourceCoverage(Frozen):
    """All lines of a source, in their order; `table` is None where the book only says how many there are."""

    source: str
    table: LineTable | None
    lines: tuple[PrintedLine, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines there are, and how many in each state."""
        found = Counter(line.state for line in self.lines)
        return {"lines": len(self.lines), **{state: found[state] for state in STATES}}


Citations = Mapping[tuple[str, int], Sequence[str]]
"""For each printed line that rules cite, their names, each once."""


def citations(library: Library) -> Citations:
    """Which rules cite which lines; what a book uses may cite its lines as well, and so may its companions."""
    found: dict[tuple[str, int], dict[str, None]] = {}
    for one in rule_citations(library):
        found.setdefault((one.source, one.line), {}).setdefault(one.rule)
    return {place: tuple(rules) for place, rules in found.items()}


def coverage_of(library: Library, cited: Citations | None = None) -> tuple[SourceCoverage, ...]:
    """What became of each line of the sources of a library's main module; `cited` are its citations, if they are known already."""
    cited = citations(library) if cited is None else cited
    waived = {(at.source, at.line): waive.reason for waive, at in reversed(list(declared_lines(library, t.Waive)))}
    known = {(at.source, at.line): left.reason for left, at in reversed(list(declared_lines(library, t.NotTranscribed)))}
    return tuple(
        SourceCoverage(source, table, tuple(_lines(source, table or _unknown(count), cited, waived, known)))
        for source, count, table in sources_of(library.main)
    )


def sources_of(module: Module) -> tuple[tuple[str, int, LineTable | None], ...]:
    """The sources of a module: those that its book names, with the number of lines; and those of which only the table lies there."""
    tables = {table.source: table for table in module.tables}
    named = {name.text: lines for name, lines in module.book.sources} if module.book else {}
    found = [(name, len(tables[name].lines) if name in tables else lines, tables.get(name)) for name, lines in named.items()]
    return (*found, *((name, len(table.lines), table) for name, table in tables.items() if name not in named))


def _unknown(count: int) -> LineTable:
    return LineTable("", (Printed(RULE, ""),) * count)


def _lines(
    source: str, table: LineTable, cited: Citations, waived: dict[tuple[str, int], str], known: dict[tuple[str, int], str]
) -> Iterator[PrintedLine]:  # fmt: skip
    for number, line in enumerate(table.lines, 1):
        place = source, number
        if place in cited:
            yield PrintedLine(source, number, line.line_class, TRANSCRIBED, tuple(cited[place]))
        elif line.line_class == BLANK or place in waived:
            yield PrintedLine(source, number, line.line_class, WAIVED, (), waived.get(place, "nothing is printed there"))
        else:
            yield PrintedLine(source, number, line.line_class, MISSING, (), known.get(place, ""))


# ---------------------------------------------------------------- who speaks of a line


def own_source(module: Module) -> str | None:
    """The source of citations that name none."""
    return module.book.sources[0][0].text if module.book and module.book.sources else None


def rule_citations(library: Library) -> Iterator[Cited]:
    """Every line that a rule cites, with the name of what it stands in; of companions with the name of their module before it."""
    for module in (*library.modules, *library.companions):
        own, prefix = own_source(module), f"{module.name}/" if module in library.companions else ""
        for file in module.files:
            for rule, node in named_rules(file.items):
                yield from _cited(node, prefix + rule, own)


def declared_lines(library: Library, form: type[_D]) -> Iterator[tuple[_D, Cited]]:
    """Every line that is waived, or said to be not transcribed, with the declaration that says so."""
    for module in library.modules:
        own = own_source(module)
        for item in (item for file in module.files for item in file.items):
            if isinstance(item, form):
                yield from ((item, one) for one in _cited(item.cites, "", own))


def named_rules(items: Iterable[t.Item | t.PartItem], part: str = "") -> Iterator[tuple[str, object]]:
    """The pieces of a file that cite printed lines as rules, each with its name: sections as `part.section`, entries by their own."""
    for item in items:
        match item:
            case t.Part(name=name, items=inner):
                yield name.text, item.cites
                yield from named_rules(inner, name.text)
            case t.Section(words=words):
                yield f"{part}.{identifier(words)}", item
            case t.Throughout():
                yield f"{part}.throughout", item
            case t.Log(entries=entries):
                yield "campaign_log", item.cites
                yield from ((entry.name.text, entry) for entry in entries)
            case _ if not isinstance(item, NO_RULES):
                named = getattr(item, "name", None)
                yield named.text if isinstance(named, t.Name) else declaration_headline(item), item


def _cited(node: object, rule: str, own: str | None) -> Iterator[Cited]:
    for cite in all_cites(node):
        source = cite.source or own
        if source is not None:
            for low, high in cite.ranges:
                yield from (Cited(source, line, rule, cite.span) for line in range(low, min(high, low + MOST_LINES) + 1))


MOST_LINES = 100_000
"""Of one range of a citation; more lines has no rulebook, and a slip of the finger must not fill the memory."""


def all_cites(node: object) -> Iterable[t.Cite]:
    """Every citation in a tree."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, t.Cite):
            yield item
        elif isinstance(item, tuple):
            stack += reversed(item)
        elif isinstance(item, t.Node):
            stack += t.children(item, cites=True)


def ranges_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def ranges_text(numbers: Iterable[int]) -> str:
    """Numbers as people write them: `4, 7-9`."""
    return ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in ranges_of(numbers))

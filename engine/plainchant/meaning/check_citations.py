"""What is wrong with citations: lines that are not printed, rules without any, lines that nothing cites, waivers that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plainchant.meaning.coverage import (
    MISSING,
    Citations,
    SourceCoverage,
    all_cites,
    citations,
    coverage_of,
    declared_lines,
    own_source,
    ranges_of,
    ranges_text,
    sources_of,
)
from plainchant.meaning.flow import bodies
from plainchant.meaning.modules import Library, Module, shipped_books
from plainchant.meaning.names import Names
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t
from plainchant.text.declaration_text import declaration_headline
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.place import cite_text
from plainchant.text.statement_text import headline

_SHOWN_LINES = 12
"""Ranges of lines that a message names; the rest are in `plainchant coverage`."""

_NOTHING_PRINTED = t.ContinuePrinted | t.PlayScenario | t.Nothing | t.Over | t.Do
"""Statements that may stand where the book prints no instruction, or whose lines are cited by the rule that they carry out."""


def check_citations(names: Names, library: Library) -> tuple[Diagnostic, ...]:
    """Citations name known sources and lines that these have; where there is a table of the lines, each of them is accounted for."""
    report = Reporter(names.sources)
    _places(names, library, report)
    if any(table is not None for _, _, table in sources_of(library.main)):
        _numbers(library.main, report)
        for span, what in _uncited(library.main):
            report("PC801", span, what=what)
        cited = citations(library)
        _waivers(library, cited, report)
        _missing(library, cited, report)
    return report.result()


def _places(names: Names, library: Library, report: Reporter) -> None:
    known = names.printed_lines
    if not known:
        return
    for module in library.modules:
        own = own_source(module)
        for cite in (cite for file in module.files for cite in all_cites(file)):
            source = cite.source or own
            if source is None:
                continue
            if source not in known:
                # Shared modules cite the books of others; those need not be loaded.
                if names.book is not None and source not in shipped_books():
                    report("PC209", cite.span, name=source, nearest=nearest_name(source, list(known)))
                continue
            for low, high in cite.ranges:
                if low > high:
                    report("PC311", cite.span, low=low, high=high)
                elif high > known[source] or low < 1:
                    report("PC403", cite.span, source=source, lines=known[source], line=high if low >= 1 else low)


def _numbers(module: Module, report: Reporter) -> None:
    tables = {table.source: len(table.lines) for table in module.tables}
    for name, lines in module.book.sources if module.book else ():
        if lines != tables.get(name.text, lines):
            report("PC808", name.span, source=name.text, said=lines, found=tables[name.text])


# ---------------------------------------------------------------- rules without a citation


def _uncited(module: Module) -> Iterator[tuple[t.Span, str]]:
    """What says something printed and does not say where: parts, sections, statements, standing rules, entries, readings."""
    for item in (item for file in module.files for item in file.items):
        match item:
            case t.Part(items=inner):
                yield from _headless(item)
                for piece in inner:
                    yield from _in_a_part(piece)
            case t.Log(entries=entries):
                for entry in () if item.cites else entries:
                    yield from _headless(entry)
            case t.Reading() if not any(all_cites(item)):
                yield from _headless(item)


def _in_a_part(item: t.PartItem) -> Iterator[tuple[t.Span, str]]:
    match item:
        case t.Section(body=body):
            yield from _headless(item)
            yield from _statements(body.statements)
        case t.Throughout(rules=rules):
            for rule in () if item.cites else rules:
                yield from _headless(rule)
        case t.Reading() if not any(all_cites(item)):
            yield from _headless(item)


def _headless(item: t.Declaration | t.StandingRule) -> Iterator[tuple[t.Span, str]]:
    if not item.cites:
        line = item.span.line
        yield t.Span(item.span.file, line, item.span.column, line, item.span.column + 7), f"“{declaration_headline(item)}”"


def _statements(statements: Iterable[t.Statement]) -> Iterator[tuple[t.Span, str]]:
    """Statements that neither cite a line nor stand below one that does; what has blocks may leave it to the lines in them."""
    for statement in statements:
        if statement.cites or isinstance(statement, _NOTHING_PRINTED) or _arms_cite(statement):
            continue
        blocks = list(bodies(statement))
        if blocks:
            yield from _statements(one for body in blocks for one in body.statements)
        else:
            span = statement.span
            yield t.Span(span.file, span.line, span.column, span.line, span.column + 3), f"“{headline(statement)}”"


def _arms_cite(statement: t.Statement) -> bool:
    """Whether each arm of a decision or check cites its line, which then holds for all that stands in it."""
    arms: tuple[t.Case | t.Arm | t.Option, ...] = getattr(statement, "cases", ()) or getattr(statement, "options", ())
    return bool(arms) and all(arm.cites for arm in arms)


# ---------------------------------------------------------------- waivers, and lines that nothing cites


def _waivers(library: Library, cited: Citations, report: Reporter) -> None:
    tables = {table.source: table for table in library.main.tables}
    seen: dict[tuple[str, int], t.Span] = {}
    for item, at in declared_lines(library, t.Waive):
        place = at.source, at.line
        if place in cited:
            report("PC804", at.at, line=at.line, source=at.source, rules=", ".join(cited[place]))
        if place in seen:
            report("PC805", at.at, line=at.line, source=at.source, other=seen[place].line, file=seen[place].file)
        seen.setdefault(place, at.at)
        table = tables.get(at.source)
        if table is not None and 0 < at.line <= len(table.lines):
            line_class = table.class_of(at.line)
            if line_class != item.line_class:
                report("PC806", at.at, line=at.line, source=at.source, waived=item.line_class, line_class=line_class)


def _missing(library: Library, cited: Citations, report: Reporter) -> None:
    for covered in coverage_of(library, cited):
        if covered.table is None:
            continue
        lost = [line.line for line in covered.lines if line.state == MISSING and not line.reason]
        if lost:
            report("PC802", _place_of(library.main, covered), **_named(lost), source=covered.source)
    for item in (item for file in library.main.files for item in file.items):
        if isinstance(item, t.NotTranscribed):
            _left_out(item, library, cited, report)


def _left_out(item: t.NotTranscribed, library: Library, cited: Citations, report: Reporter) -> None:
    """One note for each declaration, about the lines of each source."""
    at = t.Span(item.span.file, item.span.line, item.span.column, item.span.line, item.span.column + 15)
    by_source: dict[str, list[int]] = {}
    for one, line in declared_lines(library, t.NotTranscribed):
        if one is item:
            by_source.setdefault(line.source, []).append(line.line)
    for source, numbers in by_source.items():
        left = [number for number in numbers if (source, number) not in cited]
        done = [number for number in numbers if (source, number) in cited]
        if left:
            report("PC803", at, lines=_named(left)["lines"], are=_are(left), source=source, reason=item.reason)
        if done:
            report("PC811", at, lines=_named(done)["lines"], are=_are(done), source=source)


def _are(numbers: list[int]) -> str:
    return "is" if len(set(numbers)) == 1 else "are"


def _place_of(module: Module, covered: SourceCoverage) -> t.Span:
    names = [name for name, _ in module.book.sources if name.text == covered.source] if module.book else []
    return names[0].span if names else t.NOWHERE


def _named(numbers: list[int]) -> dict[str, str]:
    ranges = ranges_of(numbers)
    shown = ranges_text(number for low, high in ranges[:_SHOWN_LINES] for number in range(low, high + 1))
    more = f" and more ({len(set(numbers))} in all)" if len(ranges) > _SHOWN_LINES else ""
    one = len(set(numbers)) == 1
    cite = cite_text(t.Cite(None, (ranges[0],))).removeprefix("@") if ranges else ""
    return {"lines": f"{'line' if one else 'lines'} {shown}{more}", "them": "it" if one else "them", "first": cite}

"""From a checked book to its program: every section lowered, every way in, every claim."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from plainchant.beside import beside
from plainchant.meaning.check import acknowledged_subject, check
from plainchant.meaning.check_citations import check_citations
from plainchant.meaning.collect import collect
from plainchant.meaning.flow import walk
from plainchant.meaning.ground import Ground, claimed_by, looked_up, watching, without_text
from plainchant.meaning.kernel import (
    CAMPAIGN,
    Acknowledged,
    BagShown,
    Const,
    Entrance,
    LogEntry,
    Program,
    SeatsShown,
    SectionInfo,
    Set,
    StandingRule,
    Stop,
)
from plainchant.meaning.lowering.again import finish
from plainchant.meaning.lowering.circles import restless_circle
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.demands import answerable, demands_of
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.lowering.graph import Graph, tidied
from plainchant.meaning.lowering.routes import Routes
from plainchant.meaning.lowering.statements import WAYS
from plainchant.meaning.modules import Library, load
from plainchant.meaning.names import Names, bag_forms, printed_forms
from plainchant.meaning.resolve import Scope
from plainchant.meaning.situations import independences, kept_whole
from plainchant.meaning.symbols import Bag, Entry, Keep, Section
from plainchant.meaning.variables import Variables
from plainchant.text.diagnostic import Diagnostic, errors_in, in_reading_order
from plainchant.text.tree import GoBack


def compile_book(path: Path) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """Load, resolve, check and lower the book (or single file) at `path`; no program if there are errors."""
    return compile_library(*load(path))


def compile_library(library: Library, diagnostics: tuple[Diagnostic, ...]) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The same for what is loaded already, with what was wrong with its text."""
    ground, diagnostics = lowered(library, diagnostics)
    return None if ground is None else ground.program, diagnostics


def lowered(library: Library, diagnostics: tuple[Diagnostic, ...]) -> tuple[Ground | None, tuple[Diagnostic, ...]]:
    """The same with what is needed to ask about the book."""
    if errors_in(diagnostics):
        # Names may still be collected from what could be read, but half a book would only bring follow-up errors.
        return None, diagnostics
    names, found = collect(library)
    diagnostics += found
    if errors_in(diagnostics):
        return None, in_reading_order(diagnostics)
    # To say what is wrong with the citations of a shipped book, others must be read: that is looked into beside.
    with beside(partial(_wrong_citations, names, library), here=not (library.shipped and library.main.tables)) as cited:
        cited.post(None)
        diagnostics += check(names)
        ground = None if errors_in(diagnostics) else lower(names, library)
        if ground is not None:
            diagnostics += restless_circle(ground.program, library.sources)
        diagnostics += cited.answer()
    return None if errors_in(diagnostics) else ground, in_reading_order(diagnostics)


def _wrong_citations(names: Names, library: Library, _asked: None) -> tuple[Diagnostic, ...]:
    return check_citations(names, library)


def lower(names: Names, library: Library) -> Ground:
    """The program of a book that the checker has passed."""
    graph = Graph()
    variables = Variables(names)
    expressions = Expressions(names, variables)
    sections = [section for part in names.parts.values() for section in part.sections]
    numbers = {section.key: i for i, section in enumerate(sections)}
    starts = {}
    for section in sections:
        graph.section = numbers[section.key]
        starts[section.key] = graph.new()
    alone = {part.name: i for i, part in enumerate((p for p in names.parts.values() if any(s.kind == "standalone" for s in p.sections)), 1)}
    routes = Routes(graph, expressions, starts, alone)
    lowering = Lowering(graph, expressions, routes, WAYS)
    # Excursions (`a card may send …`) must be known before their ways back are lowered.
    for section in sorted(sections, key=_has_way_back):
        graph.section = numbers[section.key]
        _lower_section(section, starts[section.key], graph, lowering)
    written = [claimed_by(names, expressions, numbers, claim, part) for claim, part in names.claims if claim.kind != "independent"]
    claims = (*written, *kept_whole(names, variables, numbers))
    demands = tuple(demands_of(names, expressions))
    entrances = tuple(_entrances(names, variables, starts, alone))
    blocks = watching(graph.finished(), {starts[key]: variable for key, variable in expressions.watched.items()})
    program = Program(
        book=names.book.name.text if names.book else library.main.name,
        title=names.book.title if names.book else library.main.name,
        variables=tuple(variables.all),
        blocks=blocks,
        sections=tuple(_info(names, section, starts) for section in sections),
        entrances=entrances,
        claims=claims,
        independences=tuple(independences(names, expressions, numbers)),
        demands=demands,
        answerable=tuple(answerable(names, variables)),
        acknowledged=tuple(
            Acknowledged(known.kind, acknowledged_subject(known, names) or "", known.reason, known.cites, known.span)
            for known in names.acknowledged
        ),
        standing_rules=tuple(
            StandingRule(part.name, r.event, r.ruling, r.instead, r.cites) for part in names.parts.values() for r in part.standing_rules
        ),
        log=tuple(_log(names, variables)),
        bags=tuple(_bags(names, variables)),
        groups=tuple(_groups(names, variables)),
        source=names.source,
        digest=digest_of(library),
    )
    return Ground(without_text(names), variables, expressions.watched, looked_up(tidied(program)))


def digest_of(library: Library) -> str:
    """A digest of the texts of which a program was made."""
    digest = hashlib.sha256()
    for source in library.sources.values():
        digest.update(source.text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _has_way_back(section: Section) -> bool:
    return any(isinstance(statement, GoBack) for statement in walk(section.body))


def _lower_section(section: Section, start: int, graph: Graph, lowering: Lowering) -> None:
    graph.open = start
    lowering.asking.known = set()
    lowering.body(section.body, Frame(Scope(lowering.names, section.part)))
    if graph.open is not None:
        graph.close(Stop("dead-end", section.words, section.cites, section.span))
    finish(lowering)


def _info(names: Names, section: Section, starts: dict[str, int]) -> SectionInfo:
    part = names.parts[section.part or ""]
    return SectionInfo(
        section.key, part.name, section.words, part.words, section.kind, section.cites, section.span, starts[section.key],
        section.by_a_card,
    )  # fmt: skip


def _entrances(names: Names, variables: Variables, starts: dict[str, int], alone: dict[str, int]) -> Iterable[Entrance]:
    if names.begins is not None:
        title = names.book.title if names.book else names.begins.words
        yield Entrance(CAMPAIGN, title, (), starts[names.begins.key])
    for part, number in alone.items():
        section = next(s for s in names.parts[part].sections if s.kind == "standalone")
        mode = variables.hidden("standalone", 0, len(alone))
        yield Entrance(part, section.words, (Set(mode, Const(number)),), starts[section.key])


def _log(names: Names, variables: Variables) -> Iterable[LogEntry]:
    for entry in (symbol for symbol in names.values.values() if isinstance(symbol, Entry)):
        if entry.listed is not None:
            listed = tuple((member.words, variables.number(entry, None, i), None) for i, member in enumerate(entry.listed.members))
            yield LogEntry(entry.name, entry.words, entry.form, listed)
            continue
        numbered = entry.form in ("number", "tally")
        lines = [
            (words, variables.number(entry, i), variables.number(entry, i, None, "number") if numbered else None)
            for i, words in printed_forms(entry)
        ]
        yield LogEntry(entry.name, entry.words, entry.form, tuple(lines))


def _bags(names: Names, variables: Variables) -> Iterable[BagShown]:
    for bag in (symbol for symbol in names.values.values() if isinstance(symbol, Bag)):
        for position, words in bag_forms(bag):
            name = bag.name if position is None or bag.index is None else f"{bag.name} of {bag.index.members[position].name}"
            tokens = tuple((member.words, variables.number(bag, position, i)) for i, member in enumerate(bag.kind.members))
            yield BagShown(name, words, tokens)


def _groups(names: Names, variables: Variables) -> Iterable[SeatsShown]:
    for kind in (kind for kind in names.kinds.values() if kind.is_group):
        fields = [symbol for symbol in names.values.values() if isinstance(symbol, Keep) and symbol.index == kind and symbol.part is None]
        seats = tuple((member.words, tuple(_seat(fields, variables, i))) for i, member in enumerate(kind.members))
        yield SeatsShown(kind.name, variables.number(kind), seats)


def _seat(fields: list[Keep], variables: Variables, position: int) -> Iterable[tuple[str, int]]:
    for keep in fields:
        label = keep.name.replace("_", " ")
        if keep.type.form == "list" and keep.type.kind:
            yield from (
                (f"{label}: {member.words}", variables.number(keep, position, i)) for i, member in enumerate(keep.type.kind.members)
            )
        else:
            yield label, variables.number(keep, position)

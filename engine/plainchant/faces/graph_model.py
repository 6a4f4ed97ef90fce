"""A book as a graph: its sections, the ways between them, where play begins, ends and cannot go on, each with its verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from plainchant.faces.findings import UNREACHABLE
from plainchant.faces.graph_ways import Label, Way, excursions, ways_out
from plainchant.meaning.kernel import CAMPAIGN, Program, SectionInfo, Stop
from plainchant.records import Frozen, replace
from plainchant.text.place import Cite


class Node(Frozen):
    """Something that is drawn as a box.

    kind: section, start, end, or that of a stop (hole, impossible, range, dead-end). `section` is the section it stands for, or at which it
    is looked up. verdict: reachable, unreachable, not decided, or "" if nobody proved it.
    """

    id: str
    kind: str
    words: str
    part: str
    section: str
    verdict: str = ""
    cites: tuple[Cite, ...] = ()
    form: str = ""


class Edge(Frozen):
    """All ways from one node to another.

    kind: jump, excursion (a card may send there), return (and back), start, end, alone (an end of Standalone Mode only), or stop.
    verdict is `unreachable` if one of its ends is, or if what leads here never applies; else "".
    """

    source: str
    target: str
    kind: str
    labels: tuple[Label, ...] = ()
    cites: tuple[Cite, ...] = ()
    verdict: str = ""


class Band(Frozen):
    """A part of the book, and the nodes in it in printed order."""

    name: str
    words: str
    nodes: tuple[Node, ...]


class BookGraph(Frozen):
    """The whole drawing, before anything has a place. `proven` says whether there are verdicts."""

    book: str
    title: str
    source: str | None
    bands: tuple[Band, ...]
    edges: tuple[Edge, ...]
    proven: bool

    @property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(node for band in self.bands for node in band.nodes)


def graph_of(program: Program, verdicts: Mapping[str, str] | None = None) -> BookGraph:
    """The graph of a program; `verdicts` maps keys of sections, stops and choices (`part.section: words`) to their verdicts."""
    known = verdicts or {}
    nodes = {node.id: node for node in (*_starts(program), *_sections(program, known))}
    edges = {(edge.source, edge.target): edge for edge in _begin(program)}
    away = {(program.sections[first].key, program.sections[second].key) for first, second in excursions(program)}
    for section, ways in zip(program.sections, ways_out(program), strict=True):
        for node, edge in _leave(program, section, ways, away, known):
            if node is not None:
                nodes.setdefault(node.id, node)
            before = edges.get((edge.source, edge.target))
            edges[edge.source, edge.target] = edge if before is None else _merged(before, edge)
    placed = _with_ends_placed(program, nodes, tuple(edges.values()))
    lead_on = {(edge.source, edge.labels) for edge in edges.values() if edge.kind == "jump"}
    judged = tuple(_judged(_told_apart(edge, lead_on), placed, known) for edge in edges.values())
    return BookGraph(program.book, program.title, program.source, _bands(program, placed), judged, verdicts is not None)


def shown(graph: BookGraph) -> BookGraph:
    """What is drawn of it: stops that no play reaches are left out, and several of one sort in one section are one node."""
    kept: dict[str, Node] = {}
    stands_for: dict[str, str] = {}
    for node in graph.nodes:
        if not is_stop(node):
            kept[node.id] = node
            stands_for[node.id] = node.id
        elif node.verdict != UNREACHABLE:
            first = next((n for n in kept.values() if (n.kind, n.section, n.verdict) == (node.kind, node.section, node.verdict)), None)
            stands_for[node.id] = node.id if first is None else first.id
            merged = node if first is None else _stops_merged(first, node)
            kept[merged.id] = merged
    edges: dict[tuple[str, str], Edge] = {}
    for edge in graph.edges:
        if edge.target in stands_for:
            key = stands_for[edge.source], stands_for[edge.target]
            edges[key] = _merged(edges[key], edge) if key in edges else replace(edge, target=key[1])
    bands = tuple(Band(b.name, b.words, tuple(kept[n.id] for n in b.nodes if n.id in kept)) for b in graph.bands)
    return replace(graph, bands=bands, edges=tuple(edges.values()))


def is_stop(node: Node) -> bool:
    """Whether play cannot go on there."""
    return node.kind not in ("section", "start", "end")


# ---------------------------------------------------------------- nodes


def _starts(program: Program) -> Iterator[Node]:
    for entrance in program.entrances:
        section = program.sections[program.blocks[entrance.block].section]
        words = "The campaign begins" if entrance.name == CAMPAIGN else "Played alone"
        yield Node(f"start:{entrance.name}", "start", words, section.part, section.key)


def _begin(program: Program) -> Iterator[Edge]:
    for entrance in program.entrances:
        section = program.sections[program.blocks[entrance.block].section]
        yield Edge(f"start:{entrance.name}", section.key, "start")


def _sections(program: Program, verdicts: Mapping[str, str]) -> Iterator[Node]:
    for s in program.sections:
        yield Node(s.key, "section", s.words, s.part, s.key, verdicts.get(s.key, ""), s.cites, s.kind)


def _leave(
    program: Program, section: SectionInfo, ways: Iterable[Way], away: set[tuple[str, str]], verdicts: Mapping[str, str]
) -> Iterator[tuple[Node | None, Edge]]:  # fmt: skip
    """The edges out of a section, each with the end or stop to which it leads, if it leads to one."""
    for way in ways:
        if isinstance(way.stop, Stop):
            node = _stop(section, way.stop, verdicts)
            yield node, Edge(section.key, node.id, "stop" if is_stop(node) else "end", way.labels, way.stop.cites)
        elif way.section is not None:
            target = program.sections[way.section].key
            kind = "return" if way.back else "excursion" if (section.key, target) in away else "jump"
            yield None, Edge(section.key, target, kind, way.labels, way.cites)


def _stop(section: SectionInfo, stop: Stop, verdicts: Mapping[str, str]) -> Node:
    if stop.kind == "end":
        return Node(f"end:{stop.about}", "end", stop.about, section.part, section.key, "", stop.cites)
    key = f"{section.key}: {stop.about}"
    return Node(f"{stop.kind}:{key}", stop.kind, stop.about, section.part, section.key, verdicts.get(key, ""), stop.cites)


def _stops_merged(first: Node, second: Node) -> Node:
    cites = tuple(dict.fromkeys(first.cites + second.cites))
    return replace(first, words=f"{first.words}\n{second.words}", cites=cites)


def _with_ends_placed(program: Program, nodes: Mapping[str, Node], edges: Collection[Edge]) -> dict[str, Node]:
    """Ends stand in the last part that leads to them; nobody reaches one to which only unreachable sections lead."""
    order = {part: i for i, part in enumerate(_parts(program))}
    placed = dict(nodes)
    for node in nodes.values():
        if node.kind == "end":
            into = [edge for edge in edges if edge.target == node.id]
            sources = [nodes[edge.source] for edge in into]
            last = max(sources, key=lambda source: order[source.part])
            verdict = UNREACHABLE if all(source.verdict == UNREACHABLE for source in sources) else ""
            cites = tuple(dict.fromkeys(cite for edge in into for cite in edge.cites))
            placed[node.id] = replace(node, part=last.part, section=last.section, verdict=verdict, cites=cites)
    return placed


# ---------------------------------------------------------------- edges


def _merged(first: Edge, second: Edge) -> Edge:
    labels = tuple(dict.fromkeys(first.labels + second.labels))
    verdict = first.verdict if first.verdict == second.verdict else ""
    # A way without a condition makes the conditions of the others idle.
    labels = labels if first.labels and second.labels else ()
    return Edge(first.source, first.target, first.kind, labels, tuple(dict.fromkeys(first.cites + second.cites)), verdict)


def _told_apart(edge: Edge, lead_on: Collection[tuple[str, tuple[Label, ...]]]) -> Edge:
    """An end under the very condition under which the section leads on is one for those who play the scenario alone."""
    return replace(edge, kind="alone") if edge.kind == "end" and (edge.source, edge.labels) in lead_on else edge


def _judged(edge: Edge, nodes: Mapping[str, Node], verdicts: Mapping[str, str]) -> Edge:
    ends = (nodes[edge.source].verdict, nodes[edge.target].verdict)
    applies = [verdicts.get(f"{edge.source}: {label.key}", "") for label in edge.labels]
    never = UNREACHABLE in ends or (bool(applies) and all(verdict == UNREACHABLE for verdict in applies))
    return replace(edge, verdict=UNREACHABLE if never else "")


# ---------------------------------------------------------------- parts


def _parts(program: Program) -> list[str]:
    """The parts in printed order; where some part tells no line, in the order of the text."""
    first = {part: _first_line(list(sections)) for part, sections in groupby(program.sections, key=lambda s: s.part)}
    if all(first.values()):
        return sorted(first, key=lambda part: first[part])
    return list(first)


def _first_line(sections: list[SectionInfo]) -> int:
    return min((low for s in sections for cite in s.cites for low, _ in cite.ranges), default=0)


def _bands(program: Program, nodes: Mapping[str, Node]) -> tuple[Band, ...]:
    words = {section.part: section.part_words for section in program.sections}
    return tuple(Band(part, words[part], tuple(n for n in nodes.values() if n.part == part)) for part in _parts(program))

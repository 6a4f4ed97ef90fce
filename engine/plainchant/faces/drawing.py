"""A book's graph as an SVG picture: layered from top to bottom, one band for each part, told by shape and mark as well as by colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote
from xml.etree import ElementTree as ET

from plainchant.faces.drawing_style import (
    LABEL_SIZE,
    NODE_SIZE,
    SMALL_SIZE,
    STYLE,
    TITLE_SIZE,
    in_lines,
    lines_told,
    width_of,
)
from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE
from plainchant.faces.graph_layers import Box, Line
from plainchant.faces.graph_layout import Layout, Place, placed
from plainchant.faces.graph_model import BookGraph, Edge, Node, is_stop, shown

MARGIN, GUTTER = 24.0, 178.0
NODE_WIDTH, LABEL_WIDTH = 168.0, 150.0
LINE = 15.0
MARK = 16.0
LEAST_WIDTH = 480.0

_STOPS = {"hole": "hole", "impossible": "cannot be obeyed", "range": "number out of range", "dead-end": "leads nowhere"}
_VERDICTS = {REACHABLE: "can be reached", UNREACHABLE: "cannot be reached", NOT_DECIDED: "not decided within the limits", "": "not proven"}


def svg_of(graph: BookGraph, href: str = "#{key}") -> str:
    """The picture; `href` is where a section's box links to, with `{key}` in place of its key."""
    graph = shown(graph)
    nodes, edges = graph.nodes, _drawn(graph.edges)
    named = {node.id: node for node in nodes}
    tags = _tags(edges, named)
    layout = _layout(graph, nodes, edges, tags)
    room = max(layout.width + GUTTER, 1.1 * width_of(graph.title, TITLE_SIZE), LEAST_WIDTH)
    legend, legend_height = _legend(graph, room)
    top = MARGIN + TITLE_SIZE + 34 + legend_height
    width, height = room + 2 * MARGIN, top + layout.height + MARGIN
    size = {"viewBox": f"0 0 {_n(width)} {_n(height)}", "width": _n(width), "height": _n(height)}
    told = {"class": "plainchant-graph", "role": "img", "aria-label": _printable(f"{graph.title}: {_counted(graph)}")}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **told})
    _add(root, "title", _printable(graph.title))
    _add(root, "style", STYLE)
    root.append(_markers())
    _add(root, "rect", _class="ground", width=_n(width), height=_n(height))
    _add(root, "text", _printable(graph.title), _class="title", x=_n(MARGIN), y=_n(MARGIN + TITLE_SIZE))
    _add(root, "text", _counted(graph), _class="small", x=_n(MARGIN), y=_n(MARGIN + TITLE_SIZE + 20))
    legend.set("transform", f"translate({_n(MARGIN)} {_n(MARGIN + TITLE_SIZE + 34)})")
    root.append(legend)
    _bands(root, graph, layout, top, width)
    picture = ET.SubElement(root, "g", transform=f"translate({_n(MARGIN + GUTTER)} {_n(top)})")
    at = {node.id: place for node, place in zip(nodes, layout.boxes, strict=True)}
    for edge, tag, route, place in zip(edges, tags, layout.routes, layout.labels, strict=True):
        picture.append(_edge(edge, named, _path(route) if route else _loop(at[edge.source]), tag, place))
    for node, place in zip(nodes, layout.boxes, strict=True):
        picture.append(_node(node, place, href))
    ET.indent(root, space=" ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _layout(graph: BookGraph, nodes: Sequence[Node], edges: Sequence[Edge], tags: Sequence[Sequence[str]]) -> Layout:
    band = {node.id: i for i, b in enumerate(graph.bands) for node in b.nodes}
    number = {node.id: i for i, node in enumerate(nodes)}
    lines = [
        Line(number[e.source], number[e.target], _tag_size(tag) if tag else None, (e.kind == "excursion", e.verdict))
        for e, tag in zip(edges, tags, strict=True)
    ]  # fmt: skip
    return placed([Box(*_node_size(node), band[node.id]) for node in nodes], lines, len(graph.bands))


def _drawn(edges: Sequence[Edge]) -> list[Edge]:
    """Without the ways back of excursions, whose lines have a head at both ends."""
    there = {(edge.target, edge.source) for edge in edges if edge.kind == "excursion"}
    return [edge for edge in edges if edge.kind != "return" or (edge.source, edge.target) not in there]


def _counted(graph: BookGraph) -> str:
    """What is there to be seen, in one line."""
    sections = [node for node in graph.nodes if node.kind == "section"]
    counts = {verdict: sum(1 for s in sections if s.verdict == verdict) for verdict in (REACHABLE, UNREACHABLE, NOT_DECIDED)}
    told = [f"{count} {_VERDICTS[verdict].partition(' within')[0]}" for verdict, count in counts.items() if count]
    stops = sum(1 for node in graph.nodes if is_stop(node) for _ in node.words.split("\n"))
    told += [f"{stops} {'place' if stops == 1 else 'places'} where play cannot go on"] if stops and graph.proven else []
    told += [] if graph.proven else ["not proven"]
    return ", ".join([f"{len(sections)} {'section' if len(sections) == 1 else 'sections'}", *told])


# ---------------------------------------------------------------- boxes


def _node_lines(node: Node) -> list[str]:
    words = node.words
    if is_stop(node):
        what = words.split("\n")
        words = f"{_STOPS[node.kind]}: {words}" if len(what) == 1 else f"{len(what)} × {_STOPS[node.kind]}"
    return in_lines(_printable(words[:1].upper() + words[1:]), NODE_WIDTH - 2 * MARK, NODE_SIZE, 5)


def _node_size(node: Node) -> tuple[float, float]:
    words = _node_lines(node)
    told = lines_told(node.cites) if node.kind == "section" else ""
    widest = max([*(width_of(line, NODE_SIZE) for line in words), width_of(told, SMALL_SIZE), 56.0])
    return widest + 2 * MARK + 10, len(words) * LINE + (12 if told else 0) + 14


def _node(node: Node, place: Place, href: str) -> ET.Element:
    link = ET.Element("a", {"class": f"node {_look(node)}", "href": href.replace("{key}", quote(node.section))})
    if node.kind == "section":
        link.set("id", node.id)
    _add(link, "title", _printable(_tooltip(node)))
    left, top = place.x - place.width / 2, place.y - place.height / 2
    for inset in (0, 3.5) if node.kind == "end" else (0,):
        link.append(_outline(node, left + inset, top + inset, place.width - 2 * inset, place.height - 2 * inset))
    told = lines_told(node.cites) if node.kind == "section" else ""
    words = _node_lines(node)
    y = place.y - (len(words) * LINE + (12 if told else 0)) / 2 + NODE_SIZE - 1
    for line in words:
        _add(link, "text", line, x=_n(place.x), y=_n(y))
        y += LINE
    if told:
        _add(link, "text", told, _class="small", x=_n(place.x), y=_n(y - 1))
    _mark(link, node, left + 12, place.y)
    return link


def _look(node: Node) -> str:
    """The classes by which a node is coloured."""
    if is_stop(node):
        return f"{'hole' if node.kind == 'hole' else 'stop'} {'unproven' if not node.verdict else node.verdict.replace(' ', '-')}"
    if node.kind in ("start", "end"):
        return f"{node.kind} {node.verdict}".strip()
    return f"section {node.verdict.replace(' ', '-') or 'unproven'}"


def _tooltip(node: Node) -> str:
    words = node.words.split("\n")
    told = [f"{_STOPS[node.kind]}: {w}" for w in words] if is_stop(node) else words
    if node.form not in ("", "section"):
        told.append(node.form)
    if node.kind == "section" or is_stop(node):
        told.append(_VERDICTS[node.verdict])
    return "\n".join([*told, *filter(None, [lines_told(node.cites)])])


def _outline(node: Node, x: float, y: float, width: float, height: float) -> ET.Element:
    if is_stop(node):
        cut = 9.0
        corners = [
            (x + cut, y), (x + width - cut, y), (x + width, y + cut), (x + width, y + height - cut),
            (x + width - cut, y + height), (x + cut, y + height), (x, y + height - cut), (x, y + cut),
        ]  # fmt: skip
        return ET.Element("polygon", points=" ".join(f"{_n(a)},{_n(b)}" for a, b in corners))
    round_ = min(height / 2, 16.0) if node.kind in ("start", "end") else 4.0
    return ET.Element("rect", x=_n(x), y=_n(y), width=_n(width), height=_n(height), rx=_n(round_))


def _mark(parent: ET.Element, node: Node, x: float, y: float) -> None:
    """A sign at the left of a box, so that nobody needs the colour."""
    if node.kind == "start":
        _add(parent, "path", _class="mark full", d=f"M{_n(x - 3)} {_n(y - 5)}l8 5l-8 5z")
    elif node.verdict == UNREACHABLE:
        _add(parent, "path", _class="mark", d=f"M{_n(x - 4)} {_n(y - 4)}l8 8m0 -8l-8 8")
    elif is_stop(node) and node.verdict == REACHABLE:
        _add(parent, "path", _class="mark", d=f"M{_n(x)} {_n(y - 6)}v7m0 3.5v1.5")
    elif node.verdict == NOT_DECIDED or is_stop(node):
        _add(parent, "path", _class="mark", d=f"M{_n(x - 3)} {_n(y - 3)}a3.2 3.2 0 1 1 3 4v1.5m0 3v1.5")


# ---------------------------------------------------------------- lines


def _tags(edges: Sequence[Edge], named: Mapping[str, Node]) -> list[list[str]]:
    """The words on each line; none where the section leaves no choice, or where the box it leads to says the same."""
    ways: dict[str, int] = {}
    for edge in edges:
        if edge.kind in ("jump", "end"):
            ways[edge.source] = ways.get(edge.source, 0) + 1
    tags = []
    for edge in edges:
        chosen = edge.kind in ("jump", "end") and ways[edge.source] > 1
        reached = f"{named[edge.target].words} was reached"
        words = [label.shown for label in edge.labels if label.shown != reached] if chosen else []
        tags.append(in_lines(_printable(" / ".join(dict.fromkeys(words))), LABEL_WIDTH, LABEL_SIZE, 3) if words else [])
    return tags


def _tag_size(tag: Sequence[str]) -> tuple[float, float]:
    return max(width_of(line, LABEL_SIZE) for line in tag) + 10, len(tag) * 13.0 + 6


def _edge(edge: Edge, named: Mapping[str, Node], path: str, tag: Sequence[str], place: Place | None) -> ET.Element:
    look = _edge_look(edge, named)
    group = ET.Element("g", {"class": f"edge {look}"})
    _add(group, "title", _printable(_edge_tooltip(edge, named)))
    _add(group, "path", _class="hit", d=path)
    line = _add(group, "path", d=path, **{"marker-end": f"url(#plainchant-{look})"})
    if edge.kind == "excursion":
        line.set("marker-start", f"url(#plainchant-{look})")
    if place is not None:
        left, top = place.x - place.width / 2, place.y - place.height / 2
        _add(group, "rect", x=_n(left), y=_n(top), width=_n(place.width), height=_n(place.height), rx="3")
        for i, words in enumerate(tag):
            _add(group, "text", words, x=_n(place.x), y=_n(top + 13 + i * 13.0))
    return group


def _edge_look(edge: Edge, named: Mapping[str, Node]) -> str:
    """The class by which a line is coloured; one to a stop that is not proven looks like any other."""
    if edge.verdict == UNREACHABLE:
        return "never"
    return "jump" if edge.kind == "stop" and named[edge.target].verdict != REACHABLE else edge.kind


def _edge_tooltip(edge: Edge, named: Mapping[str, Node]) -> str:
    source, target = (named[end].words.partition("\n")[0] for end in (edge.source, edge.target))
    told = [f"{source} → {target}", *dict.fromkeys(label.whole for label in edge.labels)]
    if edge.kind == "excursion":
        told.append("and back")
    if edge.verdict == UNREACHABLE:
        told.append("never taken")
    return "\n".join([*told, *filter(None, [lines_told(edge.cites)])])


def _path(route: Sequence[tuple[float, float, float]]) -> str:
    """Upright through the layers, and smooth between them."""
    down = route[-1][1] > route[0][1]
    told: list[str] = []
    last: tuple[float, float] | None = None
    for x, top, bottom in route:
        near, far = (top, bottom) if down else (bottom, top)
        if last is None:
            told.append(f"M{_n(x)} {_n(near)}")
        elif abs(x - last[0]) >= 0.5:
            half = (last[1] + near) / 2
            told.append(f"C{_n(last[0])} {_n(half)} {_n(x)} {_n(half)} {_n(x)} {_n(near)}")
        if abs(far - near) >= 0.1 or (last is not None and abs(x - last[0]) < 0.5):
            told.append(f"V{_n(far)}")
        last = (x, far)
    return "".join(told)


def _loop(place: Place) -> str:
    """A line from a box to itself, at its right."""
    x, y = place.x + place.width / 2, place.y
    return f"M{_n(x)} {_n(y - 8)}c20 -10 20 26 0 16"


def _markers() -> ET.Element:
    defs = ET.Element("defs")
    for look in ("jump", "start", "end", "alone", "stop", "excursion", "return", "never"):
        marker = _add(
            defs, "marker", id=f"plainchant-{look}", viewBox="0 0 8 8", refX="7", refY="4", markerWidth="8", markerHeight="8",
            markerUnits="userSpaceOnUse", orient="auto-start-reverse", _class=f"head {look}",
        )  # fmt: skip
        _add(marker, "path", d="M0 0.6L7.6 4L0 7.4z")
    return defs


# ---------------------------------------------------------------- around it


def _bands(root: ET.Element, graph: BookGraph, layout: Layout, top: float, width: float) -> None:
    for i, (band, (low, high)) in enumerate(zip(graph.bands, layout.bands, strict=True)):
        group = _add(root, "g", _class="band odd" if i % 2 else "band")
        _add(group, "rect", y=_n(top + low), width=_n(width), height=_n(high - low))
        most = max(1, int((high - low - 16) / 18))
        for row, words in enumerate(in_lines(_printable(band.words), GUTTER - 20, 14, most)):
            _add(group, "text", words, x=_n(MARGIN), y=_n(top + low + 24 + row * 18))


def _legend(graph: BookGraph, room: float) -> tuple[ET.Element, float]:
    """What the shapes, colours and lines mean, those that are there; and its height."""
    group = ET.Element("g", {"class": "legend"})
    x = y = 0.0
    for sample, words in _legend_items(graph):
        wide = 40 + width_of(words, LABEL_SIZE) + 22
        if x and x + wide > room:
            x, y = 0.0, y + 26
        item = ET.SubElement(group, "g", transform=f"translate({_n(x)} {_n(y)})")
        item.append(_sample(sample))
        _add(item, "text", words, x="40", y="15")
        x += wide
    return group, y + 36


def _legend_items(graph: BookGraph) -> Iterator[tuple[Node | Edge, str]]:
    for look, node in {_look(node): node for node in graph.nodes}.items():
        what = {"start": "play begins", "end": "play ends"}.get(node.kind) or _VERDICTS[node.verdict]
        if is_stop(node):
            kind = "hole: no printed case applies" if node.kind == "hole" else "play cannot go on"
            what = kind if node.verdict == REACHABLE else f"{kind} ({_VERDICTS[node.verdict]})"
        elif node.kind == "section":
            what = f"section: {what}"
        elif look.endswith(UNREACHABLE):
            what = f"{what}, but never so"
        yield node, what
    looks = {("never" if e.verdict == UNREACHABLE else e.kind): e for e in graph.edges}
    for look, words in (("jump", "leads to"), ("excursion", "a card may send there, and back"), ("never", "never taken")):
        if look in looks:
            yield looks[look], words


def _sample(of: Node | Edge) -> ET.Element:
    if isinstance(of, Edge):
        look = "never" if of.verdict == UNREACHABLE else of.kind
        group = ET.Element("g", {"class": f"edge {look}"})
        line = _add(group, "path", d="M1 11H33", **{"marker-end": f"url(#plainchant-{look})"})
        if look == "excursion":
            line.set("marker-start", f"url(#plainchant-{look})")
        return group
    group = ET.Element("g", {"class": f"node {_look(of)}"})
    for inset in (0.0, 3.0) if of.kind == "end" else (0.0,):
        group.append(_outline(of, inset, 1 + inset, 33 - 2 * inset, 20 - 2 * inset))
    _mark(group, of, 16, 11)
    return group


# ---------------------------------------------------------------- XML


def _add(parent: ET.Element, tag: str, text: str | None = None, *, _class: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag, {**({"class": _class} if _class else {}), **attributes})
    element.text = text
    return element


def _printable(text: str) -> str:
    """Without the control characters that XML has no way to hold."""
    return "".join(c if c in "\n\t" or (c >= " " and c not in "\x7f\ufffe\uffff") else "\ufffd" for c in text)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""A book's graph as text for other programs: JSON (`graph.schema.json`), and DOT for Graphviz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from plainchant import __version__
from plainchant.faces.drawing_style import lines_told
from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE
from plainchant.faces.graph_model import BookGraph, Edge, Node, is_stop, shown
from plainchant.play.documents import cites_json

SCHEMA = "plainchant-graph-1"


def json_of(graph: BookGraph) -> dict[str, Any]:
    """The whole graph, also what no play reaches."""
    nodes, edges = graph.nodes, graph.edges
    return {
        "schema": SCHEMA,
        "plainchant": __version__,
        "book": graph.book,
        "title": graph.title,
        "proven": graph.proven,
        "parts": [{"name": band.name, "words": band.words} for band in graph.bands],
        "nodes": [_node_json(node, graph.source) for node in nodes],
        "edges": [_edge_json(edge, graph.source) for edge in edges],
        "summary": {
            "sections": sum(node.kind == "section" for node in nodes),
            "ends": sum(node.kind == "end" for node in nodes),
            "stops": sum(is_stop(node) for node in nodes),
            "edges": len(edges),
        },
    }


def _node_json(node: Node, source: str | None) -> dict[str, Any]:
    return {
        "id": node.id,
        "kind": node.kind,
        "words": node.words,
        "part": node.part,
        "section": node.section,
        "form": node.form or None,
        "verdict": node.verdict or None,
        "cites": cites_json(node.cites, source),
    }


def _edge_json(edge: Edge, source: str | None) -> dict[str, Any]:
    return {
        "from": edge.source,
        "to": edge.target,
        "kind": edge.kind,
        "labels": [
            {"words": label.shown, "asked": label.asked or None, "choice": label.choice, "cites": cites_json(label.cites, source)}
            for label in edge.labels
        ],
        "verdict": edge.verdict or None,
        "cites": cites_json(edge.cites, source),
    }


# ---------------------------------------------------------------- DOT

_NODE_LOOKS: Mapping[str, Mapping[str, str]] = {
    REACHABLE: {"fillcolor": "#e2effa", "color": "#1f6cab"},
    UNREACHABLE: {"fillcolor": "#ececec", "color": "#6b6b6b", "style": "filled,dashed"},
    NOT_DECIDED: {"fillcolor": "#fff3c9", "color": "#8f6a00", "style": "filled,dotted"},
    "": {"fillcolor": "#ffffff", "color": "#5d6874"},
}
_SHAPES = {"start": {"shape": "cds"}, "end": {"shape": "box", "style": "filled,rounded", "peripheries": "2"}}
_MARKS = {UNREACHABLE: "✗ ", NOT_DECIDED: "? "}


def dot_of(graph: BookGraph) -> str:
    """The drawn graph in DOT; a part is a cluster."""
    return "\n".join(_dot_lines(shown(graph))) + "\n"


def _dot_lines(graph: BookGraph) -> Iterator[str]:
    yield f"digraph {_quoted(graph.book)} {{"
    yield f"  graph [{_attributes({'label': graph.title, 'labelloc': 't', 'fontname': 'sans-serif', 'newrank': 'true'})}];"
    yield f"  node [{_attributes({'shape': 'box', 'style': 'filled', 'fontname': 'sans-serif', 'fontsize': '11'})}];"
    yield f"  edge [{_attributes({'fontname': 'sans-serif', 'fontsize': '9'})}];"
    for number, band in enumerate(graph.bands):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_quoted(band.words)};"
        for node in band.nodes:
            yield f"    {_quoted(node.id)} [{_attributes(_dot_node(node))}];"
        yield "  }"
    for edge in graph.edges:
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [{_attributes(_dot_edge(edge))}];"
    yield "}"


def _dot_node(node: Node) -> dict[str, str]:
    words = node.words.replace("\n", " / ")
    stop = {"shape": "octagon"} if is_stop(node) else _SHAPES.get(node.kind, {})
    hole = {"fillcolor": "#b3261e", "fontcolor": "#ffffff"} if node.kind == "hole" and node.verdict == REACHABLE else {}
    label = f"! {node.kind}: {words}" if is_stop(node) else _MARKS.get(node.verdict, "") + words
    return {"label": label, **_NODE_LOOKS[node.verdict], **stop, **hole, "tooltip": lines_told(node.cites) or words}


def _dot_edge(edge: Edge) -> dict[str, str]:
    words = " / ".join(dict.fromkeys(label.shown for label in edge.labels))
    style = "dotted" if edge.verdict == UNREACHABLE else "dashed" if edge.kind in ("excursion", "return") else "solid"
    return {"label": words, "style": style, "tooltip": lines_told(edge.cites) or words}


def _attributes(of: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in of.items() if value)


def _quoted(text: str) -> str:
    """A string of DOT; a backslash stands for itself and is no escape of Graphviz."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\0", "")
    return f'"{escaped}"'


def text_of_json(graph: BookGraph) -> str:
    """The JSON document as text."""
    return json.dumps(json_of(graph), ensure_ascii=False, indent=1) + "\n"

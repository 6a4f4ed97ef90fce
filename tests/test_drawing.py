"""A graph as SVG, DOT and JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from books import compiled_text, machine
from graphs import LOOP, SCHEMA, SVG, circle_undone, verdicts
from plainchant.faces.drawing import svg_of
from plainchant.faces.drawing_style import in_lines, width_of
from plainchant.faces.graph_export import dot_of, json_of
from plainchant.faces.graph_model import BookGraph, graph_of, shown
from plainchant.meaning.kernel import Program

# ---------------------------------------------------------------- the drawing


def rectangles(svg: ET.Element) -> list[tuple[float, float, float, float]]:
    """The outer outlines of boxes, and the labels of lines, as they are drawn: left, top, right, bottom."""
    picture = svg.findall(f"{SVG}g")[-1]
    found = []
    for element in picture:
        if element.get("class", "").startswith("edge"):
            found += [box(rect) for rect in element.findall(f"{SVG}rect")]
        else:
            outline = element.find(f"{SVG}rect") if element.find(f"{SVG}rect") is not None else element.find(f"{SVG}polygon")
            assert outline is not None
            found.append(box(outline))
    return found


def box(outline: ET.Element) -> tuple[float, float, float, float]:
    if outline.tag == f"{SVG}rect":
        x, y, width, height = (float(outline.get(name, "")) for name in ("x", "y", "width", "height"))
        return x, y, x + width, y + height
    corners = [tuple(map(float, corner.split(","))) for corner in outline.get("points", "").split()]
    return min(x for x, _ in corners), min(y for _, y in corners), max(x for x, _ in corners), max(y for _, y in corners)


@pytest.mark.parametrize("proven", [True, False])
def test_no_boxes_or_labels_of_the_drawing_overlap(proven: bool) -> None:
    found = rectangles(ET.fromstring(svg_of(circle_undone(proven))))
    assert len(found) > 150
    for i, (left, top, right, bottom) in enumerate(found):
        for other_left, other_top, other_right, other_bottom in found[:i]:
            assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


def test_the_drawing_links_each_section_and_names_each_part() -> None:
    graph = circle_undone()
    svg = ET.fromstring(svg_of(graph))
    links = {a.get("id"): a for a in svg.iter(f"{SVG}a") if a.get("id")}
    assert set(links) == {node.id for node in graph.nodes if node.kind == "section"}
    assert all(a.get("href") == f"#{key}" for key, a in links.items())
    assert all(a.find(f"{SVG}title") is not None for a in svg.iter(f"{SVG}a"))
    bands = [
        "".join(t.text + " " for t in g.findall(f"{SVG}text") if t.text).strip()
        for g in svg.findall(f"{SVG}g")
        if "band" in g.get("class", "")
    ]
    assert bands == [band.words for band in graph.bands]
    other = ET.fromstring(svg_of(graph, "book/{key}.html#top"))
    assert "book/the_witching_hour.intro_1.html#top" in {a.get("href") for a in other.iter(f"{SVG}a")}


def test_verdicts_are_told_by_marks_and_words_as_well_as_by_colour() -> None:
    text = svg_of(circle_undone())
    svg = ET.fromstring(text)
    nodes = {a.get("id"): a for a in svg.iter(f"{SVG}a") if a.get("id")}
    never = nodes["for_the_greater_good.intro_2"]
    assert never.get("class") == "node section unreachable"
    assert never.find(f"{SVG}path") is not None
    assert "cannot be reached" in (never.findtext(f"{SVG}title") or "")
    assert nodes["before_the_black_throne.resolution_5"].find(f"{SVG}path") is not None
    assert nodes["the_witching_hour.intro_1"].find(f"{SVG}path") is None
    legend = " ".join(t.text or "" for g in svg.findall(f"{SVG}g") if g.get("class") == "legend" for t in g.iter(f"{SVG}text"))
    for words in (
        "section: can be reached",
        "section: cannot be reached",
        "not decided",
        "hole: no printed case applies",
        "a card may send",
    ):
        assert words in legend
    assert "not proven" not in legend
    assert "prefers-color-scheme: dark" in text
    assert svg.get("role") == "img" and "105 sections" in svg.get("aria-label", "")


def test_an_unproven_drawing_says_so() -> None:
    svg = ET.fromstring(svg_of(circle_undone(proven=False)))
    assert "not proven" in svg.get("aria-label", "")
    assert "can be reached" not in "".join(svg.itertext())


def test_the_drawing_is_small_self_contained_and_the_same_each_time() -> None:
    text = svg_of(circle_undone())
    assert len(text.encode()) < 500_000
    assert text == svg_of(circle_undone())
    assert text == svg_of(graph_of(machine("tcu").program, verdicts()))
    assert set(re.findall(r"[a-z]+://[^\"\s<]*", text)) == {"http://www.w3.org/2000/svg"}
    assert "<script" not in text and "@import" not in text and "url(#" in text


def test_markup_in_names_stays_text(tmp_path: Path) -> None:
    text = svg_of(graph_of(compiled_text(tmp_path, LOOP), {}), 'x"><script>{key}')
    svg = ET.fromstring(text)
    assert svg.findtext(f"{SVG}title") == 'A <book> & "loops"'
    assert "script" not in {element.tag.removeprefix(SVG) for element in svg.iter()}
    words = [element.text for element in svg.iter(f"{SVG}text")]
    assert "Won </text>" in words
    assert any("A Tale" in (word or "") for word in words)


def test_signs_that_xml_cannot_hold_are_replaced() -> None:
    node = circle_undone().bands[0].nodes[0]
    odd = type(node)(node.id, node.kind, "a\x01b\x0c", node.part, node.section)
    band = type(circle_undone().bands[0])("p", "p\x02", (odd,))
    svg = ET.fromstring(svg_of(BookGraph("b", "t\x00", None, (band,), (), False)))
    assert "�" in "".join(svg.itertext())


def test_an_empty_book_is_an_empty_drawing() -> None:
    graph = graph_of(Program("none", "None", (), (), (), ()))
    assert "0 sections" in ET.fromstring(svg_of(graph)).get("aria-label", "")
    assert dot_of(graph).startswith('digraph "none" {')
    jsonschema.validate(json_of(graph), SCHEMA)


@given(st.text(max_size=80), st.integers(1, 4))
def test_words_are_broken_to_fit(text: str, most: int) -> None:
    lines = in_lines(text, 100, 12, most)
    assert 1 <= len(lines) <= most
    assert all(width_of(line, 12) <= 100 for line in lines)
    if not lines[-1].endswith("…"):
        assert "".join("".join(lines).split()) == "".join(text.split())


# ---------------------------------------------------------------- DOT and JSON

STRING = r'"(?:\\.|[^"\\\n])*"'
NAME = r"[A-Za-z_][A-Za-z_0-9]*"
ATTRIBUTES = rf"\[(?:{NAME}={STRING}(?:, )?)*\]"
STATEMENT = re.compile(
    rf"digraph {STRING} {{|  (?:graph|node|edge) {ATTRIBUTES};|  subgraph {NAME} {{|    label={STRING};"
    rf"|    {STRING} {ATTRIBUTES};|  {STRING} -> {STRING} {ATTRIBUTES};|  }}|}}"
)


def test_dot_is_quoted_and_complete(tmp_path: Path) -> None:
    for graph in (circle_undone(), graph_of(compiled_text(tmp_path, LOOP))):
        lines = dot_of(graph).splitlines()
        assert [line for line in lines if not STATEMENT.fullmatch(line)] == []
        assert sum(line.count("{") for line in lines if "subgraph" in line or "digraph" in line) == sum(
            line.strip() == "}" for line in lines
        )
        drawn = shown(graph)
        assert sum(bool(re.match(rf"    {STRING} \[", line)) for line in lines) == len(drawn.nodes)
        assert sum(" -> " in line and line.startswith('  "') for line in lines) == len(drawn.edges)


def test_json_is_as_its_schema_says(tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for graph in (circle_undone(), circle_undone(proven=False), graph_of(compiled_text(tmp_path, LOOP), {})):
        document = json.loads(json.dumps(json_of(graph)))
        jsonschema.validate(document, SCHEMA)
        ids = {node["id"] for node in document["nodes"]}
        parts = {part["name"] for part in document["parts"]}
        assert all(e["from"] in ids and e["to"] in ids for e in document["edges"])
        assert all(node["part"] in parts and node["section"] in ids for node in document["nodes"])
    assert document["summary"] == {"sections": 3, "ends": 1, "stops": 1, "edges": 7}

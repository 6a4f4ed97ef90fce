"""`plainchant graph`: the graph of a book, its layout, and the drawing, DOT and JSON that are made of it."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainchant
from books import machine
from plainchant.faces import graph as command
from plainchant.faces.drawing import svg_of
from plainchant.faces.drawing_style import in_lines, width_of
from plainchant.faces.graph_export import dot_of, json_of
from plainchant.faces.graph_layers import Box, Line
from plainchant.faces.graph_layout import Layout, Place, placed
from plainchant.faces.graph_model import BookGraph, Edge, graph_of, is_stop, shown
from plainchant.meaning.kernel import Program, Stop, successors
from plainchant.meaning.lower import compile_book

SVG = "{http://www.w3.org/2000/svg}"
SCHEMA = json.loads((Path(plainchant.__file__).parent / "schemas" / "graph.schema.json").read_text(encoding="utf-8"))

LOOP = r"""
book loop "A <book> & \"loops\"" @1
    begins with tale @2
campaign log
    arrived "they <arrived>" @3
fact sun: flag "Is the sun shining?" @4
scenario tale "A Tale <b>&amp;</b>" @4
    section "Once" @5
        the investigators decide @5
            "Again & \"again\" <now>": go to "Once" @6
            "On": go to "Twice" @7
    section "Twice" @8
        if sun: record arrived @9
        check "Log" @10
            when arrived and sun: go to "Once" @10
            when not arrived: the campaign is over: "won </text>" @11
    section "Never" @12
        go to "Twice" @13
"""

CONDITIONS = """
book small "Small" @1
    begins with tale @1
campaign log
    a "a is so" @2
    b "b is so" @3
scenario tale "Tale" @4
    fact rain: flag "Does it rain?" @4
    section "One" @5
        if rain: record a @6
        if a: go to "Two" @7
        otherwise if b: nothing happens @8
        otherwise: go to "Three" @9
        go to "Two" @10
    section "Two" @11
        if rain: record b @11
        go to "Three" @12
    section "Three" @13
        the campaign is over: "the end" @13
"""


def compiled(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "book.rules"
    path.write_text(text, encoding="utf-8")
    program, found = compile_book(path)
    assert program is not None, [d.message for d in found]
    return program


@cache
def circle_undone(proven: bool = True) -> BookGraph:
    return graph_of(machine("tcu").program, verdicts() if proven else None)


def verdicts() -> dict[str, str]:
    """Verdicts as a prover might give them: some of each."""
    program = machine("tcu").program
    told = {section.key: "reachable" for section in program.sections}
    told |= {key: "unreachable" for key in told if key.startswith("for_the_greater_good.intro_")}
    told["before_the_black_throne.resolution_5"] = "not decided"
    for block in program.blocks:
        if isinstance(block.exit, Stop):
            key = f"{program.sections[block.section].key}: {block.exit.about}"
            told[key] = "reachable" if block.exit.kind == "hole" else "unreachable"
    told["union_and_disillusion.resolution_5: check “Campaign Log”"] = "not decided"
    return told


def edge(graph: BookGraph, source: str, target: str) -> Edge:
    return next(e for e in graph.edges if (e.source, e.target) == (source, target))


# ---------------------------------------------------------------- the graph


def test_every_section_is_one_node_and_every_jump_an_edge() -> None:
    program, graph = machine("tcu").program, circle_undone()
    keys = [node.id for node in graph.nodes if node.kind == "section"]
    assert sorted(keys) == sorted(section.key for section in program.sections)
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    starts = {section.start for section in program.sections}
    jumps = {
        (program.sections[block.section].key, program.sections[program.blocks[target].section].key)
        for block in program.blocks
        for target in successors(block.exit)
        if target in starts or program.blocks[target].section != block.section
    }
    assert len(jumps) > 100
    assert {(e.source, e.target) for e in graph.edges if e.kind in ("jump", "excursion", "return")} == jumps
    assert len({(e.source, e.target) for e in graph.edges}) == len(graph.edges)


def test_every_beginning_end_and_stop_is_a_node() -> None:
    program, graph = machine("tcu").program, circle_undone()
    stops = [(block.exit, program.sections[block.section]) for block in program.blocks if isinstance(block.exit, Stop)]
    assert {n.words for n in graph.nodes if n.kind == "end"} == {stop.about for stop, _ in stops if stop.kind == "end"}
    places = {(stop.kind, section.key, stop.about) for stop, section in stops if stop.kind != "end"}
    assert {(n.kind, n.section, n.words) for n in graph.nodes if is_stop(n)} == places
    assert [n.id for n in graph.nodes if n.kind == "start"].count("start:campaign") == 1
    assert {n.section for n in graph.nodes if n.kind == "start"} == {
        program.sections[program.blocks[e.block].section].key for e in program.entrances
    }


def test_parts_stand_in_printed_order_with_their_printed_names() -> None:
    words = [band.words for band in circle_undone().bands]
    assert words[:4] == [
        "Campaign Setup", "Prologue (Scenario 0): Disappearance at the Twilight Estate", "Scenario I: The Witching Hour",
        "Scenario II: At Death's Doorstep",
    ]  # fmt: skip
    assert words.index("Interlude III: The Inner Circle") == words.index("Scenario VI: Union and Disillusion") - 1
    assert words[-1] == "Epilogue"


def test_an_edge_tells_the_choice_and_where_it_is_printed() -> None:
    found = edge(circle_undone(), "the_witching_hour.intro_1", "the_witching_hour.intro_3")
    assert [label.shown for label in found.labels] == ["“This is bullshit.”"]
    assert found.labels[0].whole == "“This is bullshit.” (The lead investigator must decide)"
    assert [cite.ranges for cite in found.cites] == [((88, 88),)]
    by_case = edge(circle_undone(), "at_deaths_doorstep.do_not_read", "at_deaths_doorstep.resolution_3")
    assert [label.shown for label in by_case.labels] == ["act = 2"]


def test_two_cases_that_lead_the_same_way_are_one_edge() -> None:
    found = edge(circle_undone(), "the_price_of_progress.the_price_of_progress_3", "the_price_of_progress.the_price_of_progress_4")
    assert [cite.ranges for cite in found.cites] == [((208, 208),), ((210, 210),)]
    assert len(found.labels) == 2


def test_a_card_sends_there_and_back() -> None:
    graph = circle_undone()
    setup, interlude = "at_deaths_doorstep.setup", "a_record_of_those_lost.a_record_of_those_lost"
    assert edge(graph, setup, interlude).kind == "excursion"
    assert edge(graph, interlude, setup).kind == "return"
    # What follows the excursion does not depend on it.
    assert edge(graph, setup, "at_deaths_doorstep.do_not_read").labels == ()


def test_the_end_of_standalone_play_is_told_apart_from_the_end_of_the_campaign() -> None:
    kinds = {e.target: e.kind for e in circle_undone().edges if e.kind in ("end", "alone")}
    assert kinds["end:the Silver Twilight Lodge wins the campaign"] == "end"
    assert kinds["end:the players lose the campaign"] == "end"
    assert {kind for end, kind in kinds.items() if end.endswith("played alone")} == {"alone"}


def test_labels_name_only_what_decides(tmp_path: Path) -> None:
    graph = graph_of(compiled(tmp_path, CONDITIONS))
    assert [label.shown for label in edge(graph, "tale.one", "tale.two").labels] == ["a", "b"]
    assert [label.shown for label in edge(graph, "tale.one", "tale.three").labels] == ["otherwise"]
    assert edge(graph, "tale.one", "tale.three").labels[0].whole == "otherwise (not b)"
    assert edge(graph, "tale.two", "tale.three").labels == ()


def test_a_loop_is_an_edge_to_itself_and_one_upward(tmp_path: Path) -> None:
    graph = graph_of(compiled(tmp_path, LOOP))
    assert [label.shown for label in edge(graph, "tale.once", "tale.once").labels] == ['“Again & "again" <now>”']
    assert [label.shown for label in edge(graph, "tale.once", "tale.twice").labels] == ["“On”"]
    assert [label.shown for label in edge(graph, "tale.twice", "tale.once").labels] == ["arrived and sun"]


def test_verdicts_are_taken_over_and_nothing_is_claimed_without_them() -> None:
    graph = circle_undone()
    told = {node.id: node.verdict for node in graph.nodes}
    assert told["for_the_greater_good.intro_2"] == "unreachable"
    assert told["before_the_black_throne.resolution_5"] == "not decided"
    assert told["hole:the_witching_hour.do_not_read: check “how the scenario ended”"] == "reachable"
    assert edge(graph, "for_the_greater_good.intro_2", "for_the_greater_good.setup").verdict == "unreachable"
    assert edge(graph, "for_the_greater_good.intro_1", "for_the_greater_good.setup").verdict == "unreachable"
    assert edge(graph, "the_witching_hour.intro_1", "the_witching_hour.intro_2").verdict == ""
    assert {node.verdict for node in circle_undone(proven=False).nodes} == {""}
    assert not circle_undone(proven=False).proven


def test_an_edge_whose_condition_never_holds_is_never_taken(tmp_path: Path) -> None:
    program = compiled(tmp_path, CONDITIONS)
    graph = graph_of(program, {"tale.one: if a": "unreachable", "tale.one: otherwise if b": "unreachable", "tale.one: if b": "unreachable"})
    assert edge(graph, "tale.one", "tale.two").verdict == "unreachable"
    assert edge(graph, "tale.one", "tale.three").verdict == ""


def test_what_no_play_reaches_is_not_drawn_and_what_is_alike_is_drawn_once() -> None:
    drawn = shown(circle_undone())
    assert "unreachable" not in {node.verdict for node in drawn.nodes if is_stop(node)}
    assert {n.id for n in drawn.nodes if not is_stop(n)} == {n.id for n in circle_undone().nodes if not is_stop(n)}
    prologue = [n for n in drawn.nodes if n.kind == "hole" and n.part == "disappearance_at_the_twilight_estate"]
    assert [len(node.words.split("\n")) for node in prologue] == [4]
    ids = {node.id for node in drawn.nodes}
    assert all(e.source in ids and e.target in ids for e in drawn.edges)


# ---------------------------------------------------------------- layout


def touching(a: Place, b: Place) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 - 0.01 and abs(a.y - b.y) < (a.height + b.height) / 2 - 0.01


def assert_legible(layout: Layout, lines: list[Line]) -> None:
    """No box or label lies on another, and no line passes through a box or another's label."""
    rectangles = [*((place, None) for place in layout.boxes), *((place, i) for i, place in enumerate(layout.labels) if place is not None)]
    for i, (first, _) in enumerate(rectangles):
        assert first.x - first.width / 2 >= -0.01 and first.x + first.width / 2 <= layout.width + 0.01
        assert not any(touching(first, second) for second, _ in rectangles[:i])
    for number, route in enumerate(layout.routes):
        obstacles = [place for place, label in rectangles if label != number]
        for stretch in stretches(route):
            assert not any(touching(stretch, place) for place in obstacles), (number, stretch)


def stretches(route: tuple[tuple[float, float, float], ...]) -> Iterator[Place]:
    """Rectangles in which a line runs: thin where it is upright, and between."""
    down = len(route) > 1 and route[-1][1] > route[0][1]
    last = None
    for x, top, bottom in route:
        near, far = (top, bottom) if down else (bottom, top)
        yield Place(x, (near + far) / 2, 0.1, abs(far - near))
        if last is not None:
            assert (last[1] <= near + 0.01) if down else (last[1] >= near - 0.01)
            yield Place((x + last[0]) / 2, (near + last[1]) / 2, abs(x - last[0]) + 0.1, abs(near - last[1]))
        last = (x, far)


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[Box], list[Line], int]:
    bands = draw(st.integers(1, 4))
    sizes = st.floats(20, 200)
    own = [Box(draw(sizes), draw(sizes), band) for band in range(bands)]
    boxes = own + draw(st.lists(st.builds(Box, sizes, sizes, st.integers(0, bands - 1)), max_size=12))
    ends = st.integers(0, len(boxes) - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=25, unique=True))
    label = st.none() | st.tuples(sizes, sizes)
    return boxes, [Line(a, b, draw(label), draw(st.sampled_from("ab"))) for a, b in pairs], bands


@given(drawings())
def test_any_graph_is_laid_out_legibly(drawing: tuple[list[Box], list[Line], int]) -> None:
    boxes, lines, bands = drawing
    layout = placed(boxes, lines, bands)
    assert_legible(layout, lines)
    assert layout == placed(boxes, lines, bands)
    for box, place in zip(boxes, layout.boxes, strict=True):
        low, high = layout.bands[box.band]
        assert low <= place.y - place.height / 2 and place.y + place.height / 2 <= high
    assert all(above[1] <= below[0] + 0.01 for above, below in zip(layout.bands, layout.bands[1:], strict=False))
    for line, route, place in zip(lines, layout.routes, layout.labels, strict=True):
        assert bool(route) == (line.source != line.target)
        assert (place is not None) == (line.label is not None and bool(route))


def test_a_line_leads_downward_unless_it_closes_a_circle() -> None:
    boxes = [Box(50, 30, 0) for _ in range(4)]
    layout = placed(boxes, [Line(0, 1), Line(1, 2), Line(2, 0), Line(0, 3), Line(3, 2)], 1)
    first, second, third, fourth = (place.y for place in layout.boxes)
    assert first < second < third and first < fourth < third


def test_nothing_is_laid_out_as_nothing() -> None:
    assert placed([], [], 0) == Layout((), (), (), (), 0.0, 0.0)


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
    text = svg_of(graph_of(compiled(tmp_path, LOOP), {}), 'x"><script>{key}')
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
    for graph in (circle_undone(), graph_of(compiled(tmp_path, LOOP))):
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
    for graph in (circle_undone(), circle_undone(proven=False), graph_of(compiled(tmp_path, LOOP), {})):
        document = json.loads(json.dumps(json_of(graph)))
        jsonschema.validate(document, SCHEMA)
        ids = {node["id"] for node in document["nodes"]}
        parts = {part["name"] for part in document["parts"]}
        assert all(e["from"] in ids and e["to"] in ids for e in document["edges"])
        assert all(node["part"] in parts and node["section"] in ids for node in document["nodes"])
    assert document["summary"] == {"sections": 3, "ends": 1, "stops": 1, "edges": 7}


# ---------------------------------------------------------------- the command


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


@pytest.fixture
def book(tmp_path: Path) -> str:
    compiled(tmp_path, LOOP)
    return str(tmp_path / "book.rules")


def test_each_suffix_gives_its_form(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in ("svg", "dot", "json", "SVG"):
        assert call(book, "-o", str(tmp_path / f"out.{suffix}"), "--no-prove") == 0
    assert ET.parse(tmp_path / "out.svg").getroot().tag == f"{SVG}svg"
    assert (tmp_path / "out.dot").read_text(encoding="utf-8").startswith("digraph")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["proven"] is False
    assert {path.name for path in tmp_path.iterdir()} == {"book.rules", "out.svg", "out.dot", "out.json", "out.SVG"}
    assert capsys.readouterr().out == ""


def test_without_a_file_dot_goes_to_standard_output(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(book, "--no-prove") == 0
    assert capsys.readouterr().out.startswith('digraph "loop" {')


def test_with_a_prover_the_verdicts_are_drawn(book: str, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    assert call(book, "-o", str(tmp_path / "out.json")) == 0
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert document["proven"] is True
    assert {n["id"]: n["verdict"] for n in document["nodes"] if n["kind"] == "section"} == {
        "tale.once": "reachable", "tale.twice": "reachable", "tale.never": "unreachable",
    }  # fmt: skip


def test_without_a_prover_the_drawing_is_made_and_says_so(
    book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "installed_prover", lambda: None)
    assert call(book, "-o", str(tmp_path / "out.svg")) == 0
    assert "not installed" in capsys.readouterr().err
    assert "section: not proven" in (tmp_path / "out.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("-o", "out.png"), "PC507", "end its name in .svg, .dot or .json"),
        (("-o", "out"), "PC507", "end its name in .svg, .dot or .json"),
        (("-o", "missing/out.svg"), "PC009", "its folder does not exist"),
        (("-o", "folder.svg"), "PC009", "it is a folder"),
        (("--href", "#section"), "PC507", "write {key}"),
    ],
)
def test_a_wrong_call_is_told_with_its_cure(
    words: tuple[str, ...],
    code: str,
    told: str,
    book: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    assert call(book, *words, "--no-prove") == 2
    captured = capsys.readouterr()
    assert code in captured.err and told in " ".join(captured.err.split())
    assert captured.out == ""
    assert {path.name for path in tmp_path.iterdir()} == {"book.rules", "folder.svg"}


def test_an_unknown_book_and_a_broken_one_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("no_such_book", "--no-prove") == 2
    assert "PC501" in capsys.readouterr().err
    (tmp_path / "broken.rules").write_text('book b "B"\n    begins with nowhere\n', encoding="utf-8")
    assert call(str(tmp_path / "broken.rules"), "-o", str(tmp_path / "out.svg"), "--no-prove") == 2
    assert not (tmp_path / "out.svg").exists()

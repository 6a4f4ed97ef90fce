"""`plainchant graph`: the graph of a book, its layout, and the drawing, DOT and JSON that are made of it."""

from __future__ import annotations

from pathlib import Path

from books import compiled_text, machine
from graphs import CONDITIONS, LOOP, circle_undone
from plainchant.faces.graph_model import BookGraph, Edge, graph_of, is_stop, shown
from plainchant.meaning.kernel import Stop, successors


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
    graph = graph_of(compiled_text(tmp_path, CONDITIONS))
    assert [label.shown for label in edge(graph, "tale.one", "tale.two").labels] == ["a", "b"]
    assert [label.shown for label in edge(graph, "tale.one", "tale.three").labels] == ["otherwise"]
    assert edge(graph, "tale.one", "tale.three").labels[0].whole == "otherwise (not b)"
    assert edge(graph, "tale.two", "tale.three").labels == ()


def test_a_loop_is_an_edge_to_itself_and_one_upward(tmp_path: Path) -> None:
    graph = graph_of(compiled_text(tmp_path, LOOP))
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
    program = compiled_text(tmp_path, CONDITIONS)
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

"""Plays as documents: saved games and traces, resumed, replayed, damaged and refused."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books import Table, compiled_text, machine
from dice import DICE, begun, choose
from plainchant.play import documents
from plainchant.play.machine import Machine


@cache
def _document(kind: str) -> str:
    session = Table().play(until="Scenario II:*Which act").session
    return json.dumps(documents.saved(session) if kind == "saved" else documents.trace(session))


def changed(kind: str, **fields: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_document(kind))
    return {**document, **fields}


def test_a_saved_game_resumes_with_what_was_undone() -> None:
    session = Table().play(until="Scenario II:*Which act").session
    taken_back = session.undo() + session.undo()
    resumed, diagnostics = documents.resume(machine("tcu"), json.loads(json.dumps(documents.saved(session))))
    assert diagnostics == ()
    assert resumed is not None
    assert resumed.moment == session.moment
    assert resumed.undone == tuple(reversed(taken_back))
    assert len(resumed.redo()) == 1


def test_draws_are_resumed_and_redone(dice: Machine) -> None:
    """Two decisions with draws between them were undone: both can be made again after resuming, with the same draws."""
    session = begun(dice, seed=11)
    choose(session, "yes", "throw again", "throw again")
    after = session.moment
    session.undo()
    session.undo()
    resumed, diagnostics = documents.resume(dice, json.loads(json.dumps(documents.saved(session))))
    assert diagnostics == ()
    assert resumed is not None
    assert (resumed.moment, resumed.undone) == (session.moment, session.undone)
    assert [step.chooser for step in resumed.redo()] == ["players", "chance", "chance"]
    assert [step.chooser for step in resumed.redo()] == ["players"]
    assert resumed.moment == after


def test_choices_that_read_alike_are_told_apart_by_their_number(tmp_path: Path) -> None:
    """Two printed cases apply, and both read the same: a saved game still knows which was followed."""
    text = DICE[: DICE.index("    section")] + (
        '    section "First Throw"\n'
        '        check "the courage"\n'
        "            when not won: record sixes as 1\n"
        "            when not (won): record sixes as 2\n"
        '        the campaign is over: "they stop"\n'
    )
    program = compiled_text(tmp_path, text, "alike.rules")
    alike = Machine(program)
    for number in (1, 2):
        session = begun(alike)
        asked = session.question
        assert asked is not None
        assert (len(asked.choices), len({choice.words for choice in asked.choices})) == (2, 1)
        session.apply(number)
        assert [line.number for line in session.log()] == [number]
        for document in (documents.saved(session), documents.trace(session)):
            again, departure, _ = documents.replay(alike, json.loads(json.dumps(document)))
            assert departure is None
            assert again is not None
            assert again.moment == session.moment
        session.undo()
        resumed, _ = documents.resume(alike, json.loads(json.dumps(documents.saved(session))))
        assert resumed is not None
        assert resumed.undone == session.undone


def test_a_trace_says_where_it_departs() -> None:
    document = changed("trace")
    document["steps"][3]["choice"] = "no such person"
    _, departure, _ = documents.replay(machine("tcu"), document)
    assert departure is not None
    assert departure.step == 4
    assert "no such person" in departure.why
    assert "Jerome Davids" in departure.legal


def test_a_step_that_tells_another_change_departs() -> None:
    document = changed("trace")
    document["steps"][0]["changed"] = {}
    _, departure, _ = documents.replay(machine("tcu"), document)
    assert departure is not None
    assert departure.step == 1
    assert "bag.chaos_bag" in departure.why


def test_a_draw_that_the_seed_does_not_make_departs(dice: Machine) -> None:
    session = begun(dice, seed=5)
    choose(session, "yes", "throw again")
    document = json.loads(json.dumps(documents.trace(session)))
    drawn = document["steps"][0]["choice"]
    document["steps"][0]["choice"] = "six" if drawn == "one" else "one"
    _, departure, _ = documents.replay(dice, document)
    assert departure is not None
    assert departure.step == 1
    assert drawn in departure.why


def test_a_saved_game_with_another_state_is_refused() -> None:
    document = changed("saved")
    document["state"]["log.spell_cast"] = 1
    resumed, diagnostics = documents.resume(machine("tcu"), document)
    assert resumed is None
    assert [d.code for d in diagnostics] == ["PC504"]


def test_steps_after_the_end_of_play_depart() -> None:
    session = Table("union_and_disillusion").play().session
    document = json.loads(json.dumps(documents.trace(session)))
    document["steps"].append({"choice": "yes"})
    _, departure, _ = documents.replay(machine("tcu"), document)
    assert departure is not None
    assert departure.step == len(document["steps"])


def test_a_trace_has_the_informal_trace_format() -> None:
    session = Table().play(until="Scenario I:*” end").session
    whole = documents.trace(session, whole_states=True)
    assert whole["#meta"]["format"] == "ITF"
    assert whole["vars"] == [variable.name for variable in session.program.variables]
    assert len(whole["states"]) == len(session.history) + 1
    fate = session.program.variable("log.accepted_fate")
    assert [state["log.accepted_fate"] for state in whole["states"]] == [moment.values[fate] for moment in session.moments]
    meta = whole["states"][1]["#meta"]
    assert {"section", "rule", "cites", "chooser", "choice", "changed"} <= set(meta)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe", "PC503"),
        (b"not json", "PC503"),
        (b"[" * 100_000, "PC503"),
        (b"[]", "PC503"),
        (b"{}", "PC503"),
        (json.dumps({"schema": "plainchant/play/99"}).encode(), "PC509"),
        (json.dumps({"schema": "plainchant/play/1"}).encode(), "PC503"),
    ],
)
def test_what_is_no_play_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "play.json"
    path.write_bytes(content)
    read, diagnostics = documents.read_document(path)
    assert read is None
    assert [d.code for d in diagnostics] == [code]


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": True},
        {"seed": "1"},
        {"steps": [{}]},
        {"steps": [{"choice": True}]},
        {"steps": {}},
        {"readings": {"a": 1}},
        {"entrance": None},
    ],
)
def test_a_damaged_play_is_refused(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = tmp_path / "play.json"
    path.write_text(json.dumps(changed("saved", **fields)), encoding="utf-8")
    read, diagnostics = documents.read_document(path)
    assert read is None
    assert [d.code for d in diagnostics] == ["PC503"]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert [d.code for d in documents.read_document(tmp_path / "none.json")[1]] == ["PC001"]


def test_what_cannot_be_written_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    assert [d.code for d in documents.write_json(tmp_path / "taken", {})] == ["PC009"]
    assert [d.code for d in documents.write_json(tmp_path / "nowhere" / "x.json", {})] == ["PC009"]
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_writing_keeps_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "play.json"
    assert documents.write_json(path, {"a": 1}) == ()
    with pytest.raises(TypeError):
        documents.write_json(path, {"a": object()})
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 1}


# Whatever stands in a document, reading and resuming it gives diagnostics and never an exception.
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@given(st.sampled_from(["schema", "book", "rules", "entrance", "seed", "readings", "steps", "undone", "state", "section"]), json_values)
def test_a_document_with_anything_in_it_raises_nothing(tmp_path_factory: pytest.TempPathFactory, field: str, value: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.json"
    path.write_text(json.dumps(changed("saved", **{field: value})), encoding="utf-8")
    read, refused = documents.read_document(path)
    if read is None:
        assert refused
        return
    resumed, diagnostics = documents.resume(machine("tcu"), read)
    assert (resumed is None) == bool(diagnostics)


@given(st.integers(0, 5), st.sampled_from(["choice", "section", "changed", "chooser", "decider", "cites"]), json_values)
def test_a_step_with_anything_in_it_raises_nothing(tmp_path_factory: pytest.TempPathFactory, number: int, field: str, value: Any) -> None:
    document = changed("trace")
    document["steps"][number][field] = value
    path = tmp_path_factory.getbasetemp() / "anything.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    read, refused = documents.read_document(path)
    if read is None:
        assert refused
        return
    session, departure, diagnostics = documents.replay(machine("tcu"), read)
    assert session is not None or diagnostics
    assert departure is None or departure.step >= 1

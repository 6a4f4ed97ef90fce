"""Sessions: beginning, being refused, draws of chance with undo and redo, views; and what documents of plays are refused for."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books import Table, machine
from plainchant.meaning.lower import compile_book
from plainchant.play import documents
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant.play.session import Session

DICE = """\
book dice "Dice"
    begins with game

campaign log
    sixes "X sixes were thrown": 0 to 9
    won "they won"

bag cup of die "the cup"
kinds die "die"
    white "white"
    black "black"

keep throws: 0 to 9
fact brave: flag "Are they brave?"

scenario game "A Game"

    section "First Throw"
        at random
            "one": increase throws by 1
            "six": record sixes as 1
        proceed to "The Table"

    section "The Table"
        the players decide
            "throw again": go to "Second Throw"
            "stop" only if brave: the campaign is over: "they stop"

    section "Second Throw"
        at random
            "white"
                add 1 white token to the cup
            "black"
                add 1 black token to the cup
            "nothing"
                nothing happens
        at random
            "heads": record "they won"
            "tails": nothing happens
        the players decide
            "throw again": go to "Third Throw"
            "stop": the campaign is over: "they stop"

    section "Third Throw"
        the campaign is over: "they have thrown enough"
"""


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    path = tmp_path_factory.mktemp("dice") / "dice.rules"
    path.write_text(DICE, encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None, [d.message for d in diagnostics]
    return Machine(program)


def begun(of: Machine, *, seed: int | None = 1) -> Session:
    session, diagnostics = Session.start(of, "campaign", seed=seed)
    assert session is not None, diagnostics
    return session


def choose(session: Session, *choices: str) -> None:
    """Take choices that must all be legal."""
    for choice in choices:
        _, refused = session.apply(choice)
        assert not refused, refused[0].message


# ---------------------------------------------------------------- beginning


@pytest.mark.parametrize(
    "name",
    [
        "before_the_black_throne",
        "Standalone Mode (Scenario VIII)",
        "Scenario VIII: Before the Black Throne",
        "scenario viii: before the black throne",
    ],
)
def test_a_standalone_mode_is_called_by_name_or_printed_words(name: str) -> None:
    session, diagnostics = Session.start(machine("tcu"), name)
    assert diagnostics == ()
    assert session is not None
    assert session.section.words == "Standalone Mode (Scenario VIII)"
    assert session.began.entrance == "before_the_black_throne"


def test_an_unknown_beginning_is_refused_with_the_nearest() -> None:
    session, diagnostics = Session.start(machine("tcu"), "before_the_black_trone")
    assert session is None
    assert [d.code for d in diagnostics] == ["PC508"]
    assert "before_the_black_throne" in "".join(str(field) for field in (diagnostics[0].message, diagnostics[0].cure))


@pytest.mark.parametrize("alternative", ["no", "2"])
def test_readings_are_chosen_beforehand(alternative: str) -> None:
    """By words or number; then it is not asked."""
    table = Table("before_the_black_throne", readings={"win_with_a_question_mark": alternative})
    table.play({"” end": "Resolution 4 was reached", "Resolution 4*must decide": "It must be done."})
    assert not table.asked('Is "The investigators win')
    assert table.session.ending is not None
    assert table.state("result") == 0


def test_all_wrong_readings_are_told_together() -> None:
    wrong = {"no_such_reading": "yes", "missing_key": "no such alternative"}
    session, diagnostics = Session.start(machine("tcu"), readings=wrong)
    assert session is None
    assert [d.code for d in diagnostics] == ["PC507", "PC507"]


# ---------------------------------------------------------------- choosing


def test_choices_are_named_by_words_number_or_themselves() -> None:
    for choice in ("Hard", "hard", 3, "3"):
        session = begun(machine("tcu"))
        step, _ = session.apply(choice)
        assert step is not None
        assert step.choice.words == "Hard"
    session = begun(machine("tcu"))
    asked = session.question
    assert asked is not None
    step, _ = session.apply(asked.choices[2])
    assert step is not None
    assert step.choice == asked.choices[2]


def test_a_choice_of_another_way_is_refused_though_its_step_counts_the_same() -> None:
    """After undo and another decision the “no” of the old question is not that of the new one."""
    session = Table().play(until="Scenario II:*Does a card send").session
    asked = session.question
    assert asked is not None
    choose(session, "yes")
    on_the_other_way = session.question
    assert on_the_other_way is not None
    assert [choice.words for choice in on_the_other_way.choices] == ["yes", "no"]
    before = session.moment
    step, refused = session.apply(replace(asked.choices[1], step=on_the_other_way.step))
    assert step is None
    assert [d.code for d in refused] == ["PC502"]
    assert session.moment == before


def test_a_refusal_names_what_is_legal() -> None:
    session = begun(machine("tcu"))
    _, refused = session.apply("Nightmare")
    text = refused[0].message + refused[0].cure
    assert all(words in text for words in ("Easy", "Standard", "Hard", "Expert"))


def test_nothing_is_legal_when_play_has_stopped() -> None:
    table = Table("union_and_disillusion").play()
    moment = table.session.moment
    step, refused = table.session.apply(1)
    assert step is None
    assert [d.code for d in refused] == ["PC502"]
    assert table.session.moment == moment


# ---------------------------------------------------------------- chance


def test_the_same_seed_draws_the_same(dice: Machine) -> None:
    def draws(seed: int) -> list[str]:
        session = begun(dice, seed=seed)
        choose(session, "yes", "throw again")
        return [step.choice.words for step in session.history if step.chooser == "chance"]

    assert draws(5) == draws(5)
    assert len({tuple(draws(seed)) for seed in range(40)}) > 3


def test_without_a_seed_the_table_says_what_was_drawn(dice: Machine) -> None:
    session = begun(dice, seed=None)
    asked = session.question
    assert asked is not None
    assert (asked.chooser, [choice.words for choice in asked.choices]) == ("chance", ["one", "six"])
    choose(session, "six")
    assert [line.words for line in session.log()] == ["1 sixes were thrown"]


def test_undo_takes_back_the_draws_that_followed_and_redo_draws_them_again(dice: Machine) -> None:
    session = begun(dice, seed=5)
    choose(session, "yes")
    first = session.moment
    choose(session, "throw again")
    after, history = session.moment, session.history
    taken_back = session.undo()
    assert [step.chooser for step in taken_back] == ["chance", "chance", "players"]
    assert session.moment == first
    assert session.undone == history[2:]
    session.redo()
    assert (session.moment, session.history) == (after, history)


def test_a_draw_is_no_second_time_another(dice: Machine) -> None:
    """Undo is no new throw: the same decision after it meets the same draws."""
    session = begun(dice, seed=7)
    choose(session, "yes", "throw again")
    moment = session.moment
    session.undo()
    choose(session, "throw again")
    assert session.moment == moment


def test_draws_before_the_first_decision_cannot_be_undone(dice: Machine) -> None:
    session = begun(dice, seed=5)
    moment, history = session.moment, session.history
    assert [step.chooser for step in history] == ["chance"]
    assert session.undo() == ()
    assert (session.moment, session.history, session.undone) == (moment, history, ())


def test_a_new_decision_forgets_what_was_undone(dice: Machine) -> None:
    session = begun(dice, seed=5)
    choose(session, "yes", "throw again")
    session.undo()
    choose(session, "throw again")
    assert session.undone == ()
    assert session.redo() == ()


@given(st.integers(0, 2**80), st.integers(1, 1000))
def test_chance_is_below_its_limit_and_follows_from_its_seed(seed: int, limit: int) -> None:
    chance = Chance(seed)
    drawn, after = chance.below(limit)
    assert 0 <= drawn < limit
    assert after == Chance(seed, 1)
    assert chance.below(limit) == (drawn, after)


def test_chance_is_fair_enough() -> None:
    """Ten thousand throws of a die from one seed: each face about as often, and runs do not repeat."""
    chance, faces = Chance(1), [0] * 6
    for _ in range(10_000):
        drawn, chance = chance.below(6)
        faces[drawn] += 1
    assert all(1_500 < count < 1_850 for count in faces)


# ---------------------------------------------------------------- views


def test_what_was_seen_of_a_bag() -> None:
    table = Table().play(until="Scenario V:*” end")
    assert table.session.bag("keys") == {"skull": 1, "tablet": 1}
    assert table.session.bag() == table.session.bag("chaos_bag")
    with pytest.raises(KeyError):
        table.session.bag("no_such_bag")


def test_every_choice_of_the_history_is_told_with_its_section() -> None:
    session = Table().play(until="Scenario I:*” end").session
    told = [(step.section.words, step.choice.words) for step in session.history]
    assert told[:2] == [("Campaign Setup", "Standard"), ("Campaign Setup for the Prologue", "2")]
    assert len(session.moments) == len(session.history) + 1


# ---------------------------------------------------------------- documents


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
    path = tmp_path / "alike.rules"
    path.write_text(text, encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None, [d.message for d in diagnostics]
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

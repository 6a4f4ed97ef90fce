"""Sessions: beginning, being refused, draws of chance with undo and redo, views; and what documents of plays are refused for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books import Table, machine
from dice import begun, choose
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.records import replace

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

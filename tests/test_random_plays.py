"""Plays with random choices, of The Circle Undone and of small books that Hypothesis writes: what must hold of a play is never broken."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from books import compiled_text, machine
from plainchant.meaning.kernel import Choose as Asking
from plainchant.meaning.kernel import Set
from plainchant.play import documents
from plainchant.play.machine import Machine
from plainchant.play.moment import Choice, Moment, Question
from plainchant.play.session import Session
from properties import Choose, Watch
from small_books import books


@cache
def watch() -> Watch:
    return Watch(machine("tcu"))


@st.deferred
def entrances() -> st.SearchStrategy[str]:
    """Half of the plays are campaigns."""
    alone = [entrance.name for entrance in machine("tcu").program.entrances[1:]]
    return st.sampled_from(["campaign"] * len(alone) + alone)


def drawn(data: st.DataObject, *, steady: bool = False) -> Choose:
    """Choices that Hypothesis draws; with `steady` the same choice wherever the same ones are offered, so that nobody departs alone."""
    usual: dict[tuple[str, ...], int] = {}

    def choose(asked: Question) -> Choice | int:
        if asked.wants_number:
            return data.draw(st.integers(asked.low, asked.high))
        offered = tuple(choice.words for choice in asked.choices)
        position = data.draw(st.integers(0, len(offered) - 1)) if offered not in usual or not steady else usual[offered]
        usual[offered] = position
        return asked.choices[position]

    return choose


@given(st.data(), entrances, st.booleans(), st.integers(0, 60))
@settings(max_examples=850)
def test_random_plays_are_sound(data: st.DataObject, entrance: str, steady: bool, saved_at: int) -> None:
    session, _ = Session.start(machine("tcu"), entrance)
    assert session is not None
    watch().play(session, drawn(data, steady=steady), saved_at=saved_at)


def test_only_cited_statements_write_the_log_and_fill_the_bags() -> None:
    """What sets an entry of the log or the count of a token belongs to a statement or an option with its printed lines."""
    program = machine("tcu").program
    entries = {i for i, variable in enumerate(program.variables) if variable.role in ("log", "value", "bag")}
    written = 0
    for block in program.blocks:
        for position, assignment in enumerate(block.sets):
            if assignment.variable in entries:
                owner = [note for note in block.notes if note.after <= position][-1]
                assert owner.cites, owner.text
                written += 1
        if isinstance(block.exit, Asking):
            writers = [option for option in block.exit.options if any(_sets(option.sets, entries))]
            assert all(option.cites for option in writers)
    assert written > 100


def _sets(sets: tuple[Set, ...], variables: set[int]) -> list[Set]:
    return [assignment for assignment in sets if assignment.variable in variables]


class PlayedByHand(RuleBasedStateMachine):
    """Choosing, undoing, redoing and saving in any order, beside a list of the moments as it ought to be."""

    @initialize(entrance=entrances)
    def begin(self, entrance: str) -> None:
        session, _ = Session.start(machine("tcu"), entrance)
        assert session is not None
        self.session = session
        self.past: list[Moment] = [session.moment]
        self.future: list[Moment] = []

    @precondition(lambda self: self.session.question is not None)
    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        asked = self.session.question
        assert asked is not None
        watch().step(self.session, drawn(data)(asked))
        self.past.append(self.session.moment)
        self.future.clear()

    @rule()
    def undo(self) -> None:
        taken_back = self.session.undo()
        assert len(taken_back) == (1 if len(self.past) > 1 else 0)
        if taken_back:
            self.future.append(self.past.pop())

    @rule()
    def redo(self) -> None:
        made = self.session.redo()
        assert len(made) == (1 if self.future else 0)
        if made:
            self.past.append(self.future.pop())

    @rule(wrong=st.one_of(st.integers(-3, -1), st.just("no such words"), st.builds(Choice, st.just(-1), st.integers(0, 3), st.just("yes"))))
    def refuse(self, wrong: Choice | int | str) -> None:
        undone = self.session.undone
        assert self.session.apply(wrong)[0] is None
        assert self.session.undone == undone

    @rule()
    def save_and_resume(self) -> None:
        resumed, diagnostics = documents.resume(machine("tcu"), json.loads(json.dumps(documents.saved(self.session))))
        assert diagnostics == ()
        assert resumed is not None
        assert (resumed.history, resumed.undone) == (self.session.history, self.session.undone)
        self.session = resumed

    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        """Looking changes nothing; the invariant sees to that."""
        self.session.log(), self.session.bag(), self.session.seats(), self.session.state(), self.session.standing_rules()
        self.session.what_happens(data.draw(st.sampled_from([r.event for r in self.session.program.standing_rules])))

    @invariant()
    def as_expected(self) -> None:
        if hasattr(self, "session"):
            assert self.session.moments == tuple(self.past)
            assert len(self.session.undone) == len(self.future)


TestPlayedByHand = PlayedByHand.TestCase
TestPlayedByHand.settings = settings(max_examples=100, stateful_step_count=40)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("small")


@given(text=books(), data=st.data(), seed=st.integers(0, 2**64), by_hand=st.booleans())
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_plays_of_generated_books_are_sound(folder: Path, text: str, data: st.DataObject, seed: int, by_hand: bool) -> None:
    """With a seed, chance is drawn from it and is drawn again when the play is replayed; without one the table says what was drawn."""
    note(text)
    small = Machine(compiled_text(folder, text))
    session, _ = Session.start(small, "campaign", seed=None if by_hand else seed)
    assert session is not None
    Watch(small).play(session, drawn(data), saved_at=data.draw(st.integers(0, 12)))
    again, _ = Session.start(small, "campaign", seed=None if by_hand else seed)
    assert again is not None
    for step in session.history:
        if step.chooser != "chance" or by_hand:
            again.apply(step.choice)
    assert again.history == session.history
    assert again.moments == session.moments

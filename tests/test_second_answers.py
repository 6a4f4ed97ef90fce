"""Answers of `ask`, and the matrix, about small books are what an explicit search finds that tries all plays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, note, settings
from hypothesis import strategies as st

from enumeration import Everything, holds
from explored import CAMPAIGN, FEW, Book, patient, replays
from plainchant.meaning.compiled import ground_of
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number
from plainchant.meaning.kernel import Claimed, Program
from plainchant.meaning.question import ask_book
from plainchant.play.documents import replay
from plainchant.play.machine import Machine
from plainchant_proofs import matrix as matrix_module
from plainchant_proofs.asking import answer, bound
from plainchant_proofs.ensuring import ensure
from plainchant_proofs.prover import Limits
from plainchant_proofs.topology import unrolled
from proof_books import books, numbers, questions

sections = st.sampled_from([None, '"Tale 0"', '"Sequel" / "Sequel 0"'])


def _asked(book: Book, condition: str, at: str | None, measured: Sequence[str] = ()) -> tuple[Program, Claimed]:
    note(f"ask {condition} at {at} of {measured}")
    ground, wrong = ground_of(book.path)
    assert ground is not None, [d.message for d in wrong]
    asked, diagnostics = ask_book(ground, condition, at, measured)
    assert asked is not None, [d.message for d in diagnostics]
    assert asked.blocks == book.program.blocks or asked.variables != book.program.variables
    return asked, asked.claims[-1]


def _again(book: Book, program: Program) -> Book:
    """The same book with a question in it (a question about `reached` adds variables)."""
    if program.blocks != book.program.blocks or program.variables != book.program.variables:
        book.program, book.machine = program, Machine(program)
        book.all = {entrance.name: Everything(book.machine, entrance) for entrance in program.entrances}
        book.campaign = book.all[CAMPAIGN]
    return book


@given(
    text=st.one_of(books(), books(loops=True)),
    condition=questions,
    at=sections,
    always=st.booleans(),
    measured=numbers,
    least=st.booleans(),
)
@settings(patient, max_examples=200)
def test_every_answer_about_a_small_book_is_what_its_plays_show(
    tmp_path: Path, text: str, condition: str, at: str | None, always: bool, measured: str, least: bool
) -> None:  # fmt: skip
    book = Book(tmp_path, text)
    program, claim = _asked(book, condition, at, [measured])
    _again(book, program)
    states = book.states(claim)
    met = [values for values in states if holds(claim.condition, values)]
    looped = unrolled(program, 2).bound is not None
    limits = Limits(unroll=2)

    told = answer(program, claim, always, limits=limits)
    true = ("fails" if len(met) < len(states) else "holds") if always else ("reachable" if met else "unreachable")
    assert told.answer == true or (looped and told.answer == "not decided")
    assert (told.witness is not None) == (told.answer in ("reachable", "fails"))
    assert told.witness is None or replays(book.machine, told.witness)

    limit = bound(program, claim, least=least, limits=limits)
    values = [number(program.measures[0], state.__getitem__, Values()) for state in met]
    if limit.answer == "not decided":
        assert looped
    elif limit.bound is None:
        assert limit.value == ((min if least else max)(values) if values else None)
    else:
        assert limit.value in values
    assert limit.witness is None or replays(book.machine, limit.witness)


@given(text=st.one_of(books(), books(loops=True)), condition=questions, at=sections)
@settings(patient, max_examples=150)
def test_the_players_can_ensure_what_an_explicit_game_says(tmp_path: Path, text: str, condition: str, at: str | None) -> None:
    book = Book(tmp_path, text)
    program, claim = _asked(book, condition, at)
    _again(book, program)
    told = ensure(program, claim)
    if told.answer == "not decided":
        assert unrolled(program, 2).bound is not None
        return
    assert told.answer == ("holds" if book.ensured(claim) else "fails")
    assert told.witness is not None
    session, departure, _ = replay(book.machine, json.loads(json.dumps(told.witness)))
    assert session is not None and departure is None
    if claim.at is None and session.ending is not None:
        good = session.ending.kind == "end" and holds(claim.condition, session.moment.values)
        assert good == (told.answer == "holds")


@given(text=books())
@settings(patient, max_examples=60)
def test_the_matrix_of_a_small_book_is_what_its_ends_show(tmp_path: Path, text: str) -> None:
    book = Book(tmp_path, text)
    with patch.object(matrix_module, "PLAYS", 2):  # so that the solver has something to decide
        table = matrix_module.matrix(book.machine, FEW)
    ends = book.campaign.finals()
    variables = [variable for entry in book.program.log for _, variable, _ in entry.lines]
    there = {variable: {i for i, values in enumerate(ends) if values[variable] == 1} for variable in variables}
    live = [variable for variable in variables if there[variable]]
    always = [variable for variable in live if len(there[variable]) == len(ends)]
    assert [line.variable for line in table.lines] == live
    assert [line.variable for line in table.always] == always
    pairs = [(a, b) for i, a in enumerate(live) for b in live[i + 1 :]]
    assert {(a.variable, b.variable) for a, b in table.exclusive} == {(a, b) for a, b in pairs if not there[a] & there[b]}
    implied = {(a, b) for a in live for b in live if a != b and b not in always and there[a] <= there[b]}
    assert {(a.variable, b.variable) for a, b in table.implies} == implied
    assert table.undecided == table.unsure == ()

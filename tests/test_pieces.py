"""A book that is cut in pieces: what is proven piece by piece is what its plays show, and what is proven of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from benchmarks.synthetic import chained
from books import machine
from explored import Book, patient
from plainchant.play.machine import Machine
from plainchant_proofs import pieces, piecewise
from plainchant_proofs.goals import goals_of
from plainchant_proofs.pieces import pieces_of
from plainchant_proofs.piecewise import decided, in_pieces
from plainchant_proofs.prover import Limits, Prover, decide_goals
from plainchant_proofs.witness import Promise, kept, replayed
from proof_books import books


def test_copies_of_a_campaign_are_cut_where_each_begins() -> None:
    program = chained(machine("tcu").program, 3)
    first, second, third = pieces_of(program)
    assert len(first.blocks) == len(second.blocks) == len(third.blocks)
    assert [len(piece.carried) for piece in (first, second, third)] == [1, 1, 0], "a log entry is asked about in the next copy"
    goals = goals_of(program)
    found = in_pieces(program, Limits(), goals)
    assert set(found) == set(goals)
    whole = decide_goals(Prover(program, Machine(program), Limits(), goals=goals), goals)
    assert {goal: verdict.verdict for goal, verdict in found.items()} == {goal: verdict.verdict for goal, verdict in whole.items()}
    long = Machine(program)
    for goal in goals[::7]:
        witness = found[goal].witness
        assert witness is None or kept(long, Promise(witness, goal.shows), replayed(long, witness)), goal


def test_one_campaign_is_not_cut() -> None:
    assert pieces_of(machine("tcu").program) == []


@given(text=books(), data=st.data())
@settings(patient, max_examples=100)
def test_pieces_of_a_small_book_show_what_its_plays_show(tmp_path: Path, text: str, data: st.DataObject) -> None:
    """Cut wherever that can be, with as much carried over as there is, and also with hardly any states allowed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_LEAST_BLOCKS", 1)
        patch.setattr(pieces, "_MOST_CARRIED", data.draw(st.sampled_from([0, 2, 100])))
        patch.setattr(piecewise, "_MOST_STATES", data.draw(st.sampled_from([3, 1000])))
        book = Book(tmp_path, text)
        goals = goals_of(book.program)
        note(f"{len(pieces_of(book.program))} pieces")
        for goal, verdict in decided(book.program, Limits(plays=1, width=1), goals).items():
            assert (verdict.verdict == "reachable") == book.reached(goal), goal
            assert (verdict.witness is not None) == (verdict.verdict == "reachable")
            if verdict.witness is not None:
                session = replayed(book.machine, verdict.witness)
                assert kept(book.machine, Promise(verdict.witness, goal.shows), session), goal

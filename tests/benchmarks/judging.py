"""What positions cost: judging one, and each proof about the sample cards of Chants for the Old Ones."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from benchmarks.measures import SECONDS, Measure, best
from plainchant.meaning.kernel import Program
from plainchant.meaning.lower import lowered
from plainchant.meaning.modules import load, shipped_books
from plainchant.meaning.question import ask_book
from plainchant.play.assess import assess
from plainchant.play.position import read_position
from plainchant_proofs.positions import prove_cards

LEAST = ("cards_in_hand", "cards_in_the_cult", "power")


def positions(runs: int) -> Iterator[Measure]:
    """Judging all cards in a position; then all proofs of them together, and what each card takes of that."""
    program = _sample()
    position, _ = read_position(shipped_books()["chants/sample"] / "position.json", program)
    assert position is not None
    yield Measure("assess a position of chants/sample", best(lambda: assess(program, position), runs), SECONDS)
    start = perf_counter()
    proofs = prove_cards(program, None, LEAST)
    yield Measure("prove all cards of chants/sample", perf_counter() - start, SECONDS)
    for proof in proofs:
        yield Measure(f"  of these: {proof.words}", proof.seconds, SECONDS)


def _sample() -> Program:
    asked, wrong = ask_book(lowered(*load(shipped_books()["chants/sample"]))[0], "yes", None, LEAST)
    assert asked is not None, wrong
    return asked

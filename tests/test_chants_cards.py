"""The sample cards of Chants for the Old Ones under proof: what any position can do for each Old One, counted again in plain Python."""

from __future__ import annotations

from functools import cache

import pytest

from plainchant.data import data_folder
from plainchant.meaning.lower import lowered
from plainchant.meaning.modules import load
from plainchant.meaning.question import ask_book
from plainchant.play.assess import HOLDS
from positions import SAMPLE, shown_on_cards

pytest.importorskip("z3")

from plainchant_proofs.positions import CAN, CANNOT, CardProof, prove_cards


@cache
def proofs(given: str = "yes", *least: str) -> dict[str, CardProof]:
    asked, wrong = ask_book(lowered(*load(data_folder("rules") / SAMPLE))[0], given, None, least)
    assert asked is not None, wrong
    return {proof.member: proof for proof in prove_cards(asked, None, least)}


def test_every_old_one_of_the_sample_can_be_summoned_and_the_engine_agrees() -> None:
    found = proofs()
    assert len(found) == 12
    for proof in found.values():
        assert (proof.verdict, proof.decided, proof.core) == (CAN, True, ())
        assert {one.verdict for one in proof.judged} == {HOLDS}
        assert proof.witness is not None


def test_no_old_one_of_the_sample_makes_another_needless() -> None:
    assert {member: proof.implies for member, proof in proofs().items() if proof.implies} == {}


def test_what_depends_on_a_reading_is_what_the_card_shows() -> None:
    """The bonus of a city for three cards, a number without a word for five, several cities for two."""
    depending = {member: len(proof.depends_on) for member, proof in proofs().items() if proof.depends_on}
    assert depending == {
        "cthulhu": 2, "yog_sothoth": 1, "hastur": 1, "shub_niggurath": 1, "tsathoggua": 1, "dagon": 1, "hydra": 2, "nodens": 2,
    }  # fmt: skip


def _fewest(needed: int, city: str = "") -> int:
    """How many cards of the hand come to so many points, the best first; cultists of the city add 2."""
    points = sorted(
        (int(card.get("invocation", 0)) + 2 * (card.get("home") == city) for card in shown_on_cards().values()), reverse=True
    )  # fmt: skip
    return next(count for count in range(len(points) + 1) if sum(points[:count]) >= needed)


def test_the_least_hand_is_the_one_that_plain_python_counts() -> None:
    least = {member: proof.least[0].value for member, proof in proofs("yes", "cards_in_hand").items()}
    assert least == {
        "azathoth": _fewest(22), "cthulhu": _fewest(20, "innsmouth"), "nyarlathotep": _fewest(16), "yog_sothoth": _fewest(18, "arkham"),
        "hastur": _fewest(20, "kingsport"), "dagon": _fewest(12), "cthugha": _fewest(18),
        "shub_niggurath": 0, "hydra": 0, "ithaqua": 0, "tsathoggua": 0, "nodens": 0,
    }  # fmt: skip


def test_within_a_hand_that_is_too_small_the_requirement_that_needs_it_is_named() -> None:
    small = proofs("cards_in_hand <= 2")
    assert {member for member, proof in small.items() if proof.verdict == CANNOT} == {
        "azathoth", "cthulhu", "nyarlathotep", "yog_sothoth", "hastur", "cthugha",
    }  # fmt: skip
    assert [demand.name for demand in small["hastur"].core] == ["power_of_invocation_with_a_city"]
    assert [demand.cites[0].ranges for demand in small["azathoth"].core] == [((204, 204),)]

"""Chants for the Old Ones, components and set-up: what is printed, counted again, and what the prover says of it."""

from __future__ import annotations

from functools import cache

import pytest

from books import Table, machine

pytest.importorskip("z3")

from plainchant.faces.findings import ClaimVerdict
from plainchant_proofs.checking import Proof, prove

BOOK = "chants"


@cache
def proof() -> Proof:
    return prove(machine(BOOK).program)


def claim(name: str) -> ClaimVerdict:
    return next(one for one in proof().claims if one.name == name)


def lines(verdict: ClaimVerdict) -> set[int]:
    return {low for reason in verdict.because for cite in reason.cites for low, _ in cite.ranges}


def test_ch_36_38_cards_make_no_three_equal_decks() -> None:
    found = claim("equal_decks_without_infiltrators")
    assert (found.verdict, lines(found)) == ("fails", {62})
    assert claim("equal_decks_with_infiltrators").verdict == "holds"


@pytest.mark.parametrize(
    ("players", "infiltrators", "stops"), [(2, "no", False), (3, "no", True), (4, "no", True), (3, "yes", False), (4, "yes", False)]
)
def test_ch_36_the_engine_stops_where_the_decks_do_not_come_out(players: int, infiltrators: str, stops: bool) -> None:
    """With the 2 cards of the 3 or more-player icon removed, 36 cards are left for two players."""
    table = Table(of=machine(BOOK))
    table.play({"How many players": players, "infiltrators": infiltrators})
    kind, printed = table.stopped
    assert (kind == "hole", table.state("cultists")) == (stops, 36 if players == 2 else 48 if infiltrators == "yes" else 38)
    assert not stops or 63 in printed


def test_ch_36_infiltrators_are_for_three_and_four_players() -> None:
    table = Table(of=machine(BOOK)).play({"How many players": 2}, until="infiltrators")
    assert table.words == ["no"]


@pytest.mark.parametrize(("players", "investigators"), [(2, 6), (3, 9), (4, 12)])
def test_ch_38_investigators_by_the_number_of_players(players: int, investigators: int) -> None:
    table = Table(of=machine(BOOK)).play({"How many players": players, "infiltrators": "no" if players == 2 else "yes"})
    assert table.state("investigators") == investigators


@pytest.mark.parametrize(("players", "specials"), [(2, 4), (3, 7), (4, 10)])
def test_line_221_the_raid_deck_by_the_number_of_players(players: int, specials: int) -> None:
    table = Table(of=machine(BOOK))
    table.play({"How many players": players, "infiltrators": "no" if players == 2 else "yes", "raid expansion": "yes"})
    assert table.state("raid_investigators") == specials


def test_two_counts_of_the_threat_tokens_do_not_agree_and_both_lines_are_named() -> None:
    found = claim("threat_tokens_agree")
    assert (found.verdict, lines(found), found.witness) == ("fails", {12, 217}, None)


def test_ch_35_the_shorter_wording_of_the_cult_is_flagged() -> None:
    assert claim("one_cult").verdict == "fails"


def test_every_fault_of_the_component_list_is_known() -> None:
    failing = {one.name for one in proof().claims if one.verdict != "holds"}
    assert failing == {
        "threat_tokens_agree", "one_cult", "equal_decks_without_infiltrators", "solo_blockade_tokens", "solo_conspiracy_tokens",
    }  # fmt: skip
    assert [finding for finding in proof().findings if finding.severity in ("error", "warning")] == []


def test_the_sample_set_has_as_many_cards_as_the_component_list() -> None:
    sample = prove(machine("chants/sample").program)
    found = {one.name: one.verdict for one in sample.claims if one.name.startswith("sample_")}
    assert len(found) == 7
    assert set(found.values()) == {"holds"}


def test_each_ambiguity_of_the_chants_is_found_to_matter() -> None:
    sample = prove(machine("chants/sample").program)
    found = {finding.subject for finding in sample.findings if finding.code == "PC751"}
    assert found == {"city_cultist", "number_without_a_word", "several_cities"}

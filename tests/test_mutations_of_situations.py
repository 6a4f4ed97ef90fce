"""Wrong transcriptions of the situations are noticed: each changes one place of the rules, and a claim that holds of the right ones breaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from books import compiled_text
from plainchant.data import data_folder
from plainchant.meaning.kernel import Program
from plainchant.records import Frozen
from plainchant_proofs.independence import judge_claim
from plainchant_proofs.induction import by_induction
from plainchant_proofs.prover import Limits
from sandbox import verdicts

STRUCK = "nothing happens"
LESS = Limits(rlimit=2_000_000)
"""Enough to find what breaks, and little for the reasons, which nobody asks for here."""


class Mutant(Frozen):
    """One place: what stands there (the first of its sort), what stands there now, and a claim that breaks."""

    book: str
    name: str
    before: str
    after: str
    claim: str

    @property
    def text(self) -> str:
        text = (data_folder("rules") / "situations" / f"{self.book}.rules").read_text(encoding="utf-8")
        assert self.before in text, "the rules have changed: find the place again"
        return text.replace(self.before, self.after, 1)


MUTANTS = [
    Mutant(
        "seal", "leaves play without releasing", "move each token from sealed of what to the chaos bag", STRUCK, "sealed_on_cards_in_play"
    ),
    Mutant(
        "seal",
        "released without moving",
        "move 1 what from sealed of host to the chaos bag as far as possible",
        STRUCK,
        "the_printings_agree",
    ),
    Mutant(
        "bless_and_curse",
        "sealed ones not counted",
        " - count(bless, chaos_bag) - count(bless, sealed)",
        " - count(bless, chaos_bag)",
        "ten_bless",
    ),
    Mutant("bless_and_curse", "all are added", "otherwise: move (room) what", "otherwise: move (wanted) what", "ten_bless"),
    Mutant("flood", "the token stays", "set token_on of here to no", STRUCK, "no_token_means_unflooded"),
    Mutant(
        "flood",
        "the fallback always",
        "if not a_level_was_raised: set the_fallback_was_used to yes",
        "set the_fallback_was_used to yes",
        "either_raised_or_else",
    ),
    Mutant(
        "failed_tests",
        "an attack after any evasion",
        "if doing is evading and not passed and",
        "if doing is evading and",
        "an_attack_follows_a_failed_evasion_only",
    ),
    Mutant(
        "failed_tests",
        "haunted after any failed test",
        "if doing is investigating and not passed",
        "if not passed",
        "haunted_follows_a_failed_investigation_or_a_card",
    ),
    Mutant(
        "vengeance",
        "the tally of victory points",
        "set tally to vengeance_in_display",
        "set tally to victory_in_display",
        "the_tally_counts_every_card",
    ),
    Mutant(
        "vengeance",
        "vengeance is paid out",
        "set experience to victory_in_display",
        "set experience to vengeance_in_display",
        "vengeance_alone_earns_nothing",
    ),
    Mutant(
        "explore", "nothing is shuffled back", "move each card from beside_the_deck to exploration_deck", STRUCK, "nothing_is_left_beside"
    ),
    Mutant(
        "explore", "a treachery in play", "from exploration_deck to threat_area", "from exploration_deck to in_play", "no_treachery_in_play"
    ),
    Mutant("keys", "keys leave with the enemy", "do lay_down(that key, enemy_at)", STRUCK, "no_key_leaves_play_with_an_enemy"),
    Mutant(
        "keys", "keys stay facedown", "if campaign is innsmouth: set faceup of what to yes", STRUCK, "held_keys_are_faceup_in_innsmouth"
    ),
    Mutant("keys", "the eliminated keep keys", "do lay_down(that key, at_place of who)", STRUCK, "keys_of_the_eliminated_stay"),
    Mutant("replaced_locations", "the tower keeps its height", "decrease height by 1", STRUCK, "the_tower_has_no_gap"),
    Mutant("replaced_locations", "both lie there", "set level of out to 0", STRUCK, "the_tower_has_no_gap"),
    Mutant(
        "the_depths",
        "a defeated one is discarded",
        "set amalgam to in_the_depths",
        "set amalgam to in_the_discards",
        "never_in_a_discard_pile",
    ),
    Mutant("facedown_keys", "a key is taken twice", "decrease facedown_on_the_location by 1", STRUCK, "each_facedown_key_lies_somewhere"),
    Mutant("random_locations", "drawn ones stay out", "move each place from drawn to unused_versions", STRUCK, "all_eight_every_time"),
]
SLOW = [
    Mutant("bless_and_curse", "a cost paid beyond the limit", "only if wanted <= room", "only if wanted >= 0", "ten_curse"),
    Mutant("bless_and_curse", "bless counts 1", "increase bonus by 2", "increase bonus by 1", "each_bless_counts_two"),
    Mutant("bless_and_curse", "the rest stays", "move each token from revealed to the chaos bag", STRUCK, "nothing_lies_revealed"),
    Mutant(
        "seal",
        "enters without paying",
        "as a cost, move 1 chosen from the chaos bag to sealed of what",
        "only if yes",
        "the_printings_agree",
    ),
    Mutant("incursions", "no location is barred", "set had_an_incursion of at to yes", STRUCK, "the_order_matters_little"),
]


def _breaks(program: Program, name: str) -> bool:
    """Whether a round that begins where the other claims hold breaks this one; or, for independence, two plays do."""
    inductive = by_induction(program, program.claims, (), LESS)
    for claim in program.independences:
        if claim.name == name:
            return judge_claim(program, claim, inductive, LESS).verdict == "fails"
    return name in inductive.broken


def _noticed(folder: Path, mutant: Mutant) -> None:
    assert verdicts(mutant.book)[mutant.claim] == "holds"
    assert _breaks(compiled_text(folder, mutant.text, f"{mutant.book}.rules"), mutant.claim)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.book}: {mutant.name}")
def test_a_wrong_transcription_breaks_a_claim(tmp_path: Path, mutant: Mutant) -> None:
    _noticed(tmp_path, mutant)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", SLOW, ids=lambda mutant: f"{mutant.book}: {mutant.name}")
def test_a_wrong_transcription_of_larger_rules_breaks_a_claim(tmp_path: Path, mutant: Mutant) -> None:
    _noticed(tmp_path, mutant)

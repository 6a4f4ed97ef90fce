"""Edge cases of haunted, alert, vengeance and keys, each by its id, played in the situations."""

from __future__ import annotations

import pytest

from books import Table
from proven import found as found_in_tcu
from sandbox import Sandbox, verdicts

# ---------------------------------------------------------------- haunted and alert

INVESTIGATE, EVADE = "an investigator investigates a location", "an investigator tries to evade an enemy"
OTHER_TEST, ORDERED = "an investigator takes another test", "a card orders the haunted abilities of a location resolved"
CHANGE, IS_HAUNTED, MOVE = (
    "a location gains or loses a haunted ability",
    "a card asks whether a location is haunted",
    "an investigator moves",
)
PASSED, FAILED, MOVED_AWAY = "it is passed", "it is failed", "it is failed, and the results move the investigator away"
ADA, BEN, CRYPT, ATTIC, WITCH, HOUND = (
    "an investigator",
    "another investigator",
    "a location",
    "another location",
    "an enemy",
    "another enemy",
)
RESOLVED = ("abilities_resolved.ada", "abilities_resolved.ben")
ATTACKED = ("attacked.ada", "attacked.ben")


@pytest.mark.parametrize(
    ("test", "resolved"),
    [
        ((INVESTIGATE, ADA, CRYPT, FAILED), 2),
        ((INVESTIGATE, ADA, CRYPT, PASSED), 0),
        ((INVESTIGATE, ADA, ATTIC, FAILED), 0),
        ((EVADE, ADA, WITCH, FAILED), 0),
        ((OTHER_TEST, ADA, FAILED), 0),
    ],
)
def test_ha_01_the_keyword_reacts_to_a_failed_investigation_alone(test: tuple[str, ...], resolved: int) -> None:
    assert Sandbox("failed_tests").do(*test).is_(*RESOLVED) == [resolved, 0]
    assert verdicts("failed_tests")["haunted_follows_a_failed_investigation_or_a_card"] == "holds"


def test_ha_03_a_card_may_order_them_outside_of_any_investigation() -> None:
    assert Sandbox("failed_tests").do(ORDERED, BEN, CRYPT).is_(*RESOLVED) == [0, 2]


def test_ha_05_haunted_is_judged_when_it_is_asked() -> None:
    table = Sandbox("failed_tests").do(IS_HAUNTED, ATTIC)
    assert table.state("the_answer_was_yes") == 0
    assert table.do(CHANGE, ATTIC, IS_HAUNTED, ATTIC).state("the_answer_was_yes") == 1
    assert table.do(CHANGE, ATTIC, IS_HAUNTED, ATTIC).state("the_answer_was_yes") == 0
    assert table.do(INVESTIGATE, ADA, ATTIC, FAILED).is_(*RESOLVED) == [0, 0]


def test_ha_06_after_all_results_wherever_the_investigator_is() -> None:
    table = Sandbox("failed_tests").do(INVESTIGATE, ADA, CRYPT, MOVED_AWAY)
    assert table.says("at_place.ada") == ATTIC
    assert (table.is_(*RESOLVED), table.says("from_place")) == ([2, 0], CRYPT)
    other = Sandbox("failed_tests").do(MOVE, ADA, ATTIC, INVESTIGATE, ADA, CRYPT, FAILED)
    assert (other.is_(*RESOLVED), other.says("from_place")) == ([2, 0], CRYPT)


@pytest.mark.parametrize(
    ("test", "attacked"),
    [
        ((EVADE, ADA, WITCH, PASSED), [0, 0]),
        ((EVADE, ADA, WITCH, FAILED), [1, 0]),
        ((EVADE, ADA, WITCH, MOVED_AWAY), [1, 0]),
        ((EVADE, ADA, HOUND, FAILED), [0, 0]),
        ((INVESTIGATE, ADA, CRYPT, FAILED), [0, 0]),
        ((OTHER_TEST, ADA, FAILED), [0, 0]),
    ],
)
def test_al_01_an_alert_attack_follows_a_failed_evasion_alone(test: tuple[str, ...], attacked: list[int]) -> None:
    table = Sandbox("failed_tests").do(*test)
    assert table.is_(*ATTACKED) == attacked
    assert table.is_("exhausted.witch", "exhausted.hound") == [0, 0]
    assert verdicts("failed_tests")["an_attack_follows_a_failed_evasion_only"] == "holds"


def test_al_03_the_attack_is_against_the_one_who_tried() -> None:
    table = Sandbox("failed_tests")
    assert table.is_("engaged.witch.ada", "engaged.witch.ben") == [1, 0]
    table.do(EVADE, BEN, WITCH, FAILED)
    assert (table.is_(*ATTACKED), table.says("by_enemy")) == ([0, 1], WITCH)


# ---------------------------------------------------------------- vengeance

ENTERS, DEFEATED, DISCARDED = "a card enters play", "an enemy is defeated", "a card is discarded by an effect"
RESOLVES, REVEALED = "a treachery completes its resolution", "a location is revealed"
CLUE_TAKEN, CLUE_PLACED = "a clue is taken", "a clue is placed"
ENDS, RECORDED = "the scenario ends", "the resolution, or the one that follows it, has the tally recorded"
SERPENT, CHAMPION, BEAST = "an enemy with Vengeance 1", "an enemy with Vengeance 1 and Victory 1", "an enemy with Victory 1"
RUIN, SNARE = "a location with Vengeance 2", "a treachery with Vengeance 1"
CLEARED = (ENTERS, RUIN, REVEALED, CLUE_TAKEN, CLUE_TAKEN)


def test_ve_01_locations_are_collected_before_the_tally() -> None:
    table = Sandbox("vengeance").do(*CLEARED, ENTERS, SERPENT, DEFEATED, SERPENT, ENTERS, SNARE, RESOLVES)
    assert (table.says("zone.ruin"), table.state("tally")) == ("in play", 0)
    table.do(ENDS)
    assert (table.says("zone.ruin"), table.state("tally")) == ("in the victory display", 0)
    assert table.do(RECORDED).state("tally") == 4, "2 of the location, 1 of the enemy, 1 of the treachery"
    assert verdicts("vengeance")["the_tally_counts_every_card"] == "holds"


@pytest.mark.parametrize(
    ("before", "collected"),
    [(CLEARED, True), ((*CLEARED, CLUE_PLACED), False), ((ENTERS, RUIN, CLUE_TAKEN, CLUE_TAKEN), False), ((CLUE_TAKEN, CLUE_TAKEN), False)],
    ids=["cleared", "a clue came back", "unrevealed", "not in play"],
)
def test_ve_03_a_location_must_be_clear_at_the_end(before: tuple[str, ...], collected: bool) -> None:
    table = Sandbox("vengeance").do(*before, ENDS)
    assert (table.says("zone.ruin") == "in the victory display") == collected


@pytest.mark.parametrize(("enemy", "tally", "experience"), [(SERPENT, 1, 0), (BEAST, 0, 1), (CHAMPION, 1, 1)])
def test_ve_05_vengeance_alone_earns_nothing_and_both_count_for_both(enemy: str, tally: int, experience: int) -> None:
    table = Sandbox("vengeance").do(ENTERS, enemy, DEFEATED, enemy, ENDS, RECORDED)
    assert table.is_("tally", "experience") == [tally, experience]


@pytest.mark.parametrize("enemy", [SERPENT, CHAMPION, BEAST])
def test_ve_06_only_defeat_brings_an_enemy_to_the_display(enemy: str) -> None:
    table = Sandbox("vengeance").do(ENTERS, enemy, DISCARDED, enemy, ENDS, RECORDED)
    assert table.is_("tally", "experience") == [0, 0]


def test_ve_08_the_tally_is_recorded_once() -> None:
    table = Sandbox("vengeance").do(ENTERS, CHAMPION, DEFEATED, CHAMPION, ENDS, RECORDED, RECORDED, RECORDED)
    assert table.is_("tally", "experience") == [1, 1]


# ---------------------------------------------------------------- keys

TCU, TIC = "The Circle Undone", "The Innsmouth Conspiracy"
PLACED, ON_ENEMY = "a key is placed on a location", "a key is placed on the enemy"
TAKES, CAUSED, OTHERWISE = (
    "an investigator takes the keys of the location",
    "an investigator causes the enemy to leave play",
    "the enemy leaves play through some other means",
)
GIVES = "an investigator gives a key to the other"
RED, BLUE = "a key", "another key"
BOTH_ON_ENEMY = (ON_ENEMY, RED, ON_ENEMY, BLUE)
BOOKS = pytest.mark.parametrize("campaign", [TCU, TIC])


@BOOKS
def test_key_01_keys_of_an_enemy_go_to_whoever_made_it_leave(campaign: str) -> None:
    table = Sandbox("keys").do(campaign, *BOTH_ON_ENEMY, CAUSED, BEN)
    assert [table.says("where.red"), table.says("where.blue")] == ["with another investigator"] * 2
    assert verdicts("keys")["no_key_leaves_play_with_an_enemy"] == "holds"


@BOOKS
def test_key_01_otherwise_they_drop_on_its_location(campaign: str) -> None:
    table = Sandbox("keys").do(campaign, *BOTH_ON_ENEMY, "the enemy moves", ATTIC, OTHERWISE)
    assert [table.says("where.red"), table.says("where.blue")] == ["on another location"] * 2


@pytest.mark.parametrize(("campaign", "parley", "action"), [(TCU, 1, 1), (TIC, 0, 0)])
def test_key_03_the_campaign_says_what_it_is_and_costs(campaign: str, parley: int, action: int) -> None:
    table = Sandbox("keys").do(campaign, PLACED, RED, CRYPT, TAKES, ADA)
    assert table.says("where.red") == "on a location", "it has clues"
    table.do("a clue is taken", CRYPT, TAKES, ADA)
    assert (table.says("where.red"), table.state("it_was_a_parley")) == ("with an investigator", parley)
    table.do(GIVES, RED, "the one to the other")
    assert (table.says("where.red"), table.state("it_cost_an_action")) == ("with another investigator", action)


ASKED = "Scenario V:*Which tokens become keys"
AS_PRINTED = "each of the four is taken from the chaos bag, so it must hold them"
WHAT_THERE_IS = "those of the four that the chaos bag holds"
SUPPLIED = "all four, and one that the chaos bag does not hold is taken from the supply"


def test_key_05_a_missing_symbol_stops_play_as_printed() -> None:
    """The guide of The Circle Undone takes four tokens from the bag, and does not say what to do without one."""
    assert Table().play({ASKED: AS_PRINTED}).stopped == ("impossible", [389])
    assert found_in_tcu("PC751", "missing_key")


@pytest.mark.parametrize(("reading", "without_cultist"), [(WHAT_THERE_IS, True), (SUPPLIED, False)])
def test_key_05_what_to_do_instead_is_a_reading(reading: str, without_cultist: bool) -> None:
    table = Table().play({ASKED: reading}, until="Scenario V:*” end")
    assert ("cultist" not in table.session.bag("keys")) == without_cultist


def test_key_05_what_becomes_of_them_afterwards_is_a_reading() -> None:
    """It changes the bag of later scenarios and, as is proven, nothing that a campaign can come to."""
    skulls = []
    for reading in ("no, they stay out of it", "yes, they return to it"):
        table = Table().play({"tokens set aside as keys return": reading}, until="Scenario VII:*” end")
        skulls.append(table.bag["skull"])
    assert skulls[0] + 1 == skulls[1]
    assert found_in_tcu("PC752", "keys_afterwards")


COMES, PUT_ON, HURT, DEFEAT, TO_THE_DEPTHS = (
    "the enemy comes into play",
    "a key is placed on the enemy",
    "the enemy takes damage",
    "an investigator defeats the enemy",
    "a card moves the enemy to the depths",
)


def test_key_06_a_defeated_one_gives_its_keys_and_goes_to_the_depths() -> None:
    table = Sandbox("the_depths").do(COMES, PUT_ON, RED, HURT, DEFEAT, BEN)
    assert (table.says("amalgam"), table.says("where.red"), table.state("damage")) == ("in the depths", "with another investigator", 0)
    assert table.says("where.blue") == "set aside"
    assert COMES in table.words, "later effects find it where it is"
    assert verdicts("the_depths")["never_in_a_discard_pile"] == "holds"


def test_key_06_one_that_was_not_defeated_keeps_its_keys() -> None:
    table = Sandbox("the_depths").do(COMES, PUT_ON, RED, HURT, TO_THE_DEPTHS)
    assert (table.says("amalgam"), table.says("where.red"), table.state("damage")) == ("in the depths", "on the enemy", 0)


PLACE_ONE, TAKE_ONE = "a facedown key is placed on the location", "an investigator takes a facedown key of the location"


def test_key_08_the_colour_is_known_when_the_key_is_taken_and_not_before() -> None:
    table = Sandbox("facedown_keys").do(PLACE_ONE)
    assert table.holds("hidden_keys") == {"red": 1, "yellow": 1, "purple": 1}, "nothing tells which of them lies there"
    table.do(TAKE_ONE)
    assert table.weights == {"the red key": 1, "the yellow key": 1, "the purple key": 1}
    table.do("the yellow key")
    assert table.holds("faceup_with_ada") == {"yellow": 1}
    assert table.do(PLACE_ONE, TAKE_ONE).weights == {"the red key": 1, "the purple key": 1}

"""Edge cases of flood levels, exploring, and replaced locations, each by its id, played in the situations."""

from __future__ import annotations

import pytest

from sandbox import Sandbox, depends, found, verdicts

# ---------------------------------------------------------------- flood levels

RAISE, RAISE_OR_ELSE = (
    "the flood level of a location is increased",
    "a card increases the flood level of a location, or else does something else",
)
LOWER, FILL = "the flood level of a location is decreased", "a location becomes fully flooded"
IS_IT, STAND = "a card asks whether a location is flooded", "an investigator is at a location, and no card says anything of its flood level"
HERE, THERE = "a location", "another location"


@pytest.mark.parametrize(
    ("before", "raised", "fallback"), [([], 1, 0), ([RAISE, HERE], 1, 0), ([FILL, HERE], 0, 1)], ids=["unflooded", "partially", "fully"]
)
def test_fl_01_the_fallback_is_for_levels_that_were_not_raised(before: list[str], raised: int, fallback: int) -> None:
    table = Sandbox("flood").do(*before, RAISE_OR_ELSE, HERE)
    assert table.is_("a_level_was_raised", "the_fallback_was_used") == [raised, fallback]
    assert verdicts("flood")["either_raised_or_else"] == "holds"


@pytest.mark.parametrize(
    ("before", "flooded"),
    [([], 0), ([RAISE, HERE], 1), ([FILL, HERE], 1), ([FILL, HERE, LOWER, HERE, LOWER, HERE], 0)],
    ids=["unflooded", "partially", "fully", "unflooded again"],
)
def test_fl_03_partly_and_fully_flooded_are_both_flooded(before: list[str], flooded: int) -> None:
    table = Sandbox("flood").do(*before, IS_IT, HERE)
    assert table.is_("the_answer_was_yes", "token_on.wharf") == [flooded, flooded]


def test_fl_05_a_flood_level_does_nothing_by_itself() -> None:
    table = Sandbox("flood").do(FILL, HERE, IS_IT, THERE)
    before = table.session.state()
    table.do(STAND, HERE)
    assert table.session.state() == before


# ---------------------------------------------------------------- exploring

EXPLORE, FORBID = "an investigator explores", "something forbids the investigator to move, or no longer"
TRAIL, TEMPLE, PIT = "a connecting location", "another connecting location", "a location of another kind"
SNARE, FEVER = "a treachery that is discarded", "a treachery that stays in a threat area"


def test_ex_01_drawing_goes_on_until_a_fitting_location_or_a_treachery() -> None:
    table = Sandbox("explore").do(EXPLORE, PIT)
    assert table.chooser == "chance", "the wrong location does not end it"
    assert table.holds("beside_the_deck") == {"pit": 1}
    assert set(table.words) == {TRAIL, TEMPLE, SNARE, FEVER}
    table.do(SNARE)
    assert (table.state("revealed_cards"), table.state("was_successful")) == (2, 0)
    assert table.holds("exploration_deck") == {"trail": 1, "temple": 1, "pit": 1, "fever": 1}
    assert verdicts("explore")["nothing_is_left_beside"] == "holds"


def test_ex_03_one_action_pays_for_all_that_is_drawn() -> None:
    table = Sandbox("explore").do(EXPLORE, PIT, TRAIL)
    assert table.is_("actions_spent", "revealed_cards") == [1, 2]
    assert verdicts("explore")["one_action_pays"] == "holds"


@pytest.mark.parametrize(
    ("location", "name", "spot"), [(TRAIL, "trail", "at the connecting location"), (TEMPLE, "temple", "at the other connecting location")]
)
def test_ex_05_what_is_found_comes_into_play_with_clues_and_the_explorer_moves_there(location: str, name: str, spot: str) -> None:
    table = Sandbox("explore").do(EXPLORE, location)
    assert (table.holds("in_play"), table.state(f"clues.{name}"), table.says("explorer")) == ({name: 1}, 2, spot)
    assert verdicts("explore")["clues_come_with_the_card"] == "holds"


def test_ex_06_finding_a_second_location_covers_none() -> None:
    table = Sandbox("explore").do(EXPLORE, TRAIL, EXPLORE, TEMPLE)
    assert table.holds("in_play") == {"trail": 1, "temple": 1}
    assert table.is_("clues.trail", "clues.temple") == [2, 2]


def test_ex_08_no_treachery_goes_back_to_the_exploration_deck() -> None:
    table = Sandbox("explore").do(EXPLORE, SNARE, EXPLORE, FEVER)
    assert (table.holds("encounter_discards"), table.holds("threat_area")) == ({"snare": 1}, {"fever": 1})
    assert table.do(EXPLORE).words == [TRAIL, TEMPLE, PIT]


def test_ex_10_whether_it_was_successful_without_moving_is_a_reading() -> None:
    asked = Sandbox("explore").do(FORBID, EXPLORE, TRAIL)
    assert asked.chooser == "reading"
    successful = []
    for reading in (1, 2):
        table = Sandbox("explore", without_moving=reading).do(FORBID, EXPLORE, TRAIL)
        assert (table.holds("in_play"), table.says("explorer")) == ({"trail": 1}, "where the exploration began")
        successful.append(table.state("was_successful"))
    assert successful == [1, 0]
    assert depends("explore", "without_moving")


def test_the_exploration_deck_runs_out_in_a_hole() -> None:
    emptied = Sandbox("explore").do(EXPLORE, TRAIL, EXPLORE, TEMPLE, EXPLORE, SNARE, EXPLORE, FEVER, EXPLORE, PIT)
    assert emptied.stopped == ("hole", [31])
    assert found("explore", "PC711", "exploring.a_card_is_drawn")[0].acknowledged


def test_the_worked_example_of_exploring() -> None:
    """The trail of the example is of another kind, its treachery is discarded, and then a connecting location is found (line 36)."""
    table = Sandbox("explore").do(EXPLORE, PIT, SNARE)
    assert (table.state("was_successful"), table.holds("encounter_discards"), table.holds("beside_the_deck")) == (0, {"snare": 1}, {})
    assert "pit" in table.holds("exploration_deck")
    table.do(EXPLORE, TRAIL)
    assert (table.state("was_successful"), table.state("clues.trail"), table.says("explorer")) == (1, 2, "at the connecting location")


# ---------------------------------------------------------------- replaced, swapped and turned locations

ON_TOP, LEAVES = "a location is placed on top of the one in play", "the location in play leaves play"
SWAP, TURN, REVEAL = "the location is swapped with one that is set aside", "the location is turned over", "the location is revealed"
STREET, RUINS, VOID = "a location card", "a second location card", "a third location card"
LEVELS = ("level.street", "level.ruins", "level.void", "height")
WHAT_IS_THERE = ("clues_here", "attachment_here", "enemy_here", "investigator", "somebody_moved", "something_was_revealed")


def test_sw_01_the_very_card_underneath_takes_the_place_again() -> None:
    table = Sandbox("replaced_locations").do(ON_TOP, VOID, LEAVES, VOID)
    assert table.is_(*LEVELS) == [1, 0, 0, 1]
    table.do(SWAP, STREET, RUINS, ON_TOP, VOID, LEAVES, VOID)
    assert table.is_(*LEVELS) == [0, 1, 0, 1]
    assert verdicts("replaced_locations")["one_is_on_top"] == "holds"


@pytest.mark.parametrize(
    "change",
    [(SWAP, STREET, RUINS), (SWAP, STREET, VOID), (ON_TOP, RUINS), (ON_TOP, RUINS, LEAVES, RUINS)],
    ids=["swap", "other", "on top", "back"],
)
def test_sw_03_all_that_is_there_stays_and_nobody_moves(change: tuple[str, ...]) -> None:
    table = Sandbox("replaced_locations")
    before = table.is_(*WHAT_IS_THERE)
    table.do(*change)
    assert table.is_(*WHAT_IS_THERE) == before
    assert ON_TOP in table.words, "nothing more is asked"


def test_sw_03_one_swap_brings_one_card() -> None:
    assert Sandbox("replaced_locations").do(SWAP, STREET, RUINS).is_(*LEVELS) == [0, 1, 0, 1]


def test_sw_05_turning_over_reveals_nothing() -> None:
    table = Sandbox("replaced_locations").do(TURN, STREET)
    assert table.is_("spectral_side.street", "something_was_revealed", "clues_here") == [1, 0, 1]
    assert table.do(REVEAL).is_("something_was_revealed", "clues_here") == [1, 2], "revealing does"


def test_sw_06_every_card_begins_with_its_other_side() -> None:
    assert Sandbox("replaced_locations").is_("spectral_side.street", "spectral_side.ruins", "spectral_side.void") == [0, 0, 0]


def test_sw_06_a_location_that_comes_later_shows_its_other_side_too() -> None:
    table = Sandbox("replaced_locations").do(TURN, STREET, SWAP, STREET, RUINS)
    assert table.state("spectral_side.ruins") == 0


def test_sw_08_the_order_of_a_stack_holds() -> None:
    table = Sandbox("replaced_locations").do(ON_TOP, RUINS, ON_TOP, VOID)
    assert table.is_(*LEVELS) == [1, 2, 3, 3]
    table.do(LEAVES, VOID)
    assert table.is_(*LEVELS) == [1, 2, 0, 2]
    table.do(LEAVES, RUINS)
    assert table.is_(*LEVELS) == [1, 0, 0, 1]

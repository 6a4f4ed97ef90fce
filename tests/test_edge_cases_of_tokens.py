"""Edge cases of sealing, and of bless and curse tokens, each by its id, played in the situations and looked up in what is proven."""

from __future__ import annotations

import pytest

from sandbox import Sandbox, depends, found, verdicts

INNSMOUTH, FORGOTTEN_AGE = 1, 2
NOT_IN_THE_BAG, IN_THE_BAG = 1, 2
PRINTINGS = pytest.mark.parametrize("printing", [INNSMOUTH, FORGOTTEN_AGE], ids=["tic", "tfa"])
WARD, GRIMOIRE, OMEN = "a ward that seals a skull", "a grimoire that seals any one token", "an encounter card that seals a skull"
ENTERS, LEAVES, SEALS = "a card would enter play", "a card leaves play", "a card in play seals a token"
REVEAL, TAKE_OFF, TEST_ENDS = "a token is revealed from the bag", "a token is taken off a card instead of revealing one", "the test ends"
ALL_FOUR = {"elder_sign": 1, "minus_1": 1, "cultist": 1, "skull": 1}


def sealing(printing: int = INNSMOUTH, lies_revealed: int = NOT_IN_THE_BAG) -> Sandbox:
    return Sandbox("seal", printing=printing, lies_revealed=lies_revealed)


def everywhere(table: Sandbox) -> dict[str, int]:
    """How many of each token there are in all bags."""
    total: dict[str, int] = {}
    for place in ("chaos_bag", "revealed", "sealed.ward", "sealed.grimoire", "sealed.omen"):
        for token, number in table.holds(place).items():
            total[token] = total.get(token, 0) + number
    return total


# ---------------------------------------------------------------- sealing


@PRINTINGS
def test_seal_01_the_controller_chooses_whenever_the_card_enters(printing: int) -> None:
    table = sealing(printing).do(ENTERS, GRIMOIRE)
    assert table.decider == "the controller"
    assert table.words == ["elder sign", "–1", "cultist", "skull"]
    table.do("cultist")
    assert (table.state("in_play.grimoire"), table.holds("sealed.grimoire")) == (1, {"cultist": 1})
    assert "cultist" not in table.holds("chaos_bag")


@PRINTINGS
def test_seal_01_without_an_eligible_token_the_card_stays_out(printing: int) -> None:
    table = sealing(printing).do(REVEAL, "skull", ENTERS, WARD)
    assert table.words[0] == ENTERS, "nobody was asked for a token"
    assert (table.state("in_play.ward"), table.holds("sealed.ward")) == (0, {})


def test_seal_03_two_sealing_effects_lose_nothing() -> None:
    table = sealing().do(ENTERS, GRIMOIRE, "cultist", ENTERS, WARD, "skull", SEALS, WARD, "cultist")
    assert table.state("the_effect_failed") == 1, "the cultist is on the grimoire, not in the bag"
    table.do(SEALS, WARD, "–1")
    assert table.holds("sealed.ward") == {"minus_1": 1, "skull": 1}
    assert everywhere(table) == ALL_FOUR
    table.do(LEAVES, WARD)
    assert table.holds("sealed.ward") == {}
    assert everywhere(table) == ALL_FOUR
    assert verdicts("seal")["every_token_is_kept_at_what_happens"] == "holds"


def test_seal_05_a_token_taken_off_is_not_taken_off_again_in_a_nested_test() -> None:
    table = sealing().do(ENTERS, WARD, "skull", TAKE_OFF, WARD, "skull")
    assert (table.holds("sealed.ward"), table.holds("revealed")) == ({}, {"skull": 1})
    assert TAKE_OFF not in table.words, "the first test has not ended, and the card has nothing left"
    assert table.do(REVEAL).weights == {"elder sign": 1, "–1": 1, "cultist": 1}
    table.do("–1", TEST_ENDS)
    assert table.holds("chaos_bag") == ALL_FOUR


@PRINTINGS
def test_seal_06_sealed_tokens_are_never_revealed_and_do_not_enter_the_odds(printing: int) -> None:
    table = sealing(printing).do(ENTERS, WARD, "skull", ENTERS, GRIMOIRE, "elder sign", REVEAL)
    assert table.weights == {"–1": 1, "cultist": 1}
    table.do("–1", REVEAL)
    assert table.weights == {"cultist": 1}
    table.do("cultist")
    assert REVEAL not in table.words, "the bag is empty, whatever is sealed"


@PRINTINGS
def test_seal_08_the_second_demand_for_the_only_copy_cannot_be_paid(printing: int) -> None:
    table = sealing(printing).do(ENTERS, WARD, "skull", ENTERS, OMEN)
    assert table.is_("in_play.ward", "in_play.omen") == [1, 0]
    assert (table.holds("sealed.ward"), table.holds("sealed.omen")) == ({"skull": 1}, {})
    assert verdicts("seal")["one_skull"] == "holds"


def test_seal_10_the_named_kind_alone_is_sealed() -> None:
    table = sealing(lies_revealed=IN_THE_BAG).do(ENTERS, WARD, "skull", REVEAL, "cultist", REVEAL, "–1", SEALS, WARD, "cultist")
    assert table.holds("sealed.ward") == {"cultist": 1, "skull": 1}
    assert table.holds("revealed") == {"minus_1": 1}
    table.do(TEST_ENDS)
    assert table.holds("chaos_bag") == {"elder_sign": 1, "minus_1": 1}


def test_seal_11_whether_a_revealed_token_can_be_sealed_is_a_reading() -> None:
    ways = (ENTERS, WARD, "skull", REVEAL, "cultist", SEALS, WARD, "cultist")
    asked = Sandbox("seal", printing=INNSMOUTH).do(*ways)
    assert asked.chooser == "reading"
    no = sealing(lies_revealed=NOT_IN_THE_BAG).do(*ways)
    assert (no.state("the_effect_failed"), no.holds("revealed")) == (1, {"cultist": 1})
    yes = sealing(lies_revealed=IN_THE_BAG).do(*ways)
    assert (yes.state("the_effect_failed"), yes.holds("sealed.ward")) == (0, {"cultist": 1, "skull": 1})
    assert depends("seal", "lies_revealed")


def test_the_two_printings_of_seal_say_the_same() -> None:
    """The books word it a little differently; proven for any play, they come to the same."""
    assert verdicts("seal")["the_printings_agree"] == "holds"
    assert not depends("seal", "printing")
    assert found("seal", "PC752", "printing")


# ---------------------------------------------------------------- blessings and curses

ADD_BLESS, ADD_CURSE, COST = (
    "a card effect adds 4 bless tokens",
    "a card effect adds 4 curse tokens",
    "a card asks for 3 curse tokens as its cost",
)
SEAL_BLESS, SEAL_OTHERS = "a card seals a bless token", "a card seals every token that is neither bless nor curse"
TEST, RETURN, OUTSIDE = "a skill test", "the tokens are returned", "an ability reveals a token outside of a skill test"
DO_NOT_COUNT, COUNT = 1, 2
EITHER_WAY = pytest.mark.parametrize("counted", [DO_NOT_COUNT, COUNT], ids=["revealed ones do not count", "revealed ones count"])


def blessings(revealed_ones_count: int = DO_NOT_COUNT, **readings: int) -> Sandbox:
    return Sandbox("bless_and_curse", revealed_ones_count=revealed_ones_count, **readings)


@EITHER_WAY
def test_bc_01_sealed_tokens_count_toward_the_ten(counted: int) -> None:
    table = blessings(counted).do(ADD_BLESS, ADD_BLESS, SEAL_BLESS, SEAL_BLESS, SEAL_BLESS, ADD_BLESS)
    assert (table.state("bag.chaos_bag.bless"), table.state("bag.sealed.bless")) == (7, 3)
    table.do(ADD_BLESS)
    assert (table.state("bag.chaos_bag.bless"), table.state("bag.sealed.bless")) == (7, 3)
    assert verdicts("bless_and_curse")["ten_bless"] == verdicts("bless_and_curse")["ten_curse"] == "holds"


def test_bc_03_whether_a_revealed_token_counts_is_a_reading() -> None:
    ways = (ADD_BLESS, ADD_BLESS, TEST, "bless", "bless", "–1", ADD_BLESS)
    no, yes = blessings(DO_NOT_COUNT).do(*ways), blessings(COUNT).do(*ways)
    assert (no.state("bag.chaos_bag.bless"), yes.state("bag.chaos_bag.bless")) == (10, 8)
    assert Sandbox("bless_and_curse").do(ADD_BLESS).chooser == "reading"
    assert depends("bless_and_curse", "revealed_ones_count")


@EITHER_WAY
def test_bc_05_a_cost_is_not_paid_in_part(counted: int) -> None:
    table = blessings(counted).do(ADD_CURSE, ADD_CURSE, COST)
    assert table.is_("the_cost_was_paid", "bag.chaos_bag.curse") == [0, 8]
    assert blessings(counted).do(ADD_CURSE, COST).is_("the_cost_was_paid", "bag.chaos_bag.curse") == [1, 7]


@EITHER_WAY
def test_bc_06_an_effect_adds_what_is_left(counted: int) -> None:
    table = blessings(counted).do(ADD_BLESS, ADD_BLESS, ADD_BLESS)
    assert table.state("bag.chaos_bag.bless") == 10
    assert table.chooser == "players", "nothing stopped"


@pytest.mark.parametrize(("add", "token"), [(ADD_BLESS, "bless"), (ADD_CURSE, "curse")])
def test_bc_08_outside_of_a_test_they_go_back_to_the_bag(add: str, token: str) -> None:
    table = blessings().do(add)
    before = table.holds("chaos_bag")
    table.do(OUTSIDE, token)
    assert (table.holds("chaos_bag"), table.holds("revealed")) == (before, {})
    assert table.is_("bonus", "penalty", "number_revealed") == [0, 0, 0]


def test_bc_10_a_chain_of_bless_bless_curse_and_minus_1() -> None:
    table = blessings().do(ADD_BLESS, ADD_CURSE, TEST)
    for token in ("bless", "bless", "curse"):
        assert table.chooser == "chance"
        table.do(token)
    table.do("–1")
    assert table.is_("bonus", "penalty", "number_revealed") == [4, 3, 4], "the sum is +1"
    table.do(RETURN)
    assert table.holds("token_pool") == {"bless": 10, "curse": 9}
    assert table.holds("chaos_bag") == {"minus_1": 1, "skull": 1, "bless": 2, "curse": 3}
    assert table.holds("revealed") == {}


def test_bc_10_what_counts_is_proven_for_a_chain_of_any_length() -> None:
    told = verdicts("bless_and_curse")
    assert {told[name] for name in ("each_bless_counts_two", "each_curse_counts_two", "all_revealed_ones_lie_there")} == {"holds"}


def test_bc_11_nothing_is_said_of_an_empty_bag() -> None:
    table = blessings().do(ADD_BLESS, SEAL_OTHERS, TEST, "bless", "bless", "bless", "bless")
    assert table.stopped[0] == "hole"
    assert table.stopped[1] == [43, 45]
    [hole] = found("bless_and_curse", "PC711", "blessings_and_curses.a_token_is_revealed")
    assert hole.acknowledged


def test_bc_13_what_becomes_of_them_between_scenarios_is_a_reading() -> None:
    ways = (ADD_BLESS, ADD_CURSE, "the scenario ends")
    assert blessings().do(*ways).chooser == "reading"
    assert blessings(after_the_scenario=1).do(*ways).holds("chaos_bag") == {"minus_1": 1, "skull": 1, "bless": 4, "curse": 4}
    assert blessings(after_the_scenario=2).do(*ways).holds("chaos_bag") == {"minus_1": 1, "skull": 1}
    assert depends("bless_and_curse", "after_the_scenario")

"""Edge cases of breaches and incursions, each by its id, and the printed examples, played in the situations."""

from __future__ import annotations

import pytest

from sandbox import Sandbox, depends, verdicts

R, M, S = "Rivertown", "Merchant District", "Southside"
NAMES = {R: "rivertown", M: "merchant_district", S: "southside"}
PLACED, CAUSED, PHASE_ENDS, NINE = "a breach is placed", "a card causes an incursion", "the phase ends", "a test removes 9 breaches"
AT_ITS_END, AT_ITS_BEGINNING = 1, 2


def on_map(rm: bool = False, rs: bool = False, ms: bool = False, reading: int = AT_ITS_END) -> Sandbox:
    """A table at which these pairs of locations are connected; each location has 2 breaches."""
    table = Sandbox("incursions", the_bar_begins=reading)
    for connected, choice in (
        (rm, f"{R} and the {M} are connected"),
        (rs, f"{R} and {S} are connected"),
        (ms, f"the {M} and {S} are connected"),
    ):
        table.do(choice if connected else "they are not")
    return table


def each(table: Sandbox, what: str) -> list[int]:
    return [table.state(f"{what}.{name}") for name in NAMES.values()]


def settle(table: Sandbox) -> Sandbox:
    """Take the first of every order that is asked for."""
    while table.session.question and "who is next?" in table.session.question.prompt:
        table.do(table.words[0])
    return table


READINGS = pytest.mark.parametrize("reading", [AT_ITS_END, AT_ITS_BEGINNING], ids=["at its end", "at its beginning"])


@READINGS
def test_br_01_a_fourth_breach_is_never_placed_whatever_places_it(reading: int) -> None:
    """BR-01: the breach of an incursion is replaced like any other."""
    table = on_map(rm=True, reading=reading).do(PLACED, M, PLACED, R)
    assert each(table, "breaches") == [3, 3, 2]
    settle(table.do(PLACED, R))
    assert each(table, "doom") == [1, 1, 0]
    assert max(each(table, "breaches")) <= 3
    assert verdicts("incursions")["at_most_three"] == "holds"


@pytest.mark.parametrize("there", [2, 3])
def test_br_03_no_more_breaches_are_moved_than_are_there(there: int) -> None:
    table = on_map()
    for _ in range(there - 2):
        table.do(PLACED, R)
    assert table.do(NINE, R).is_("breaches.rivertown", "doom.rivertown") == [0, 0]
    assert table.chooser == "players"


@READINGS
def test_br_05_only_breaches_of_other_incursions_are_barred(reading: int) -> None:
    table = on_map(rm=True, reading=reading)
    settle(table.do(CAUSED, R))
    assert each(table, "breaches") == [0, 3, 2]
    settle(table.do(PLACED, R))
    assert each(table, "breaches") == [1, 3, 2], "the agenda's breach is placed in the same phase"
    settle(table.do(PLACED, M))
    assert (each(table, "doom"), each(table, "breaches")) == ([1, 1, 0], [1, 0, 2]), "the incursion there places none on Rivertown"
    settle(table.do(PHASE_ENDS, CAUSED, M))
    assert each(table, "breaches") == [2, 0, 2], "in the next phase it does"


def test_br_06_whether_the_first_is_resolved_in_the_middle_of_its_last_step_is_a_reading() -> None:
    ends = []
    for reading in (AT_ITS_END, AT_ITS_BEGINNING):
        table = on_map(rm=True, reading=reading)
        table.do(PLACED, R, PLACED, M)
        settle(table.do(PLACED, R))
        ends.append(each(table, "breaches"))
        assert each(table, "doom") == [1, 1, 0]
    assert ends == [[1, 0, 2], [0, 0, 2]]
    assert depends("incursions", "the_bar_begins")


def test_br_06_the_order_matters_under_one_reading_alone() -> None:
    told = verdicts("incursions")
    assert (told["the_order_matters_little"], told["the_order_does_not_matter"]) == ("holds", "fails")


# ---------------------------------------------------------------- the agenda, and random locations

ONE_DOOM, TWO_DOOM, RANDOM_ONE = "the mythos phase places 1 doom", "one effect places 2 doom", "a card names a random location"
EIGHT = ["Rivertown", "Merchant District", "French Hill", "Uptown", "Southside", "South Church", "Hangman's Hill", "Silver Twilight Lodge"]


def breaches(table: Sandbox) -> dict[str, int]:
    """Where breaches are."""
    values = table.session.state()
    return {name.removeprefix("breaches."): n for name, n in values.items() if name.startswith("breaches.") and n}


@pytest.mark.parametrize(("reading", "instructions"), [(1, 1), (2, 2)], ids=["once", "for each"])
def test_br_08_how_often_two_doom_are_replaced_is_a_reading(reading: int, instructions: int) -> None:
    assert Sandbox("random_locations").do(TWO_DOOM, 2).chooser == "reading"
    table = Sandbox("random_locations", two_doom_together=reading).do(TWO_DOOM, 2)
    for _ in range(instructions):
        table.do("Southside", "Rivertown", "French Hill")
    assert table.chooser == "players"
    assert breaches(table) == dict.fromkeys(("southside", "rivertown", "french_hill"), instructions)
    assert table.state("doom_on_the_agenda") == 0
    assert depends("random_locations", "two_doom_together")


@pytest.mark.parametrize("investigators", [1, 2, 3, 4])
def test_br_10_several_at_once_are_all_different_and_all_eight_are_back_next_time(investigators: int) -> None:
    table = Sandbox("random_locations").do(ONE_DOOM, investigators)
    for drawn in range(investigators + 1):
        assert table.words == EIGHT[drawn:]
        table.do(EIGHT[drawn])
    assert table.chooser == "players"
    assert table.do(RANDOM_ONE).words == EIGHT
    table.do("Uptown", RANDOM_ONE)
    assert table.words == EIGHT, "one that was drawn is back for the next instruction"
    assert set(table.weights.values()) == {1}
    told = verdicts("random_locations")
    assert (told["all_eight_every_time"], told["drawn_once_in_an_instruction"]) == ("holds", "holds")


# ---------------------------------------------------------------- the printed examples


def test_the_example_of_placing_breaches() -> None:
    """Line 576: two investigators, so three different locations; Southside, Rivertown and French Hill get 1 breach each."""
    table = Sandbox("random_locations").do(ONE_DOOM, 2, "Southside", "Rivertown", "French Hill")
    assert breaches(table) == {"southside": 1, "rivertown": 1, "french_hill": 1}
    assert table.state("doom_on_the_agenda") == 0


@READINGS
def test_the_example_of_resolving_an_incursion(reading: int) -> None:
    """Line 584: Rivertown has 3 breaches; all are removed, 1 doom is placed, and 1 breach on each connected location."""
    table = on_map(rm=True, rs=True, reading=reading).do(PLACED, R)
    assert each(table, "breaches") == [3, 2, 2]
    settle(table.do(PLACED, R))
    assert (each(table, "breaches"), each(table, "doom")) == ([0, 3, 3], [1, 0, 0])


@READINGS
def test_this_may_cause_another_incursion_at_one_of_those(reading: int) -> None:
    """Line 584, its last sentence."""
    table = on_map(rm=True, rs=True, reading=reading).do(PLACED, R, PLACED, M)
    settle(table.do(PLACED, R))
    assert each(table, "doom") == [1, 1, 0]

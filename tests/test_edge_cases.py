"""Edge cases of The Circle Undone, each by its id: what the guide says where implementations go wrong, or that it does not say."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from books import Answer, Table, lines_of, machine
from plainchant.meaning.kernel import Set

STANDARD = {"+1": 1, "0": 2, "–1": 2, "–2": 2, "–3": 1, "–4": 1, "skull": 2, "auto-fail": 1, "elder sign": 1}

Ways = Mapping[str, Answer | list[Answer]]

# Answers that lead a campaign through a part in a certain way.
ESCAPED = {"Scenario II:*Which act": 3}
RESCUED_JOSEF = {**ESCAPED, "Where is Josef": "beneath the Entry Hall"}
JOSEF_ALIVE = {**ESCAPED, "Where is Josef": "in neither place", "enemies are beneath": 1}
AGREE = {"Price of Progress *must decide": "I agree."}
AGREE_LYING = {"Price of Progress *must decide": "I agree. (You are lying.)"}
REFUSE = {"Price of Progress *must decide": "I refuse to be a part of this."}
TELL = {"Secret Name / Intro 1*must decide": "Tell the Lodge of the witches in the woods."}
HIDE = {"Secret Name / Intro 1*must decide": "Tell him you know of no possible connection. (You are lying.)"}
GIVE = {"Inner Circle 1*must decide": "Give Mr. Sanford everything you have found."}
KEEP = {"Inner Circle 1*must decide": "Tell him you have nothing to show. (You are lying.)"}
NO_RESOLUTION = "no resolution was reached"


def campaign(*ways: Ways, until: str = "") -> Table:
    """A campaign that goes these ways."""
    answers = {pattern: answer for way in ways for pattern, answer in way.items()}
    return Table().play(answers, until=until)


@pytest.mark.parametrize(
    ("first", "third", "heretics"),
    [
        ("Resolution 1 was reached", NO_RESOLUTION, 4),
        ("Resolution 2 was reached", "Resolution 2 was reached", 4),
        ("Resolution 1 was reached", "Resolution 2 was reached", 0),
    ],
)
def test_cl_01_everything_given_away_is_crossed_off(first: str, third: str, heretics: int) -> None:
    """CL-01: whichever mementos are listed, each is crossed off."""
    found = {"Scenario I:*” end": first, "Scenario III:*” end": third, "How many Heretic": heretics}
    table = campaign(found, until="Inner Circle 1")
    listed = table.mementos
    assert len(listed) >= 2
    table.play(GIVE, until="Scenario VI: Union and Disillusion / Intro")
    assert table.mementos == set()
    assert listed <= table.crossed_off


def test_cl_03_mixed_departures_are_a_hole() -> None:
    """CL-03: one resigned and one was defeated: neither printed case applies, and play stops instead of choosing."""
    table = campaign({"Scenario IV:*Investigator 2 leave": "was defeated"})
    assert table.stopped == ("hole", [337, 338])
    assert not table.entered("Scenario IV: The Wages of Sin / Resolution *")


@pytest.mark.parametrize(("display", "beneath", "section"), [(0, 0, 4), (3, 3, 4), (4, 3, 4), (3, 4, 6), (0, 1, 6)])
def test_cl_05_equal_numbers_lead_to_section_4(display: int, beneath: int, section: int) -> None:
    """CL-05: as many in the display as beneath (none of either as well) leads to 4; only strictly more beneath leads to 6."""
    numbers = {"enemies are in the victory display": display, "enemies are beneath": beneath}
    table = campaign(ESCAPED, {"Where is Josef": "in neither place"}, numbers, until="Scenario III*” end")
    assert [n for n in (4, 5, 6) if table.entered(f"The Price of Progress {n}")] == [section]


def test_cl_06_the_host_decides_before_the_numbers() -> None:
    """CL-06: where the host is decides first, whatever the numbers."""
    numbers = {"enemies are in the victory display": 0, "enemies are beneath": 9}
    for place, section in (("in the victory display", 4), ("beneath the Entry Hall", 5), ("in neither place", 6)):
        table = Table().play({**ESCAPED, "Where is Josef": place}, if_asked=numbers, until="Scenario III*” end")
        assert [n for n in (4, 5, 6) if table.entered(f"The Price of Progress {n}")] == [section]


@pytest.mark.parametrize(("act", "resolution"), [(1, 3), (3, 3), (4, 4)])
def test_cl_08_the_defeated_of_scenario_1_stay_in_the_campaign(act: int, resolution: int) -> None:
    """CL-08: to be defeated is neither to be killed nor to be driven insane; nobody is replaced."""
    lost = {"Scenario I:*” end": NO_RESOLUTION, "Scenario I:*leave the scenario": "was defeated", "Scenario I:*Which act": act}
    table = campaign(lost, until="Scenario II:*Which act")
    assert table.entered(f"Scenario I: The Witching Hour / Resolution {resolution}")
    assert [table.seat(number)["standing"] for number in (1, 2)] == ["in the game", "in the game"]
    assert not any("replaced" in note for note in table.notes)


def test_cl_10_each_resolution_of_scenario_7_has_its_own_options() -> None:
    """CL-10: the two lists differ, and so do the traits that open their last options."""
    traits = ("Detective", "Sorcerer, Miskatonic", "Sorcerer or Cultist", "Silver Twilight trait")

    def options(resolution: str, *present: str) -> list[str]:
        at_7 = Table("in_the_clutches_of_chaos").play(until="” end")
        assert at_7.session.apply(f"{resolution} was reached")[0] is not None
        while at_7.session.question and at_7.session.question.chooser == "table":
            prompt = at_7.session.question.prompt
            assert any(trait in prompt for trait in traits), prompt
            at_7.session.apply("yes" if any(trait in prompt for trait in present) else "no")
        return [words.rstrip(".") for words in at_7.words]

    alone, help_, arrest = (
        "You've done enough harm. We'll handle this from here",
        "We will need your help to fix this",
        "You are under arrest",
    )
    taught, lead = "Then teach me how to be stronger", "You don't deserve to lead us"
    assert options("Resolution 1", *traits) == [alone, help_, arrest, taught]
    assert options("Resolution 2", *traits) == [alone, help_, arrest, lead]
    assert options("Resolution 1") == options("Resolution 2") == [alone, help_]
    assert options("Resolution 1", "Sorcerer, Miskatonic") == [alone, help_, taught]
    assert options("Resolution 2", "Sorcerer, Miskatonic") == [alone, help_]
    assert options("Resolution 2", "Sorcerer or Cultist") == [alone, help_, lead]
    assert options("Resolution 2", "Silver Twilight trait") == [alone, help_, lead]
    assert options("Resolution 1", "Silver Twilight trait") == [alone, help_]


@pytest.mark.parametrize(
    ("choice", "record", "act", "other"),
    [
        ("Anette Mason is possessed by evil.", "Anette Mason is possessed by evil", "Beyond the Grave", "New World Order"),
        (
            "Carl Sanford possesses the secrets of the universe.",
            "Carl Sanford possesses the secrets of the universe",
            "New World Order",
            "Beyond the Grave",
        ),
    ],
)
def test_cl_11_standalone_scenario_7_begins_with_one_of_two_outcomes(choice: str, record: str, act: str, other: str) -> None:
    """CL-11: one of the two outcomes of Scenario VI is chosen; set-up and act deck follow it, and the scenario is played."""
    table = Table("in_the_clutches_of_chaos")
    assert len(table.words) == 2
    table.play({"must decide": choice}, until="” end")
    outcomes = {"Anette Mason is possessed by evil", "Carl Sanford possesses the secrets of the universe"}
    assert table.recorded & outcomes == {record}
    assert any(act in note for note in table.notes)
    assert not any(other in note for note in table.notes)


@pytest.mark.parametrize(("difficulty", "token"), [("Easy", "–3"), ("Standard", "–4"), ("Hard", "–5"), ("Expert", "–6")])
@pytest.mark.parametrize("resolution", ["Resolution 1", "Resolution 2"])
def test_cl_13_one_token_of_the_difficulty_is_added(difficulty: str, token: str, resolution: str) -> None:
    """CL-13: who asks for assistance adds the one token of the difficulty level that is played."""
    help_ = {f"{resolution}*must decide": "We will need your help to fix this.", "Scenario VII:*” end": f"{resolution} was reached"}
    table = campaign({"Campaign Setup*must decide": difficulty}, until="Scenario VII:*” end")
    before = table.bag
    table.play(help_, until="Scenario VIII:*” end")
    assert table.bag == {**before, token: before.get(token, 0) + 1}


@pytest.mark.parametrize(
    ("first", "third", "act", "heretics", "listed", "marks"),
    [
        ("Resolution 1 was reached", NO_RESOLUTION, 1, 4, 2, 0),
        ("Resolution 1 was reached", NO_RESOLUTION, 1, 3, 3, 1),
        ("Resolution 2 was reached", "Resolution 2 was reached", None, 4, 5, 1),
        ("Resolution 2 was reached", "Resolution 2 was reached", None, 0, 6, 2),
    ],
)
def test_cl_15_mementos_that_are_still_listed_are_counted(
    first: str, third: str, act: int | None, heretics: int, listed: int, marks: int
) -> None:
    """CL-15: up to 2, 3 to 5, 6 or more; a memento that is crossed off is not listed any more."""
    found: Ways = {"Scenario I:*” end": first, "Scenario III:*” end": third, "How many Heretic": heretics}
    if act is not None:
        found = {**found, "Scenario III:*Which act": act}
    rejected = {"Intro 1*lead investigator must decide": "This is bullshit."}
    kept = campaign(found, rejected, KEEP, until="Scenario VIII:*” end")
    assert (len(kept.mementos), kept.state("log.the_path.number")) == (listed, marks)
    given = campaign(found, rejected, GIVE, until="Scenario VIII:*” end")
    assert (len(given.mementos), given.state("log.the_path.number")) == (0, 0)


def test_cl_15_none_is_found_after_the_inner_circle() -> None:
    """CL-15: the sixth is found before Mr. Sanford asks: nothing that the guide prints later lists one."""
    program = machine("tcu").program
    mementos = {i for i, variable in enumerate(program.variables) if variable.name.startswith("log.mementos.")}

    def lists(sets: tuple[Set, ...]) -> bool:
        return any(assignment.variable in mementos for assignment in sets)

    writers = {program.sections[block.section].part for block in program.blocks if lists(block.sets)}
    assert writers <= {"the_witching_hour", "the_secret_name", "the_wages_of_sin", "the_inner_circle"}
    assert {"the_witching_hour", "the_secret_name", "the_inner_circle"} <= writers


@pytest.mark.parametrize(
    ("end", "lines"),
    [
        ({"Scenario VI:*” end": "Resolution 1 was reached"}, {557, 559, 560}),
        ({"Scenario VI:*” end": NO_RESOLUTION, **JOSEF_ALIVE, **AGREE}, {557, 559, 560}),
        ({"Scenario VI:*” end": "Resolution 4 was reached"}, {553, 554, 555}),
    ],
)
def test_cl_16_scenario_7_reads_the_record_of_scenario_6(end: Ways, lines: set[int]) -> None:
    """CL-16: what a resolution of Scenario VI wrote is what the set-up of Scenario VII reads."""
    table = campaign(end, until="Scenario VII:*” end")
    done = {line for note in table.session.notes_so_far() for line in lines_of(note.cites)}
    assert done & {553, 554, 555, 557, 559, 560} == lines


def test_cl_18_any_one_investigator_may_take_the_card() -> None:
    """CL-18: the group picks who takes it, not the lead; or nobody does."""
    table = campaign({"How many investigators": 3}, until="Scenario III*Any one investigator may")
    assert table.words == ["Investigator 1", "Investigator 2", "Investigator 3", "nobody"]
    table.play({"Scenario III*Any one": "Investigator 3"}, until="Scenario IV")
    assert [table.state(f"deck.{number}.the_black_book") for number in _seat_names()[:3]] == [0, 0, 1]


@pytest.mark.parametrize(
    ("third", "prompts"),
    [
        ({"Scenario III*” end": "Resolution 2 was reached"}, 1),
        ({"Scenario III*” end": NO_RESOLUTION, "Scenario III*Which act": 2}, 1),
        ({"Scenario III*” end": NO_RESOLUTION, "Scenario III*Which act": 3}, 1),
        ({"Scenario III*” end": NO_RESOLUTION, "Scenario III*Which act": 1}, 0),
    ],
)
@pytest.mark.parametrize("taken", [True, False])
def test_cl_20_a_skull_is_added_only_for_a_book_that_is_taken(third: Ways, prompts: int, taken: bool) -> None:
    """CL-20: the token is tied to somebody's taking the book, once."""
    before = campaign(until="Scenario III*” end").bag["skull"]
    who = {"Scenario III*Any one": "Investigator 2" if taken else "nobody"} if prompts else {}
    table = campaign(third, who, until="Scenario IV")
    assert len(table.asked("Any one investigator may")) == prompts
    assert table.bag["skull"] == before + (1 if taken and prompts else 0)


@pytest.mark.parametrize(
    ("ways", "section"),
    [
        ((RESCUED_JOSEF, AGREE, TELL), 4),
        ((RESCUED_JOSEF, AGREE, HIDE), 5),
        ((RESCUED_JOSEF, REFUSE), 5),
        ((JOSEF_ALIVE, AGREE, TELL), 5),
        ((JOSEF_ALIVE, AGREE, HIDE), 5),
    ],
)
def test_cl_21_both_records_are_needed_for_the_fourth_section(ways: tuple[Ways, ...], section: int) -> None:
    """CL-21: with one of the two alone the fifth section is read, and nobody is inducted."""
    table = campaign(*ways, GIVE, until="Scenario VI*must decide")
    assert [n for n in (4, 5) if table.entered(f"Inner Circle {n}")] == [section]
    assert ("the investigators were inducted into the Inner Circle" in table.recorded) == (section == 4)


@pytest.mark.parametrize(
    ("ways", "open_"),
    [
        ((RESCUED_JOSEF, AGREE, TELL, GIVE), ["Yes.", "No."]),
        ((RESCUED_JOSEF, AGREE_LYING, TELL, GIVE), ["No."]),
        ((RESCUED_JOSEF, AGREE, TELL, KEEP), ["No."]),
        ((RESCUED_JOSEF, AGREE_LYING, TELL, KEEP), ["No."]),
    ],
)
def test_cl_23_yes_is_for_the_inducted_who_do_not_deceive(ways: tuple[Ways, ...], open_: list[str]) -> None:
    """CL-23: both conditions are needed; without one of them only “No” remains."""
    table = campaign(*ways, until="Scenario VI: Union and Disillusion / Resolution 1*must decide")
    assert table.words == open_


def _clues(table: Table) -> list[int]:
    return [table.state(f"at_deaths_doorstep.clues.{person}") for person in ("gavriella", "jerome", "penny", "valentino")]


def test_cl_25_who_gives_one_more_is_asked() -> None:
    """CL-25: seven of three locations: 3, 2 and 2; the guide does not say which gives three, so it is a reading."""
    with_evidence = {"How many investigators": 3, "How many clues": 7}
    left = set()
    for answers in (["yes"], ["no", "yes"], ["no", "no"]):
        table = campaign(with_evidence, {"give one more": answers}, until="Does a card send")
        assert table.asked("give one more")
        assert {step.chooser for step in table.asked("give one more")} == {"reading"}
        left.add(tuple(_clues(table)))
    assert left == {(3, 4, 4, 0), (4, 3, 4, 0), (4, 4, 3, 0)}


def test_cl_25_no_location_gives_more_than_it_has() -> None:
    """CL-25: an even number asks nothing, more evidence than clues empties the locations, and none is below zero."""
    even = campaign({"How many investigators": 3, "How many clues": 6}, until="Does a card send")
    assert (_clues(even), even.asked("give one more")) == ([4, 4, 4, 0], [])
    much = campaign({"How many investigators": 3, "How many clues": 30}, until="Does a card send")
    assert (_clues(much), much.asked("give one more")) == ([0, 0, 0, 0], [])
    alone = Table("at_deaths_doorstep").play(until="Does a card send")
    assert (_clues(alone), alone.asked("give one more")) == ([0, 0, 0, 0], [])


@pytest.mark.parametrize(("players", "dealt"), [(1, [5, 0, 0, 0]), (2, [3, 2, 0, 0]), (3, [2, 2, 1, 0]), (4, [2, 1, 1, 1])])
def test_cl_26_five_woods_are_dealt_in_player_order(players: int, dealt: list[int]) -> None:
    """CL-26: five in all, however many play."""
    table = campaign({"How many investigators": players}, until="Scenario I:*” end")
    assert [table.state(f"the_witching_hour.woods.{seat}") for seat in _seat_names()] == dealt


def _seat_names() -> list[str]:
    """The seats, as variables name them."""
    return [v.name.rpartition(".")[2] for v in machine("tcu").program.variables if v.name.startswith("experience.")]


@pytest.mark.parametrize("reading", ["1", "2"])
def test_cl_28_standalone_scenario_6_leads_to_resolution_6(reading: str) -> None:
    """CL-28: one listed fact speaks for the left and none for the right; what is not recorded speaks for neither."""
    table = Table("union_and_disillusion", readings={"josef_line": reading}).play({"” end": NO_RESOLUTION})
    assert table.entered("Resolution 6")
    assert not table.entered("Resolution 7")
    assert "Carl Sanford possesses the secrets of the universe" in table.recorded
    assert table.stopped[0] == "end"


@pytest.mark.parametrize(
    ("reading", "experience", "trauma"),
    [("yes, every investigator", ["7", "7"], ["2", "2"]), ("no, only the remaining investigators", ["0", "7"], ["0", "2"])],
)
def test_cl_30_whether_the_insane_are_paid_is_a_reading(reading: str, experience: list[str], trauma: list[str]) -> None:
    """CL-30: the defeated are driven insane first; whether “each investigator” still means them is asked."""
    end = {"” end": "Resolution 3 was reached", "became of Investigator 1": "was defeated", "each investigator": reading, "Victory": 2}
    table = Table("before_the_black_throne").play(end)
    assert [table.seat(number)["experience"] for number in (1, 2)] == experience
    assert [table.seat(number)["physical trauma"] for number in (1, 2)] == trauma
    assert [table.seat(number)["standing"] for number in (1, 2)] == ["driven insane", "in the game"]
    assert [step.chooser for step in table.asked("each investigator")] == ["reading"]


def test_cl_31_nobody_is_replaced_when_the_campaign_is_over() -> None:
    """CL-31: all are killed, the epilogue is read at once, and nobody is asked for a new investigator."""
    lost = {"Scenario VIII:*” end": NO_RESOLUTION, "What became of": "was defeated"}
    table = campaign(lost)
    last = [section.words for section in table.session.history[-1].sections]
    assert last[-2:] == ["Resolution 1", "Epilogue"]
    assert {table.seat(number)["standing"] for number in (1, 2)} == {"killed"}
    assert not any("replaced" in note for note in table.notes)
    assert table.session.ending is not None
    assert table.session.ending.about == "the investigators lose the campaign"


@pytest.mark.parametrize("departure", ["resigned", "was defeated"])
def test_cl_33_a_resolution_is_carried_out_with_nobody_left(departure: str) -> None:
    """CL-33: the log is written and each investigator earns experience, whether all resigned or all were defeated."""
    table = campaign(until="Scenario IV")
    before = [int(table.seat(number)["experience"]) for number in (1, 2)]
    table.play({"leave the scenario": departure, "How many Heretic": 2, "Scenario IV*Victory": 3}, until="Scenario V:")
    assert "2 heretics were unleashed unto Arkham" in table.recorded
    assert [int(table.seat(number)["experience"]) for number in (1, 2)] == [earned + 3 for earned in before]
    assert ("the investigators survived the watcher's embrace" in table.recorded) == (departure == "was defeated")


@pytest.mark.parametrize("difficulty", ["Easy", "Standard", "Hard", "Expert"])
def test_cl_35_the_starting_bag_is_the_printed_one(difficulty: str) -> None:
    """CL-35: thirteen tokens at every difficulty level, and at Standard exactly the printed ones."""
    table = campaign({"Campaign Setup*must decide": difficulty}, until="How many investigators")
    assert sum(table.bag.values()) == 13
    assert (table.bag == STANDARD) == (difficulty == "Standard")
    assert (table.bag["skull"], table.bag["auto-fail"], table.bag["elder sign"]) == (2, 1, 1)


def test_cl_36_no_intro_is_read_in_standalone_scenario_5() -> None:
    """CL-36: who are not members read no intro, and set up by the other arm."""
    table = Table("for_the_greater_good").play({"must decide": "The investigators are not members of the Lodge."})
    assert not table.entered("/ Intro *")
    assert any("Infiltrating the Lodge" in note and note.startswith("use") for note in table.notes)
    assert not any("Warm Welcome" in note and note.startswith("use") for note in table.notes)
    assert table.stopped[0] == "end"


def test_cl_38_draws_are_ignored_and_used_cards_leave_the_game() -> None:
    """CL-38: in the prologue nobody has a deck or a discard pile; the ruling stands in that part alone."""
    session = campaign(until="How many clues").session
    draw = session.what_happens("drawing cards or interacting with player decks")
    used = session.what_happens("a player card is placed in a discard pile")
    assert draw is not None
    assert (draw.ruling, lines_of(draw.cites)) == ("ignored", [70])
    assert used is not None
    assert (used.ruling, used.instead) == ("becomes", "a player card is removed from the game")
    later = campaign(until="Scenario I:*” end").session
    assert later.what_happens("drawing cards or interacting with player decks") is None


def test_cl_40_who_decides_is_as_printed_and_no_procedure_is_invented() -> None:
    """CL-40: the investigators decide, or a single one where the guide names one; how they settle a split is left open as a reading."""
    assert campaign(until="Scenario I: The Witching Hour / Intro 1").decider == "the lead investigator"
    assert campaign(until="Scenario VII*must decide").decider == "the investigators"
    assert Table("in_the_clutches_of_chaos").decider == "the investigator"
    split = next(variable for variable in machine("tcu").program.variables if variable.name == "split_decision")
    assert split.role == "reading"
    assert len(split.values) == 3


def test_cl_41_members_who_lie_are_members() -> None:
    """CL-41: both entries are written, and the checks for membership in Scenario III and in the set-up of V are met."""
    table = campaign(RESCUED_JOSEF, AGREE_LYING, until="Scenario V:*” end")
    assert {"the investigators are members of the Lodge", "the investigators are deceiving the Lodge"} <= table.recorded
    assert table.entered("Scenario III: The Secret Name / Intro 1")
    assert any("Warm Welcome" in note and note.startswith("use") for note in table.notes)


def test_cl_41_who_reads_the_check_of_scenario_5_reads_the_extra_passage() -> None:
    """CL-41: Intro 1 leads past the check, as printed; where the check is read, members who lie read the sidebar."""
    program = machine("tcu").program
    check = next(section for section in program.sections if section.words == "Check Campaign Log (Scenario V)")
    for way, read in ((AGREE_LYING, True), (AGREE, False)):
        table = campaign(RESCUED_JOSEF, way, until="Scenario V:*keys")
        assert table.entered("Scenario V: For the Greater Good / Intro 1")
        assert not table.entered("Check Campaign Log (Scenario V)")
        run = machine("tcu").run(list(table.session.moment.values), check.start)
        notes = [note.text for block in run.path for note in program.blocks[block].notes]
        assert any("Intro 2" in note for note in notes)
        assert ('read "Sidebar"' in notes) == read


def test_un_03_a_choice_taken_again_has_its_effect_once() -> None:
    """UN-03: after undo and the same choice again the bag holds one token more, and the log one entry."""
    table = campaign(RESCUED_JOSEF, AGREE, until="Scenario III*must decide")
    before, log = table.bag, table.session.log()
    tell = "Tell the Lodge of the witches in the woods."
    for _ in range(2):
        table.session.apply(tell)
        assert table.bag == {**before, "cultist": before["cultist"] + 1}
        told = [line for line in table.session.log() if line not in log]
        assert [line.words for line in told] == ["the investigators told the Lodge about the coven"]
        table.session.undo()
        assert (table.bag, table.session.log()) == (before, log)
    table.session.redo()
    assert table.bag["cultist"] == before["cultist"] + 1

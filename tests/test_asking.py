"""`plainchant ask`: answers about The Circle Undone with their plays and reasons, and calls that are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from books import Table, machine
from plainchant.faces.command_line import main
from plainchant.play.documents import replay, saved, write_json

INTRO_2 = '"Scenario V: For the Greater Good" / "Intro 2"'
BOOK = """\
book small "A small book"
    begins with tale
campaign log
    arrived "they arrived"
    houses "X houses burned": 0 to 5
scenario tale "A Tale"
    fact guests: 0 to 3 "How many guests are there?"
    section "Road"
        the players decide
            "go in": record arrived
            "stay away"
        record houses as guests
        proceed to "House"
    section "House"
        the campaign is over: "the end"
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.rules"
    path.write_text(BOOK, encoding="utf-8")
    return str(path)


class Told:
    """What a call told: its exit status, its JSON (of answers), what it complained about."""

    def __init__(self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
        self.status = main(["ask", *words, "--format", "json"])
        out, self.complaint = capsys.readouterr()
        self.json: dict[str, Any] = json.loads(out) if out else {}

    @property
    def answer(self) -> str:
        return str(self.json["answer"])

    @property
    def lines(self) -> set[int]:
        """The printed lines of the reason; conditions without a citation have none."""
        return {line for one in self.json["because"] if one["from"] is not None for line in range(one["from"], one["to"] + 1)}

    def played(self, book: str = "tcu") -> dict[str, int]:
        """The state at the end of the witness, which must be a play of the book."""
        session, departure, _ = replay(machine(book), self.json["witness"])
        assert session is not None and departure is None
        return session.state()


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *words: Told(capsys, words)


# ---------------------------------------------------------------- answers


def test_what_can_be_comes_with_a_play(ask: Any) -> None:
    told = ask("tcu", "inducted and learned_nothing")
    assert (told.status, told.answer, told.json["bound"]) == (0, "unreachable", None)
    told = ask("tcu", '"you have accepted your fate" and value(heretics) = 2')
    assert (told.status, told.answer) == (0, "reachable")
    state = told.played()
    assert (state["log.accepted_fate"], state["log.heretics.number"]) == (1, 2)
    assert told.json["witness"]["ending"]["kind"] == "end"


def test_what_cannot_be_comes_with_the_printed_lines_and_what_would_have_to_give_way(ask: Any) -> None:
    told = ask("tcu", "true_work_begun and deceiving_the_lodge", "--what-would-change")
    assert (told.status, told.answer, told.lines) == (0, "unreachable", {501, 505})
    assert [(one["from"], one["text"]) for one in told.json["change"]] == [(501, "“Yes.” may be chosen only on its printed condition")]


def test_always(ask: Any) -> None:
    told = ask("tcu", "not (accepted_fate and rejected_fate)", "--always")
    assert (told.status, told.answer, told.lines) == (0, "holds", {90, 94})
    told = ask("tcu", "accepted_fate", "--always")
    assert (told.status, told.answer) == (1, "fails")
    assert told.played()["log.accepted_fate"] != 1


def test_at_a_section(ask: Any) -> None:
    told = ask("tcu", "yes", "--at", INTRO_2)
    assert (told.status, told.answer, told.lines) == (0, "unreachable", {353, 354})
    same = ask("tcu", "yes", "--at", "for_the_greater_good.intro_2")
    assert same.json == told.json
    told = ask("tcu", "accepted_fate", "--at", "the_witching_hour.setup")
    assert told.answer == "reachable"
    assert told.json["witness"]["ending"] is None
    assert any(step["choice"] == "What can I do to avoid this fate?" for step in told.json["witness"]["steps"])
    assert ask("tcu", "accepted_fate or rejected_fate", "--at", "the_witching_hour.setup", "--always").answer == "holds"


@pytest.mark.parametrize(
    ("option", "number", "value", "variable"),
    [
        ("--maximise", "size(mementos)", 6, ""),
        ("--maximise", "value(heretics)", 4, "log.heretics.number"),
        ("--minimise", "value(heretics)", 0, "log.heretics.number"),
        ("--minimise", "count(skull)", 1, "bag.chaos_bag.skull"),
    ],
)
def test_bounds(ask: Any, option: str, number: str, value: int, variable: str) -> None:
    told = ask("tcu", "recorded(heretics)", option, number)
    assert (told.status, told.answer, told.json["value"]) == (0, "reachable", value)
    state = told.played()
    mementos = sum(state[name] == 1 for name in state if name.startswith("log.mementos."))
    assert (state[variable] if variable else mementos) == value


def test_no_bound_where_the_condition_cannot_be(ask: Any) -> None:
    told = ask("tcu", "accepted_fate and rejected_fate", "--maximise", "size(mementos)")
    assert (told.status, told.answer, told.json["value"], told.lines) == (0, "unreachable", None, {90, 94})


def test_what_the_players_can_make_sure_of(ask: Any) -> None:
    setup = ("--at", "the_witching_hour.setup", "--players-can-ensure")
    told = ask("tcu", "rejected_fate", *setup)
    assert (told.status, told.answer) == (0, "holds")
    assert "This is bullshit." in [step["choice"] for step in told.json["witness"]["steps"]]
    told = ask("tcu", "rejected_fate", "--players-can-ensure")
    assert (told.status, told.answer) == (1, "fails"), "play may stop in a hole, which is no end"
    assert told.json["witness"]["ending"]["kind"] != "end"


def test_a_reading_that_is_settled(ask: Any) -> None:
    words = ("tcu", 'reached("Epilogue")', "--reading")
    told = ask(*words, "missing_key=each of the four is taken from the chaos bag, so it must hold them")
    assert (told.status, told.answer) == (0, "unreachable")
    assert told.lines == {90, 94}, "the tokens that these lines add are never both in the bag"
    assert ask(*words, "missing_key=3").answer == "reachable"


def test_going_on_from_a_saved_play(ask: Any, tmp_path: Path) -> None:
    table = Table().play(until="How did “Scenario I: The Witching Hour” end?")
    assert "you have accepted your fate" in table.recorded
    write_json(tmp_path / "saved.json", saved(table.session))
    start = ("--from", str(tmp_path / "saved.json"))
    told = ask("tcu", "rejected_fate", *start)
    assert (told.status, told.answer) == (0, "unreachable")
    told = ask("tcu", "spell_broken and accepted_fate", *start)
    assert told.answer == "reachable"
    made = [step.choice.words for step in table.session.history]
    assert [str(step["choice"]) for step in told.json["witness"]["steps"]][: len(made)] == made
    assert told.played()["log.spell_broken"] == 1
    lost = ask("tcu", "spell_broken", *start, "--players-can-ensure")
    assert lost.answer == "fails"
    assert [str(step["choice"]) for step in lost.json["witness"]["steps"]][: len(made)] == made
    assert lost.json["witness"]["ending"]["kind"] != "end" or lost.played()["log.spell_broken"] != 1, "the others prevent it"
    assert ask("tcu", "yes", "--maximise", "size(mementos)", *start).json["value"] == 6


def test_a_limit_of_work_leaves_it_undecided(ask: Any) -> None:
    told = ask("tcu", "value(heretics) = 2", "--rlimit", "1")
    assert (told.status, told.answer, told.json["witness"]) == (3, "not decided", None)


def test_a_reason_that_was_not_found_within_the_limits_is_told_as_that(capsys: pytest.CaptureFixture[str]) -> None:
    """To decide takes less work than to find out why; that no line stands in the way is said only where it is so."""
    assert main(["ask", "tcu", "true_work_begun and deceiving_the_lodge", "--rlimit", "100"]) == 0
    assert capsys.readouterr().out == "unreachable\n  which printed lines exclude it was not found within the limits\n"


def test_the_answer_for_people_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "tcu", "true_work_begun and deceiving_the_lodge"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "unreachable"
    assert any(line.strip().startswith("tcu 501:") for line in told)


def test_loops_are_followed_so_far_only(ask: Any, tmp_path: Path) -> None:
    """Ten rounds lead further than the bound of unrolling: that is said, and not that it cannot be."""
    path = tmp_path / "loop.rules"
    rounds = BOOK.replace(
        'proceed to "House"', 'the players decide\n            "again": proceed to "Road"\n            "in": proceed to "House"'
    )
    path.write_text(rounds.replace("record houses as guests", "record 1 tally marks next to marks").replace(
        "campaign log\n", 'campaign log\n    marks "marks on the wall": tally\n'), encoding="utf-8")  # fmt: skip
    assert ask(str(path), "value(marks) = 3").answer == "reachable"
    told = ask(str(path), "value(marks) = 10")
    assert (told.status, told.answer, told.json["bound"]) == (3, "not decided", 6)
    told = ask(str(path), "value(marks) < 10", "--always")
    assert (told.status, told.answer) == (3, "not decided")
    told = ask(str(path), "yes", "--maximise", "value(marks)")
    assert (told.answer, told.json["bound"]) == ("reachable", 6), "a bound of what was looked at, and said to be one"


# ---------------------------------------------------------------- wrong calls

WRONG: dict[str, tuple[list[str], str, str]] = {
    "an unknown entry": (["inducted and indukted"], "PC201", "             ^^^^^^^^"),
    "a number as a condition": (["value(the_path)"], "PC301", "^^^^^^^^^^^^^^^"),
    "an entry compared with a number": (["inducted = 3"], "PC305", "^^^^^^^^^^^^"),
    "nothing": ([""], "PC113", "^"),
    "spaces": (["   "], "PC113", "^"),
    "unbalanced quotes": (['"the witches'], "PC102", "^^^^^^^^^^^^"),
    "an unfinished condition": (["accepted_fate and"], "PC113", ""),
    "brackets that do not close": (["(accepted_fate"], "PC111", ""),
    "a citation": (["accepted_fate @90"], "PC101", "^^^^^^^^^^^^^^^^^"),
    "a section in the condition": (['yes at "Epilogue"'], "PC101", "^^^^^^^^^^^^^^^^^"),
    "two lines": (["yes\nclaim b: never no"], "PC101", ""),
    "10,000 nots": (["not " * 10_000 + "yes"], "PC005", ""),
    "a control character": (["yes\0"], "PC007", "   ^"),
    "an unknown section": (["yes", "--at", "Intro 77"], "PC206", "^^^^^^^^"),
    "a section of no name": (["yes", "--at", ""], "PC206", "^"),
    "a section without its part": (["yes", "--at", '"Setup"'], "PC205", "^^^^^^^"),
    "a condition to minimise": (["yes", "--minimise", "inducted"], "PC301", "^^^^^^^^"),
    "nothing to minimise": (["yes", "--minimise", ""], "PC113", "^"),
    "two bounds": (["yes", "--minimise", "1", "--maximise", "2"], "PC507", ""),
    "a bound of always": (["yes", "--always", "--minimise", "1"], "PC507", ""),
    "a bound of what can be ensured": (["yes", "--players-can-ensure", "--minimise", "1"], "PC507", ""),
    "an unknown reading": (["yes", "--reading", "weather=fine"], "PC507", ""),
    "an unknown alternative": (["yes", "--reading", "missing_key=fine"], "PC507", ""),
    "a reading without alternative": (["yes", "--reading", "missing_key"], "PC507", ""),
    "an unknown format": (["yes", "--format", "xml"], "PC507", ""),
    "a limit in words": (["yes", "--rlimit", "much"], "PC507", ""),
    "no file to go on from": (["yes", "--from", "missing.json"], "PC001", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_refused_with_its_place(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, code, caret = WRONG[name]
    assert main(["ask", "tcu", *words]) == 2
    out, complaint = capsys.readouterr()
    assert out == ""
    assert f" {code} " in complaint
    assert "Traceback" not in complaint and "PC900" not in complaint
    assert any(line.partition("│ ")[2] == caret for line in complaint.splitlines()) or not caret


def test_all_errors_of_a_call_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "tcu", "indukted", "--at", "Intro 77", "--minimise", "learned"]) == 2
    complaint = capsys.readouterr().err
    assert [code for code in ("PC201", "PC206") if code in complaint] == ["PC201", "PC206"]
    assert "“indukted”" in complaint and "“learned”" in complaint


def test_the_nearest_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["ask", "tcu", "inductd"])
    assert "did you mean “inducted”?" in capsys.readouterr().err


@pytest.mark.parametrize(("book", "code"), [("tcu2", "PC501"), ("missing/book", "PC501"), ("", "PC501"), ("x" * 5_000, "PC501")])
def test_an_unknown_book(book: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", book, "yes"]) == 2
    assert f" {code} " in capsys.readouterr().err


def test_a_book_with_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(BOOK.replace("arrived\n", "arived\n"), encoding="utf-8")
    assert main(["ask", str(path), "arrived"]) == 2
    assert " PC201 " in capsys.readouterr().err


def test_a_section_of_another_book(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", small, "arrived", "--at", INTRO_2]) == 2
    assert " PC206 " in capsys.readouterr().err
    assert main(["ask", small, "accepted_fate"]) == 2
    assert " PC201 " in capsys.readouterr().err


def test_a_saved_play_of_other_rules(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json(tmp_path / "saved.json", saved(Table().play(until="How did “Scenario I: The Witching Hour” end?").session))
    assert main(["ask", small, "arrived", "--from", str(tmp_path / "saved.json")]) == 2
    assert "is a play of “tcu”, not of “small”" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "code"), [("{}", "PC503"), ("[1", "PC503"), ("", "PC503"), ('{"schema": "plainchant/play/9"}', "PC509")])
def test_a_file_that_is_no_saved_play(text: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "saved.json").write_text(text, encoding="utf-8")
    assert main(["ask", "tcu", "yes", "--from", str(tmp_path / "saved.json")]) == 2
    assert f" {code} " in capsys.readouterr().err


def test_a_book_without_a_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file without a `book` line begins with its first part, and can be asked as well."""
    path = tmp_path / "alone.rules"
    alone = BOOK.partition("    begins with tale\n")[2].replace(
        '    section "Road"', '    standalone "Alone"\n        proceed to "Road"\n    section "Road"'
    )
    path.write_text(alone, encoding="utf-8")
    for words in (["arrived"], ["arrived", "--always"], ["yes", "--maximise", "value(houses)"], ["arrived", "--players-can-ensure"]):
        assert main(["ask", str(path), *words]) in (0, 1)
        assert "PC900" not in capsys.readouterr().err


def test_on_arrival_at_a_section_play_has_reached_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "woods.rules"
    path.write_text(
        'scenario woods "The Woods"\n    section "A"\n        proceed to "B"\n    section "B"\n        the campaign is over: "end"\n'
        'claim there: always reached("B") at "B"\nclaim before: always reached("A") at "B"\nclaim later: never reached("B") at "A"\n',
        encoding="utf-8",
    )
    assert main(["check", str(path)]) == 0
    assert "3 claims: 3 holds." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["flood of wharf is fully_flooded"], "reachable"),
        (["token_on of wharf and flood of wharf is unflooded"], "unreachable"),
        (["token_on of wharf implies is_flooded of wharf", "--always"], "holds"),
        (["flood of wharf is unflooded", "--always"], "fails"),
    ],
)
def test_what_goes_round_is_asked_about_in_all_rounds(ask: Any, words: list[str], answer: str) -> None:
    assert ask("flood", *words, "--at", "What happens?").answer == answer

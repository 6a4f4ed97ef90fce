"""`plainchant play` and `plainchant replay`: prompts, commands, scripts, saved games, random plays, and every way to stop."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from calls import BOOK, STOPS, Call, in_order
from plainchant.faces.page import Page

# ---------------------------------------------------------------- what is shown


def test_a_play_tells_where_it_is_what_changed_and_who_is_asked(call: Call) -> None:
    result = call("play", BOOK, lines="Draw a token\n2\nGo home\n")
    in_order(
        result.out,
        "The Small Book", "== The First Part ==", "-- Beginning", "Decision of the lead player", "1 undo", "2 Draw a token",
        "> Draw a token", "the lead player: “Draw a token”",
        "Chance decides; draw at the table", "1 a red one", "2 a blue one",
        "> 2", "into the pouch: blue", "tally marks next to “the moon rises”: +2 (now 2)", "-- Crossing", "Decision of the players",
        "> Go home", "** The end **", "Everybody is home", "Campaign log", "the moon rises (2)", "The pouch", "1 in all: blue",
        "was not saved",
    )  # fmt: skip
    assert result.status == 0


def test_each_kind_of_question_says_who_is_asked(call: Call) -> None:
    result = call("play", BOOK, lines="1\nLook at the moon\nundo\nOpen the doors\n")
    in_order(result.out, "Decision of the lead player", "Decision of the players", "Reading of the text, by the reader",
             "Does the moon shine by day?", "Question to the table", "How many doors are open?", "a number from 1 to 3")  # fmt: skip


def test_citations_and_instructions_of_the_real_book(call: Call) -> None:
    result = call("play", "tcu", lines="Standard\n1\nPenny White\nlog\nbag\nseats\nrules\nwhat drawing\n")
    in_order(
        result.out,
        "into the chaos bag: +1, 2 × 0, 2 × –1", "[tcu 47]", "== Prologue (Scenario 0)", "• Gather “cards listed", "[tcu 55]",
        "crossed off: “Gavriella Mizrah's profile” [tcu 56]", "-- Setup", "• Play the scenario",
        "Campaign log", "Gavriella Mizrah's profile (crossed off)", "The chaos bag", "13 in all", "Investigator 1: experience 0",
        "Standing rules of Prologue", "“drawing cards or interacting with player decks” is ignored [tcu 70]",
        "> what drawing", "“drawing cards or interacting with player decks” is ignored",
    )  # fmt: skip


@pytest.mark.parametrize("no_color", [True, False])
def test_a_pipe_gets_no_escape_codes_and_no_boxes(call: Call, monkeypatch: pytest.MonkeyPatch, no_color: bool) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    out = call("play", BOOK, "--random", "--seed", "4").out
    assert not re.search(r"[\x1b╭│─━]", out)


def test_no_color_on_a_terminal_means_no_escape_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    pages = {}
    for no_color in ("", "1"):
        monkeypatch.setenv("NO_COLOR", no_color)
        stream = Terminal()
        page = Page(stream)
        page.part("Part")
        page.row("•", "words [with brackets] :smile:", "tcu 1", "log")
        page.panel("Hole", [("what", "nothing covers this")], "error")
        pages[no_color] = stream.getvalue()
    assert "\x1b[" in pages[""]
    assert "\x1b" not in pages["1"]
    assert "words [with brackets] :smile:" in pages["1"]
    assert re.sub(r"\x1b\[[0-9;]*m", "", pages[""]) == pages["1"]


def test_long_lines_are_wrapped_under_themselves_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    for columns, widest in ((60, 60), (250, 100)):
        monkeypatch.setenv("COLUMNS", str(columns))
        stream = Terminal()
        Page(stream).row("•", "many words " * 30, "tcu 1-2", "do")
        lines = stream.getvalue().splitlines()
        assert max(len(line.rstrip()) for line in lines) <= widest
        assert lines[0].startswith("  • many")
        assert lines[0].rstrip().endswith("tcu 1-2")
        assert all(line.startswith("    ") for line in lines[1:])


# ---------------------------------------------------------------- choices and commands


def test_a_command_word_that_is_a_printed_choice_goes_to_the_choice(call: Call) -> None:
    result = call("play", BOOK, lines="undo\nundo\n")
    in_order(
        result.out, "> undo", "the lead player: “undo”", "recorded: “you lost your way”", "> undo", "taken back: the lead player: “undo”"
    )


def test_words_may_be_quoted_shortened_and_typed_in_any_case(call: Call) -> None:
    for words in ('"Draw a token"', "draw A token", "Draw", "2"):
        assert "the lead player: “Draw a token”" in call("play", BOOK, lines=f"{words}\n").out


def test_a_refused_choice_changes_nothing_and_names_the_legal_ones(call: Call) -> None:
    result = call("play", BOOK, lines="3\nfly\n\nhistory\n")
    in_order(result.out, "error PC502 “3” cannot be chosen here", "“undo”; “Draw a token”", "error PC502 “fly” cannot be chosen here",
             "> \n", "Decision of the lead player", "Decisions so far", "none")  # fmt: skip


def test_undo_says_that_what_chance_revealed_stays_known(call: Call) -> None:
    result = call("play", BOOK, "--seed", "1", lines="2\nundo\nredo\nundo\n")
    drawn = re.search(r"chance: At random “(a \w+ one)”", result.out)
    assert drawn is not None
    told = f"What chance revealed (“{drawn.group(1)}”) stays known"
    in_order(result.out, "taken back: chance", "taken back: the lead player: “Draw a token”", told, "> redo",
             f"“{drawn.group(1)}”", "-- Crossing", told)  # fmt: skip


def test_undo_of_a_decision_says_nothing_about_chance(call: Call) -> None:
    assert "stays known" not in call("play", BOOK, lines="1\nundo\n").out


def test_at_the_beginning_there_is_nothing_to_undo_or_redo(call: Call) -> None:
    in_order(call("play", "tcu", lines="undo\nredo\n").out, "There is nothing to undo.", "There is nothing to redo.")


def test_history_shows_the_last_steps_and_all(call: Call) -> None:
    lines = "1\n" + "".join(["Look at the moon\n2\nundo\nundo\n"] * 2) + "history\n"
    out = call("play", BOOK, lines=lines).out
    in_order(out, "> history", "The First Part / Beginning", "1 the lead player: “undo”")


def test_help_lists_every_command_and_quit_leaves(call: Call) -> None:
    result = call("play", BOOK, lines="help\nquit\nlog\n")
    for name in ("log", "bag", "seats", "rules", "what", "history", "undo", "redo", "save", "trace", "help", "quit"):
        assert re.search(rf"^  {name}\b", result.out, re.MULTILINE), name
    assert "> log" not in result.out
    assert result.status == 0


# ---------------------------------------------------------------- how play stops


@pytest.mark.parametrize("code", STOPS)
def test_where_the_book_stops_it_is_said_and_undo_log_and_save_still_work(call: Call, tmp_path: Path, code: str) -> None:
    choices, shown = STOPS[code]
    saved = tmp_path / "game.json"
    result = call("play", BOOK, lines="\n".join([*choices, "log", f"save {saved}", "1", "undo", "quit"]) + "\n")
    in_order(
        result.out,
        *shown,
        "> log",
        "the moon rises (2)",
        f"Saved to {saved}",
        "play has stopped",
        "taken back",
        "▸",
        "What came after that was not saved",
    )
    assert json.loads(saved.read_text(encoding="utf-8"))["schema"] == "plainchant/play/1"
    assert result.status == 0


@pytest.mark.parametrize("code", STOPS)
def test_a_script_that_stops_without_an_end_has_status_1(call: Call, tmp_path: Path, code: str) -> None:
    choices, shown = STOPS[code]
    script = tmp_path / "script.txt"
    script.write_text("\n".join(choices), encoding="utf-8")
    result = call("play", BOOK, "--script", script)
    in_order(result.out, *shown)
    assert result.status == 1


def test_a_hole_of_the_real_book_shows_its_printed_lines(call: Call) -> None:
    out = call(
        "play", "tcu", "--standalone", "the_wages_of_sin", lines="1\n1\n1\n2\nno resolution was reached\nresigned\nwas defeated\n"
    ).out
    in_order(out, "error PC601 Hole in the rules", "Scenario IV: The Wages of Sin", "printed: tcu 337, 338",
             "How did Investigator 1 leave the scenario? resigned", "How did Investigator 2 leave the scenario? was defeated")  # fmt: skip
    assert "not asked" not in out


def test_the_end_shows_the_final_log_bag_and_seats(call: Call) -> None:
    result = call("play", BOOK, lines="1\n5\n")
    in_order(result.out, "** The end **", "Campaign log", "you lost your way", "The pouch", "empty", "At the table")
    assert result.status == 0


# ---------------------------------------------------------------- the call


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["tcuu"], "PC501"),
        (["x" * 5000], "PC501"),
        ([BOOK, "--seed", "9" * 5000], "PC507"),
        (["tcu", "--standalone", "the_wages_of_sinn"], "PC508"),
        ([BOOK, "--reading", "moonlight"], "PC507"),
        ([BOOK, "--reading", "sunlight=yes"], "PC507"),
        ([BOOK, "--reading", "moonlight=maybe"], "PC507"),
        ([BOOK, "--script", "x", "--random"], "PC507"),
        ([BOOK, "--plays", "3"], "PC507"),
        ([BOOK, "--random", "--plays", "0"], "PC507"),
        ([BOOK, "--steer"], "PC507"),
        ([BOOK, "--resume", "x", "--seed", "1"], "PC507"),
        ([BOOK, "--whole-states"], "PC507"),
        ([BOOK, "--save", "x.json", "--trace", "x.json"], "PC507"),
    ],
)
def test_calls_that_cannot_be_followed(call: Call, words: list[str], code: str) -> None:
    result = call("play", *words)
    assert result.status == 2
    assert code in result.err
    assert result.out == ""


def test_a_book_with_errors_is_not_played(call: Call, tmp_path: Path) -> None:
    (tmp_path / "bad.rules").write_text('book bad "Bad"\n    begins with "Nowhere"\n', encoding="utf-8")
    result = call("play", tmp_path / "bad.rules")
    assert result.status == 2
    assert "bad.rules" in result.err
    assert result.out == ""

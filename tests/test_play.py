"""`plainchant play` and `plainchant replay`: prompts, commands, scripts, saved games, random plays, and every way to stop."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plainchant.faces.command_line import main
from plainchant.faces.page import Page

BOOK = str(Path(__file__).parent / "bad" / "play" / "small.rules")

Call = Callable[..., "Result"]


class Result:
    """What a call printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call with words, and lines for the prompt."""

    def do(*words: object, lines: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(status, captured.out, captured.err)

    return do


def in_order(text: str, *wanted: str) -> None:
    """Assert that the texts stand one after the other."""
    place = 0
    for words in wanted:
        found = text.find(words, place)
        assert found >= 0, f"{words!r} is missing after {text[max(0, place - 200) : place]!r} in:\n{text}"
        place = found + len(words)


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

WHERE = "The First Part / Crossing"
STOPS = {
    "PC601": (
        ["2", "1", "Open the doors", "3"],
        ["error PC601 Hole in the rules", "check “the doors”", WHERE, "How many doors are open? 3"],
    ),
    "PC602": (["2", "1", "Cross off the way"], ["error PC602 Instruction cannot be carried out", "cross off “you lost your way”", WHERE]),
    "PC603": (["2", "1", "Earn", "2"], ["error PC603 Number out of its range", "“points”", WHERE]),
    "PC604": (["2", "1", "Open the doors", "2"], ["error PC604 The text leads nowhere", "“Crossing”", WHERE]),
}


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


# ---------------------------------------------------------------- saving and resuming


def test_save_resume_and_redo(call: Call, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    first = call("play", BOOK, "--seed", "3", "--save", saved, "--reading", "moonlight=no, it hides", lines="2\nOpen the doors\nundo\n")
    assert f"Saved to {saved}" in first.out
    assert "was not saved" not in first.out
    second = call("play", BOOK, "--resume", saved, lines="history\nredo\n2\n")
    in_order(second.out, "Chance is drawn from the seed 3", "Reading “moonlight”: no, it hides",
             "Resumed after 2 decisions", "== The First Part ==",
             "-- Crossing",
             "1 the lead player: “Draw a token”", "the players: “Open the doors”", "recorded: “you found 2 coins”")  # fmt: skip
    assert json.loads(saved.read_text(encoding="utf-8"))["steps"][-1]["choice"] != 2, "only save or --save writes"


def test_save_without_a_name_goes_back_to_the_resumed_file(call: Call, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    call("play", BOOK, "--save", saved, lines="1\n")
    call("play", BOOK, "--resume", saved, lines="Open the doors\nsave\n")
    assert [step["choice"] for step in json.loads(saved.read_text(encoding="utf-8"))["steps"]] == ["undo", "Open the doors"]


def test_a_file_that_is_no_play_is_never_overwritten(call: Call, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes", encoding="utf-8")
    result = call("play", BOOK, "--save", notes, lines="1\n")
    assert result.status == 2
    assert "PC009" in result.err
    assert "PC009" in call("play", BOOK, lines=f"1\nsave {notes}\n").out
    assert notes.read_text(encoding="utf-8") == "my notes"
    assert "PC009" in call("play", BOOK, "--save", tmp_path / "nowhere" / "game.json").err
    assert "PC009" in call("play", BOOK, "--save", tmp_path).err


def test_ctrl_c_ends_politely_and_saves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    for options, told in ((["--save", str(tmp_path / "game.json")], "Saved to"), ([], "The play was not saved")):
        monkeypatch.setattr(sys, "stdin", Interrupted("1\n"))
        assert main(["play", BOOK, *options]) == 0
        assert told in capsys.readouterr().out
    assert (tmp_path / "game.json").exists()


def damaged(path: Path, **changes: object) -> Path:
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
    return path


def test_saved_games_that_cannot_be_used(call: Call, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"

    def refused(code: str) -> None:
        result = call("play", BOOK, "--resume", saved)
        assert code in result.err
        assert result.status == 2

    for text in ("", "{", "[1]", "no json", '{"schema": "else/1"}', "[" * 100_000, '{"schema": "plainchant/play/1", "book": 1}'):
        saved.write_text(text, encoding="utf-8")
        refused("PC503")
    saved.write_bytes(b"\xff\xfe")
    refused("PC503")
    saved.unlink()
    refused("PC001")
    call("play", BOOK, "--save", saved, lines="1\nOpen the doors\n")
    damaged(saved, schema="plainchant/play/99")
    refused("PC509")
    damaged(saved, schema="plainchant/play/1", book="other")
    refused("PC507")
    damaged(saved, book="small", entrance="nowhere")
    refused("PC508")
    damaged(saved, entrance="campaign", steps=[{"choice": "undo"}, {"choice": "Fly away"}])
    refused("PC504")
    result = call("play", BOOK, "--resume", saved)
    assert "step 2" in result.err
    assert "Fly away" in result.err


def test_a_play_saved_under_other_rules_says_where_it_departs(call: Call, tmp_path: Path) -> None:
    saved, changed = tmp_path / "game.json", tmp_path / "small.rules"
    call("play", BOOK, "--save", saved, lines="2\n1\nGo home\n")
    changed.write_text(Path(BOOK).read_text(encoding="utf-8").replace("add 1 red token", "add 2 red tokens"), encoding="utf-8")
    result = call("play", changed, "--resume", saved)
    assert result.status == 2
    assert "PC504" in result.err
    assert "step 2" in result.err
    assert "bag.pouch.red" in result.err


# ---------------------------------------------------------------- scripts


def test_a_script_may_name_words_or_numbers_and_has_comments(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_bytes('\ufeff# the way home\r\n\r\n  Draw a token\r\n2\r\n"Open the doors"\r\n1\r\n'.encode())
    result = call("play", BOOK, "--script", script)
    in_order(
        result.out, "the lead player: “Draw a token”", "chance: At random “a blue one”", "the players: “Open the doors”", "** The end **"
    )
    assert result.status == 0


def test_a_script_that_ends_early_says_what_is_asked_next(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("undo\n", encoding="utf-8")
    result = call("play", BOOK, "--script", script, lines="Go home\n")
    in_order(result.out, "Decision of the players", "1 Open the doors", "The script ends here")
    assert "> Go home" not in result.out
    assert result.status == 0


def test_a_script_stops_at_the_first_line_that_departs(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("# a comment\nundo\nSail away\nGo home\n", encoding="utf-8")
    result = call("play", BOOK, "--script", script, "--save", tmp_path / "game.json")
    assert result.status == 2
    assert "PC505" in result.err
    assert "script.txt" in result.err
    assert "line 3, column 1" in result.err
    assert "Sail away" in result.err
    assert "“Go home”" in result.err
    assert "** The end **" not in result.out
    assert len(json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["steps"]) == 1


def test_a_script_that_goes_on_after_the_end_departs(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("undo\nGo home\nGo home\n", encoding="utf-8")
    result = call("play", BOOK, "--script", script)
    assert result.status == 2
    assert "PC505" in result.err
    assert "script.txt" in result.err
    assert "line 3, column 1" in result.err


def test_a_trace_or_saved_game_is_a_script_too(call: Call, tmp_path: Path) -> None:
    for option in ("--trace", "--save"):
        file = tmp_path / f"play{option}.json"
        first = call("play", BOOK, "--random", "--seed", "4", option, file)
        again = call("play", BOOK, "--script", file)
        assert again.status == first.status
        told = [line for line in first.out.splitlines() if "✓" in line]
        assert told
        assert [line for line in again.out.splitlines() if "✓" in line] == told
    assert "PC507" in call("play", BOOK, "--script", file, "--seed", "1").err
    assert "PC507" in call("play", "tcu", "--script", file).err
    document = json.loads(file.read_text(encoding="utf-8"))
    document["steps"][-1]["choice"] = "Sail away"
    file.write_text(json.dumps(document), encoding="utf-8")
    result = call("play", BOOK, "--script", file)
    assert result.status == 2
    assert "PC505" in result.err


@pytest.mark.parametrize(("content", "code"), [(None, "PC001"), (b"\xff\xfe\x00", "PC003"), (b"{", "PC503"), (b"und\x00o\n", "PC007")])
def test_scripts_that_cannot_be_read(call: Call, tmp_path: Path, content: bytes | None, code: str) -> None:
    script = tmp_path / "script.txt"
    if content is not None:
        script.write_bytes(content)
    result = call("play", BOOK, "--script", script)
    assert result.status == 2
    assert code in result.err


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


# ---------------------------------------------------------------- random plays


def test_a_random_play_is_the_same_for_the_same_seed(call: Call) -> None:
    first, again, other = (call("play", "tcu", "--random", "--seed", seed).out for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_a_random_play_without_a_seed_tells_the_one_it_took(call: Call) -> None:
    out = call("play", BOOK, "--random").out
    seed = re.search(r"seed (\d+)", out)
    assert seed is not None
    assert call("play", BOOK, "--random", "--seed", seed.group(1)).out == out


def test_many_plays_count_every_way_to_stop_and_name_a_seed_that_shows_it(call: Call) -> None:
    result = call("play", BOOK, "--random", "--seed", "1", "--plays", "200")
    rows = re.findall(r"^ *(\d+) +[\d.]+ % +(\d+)  ([\w-]+)(?: \((PC\d+)\))?  (.*)$", result.out, re.MULTILINE)
    assert sum(int(count) for count, *_ in rows) == 200
    assert {code for *_, code, _ in rows if code} == set(STOPS)
    assert {kind for _, _, kind, *_ in rows} >= {"end"}
    for _, seed, kind, code, about in rows:
        shown = call("play", BOOK, "--random", "--seed", seed)
        assert (code or "** The end **") in shown.out
        assert (shown.status == 0) == (kind == "end")
        assert about
    assert "Every section was reached." in result.out
    assert result.status == 1


def test_sections_that_no_play_reached_are_named(call: Call) -> None:
    out = call("play", "tcu", "--random", "--seed", "1", "--plays", "2").out
    in_order(out, "Never reached:", "Epilogue")
    assert "Standalone Mode" not in out
    alone = call("play", "tcu", "--standalone", "the_wages_of_sin", "--random", "--seed", "1", "--plays", "1").out
    in_order(alone, "Never reached:", "Scenario IV: The Wages of Sin")
    assert "Scenario I:" not in alone


def test_steered_plays_write_a_trace_of_each_ending_that_replays(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    result = call("play", BOOK, "--random", "--seed", "1", "--plays", "60", "--steer", "--trace", folder)
    files = sorted(folder.iterdir())
    assert len(files) >= 5
    for file in files:
        assert str(file) in result.out
        agrees = call("replay", file, "--book", BOOK)
        assert agrees.status == 0, agrees.out
        kind = json.loads(file.read_text(encoding="utf-8"))["ending"]["kind"]
        assert file.stem.endswith(kind)


def test_plays_that_lead_round_in_a_circle_are_given_up(call: Call, tmp_path: Path) -> None:
    book = tmp_path / "round.rules"
    book.write_text(
        'book round "Round"\n    begins with "Here"\n    order of play\n        part\n\ninterlude part "Part"\n    section "Here"\n'
        '        the players decide\n            "On": proceed to "Here"\n',
        encoding="utf-8",
    )
    result = call("play", book, "--random", "--seed", "1", "--plays", "1")
    assert "endless" in result.out
    assert result.status == 1
    one = call("play", book, "--random", "--seed", "1")
    assert "Given up after" in one.out
    assert one.status == 1


# ---------------------------------------------------------------- replay


def test_replay_says_that_a_trace_agrees_or_where_it_departs(call: Call, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    call("play", "tcu", "--random", "--seed", "5", "--trace", trace)
    steps = json.loads(trace.read_text(encoding="utf-8"))["steps"]
    agrees = call("replay", trace)
    assert agrees.status == 0
    assert f"Agrees: {len(steps)} steps" in agrees.out
    departs = call("replay", damaged(trace, steps=[*steps[:3], {"choice": "Nobody at all"}]))
    assert departs.status == 1
    in_order(departs.out, "Departs at step 4 of 4", "Nobody at all", "legal are:")
    changed = [*steps[:1], {**steps[1], "changed": {}}, *steps[2:]]
    assert "Departs at step 2" in call("replay", damaged(trace, steps=changed)).out
    ending = call("replay", damaged(trace, steps=steps, ending={"kind": "hole"}))
    assert ending.status == 1
    assert "the document says: play stops (hole)" in ending.out


def test_replay_of_a_book_that_is_not_shipped_needs_its_path(call: Call, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    call("play", BOOK, "--random", "--seed", "5", "--trace", trace, "--whole-states")
    assert json.loads(trace.read_text(encoding="utf-8"))["states"][0]["bag.pouch.red"] == 0
    assert call("replay", trace, "--book", BOOK).status == 0
    result = call("replay", trace)
    assert result.status == 2
    assert "PC501" in result.err


def test_replay_of_files_that_are_no_traces(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    assert call("replay", file).status == 2
    for text, code in (("", "PC503"), ('{"schema": "plainchant/trace/7"}', "PC509")):
        file.write_text(text, encoding="utf-8")
        result = call("replay", file)
        assert result.status == 2
        assert code in result.err


# ---------------------------------------------------------------- a real terminal


class Terminal:
    """A child process on a pseudo-terminal, driven as people do."""

    def __init__(self, *words: object, columns: int = 80) -> None:
        self.screen = ""
        self.seen = 0
        self.interrupted = False
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "PYTHONPATH": os.pathsep.join(sys.path)}
            environment.pop("NO_COLOR", None)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a runner in the background may have had it ignored
            os.execve(sys.executable, [sys.executable, "-m", "plainchant", *map(str, words)], environment)

    def send(self, line: str) -> None:
        os.write(self.fd, line.encode())

    def until(self, words: str) -> None:
        """Read until the words come, without the colours, after what was waited for before."""
        while (place := self._plain().find(words, self.seen)) < 0:
            assert self._read(), f"{words!r} never came; the screen shows {self.screen!r}"
        self.seen = place + len(words)

    def _read(self) -> bool:
        """Read what comes; false at the end, or if nothing comes for a long time."""
        for _ in range(12):
            if select.select([self.fd], [], [], 5)[0]:
                break
            if self.interrupted:  # Ctrl-C is lost between the prompt and the waiting for a key; people press it again
                self.send("\x03")
        else:
            os.kill(self.pid, signal.SIGKILL)
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux tells that the other side has closed the terminal
            return False
        self.screen += data.decode(errors="replace")
        return bool(data)

    def _plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.screen)

    def wait(self) -> int:
        """Read to the end; the exit status."""
        while self._read():
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_a_play_on_a_terminal_with_undo_log_bag_save_and_resume(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    terminal = Terminal("play", "tcu", "--save", saved)
    terminal.until("> ")
    assert "\x1b[" in terminal.screen
    terminal.send("Standard\n")
    terminal.until("How many investigators take part?")
    terminal.until("> ")
    terminal.send("bag\n")
    terminal.until("13 in all")
    terminal.until("> ")
    terminal.send("log\n")
    terminal.until("Penny White's profile")
    terminal.until("> ")
    terminal.send("1\n")
    terminal.until("Valentino Rivas")
    terminal.until("> ")
    terminal.send("undo\n")
    terminal.until("taken back")
    terminal.until("> ")
    terminal.send("\x04")
    assert terminal.wait() == 0
    assert "Saved to" in terminal.screen
    assert [step["choice"] for step in json.loads(saved.read_text(encoding="utf-8"))["steps"]] == ["Standard"]

    again = Terminal("play", "tcu", "--resume", saved)
    again.until("Resumed after 1 decision")
    again.until("> ")
    again.send("2\n")
    again.until("Decision of Investigator 1")
    again.until("> ")
    again.interrupted = True
    again.send("\x03")
    assert again.wait() == 0
    assert "was not saved" in again.screen


@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_after_a_script_the_people_go_on_at_a_terminal(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("undo\n", encoding="utf-8")
    terminal = Terminal("play", BOOK, "--script", script)
    terminal.until("Decision of the players")
    terminal.until("> ")
    terminal.send("Go home\n")
    terminal.until("The end")
    terminal.until("> ")
    terminal.send("quit\n")
    assert terminal.wait() == 0

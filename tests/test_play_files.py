"""Plays in files: saved games that are resumed, scripts, and traces that are replayed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from calls import BOOK, Call, in_order
from plainchant.faces.command_line import main

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

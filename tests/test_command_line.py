"""The command line as it is called: reports, exit statuses, wrong calls, pipes, interruptions and faults of the program."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import plainchant
from plainchant.faces import check_command
from plainchant.faces.command_line import COMMANDS, main
from plainchant.faces.fmt import format_paths
from samples import BAD, proven, run, words_of

SOUND = 'scenario woods "The Woods"\n    section "Intro"\n        the campaign is over: "end"\n'


@pytest.fixture
def woods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "woods.rules"
    path.write_text(SOUND, encoding="utf-8")
    return path


def _schema() -> dict[str, object]:
    folder = Path(plainchant.__file__).parent / "schemas"
    schema: dict[str, object] = json.loads((folder / "check.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


# ---------------------------------------------------------------- check


def test_a_sound_book_has_status_0(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(woods)]) == 0
    assert capsys.readouterr() == ("1 book, 1 file: nothing found.\n", "")


def test_claims_that_nobody_proves_are_not_decided(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND + "claim one: always 1 = 1  @woods:7-8\nclaim two: never 1 = 2\n", encoding="utf-8")
    assert main(["check", "--no-prove", str(woods)]) == 3
    assert "2 claims: not decided, for nothing was proven." in capsys.readouterr().out
    assert main(["check", "--no-prove", str(woods), "--format", "json"]) == 3
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, _schema())
    assert [(c["name"], c["expression"], c["verdict"], c["cites"]) for c in report["claims"]] == [
        ("one", "always 1 = 1", "not decided", [{"source": "woods", "from": 7, "to": 8}]),
        ("two", "never 1 = 2", "not decided", []),
    ]


def test_warnings_are_findings_and_notes_are_not(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND + '        read "more"\n', encoding="utf-8")
    assert main(["check", str(woods)]) == 1
    assert capsys.readouterr().out.endswith("1 book, 1 file: 1 warning.\n")
    woods.write_text("# nothing yet\n", encoding="utf-8")
    assert main(["check", str(woods)]) == 0
    assert capsys.readouterr().out.endswith("1 book, 1 file: 1 note.\n")


def test_a_path_that_leads_nowhere_has_status_2_and_stands_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no/such/path", "--format", "json"]) == 2
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, _schema())
    assert [(f["code"], f["at"]) for f in report["findings"]] == [("PC001", None)]


@pytest.mark.parametrize("sample", sorted(path.name for path in BAD.glob("*.rules")))
def test_the_json_of_each_sample_follows_the_schema(
    sample: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(BAD)
    status = main([*words_of(BAD / sample), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, _schema())
    codes = {finding["code"] for finding in report["findings"]}
    assert sample[:5] in codes
    assert codes == {sample[:5]} or proven(BAD / sample)
    assert {finding["at"]["file"] for finding in report["findings"]} <= {sample, "broken.lines"}
    summary = report["summary"]
    assert summary["errors"] + summary["warnings"] + summary["notes"] == len(report["findings"])
    assert (status == 0) == (summary["errors"] == summary["warnings"] == 0)


def test_the_shipped_books_are_checked_without_a_path(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, _schema())
    assert "tcu" in [book["name"] for book in report["books"]]
    assert [f["message"] for f in report["findings"] if f["severity"] == "error"] == []
    assert report["plainchant"] == plainchant.__version__


def test_a_file_stands_for_its_book_and_a_folder_for_the_books_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "book.rules").write_text(
            f'book {name} "The Book"\n    printed in {name}, 9 lines\n    begins with "The Woods"\n', encoding="utf-8"
        )
        (tmp_path / name / "woods.rules").write_text(SOUND, encoding="utf-8")
    assert main(["check", str(tmp_path / "one" / "woods.rules"), str(tmp_path / "one")]) == 0
    assert capsys.readouterr().out == "1 book, 2 files: nothing found.\n"
    assert main(["check", str(tmp_path), "--format", "json"]) == 0
    books = json.loads(capsys.readouterr().out)["books"]
    assert books == [{"name": name, "files": 2, "sections": 1, "rules": 1, "lines": 6} for name in ("one", "two")]


def test_a_finding_shows_place_caret_cause_and_cure(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND.replace("the campaign is over", "the campain is over"), encoding="utf-8")
    assert main(["check", "woods.rules"]) == 1
    out = capsys.readouterr().out
    expected = """\
woods.rules

line 3, column 9: error PC112 Misspelt word
     3 │         the campain is over: "end"
       │         ^^^^^^^^^^^^^^^^^^^
  “the campain is over” is no word of the language here
  why: A statement or declaration begins with one of the language's words.
  cure: did you mean “the campaign is over”?

1 book, 1 file: 1 error.
"""
    assert out == expected


def test_carets_stand_below_wide_letters(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND.replace("the campaign", 'read "森の中" foo\n        the campaign'), encoding="utf-8")
    main(["check", "woods.rules"])
    line, caret = capsys.readouterr().out.split("\n")[3:5]
    assert caret.index("^") == line.index("foo") + len("森の中")  # each of them is two columns wide


def test_a_very_long_line_is_shown_in_part(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND.replace("the campaign", f'read "{"x" * 5_000}" foo "{"y" * 5_000}"\n        the campaign'), encoding="utf-8")
    main(["check", "woods.rules"])
    line, caret = capsys.readouterr().out.split("\n")[3:5]
    assert len(line) < 200
    assert line[caret.index("^") :].startswith("foo")


# ---------------------------------------------------------------- colours and streams


def _on_a_terminal(words: list[str], folder: Path, **environment: str) -> str:
    """What a call writes on a terminal."""
    import pty  # Windows has none

    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "plainchant", *words], cwd=folder, stdout=theirs, stderr=subprocess.DEVNULL,
        env={**kept, "TERM": "xterm-256color", "COLUMNS": "60", **environment},
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        written += piece
    process.wait()
    os.close(ours)
    return written.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are opened otherwise on Windows")
def test_colours_only_on_a_terminal_and_never_with_no_color() -> None:
    words = ["check", "PC112_misspelt_word.rules"]
    assert "\x1b[" in _on_a_terminal(words, BAD)
    plain = _on_a_terminal(words, BAD, NO_COLOR="1")
    assert "\x1b[" not in plain
    assert "did you mean “record”?" in plain
    assert "\x1b[" not in run(words).stdout


def test_only_the_report_goes_to_standard_output() -> None:
    report = run(["check", "PC112_misspelt_word.rules"])
    assert (report.returncode, report.stderr) == (1, "")
    refused = run(["chek"])
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "did you mean “check”?" in refused.stderr


def test_signs_that_the_encoding_lacks_are_replaced() -> None:
    report = run(["check", "PC112_misspelt_word.rules"], PYTHONIOENCODING="ascii")
    assert report.returncode == 1
    assert "did you mean ?record??" in report.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise on Windows")
@pytest.mark.parametrize("words", [["explain", "PC101"], ["check", "PC112_misspelt_word.rules"], ["check", "--format", "json"]])
def test_a_reader_who_has_enough_ends_the_call_quietly(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "plainchant", *words], cwd=BAD, stdout=writer, stderr=subprocess.PIPE, check=False, stdin=subprocess.DEVNULL
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here that is always full")
@pytest.mark.parametrize("words", [["--help"], ["explain", "PC101"], ["check", "PC112_misspelt_word.rules"]])
def test_an_output_that_takes_no_more_is_told_as_that(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "plainchant", *words],
            cwd=BAD,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    assert done.stderr.decode().startswith("error PC009 Cannot be written\n  “standard output” cannot be written")
    assert done.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise on Windows")
@pytest.mark.skipif(os.name != "posix", reason="the shell of another system closes outputs otherwise")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("words", "status"),
    [(["--version"], 0), (["nope"], 2), (["check", "seal"], 0), (["check", "PC401_leads_nowhere.rules"], 1), (["ask", "tcu", "yes"], 0)],
)
def test_a_closed_output_changes_no_status(words: list[str], status: int, closed: str) -> None:
    call = f"{shlex.join([sys.executable, '-m', 'plainchant', *words])} {closed}"
    done = subprocess.run(call, shell=True, cwd=BAD, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "PC900" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="other systems do not let go of a folder in use")
def test_a_working_folder_that_is_gone_is_told_as_that(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    call = f"rmdir {shlex.quote(str(folder))}; {shlex.join([sys.executable, '-m', 'plainchant', 'check', 'seal'])}"
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        call, shell=True, cwd=folder, capture_output=True, text=True, check=False, timeout=120, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 2
    assert "the working folder is no longer there" in done.stderr


def test_an_interruption_ends_the_call_quietly() -> None:
    wait = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # whoever started the tests may ignore it
        "from plainchant.faces import command_line as c\n"
        "from plainchant.faces import check_command\n"
        "check_command.run = lambda args: os.kill(os.getpid(), signal.SIGINT) or signal.pause()\n"
        "sys.exit(c.main(['check']))\n"
    )
    done = subprocess.run([sys.executable, "-c", wait], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "")


# ---------------------------------------------------------------- wrong calls


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek"], "did you mean “check”?"),
        (["xyzzy"], "known are: " + ", ".join(sorted(command.name for command in COMMANDS))),
        (["check", "--fromat", "json"], "did you mean “--format”?"),
        (["check", "--format", "jsn"], "did you mean “json”?"),
        (["check", "--book"], "expected one argument"),
        (["check", "--book", "tuc"], "did you mean “tcu”?"),
        (["explain"], "required: CODE|NAME"),
        (["explain", "PC999"], "neither a code nor a name"),
        (["explain", "a", "b"], "“b” is one word too many"),
        (["explain", "you have acepted your fate"], "did you mean “you have accepted your fate”?"),
        (["--wersion"], "did you mean “--version”?"),
        (["fmt"], "required: PATH"),
    ],
)
def test_a_wrong_call_is_refused_with_what_was_probably_meant(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err


def test_a_call_without_words_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(command.name in err for command in COMMANDS)


@pytest.mark.parametrize("command", [None, *(command.name for command in COMMANDS)])
def test_help(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*([command] if command else []), "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "usage: plainchant" in out
    examples = next((one.examples for one in COMMANDS if one.name == command), ())
    assert all(f"plainchant {example}" in out for example in examples)


def test_the_examples_of_the_help_are_understood() -> None:
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.loaded().add_arguments(parser)
        for example in command.examples:
            name, *words = shlex.split(example)
            assert name == command.name
            parser.parse_args(words)


def test_a_call_that_shows_no_help_does_not_load_what_draws_it() -> None:
    code = (
        "import sys; from plainchant.faces import command_line as c;"
        "c._parser(next(one for one in c.COMMANDS if one.name == 'check'));"
        "print([m for m in sys.modules if m.split('.')[0] == 'rich'])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_the_help_imports_neither_the_parser_nor_the_engine() -> None:
    listed = (
        "import sys\nfrom plainchant.faces.command_line import main\nmain(['--help'])\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('lark', 'z3') or m.startswith(('plainchant.play', 'plainchant.meaning'))])"
    )
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"plainchant {plainchant.__version__}\n"


# ---------------------------------------------------------------- faults of the program


def _break(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: argparse.Namespace) -> int:
        raise RecursionError("too deep")

    monkeypatch.setattr(check_command, "run", fail)


def test_a_fault_of_the_program_is_told_as_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("PLAINCHANT_TRACEBACK", raising=False)
    _break(monkeypatch)
    assert main(["check"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error PC900 Fault of the program" in err
    assert "RecursionError: too deep" in err
    assert "please report it" in err
    assert "Traceback" not in err


def test_the_traceback_is_for_who_asks_for_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PLAINCHANT_TRACEBACK", "1")
    _break(monkeypatch)
    assert main(["check"]) == 2
    assert "Traceback" in capsys.readouterr().err


# ---------------------------------------------------------------- fmt


def test_fmt_tells_what_would_change_and_changes_it(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    canonical = SOUND.replace('"The Woods"\n', '"The Woods"\n\n')
    woods.write_text(canonical.replace("    ", "  "), encoding="utf-8")
    assert main(["fmt", "--check", "woods.rules"]) == 1
    assert capsys.readouterr().out == "would change: woods.rules\n"
    assert main(["fmt", "woods.rules"]) == 0
    assert capsys.readouterr().out == "changed: woods.rules\n"
    assert woods.read_text(encoding="utf-8") == canonical
    assert main(["fmt", "--check", "woods.rules"]) == 0
    assert capsys.readouterr() == ("", "")


def test_fmt_leaves_a_file_with_errors_and_says_why(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text("recrod\n", encoding="utf-8")
    assert main(["fmt", "woods.rules"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "PC101" in err
    assert woods.read_text(encoding="utf-8") == "recrod\n"


def test_fmt_says_when_a_file_cannot_be_written(woods: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    woods.write_text(SOUND.replace("    ", "  "), encoding="utf-8")
    monkeypatch.setattr("plainchant.files.os.fsync", refuse)
    assert [d.code for d in format_paths([woods], check=False).diagnostics] == ["PC009"]
    assert list(woods.parent.iterdir()) == [woods]


# ---------------------------------------------------------------- explain


def test_explain_tells_a_code_with_its_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "pc112"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("PC112 Misspelt word (error, syntax)\n")
    assert 'recrod "the spell was broken"' in out
    assert "did you mean “record”?" in out


def test_explain_tells_where_a_log_entry_is_declared_written_and_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "You have accepted your fate", "--book", "tcu"]) == 0
    by_words = capsys.readouterr().out
    assert main(["explain", "accepted_fate"]) == 0
    assert capsys.readouterr().out == by_words
    assert by_words.startswith("accepted_fate “you have accepted your fate”: an entry of the campaign log, printed at @90\n")
    assert "written in:\n    Scenario I: The Witching Hour / Intro 2 (" in by_words
    assert "read in:\n    a claim one_fate (" in by_words


def test_explain_knows_the_printed_words_of_one_of_a_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "Gavriella is dead"]) == 0
    assert capsys.readouterr().out.startswith("dead “{short} is dead”: an entry of the campaign log")


def test_explain_tells_what_leads_to_a_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", '"Scenario I: The Witching Hour" / "Intro 2"']) == 0
    out = capsys.readouterr().out
    assert out.startswith("intro_2 “Intro 2”: a section of “Scenario I: The Witching Hour” (section), printed at @89\n")
    assert out.count("a section of") == 1
    assert '    record "you have accepted your fate"' in out
    assert "led to from:\n    Scenario I: The Witching Hour / Intro 1 (" in out


def test_explain_tells_of_a_book_by_its_path(woods: Path, capsys: pytest.CaptureFixture[str]) -> None:
    woods.write_text(SOUND.replace("the campaign", "do dig\n        the campaign") + 'rule dig\n    read "a"\n', encoding="utf-8")
    assert main(["explain", "dig", "--book", "woods.rules"]) == 0
    out = capsys.readouterr().out
    expected = """\
dig: a rule
woods.rules, line 5:

    rule dig
        read "a"

used in:
    The Woods / Intro (woods.rules, line 3)
"""
    assert out == expected


def test_explain_counts_filling_a_bag_as_writing_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "the chaos bag"]) == 0
    written, _, read = capsys.readouterr().out.partition("read in:")
    assert "campaign_setup.rules" in written
    assert "campaign_setup.rules" not in read


def test_a_book_is_checked_by_its_shipped_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-prove", "tcu"]) == main(["check", "--no-prove", "--book", "tcu"])
    summaries = [line for line in capsys.readouterr().out.splitlines() if line.startswith("1 book")]
    assert len(summaries) == 2
    assert summaries[0] == summaries[1]


@pytest.mark.parametrize("kind", ["0 to 20", "number"])
def test_a_number_needs_its_place_in_the_words(woods: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    woods.write_text(f'{SOUND}campaign log\n    shells "shells were gathered": {kind}\n', encoding="utf-8")
    assert main(["check", str(woods)]) == 1
    assert "error PC309" in capsys.readouterr().out

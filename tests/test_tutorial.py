"""The tutorial, followed from its first line to its last: its files are written, its calls are run, its site is built."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from plainchant.faces.command_line import main
from plainchant.text.printed import CLASSES
from sites import ROOT, run, small_config
from test_readme import LEFT_OUT

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
_STEP = re.compile(r"(?ms)(?:`([\w/.]+)`:\n\n)?^```(\w+)\n(.*?)^```$")
_STATUS = re.compile(r"\[exit status (\d+)\]")
_CORRECTED = re.compile(r"line (\d+) (?:is )?`(\w+)`")


def agrees(shown: list[str], output: str) -> bool:
    """As in the other pages; here … within a line stands for any words as well."""
    lines = ["(?:.*\n)*?" if line.strip() == LEFT_OUT else re.escape(line.rstrip()).replace("…", ".*") + "\n" for line in shown]
    told = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch("".join(lines), told) is not None


def correct_the_table(path: Path) -> None:
    """What the reader is told to do by hand."""
    rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    corrected = dict(_CORRECTED.findall(PAGE))
    assert len(corrected) == 4
    for number, row in enumerate(rows):
        line, _, rest = row.partition(" ")
        if line in corrected:
            assert corrected[line] in CLASSES
            rows[number] = f"{line} {corrected[line]} {rest.partition(' ')[2]}"
    path.write_text("".join(rows), encoding="utf-8")


def test_the_tutorial_works_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("z3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    calls = 0
    for path, language, text in _STEP.findall(PAGE):
        if path:
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
            if path.endswith("waived.rules"):
                correct_the_table(tmp_path / "lighthouse" / "lighthouse.lines")
        elif language == "console":
            for call in text.removeprefix("$ ").split("\n$ "):
                follow(call, capsys)
                calls += 1
    assert calls > 8


def follow(call: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, *shown = call.rstrip("\n").split("\n")
    status = _STATUS.fullmatch(shown[-1]) if shown else None
    shown = shown[:-1] if status else shown
    program, *arguments = shlex.split(words)
    assert program == "plainchant"
    ended = main(arguments)
    told = capsys.readouterr()
    assert agrees(shown, told.out or told.err), f"{words}\n{told.out}{told.err}"
    assert ended == (int(status[1]) if status else 0), words


def test_its_book_becomes_a_site(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("z3")
    for path, _, text in _STEP.findall(PAGE):
        if path:
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
    small_config(tmp_path)
    run("plainchant", "site", "lighthouse", "-o", "pages", folder=tmp_path)
    run("mkdocs", "build", "--quiet", folder=tmp_path)
    section = (tmp_path / "site" / "books" / "lighthouse" / "sections" / "lighthouse.the_ship" / "index.html").read_text(encoding="utf-8")
    assert "nothing is said of a dark lamp without fog" in section

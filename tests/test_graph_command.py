"""`plainchant graph`: the call, the forms it writes, and what it refuses."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from books import compiled_text
from graphs import LOOP, SVG
from plainchant.faces import graph as command


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


@pytest.fixture
def book(tmp_path: Path) -> str:
    compiled_text(tmp_path, LOOP, "book.rules")
    return str(tmp_path / "book.rules")


def test_each_suffix_gives_its_form(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in ("svg", "dot", "json", "SVG"):
        assert call(book, "-o", str(tmp_path / f"out.{suffix}"), "--no-prove") == 0
    assert ET.parse(tmp_path / "out.svg").getroot().tag == f"{SVG}svg"
    assert (tmp_path / "out.dot").read_text(encoding="utf-8").startswith("digraph")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["proven"] is False
    assert {path.name for path in tmp_path.iterdir()} == {"book.rules", "out.svg", "out.dot", "out.json", "out.SVG"}
    assert capsys.readouterr().out == ""


def test_without_a_file_dot_goes_to_standard_output(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(book, "--no-prove") == 0
    assert capsys.readouterr().out.startswith('digraph "loop" {')


def test_with_a_prover_the_verdicts_are_drawn(book: str, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    assert call(book, "-o", str(tmp_path / "out.json")) == 0
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert document["proven"] is True
    assert {n["id"]: n["verdict"] for n in document["nodes"] if n["kind"] == "section"} == {
        "tale.once": "reachable", "tale.twice": "reachable", "tale.never": "unreachable",
    }  # fmt: skip


def test_without_a_prover_the_drawing_is_made_and_says_so(
    book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "installed_prover", lambda: None)
    assert call(book, "-o", str(tmp_path / "out.svg")) == 0
    assert "not installed" in capsys.readouterr().err
    assert "section: not proven" in (tmp_path / "out.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("-o", "out.png"), "PC507", "end its name in .svg, .dot or .json"),
        (("-o", "out"), "PC507", "end its name in .svg, .dot or .json"),
        (("-o", "missing/out.svg"), "PC009", "its folder does not exist"),
        (("-o", "folder.svg"), "PC009", "it is a folder"),
        (("--href", "#section"), "PC507", "write {key}"),
    ],
)
def test_a_wrong_call_is_told_with_its_cure(
    words: tuple[str, ...],
    code: str,
    told: str,
    book: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    assert call(book, *words, "--no-prove") == 2
    captured = capsys.readouterr()
    assert code in captured.err and told in " ".join(captured.err.split())
    assert captured.out == ""
    assert {path.name for path in tmp_path.iterdir()} == {"book.rules", "folder.svg"}


def test_an_unknown_book_and_a_broken_one_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("no_such_book", "--no-prove") == 2
    assert "PC501" in capsys.readouterr().err
    (tmp_path / "broken.rules").write_text('book b "B"\n    begins with nowhere\n', encoding="utf-8")
    assert call(str(tmp_path / "broken.rules"), "-o", str(tmp_path / "out.svg"), "--no-prove") == 2
    assert not (tmp_path / "out.svg").exists()

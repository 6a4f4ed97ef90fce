"""`ask --reading`: witnesses are plays of the printed rules, saved plays keep what they have settled, and nothing is settled twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainchant.faces.command_line import main
from plainchant.meaning.lower import compile_book
from plainchant.play.documents import replay, saved, write_json
from plainchant.play.machine import Machine
from plainchant.play.session import Session

BOOK = """\
campaign log
    first "the first"
    second "the second"
    more "X more": 0 to 5
reading odd "Is it odd?"
    surely "surely"
    hardly "hardly"
scenario tale "A Tale"
    fact guests: 0 to 3 "How many guests are there?"
    section "Road"
        the players decide
            "go": record more as guests
            "stay": nothing happens
        if odd is surely: record first
        otherwise: record second
        the players decide
            "end"
            "finish"
        the campaign is over: "the end"
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "small.rules"
    path.write_text(BOOK, encoding="utf-8")
    return path


def _machine(book: Path) -> Machine:
    program, _ = compile_book(book)
    assert program is not None
    return Machine(program)


def _saved(book: Path, *choices: str) -> str:
    session, _ = Session.start(_machine(book))
    assert session is not None
    for choice in choices:
        assert session.apply(choice)[0] is not None
    write_json(book.with_suffix(".json"), saved(session))
    return str(book.with_suffix(".json"))


def _told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main(["ask", *words, "--format", "json"])
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize(
    "words",
    [
        ("second",),
        ("first", "--always"),
        ("yes", "--maximise", "value(more)"),
        ("second", "--players-can-ensure"),
        ("yes", "--at", "Road"),
    ],
)
def test_a_witness_tells_what_was_settled(book: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, str(book), *words, "--reading", "odd = hardly")
    assert told["witness"]["readings"] == {"odd": "hardly"}
    session, departure, refused = replay(_machine(book), told["witness"])
    assert session is not None and departure is None and refused == ()


@pytest.mark.parametrize("choices", [(), ("stay",), ("stay", "hardly"), ("stay", "hardly", "end")])
def test_a_saved_play_goes_on_as_it_is_read(book: Path, choices: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    start = ("--from", _saved(book, *choices), "--reading", "odd=hardly")
    told = _told(capsys, str(book), "second", *start)
    assert told["answer"] == "reachable"
    session, departure, _ = replay(_machine(book), told["witness"])
    assert session is not None and departure is None
    assert session.state()["log.second"] == 1
    assert _told(capsys, str(book), "first", *start)["answer"] == "unreachable"


@pytest.mark.parametrize(
    ("choices", "given", "why"),
    [
        (("stay", "surely"), ["odd=hardly"], "the saved play has settled the reading “Is it odd?” already: “surely”"),
        ((), ["odd=hardly", "odd=surely"], "the reading “odd” is given twice: “hardly” and “surely”"),
        ((), ["odd"], "“odd” is not NAME=ALTERNATIVE"),
        ((), ["even=1"], "there is no reading “even”"),
    ],
)
def test_what_cannot_be_settled(
    book: Path, choices: tuple[str, ...], given: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    readings = [word for one in given for word in ("--reading", one)]
    assert main(["ask", str(book), "yes", "--from", _saved(book, *choices), *readings]) == 2
    assert why in capsys.readouterr().err
    if not choices:
        assert main(["play", str(book), *readings]) == 2
        assert why in capsys.readouterr().err

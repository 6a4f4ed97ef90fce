"""Absent is not zero: a number that was never recorded, whether it is named directly or by a definition of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from books import compiled_text
from plainchant.faces.command_line import main
from plainchant.play.machine import Machine
from plainchant.play.session import Session

BOOK = """\
kinds colour "colour"
    red "Red"
    green "Green"
group hero of 1 to 2 "How many heroes?"
    gold: number
bag pot of colour "the pot"
campaign log
    arrived "they arrived"
    burned "X houses burned": 0 to 5
    told "X told": number
    paint of colour "X {colour} pots": 0 to 5
    seen "Colours Seen": list of colour
keep strength: 0 to 9 = 1
define houses means value(burned)
define more means houses + 1
define pots of colour means value(paint of that colour)
rule give(amount: number): increase strength by amount
verb hero "gets {amount} gold"
    increase gold of that hero by amount
scenario tale "A Tale"
    section "Road"
        the players decide
            "record": record burned as 2
            "do not"
FIRST
        the campaign is over: "the end"
"""

NUMBERS = {"direct": "value(burned)", "defined": "houses", "defined twice": "more", "in a sum": "strength + houses"}
STATEMENTS = {
    "set": "set strength to {}",
    "increase": "increase strength by {}",
    "a rule's argument": "do give({})",
    "a verb's blank": "each hero gets ({}) gold",
    "how many are added": "add ({}) red to the pot",
    "record as": "record told as {}",
}


def _session(folder: Path, line: str, first: str) -> Session:
    program = compiled_text(folder, BOOK.replace("FIRST", f"        {line}"))
    session, _ = Session.start(Machine(program))
    assert session is not None
    session.apply(first)
    while session.question is not None:
        session.apply(session.question.choices[0] if session.question.choices else 1)
    return session


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_statement_that_needs_it_cannot_be_carried_out(tmp_path: Path, statement: str, number: str) -> None:
    ways = {first: _session(tmp_path, statement.format(number), first).ending for first in ("record", "do not")}
    assert {first: end.kind for first, end in ways.items() if end is not None} == {"record": "end", "do not": "impossible"}


@pytest.mark.parametrize("number", [*NUMBERS.values(), "pots of green"], ids=[*NUMBERS, "of a kind"])
@pytest.mark.parametrize("comparison", ["{} = 0", "{} != 3", "{} >= 0", "0 <= {}", "{} < 9"])
def test_every_comparison_with_it_is_false(tmp_path: Path, comparison: str, number: str) -> None:
    condition = comparison.format(number)
    assert _session(tmp_path, f"if {condition}: record arrived", "do not").state()["log.arrived"] == 0
    assert _session(tmp_path, f"if not {condition}: record arrived", "do not").state()["log.arrived"] == 1


@pytest.mark.parametrize("number", ["value(burned)", "houses"])
@pytest.mark.parametrize("option", ["--minimise", "--maximise"])
def test_its_bounds_are_those_of_plays_that_have_one(tmp_path: Path, option: str, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("FIRST", "        nothing happens"), encoding="utf-8")
    assert main(["ask", str(path), "yes", option, number, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 2
    assert main(["ask", str(path), "yes", option, "value(told)", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "unreachable"

"""A definition means what stands in it: of a fixed member, of one that is spoken of, and of one that only play knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from books import compiled_text
from plainchant.play.machine import Machine
from plainchant.play.session import Session

BOOK = """\
kinds colour "colour"
    red "Red"
    green "Green"
    blue "Blue"
group hero of 3 to 3 "How many heroes?"
    gold: 0 to 9
    hurt: flag
campaign log
    told "it was told"
    paint of colour "X {colour} pots": 0 to 9
keep strength: 0 to 99
keep boss: hero
keep favourite: colour
keep stock of colour: 0 to 9
fact lead: hero "Who leads?"
fact tired of hero: flag "Is {hero} tired?"
define wealth of hero means gold of that hero + 1
define twice of hero means wealth of that hero + gold of that hero
define rich of hero means twice of that hero > 5
define wounded of hero means hurt of that hero
define awake of hero means not tired of that hero
define left of colour means stock of that colour
define pots of colour means value(paint of that colour)
scenario tale "A Tale"
    section "Road"
        set boss to lead
        set favourite to blue
        increase gold of the lead by 5
        set hurt of the lead to yes
        set stock of blue to 4
        record paint of blue as 7
LINE
        the campaign is over: "the end"
"""
NUMBERS = {
    "wealth of lead": 6, "wealth of boss": 6, "twice of lead": 11, "wealth of lead + twice of boss": 17,
    "left of favourite": 4, "left of blue": 4, "left of red": 0, "pots of favourite": 7,
}  # fmt: skip
CONDITIONS = {
    "rich of lead": True, "not rich of boss": False, "wounded of lead": True, "wounded of boss and rich of boss": True,
    "awake of lead": False, "wealth of boss = 6": True, "wealth of lead != 6": False, "pots of favourite = 7": True,
    "pots of red = 0": False, "exactly 1 of (rich of lead, wounded of lead)": False,
    "(how many hero has rich) = 1": True, "any hero has (wounded and rich)": True,
}  # fmt: skip


def _played(folder: Path, line: str, lead: int) -> dict[str, int]:
    program = compiled_text(folder, BOOK.replace("LINE", f"        {line}"))
    session, _ = Session.start(Machine(program))
    assert session is not None
    while (asked := session.question) is not None:
        words = "yes" if "tired" in asked.prompt else f"Hero {lead}"
        made, refused = session.apply(3 if not asked.choices else words)
        assert made is not None, refused
    assert session.ending is not None
    assert session.ending.kind == "end"
    return session.state()


@pytest.mark.parametrize("lead", [1, 2, 3])
@pytest.mark.parametrize(("number", "value"), NUMBERS.items())
def test_numbers(tmp_path: Path, number: str, value: int, lead: int) -> None:
    assert _played(tmp_path, f"set strength to {number}", lead)["strength"] == value


@pytest.mark.parametrize("lead", [1, 2, 3])
@pytest.mark.parametrize(("condition", "value"), CONDITIONS.items())
def test_conditions(tmp_path: Path, condition: str, value: bool, lead: int) -> None:
    assert _played(tmp_path, f"if {condition}: record told", lead)["log.told"] == value

"""Positions for the tests: told as a person would write them, judged by the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from books import machine
from plainchant.data import data_folder
from plainchant.meaning.kernel import Program
from plainchant.play.assess import Card, Judged, assess
from plainchant.play.position import POSITION, Position, read_position

SAMPLE = "chants/sample"

FIRST: Mapping[str, Any] = {"players": 4, "infiltrators": "included", "power": 0, "knowledge": 0, "sacrifices": 0}
"""What a position of the sample set tells, if a test tells nothing else."""


def position(program: Program, folder: Path, facts: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> Position:
    """A position, by way of its file."""
    path = folder / "position.json"
    path.write_text(json.dumps({"schema": POSITION, "facts": facts, "readings": readings or {}}), encoding="utf-8")
    made, wrong = read_position(path, program)
    assert made is not None, [one.message for one in wrong]
    return made


def placed(**places: Sequence[str]) -> dict[str, Any]:
    """Where the cards are; all others are elsewhere."""
    return {**{place: list(cards) for place, cards in places.items()}, "otherwise": "elsewhere"}


def judged(
    folder: Path, card: str, readings: Mapping[str, str] | None = None, /, place: Mapping[str, Any] | None = None, **facts: Any
) -> Card:
    """A card of the sample set in a position in which all is known."""
    program = machine(SAMPLE).program
    told = {**FIRST, "place": place or {"otherwise": "elsewhere"}, **facts}
    (one,) = assess(program, position(program, folder, told, readings), [card])
    return one


def requirement(card: Card, name: str, reading: int = 0) -> Judged:
    """One requirement of a judged card."""
    return next(one for one in card.readings[reading].requirements if one.demand.name == name)


@cache
def shown_on_cards() -> Mapping[str, Mapping[str, str]]:
    """What each card of the sample set shows, read from the rules' text without our parser."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((data_folder("rules") / SAMPLE).glob("c*.rules")):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, quote, rest = line.strip().partition(' "')
            if quote and '":' in rest:
                found[name.strip()] = dict(pair.split() for pair in rest.partition('":')[2].split(","))
    return found

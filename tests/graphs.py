"""Books to be drawn, and verdicts for their drawings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import plainchant
from books import machine
from plainchant.faces.graph_model import BookGraph, graph_of
from plainchant.meaning.kernel import Stop

SVG = "{http://www.w3.org/2000/svg}"
SCHEMA = json.loads((Path(plainchant.__file__).parent / "schemas" / "graph.schema.json").read_text(encoding="utf-8"))

LOOP = r"""
book loop "A <book> & \"loops\"" @1
    begins with tale @2
campaign log
    arrived "they <arrived>" @3
fact sun: flag "Is the sun shining?" @4
scenario tale "A Tale <b>&amp;</b>" @4
    section "Once" @5
        the investigators decide @5
            "Again & \"again\" <now>": go to "Once" @6
            "On": go to "Twice" @7
    section "Twice" @8
        if sun: record arrived @9
        check "Log" @10
            when arrived and sun: go to "Once" @10
            when not arrived: the campaign is over: "won </text>" @11
    section "Never" @12
        go to "Twice" @13
"""

CONDITIONS = """
book small "Small" @1
    begins with tale @1
campaign log
    a "a is so" @2
    b "b is so" @3
scenario tale "Tale" @4
    fact rain: flag "Does it rain?" @4
    section "One" @5
        if rain: record a @6
        if a: go to "Two" @7
        otherwise if b: nothing happens @8
        otherwise: go to "Three" @9
        go to "Two" @10
    section "Two" @11
        if rain: record b @11
        go to "Three" @12
    section "Three" @13
        the campaign is over: "the end" @13
"""


@cache
def circle_undone(proven: bool = True) -> BookGraph:
    return graph_of(machine("tcu").program, verdicts() if proven else None)


def verdicts() -> dict[str, str]:
    """Verdicts as a prover might give them: some of each."""
    program = machine("tcu").program
    told = {section.key: "reachable" for section in program.sections}
    told |= {key: "unreachable" for key in told if key.startswith("for_the_greater_good.intro_")}
    told["before_the_black_throne.resolution_5"] = "not decided"
    for block in program.blocks:
        if isinstance(block.exit, Stop):
            key = f"{program.sections[block.section].key}: {block.exit.about}"
            told[key] = "reachable" if block.exit.kind == "hole" else "unreachable"
    told["union_and_disillusion.resolution_5: check “Campaign Log”"] = "not decided"
    return told

"""What is in use while a rule, loop, event or sentence is under way is not lost to another of them within it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainchant.meaning.lower import compile_book

pytest.importorskip("z3")

from plainchant_proofs.checking import prove

KEPT = {
    "an argument outlives a rule that calls its rule again": """\
keep saw: 0 to 9 = 1
keep one: 0 to 9 = 1

rule h(x: 0 to 9) "h"
    if x = 1: do g
    set saw to x

rule g "g", at most 2 times within itself
    the players decide
        "yes": nothing happens
        "yes yes": nothing happens
    do h(one + 1)

situation s "S"
    claim c1: always saw is 1 at "What?"
    section "Setup"
        go to "What?"
    section "What?"
        the players decide
            "go": do h(one)
            "end": the situation ends: "lost"
        go to "What?"
""",
    "marks of a loop outlive a rule that has the same loop within itself": """\
# local loop inside a loop body calling a rule that uses that same loop: any order loop in recursive rule called from outside the shared rule
kinds place "place"
    a "A"
    b "B"
    c "C"
keep cnt: 0 to 20
keep depthx: 0 to 3
rule inner "inner"
    for each place, in any order
        increase cnt by 1
        if that place is b and depthx = 1
            set depthx to 2
            do g
rule g "g", at most 2 times within itself
    do inner
situation s "S"
    claim c1: always cnt is 6 at "What?"
    section "Setup"
        set cnt to 6
        go to "What?"
    section "What?"
        set cnt to 0
        set depthx to 1
        the players decide
            "go": do inner
            "end": the situation ends: "lost"
        go to "What?"
""",
    "the blanks of an event outlive another occurrence among its results": """\
keep saw: 0 to 9
keep one: 0 to 9
keep two: 0 to 9

event e(k: 0 to 9) "e"
ability x2 "x2"
    each time e, after applying all results
        set saw to k
situation s "S"
    claim c1: always saw is 1 at "What?"
    section "Setup"
        set saw to 1
        set one to 1
        set two to 2
        go to "What?"
    section "What?"
        the players decide
            "go"
                it happens that e(one)
                    it happens that e(two)
                        nothing happens
            "end": the situation ends: "lost"
        go to "What?"
""",
    "the blanks of a sentence outlive a sentence within it": """\
group person of 1 to 2 "How many?"
    xp: 0 to 9
keep saw: 0 to 9

verb person "earns {amount} xp"
    do add(amount)
    set xp of that person to amount

rule add(n: 0 to 9) "add"
    each person loses (saw + 2) xp

verb person "loses {amount} xp"
    set saw to amount

situation s "S"
    claim c1: always every person has xp is 1 at "What?"
    section "Setup"
        for each person: set xp to 1
        go to "What?"
    section "What?"
        the players decide
            "go"
                set saw to 0
                each person earns (xp of that person) xp
            "end": the situation ends: "lost"
        go to "What?"
""",
    "what is moved is counted before anything moves": """\
kinds token "token"
    red "red"
    blue "blue"
bag pool of token "the pool"
bag drawn of token "the drawn"
every token is in exactly one of pool, drawn

situation s "S"
    claim c1: always size(pool) + size(drawn) = 6 at "What?"
    section "Setup"
        the pool holds red, red, red, red, blue, blue
        move 1 red from pool to drawn
        go to "What?"
    section "What?"
        the players decide
            "go"
                move (count(red, drawn)) red from pool to drawn
            "end": the situation ends: "lost"
        go to "What?"
""",
}
"""Each book claims under `c1` what is so if nothing is lost."""

FILLED_TWICE = """\
kinds token "token"
    red "red"
bag pool of token "the pool"
bag drawn of token "the drawn"
every token is in exactly one of pool, drawn
situation s "S"
    section "Setup"
        the pool holds red
        go to "What?"
    section "What?"
        the players decide
            "draw" only if size(pool) >= 1: move 1 red from pool to drawn
            "refill": the pool holds red
            "end": the situation ends: "x"
        go to "What?"
"""

ASKED_ABOUT_EACH = """\
kinds place "place"
    a "A"
    b "B"
keep x: 0 to 2
keep y: 0 to 2
rule r(at: place) "r", at most 2 times within itself
    the players decide
        "one"
            if at is a: set x to 1
            otherwise: set y to 1
        "two"
            if at is a: set x to 2
            otherwise: set y to 2
situation s "S"
    claim c1: independent of order at "What?"
    section "Setup"
        go to "What?"
    section "What?"
        for each place, in any order: do r(that place)
        the players decide
            "again": go to "What?"
            "end": the situation ends: "x"
"""


@pytest.mark.parametrize("what", KEPT)
def test_what_is_under_way_is_kept(what: str, tmp_path: Path) -> None:
    path = tmp_path / "book.rules"
    path.write_text(KEPT[what], encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None, diagnostics
    assert {claim.name: claim.verdict for claim in prove(program, cache=False).claims}["c1"] == "holds"


def test_a_bag_of_things_that_are_only_moved_is_filled_once(tmp_path: Path) -> None:
    path = tmp_path / "book.rules"
    path.write_text(FILLED_TWICE, encoding="utf-8")
    assert [diagnostic.code for diagnostic in compile_book(path)[1]] == ["PC315"]


def test_plays_that_are_asked_about_different_members_are_not_taken_for_different_ends(tmp_path: Path) -> None:
    path = tmp_path / "book.rules"
    path.write_text(ASKED_ABOUT_EACH, encoding="utf-8")
    program, _ = compile_book(path)
    assert program is not None
    assert [claim.verdict for claim in prove(program, cache=False).claims] == ["not decided"]


def test_how_often_a_rule_may_be_under_way_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "book.rules"
    for wrong in ("0", "300"):
        path.write_text(
            KEPT["an argument outlives a rule that calls its rule again"].replace("at most 2", f"at most {wrong}"), encoding="utf-8"
        )
        assert [diagnostic.code for diagnostic in compile_book(path)[1]] == ["PC302"]

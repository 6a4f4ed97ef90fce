"""Rules that lead to themselves do what recursion in plain Python does, on small trees and graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books import compiled_text
from explored import patient
from plainchant.meaning.lower import compile_book
from plainchant.play.machine import Machine
from walks import Walker

NODES = ("a", "b", "c", "d", "e", "f")
Beside = Mapping[str, Sequence[str]]

BOOK = """\
book small "A small book"
    begins with tale

kinds node "node"
    a "A"
    b "B"
    c "C"
    d "D"
    e "E"
    f "F"

keep beside of node: list of node
keep begun of node: 0 to 40
keep ended of node: 0 to 40
keep depth of node: 0 to 9
keep above of node: 0 to 9
keep time: 0 to 40
keep sum_of_depths: 0 to 40

rule visit(here: node, level: 0 to 9), at most 6 times within itself, each with a smaller how many node has (begun = 0)
    increase time by 1
    set begun of here to time
    for each node, if that node in beside of here and begun of that node = 0{order}
        do on_the_way(that node, level + 1)
    increase time by 1
    set ended of here to time
    set depth of here to level
    increase sum_of_depths by level

rule on_the_way(there: node, level: 0 to 9)
    set above of there to level - 1
    do visit(there, level)

situation tale "A tale"
    section "Setup"
        go to "Round"
    section "Round"
        the players decide
            "visit"
                the players choose a node, if begun of that node = 0: do visit(that node, 0)
            "no more": the situation ends: "left"
        go to "Round"
"""


@pytest.fixture(scope="module", params=["in their order", "in any order"])
def walked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    order = ", in any order" if request.param == "in any order" else ""
    return Machine(compiled_text(tmp_path_factory.mktemp("within"), BOOK.format(order=order)))


class Plain:
    """The same in Python; `order` are the nodes that were taken, where somebody chose."""

    def __init__(self, beside: Beside, order: list[str] | None) -> None:
        self.beside, self.order = beside, order
        self.begun, self.ended, self.depth, self.above = (dict.fromkeys(NODES, 0) for _ in range(4))
        self.time = 0

    def visit(self, here: str, level: int) -> None:
        self.time += 1
        self.begun[here] = self.time
        if self.order is None:
            for there in NODES:
                if there in self.beside[here] and not self.begun[there]:
                    self.on_the_way(there, level + 1)
        else:
            while any(not self.begun[there] for there in self.beside[here]):
                self.on_the_way(self.order.pop(0), level + 1)
        self.time += 1
        self.ended[here] = self.time
        self.depth[here] = level

    def on_the_way(self, there: str, level: int) -> None:
        self.above[there] = level - 1
        self.visit(there, level)


@given(
    beside=st.fixed_dictionaries({node: st.lists(st.sampled_from(NODES), max_size=4, unique=True) for node in NODES}),
    roots=st.lists(st.sampled_from(NODES), min_size=1, max_size=3),
    numbers=st.lists(st.integers(0, 59), min_size=40, max_size=40),
)
@settings(patient, max_examples=150)
def test_a_rule_within_itself_is_recursion(walked: Machine, beside: Beside, roots: list[str], numbers: list[int]) -> None:
    play = Walker.beginning(walked, "Round", {f"beside.{a}.{b}": int(b in beside[a]) for a in NODES for b in NODES})
    in_any_order = any(getattr(block.exit, "order", False) for block in walked.program.blocks)
    plain = Plain(beside, [] if in_any_order else None)
    for root in roots:
        if plain.begun[root]:
            continue
        play.decide_by("visit")
        play.decide_by(root.upper())
        begun = len(play.decided)
        while play.prompt != "The players must decide":
            play.decide(numbers[len(play.decided) % len(numbers)])
        if plain.order is not None:
            plain.order += [words.lower() for _, words in play.decided[begun:]]
        plain.visit(root, 0)
        assert not plain.order
        for name, values in (("begun", plain.begun), ("ended", plain.ended), ("depth", plain.depth), ("above", plain.above)):
            assert play.starting_with(f"{name}.") == values
        assert play["sum_of_depths"] == sum(plain.depth.values())


CIRCLE = """\
book small "A small book"
    begins with tale

keep x: 0 to 9

rule visit(level: 0 to 9), at most 3 times within itself
    set x to level
{inside}    if level < 2: do visit(level + 1)

situation tale "A tale"
    section "Setup"
        go to "Round"
    section "Round"
{before}        do visit(0)
        go to "Round"
"""
ASKS = '{0}the players decide\n{0}    "on": nothing happens\n{0}    "more": nothing happens\n'


@pytest.mark.parametrize(
    ("inside", "before", "codes"),
    [("", "", ["PC411"]), (ASKS.format(" " * 4), "", []), ("", ASKS.format(" " * 8), [])],
    ids=["nobody decides", "within the rule", "around the rule"],
)
def test_a_circle_around_a_rule_within_itself_is_found_if_nobody_decides(
    tmp_path: Path, inside: str, before: str, codes: list[str]
) -> None:
    path = tmp_path / "small.rules"
    path.write_text(CIRCLE.format(inside=inside, before=before), encoding="utf-8")
    assert [diagnostic.code for diagnostic in compile_book(path)[1]] == codes

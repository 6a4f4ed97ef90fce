"""Thousands of plays of the situations: nothing is made or lost, limits hold, and levels and incursions are what a few lines of Python say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from books import compiled_text, machine
from explored import patient
from plainchant.data import data_folder
from plainchant.play.machine import Machine
from walks import Walker

NUMBERS = st.lists(st.integers(0, 59), min_size=20, max_size=60)
thousand = settings(patient, max_examples=1_000)


# ---------------------------------------------------------------- tokens


def totals(play: Walker) -> dict[str, int]:
    """How many of each token there are, over all bags."""
    found: dict[str, int] = {}
    for name, number in play.starting_with("bag.").items():
        token = name.rpartition(".")[2]
        found[token] = found.get(token, 0) + number
    return found


@given(numbers=NUMBERS)
@thousand
def test_sealing_keeps_every_token(numbers: list[int]) -> None:
    play = Walker.beginning(machine("situations/seal.rules"))
    for _ in play.steps(numbers, lambda: True):
        assert totals(play) == {"elder_sign": 1, "minus_1": 1, "cultist": 1, "skull": 1}
        for card in ("ward", "grimoire", "omen"):
            sealed = sum(play.starting_with(f"bag.sealed.{card}.").values())
            assert play[f"in_play.{card}"] or not sealed


@given(numbers=NUMBERS)
@thousand
def test_blessings_and_curses_keep_every_token_and_the_limit(numbers: list[int]) -> None:
    play = Walker.beginning(machine("situations/bless_and_curse.rules"))
    for _ in play.steps(numbers, lambda: True):
        assert totals(play) == {"minus_1": 1, "skull": 1, "bless": 12, "curse": 12}
        for token in ("bless", "curse"):
            there = [play[f"bag.{bag}.{token}"] for bag in ("chaos_bag", "sealed", "revealed")]
            assert there[0] + there[1] <= 10
            assert sum(there) <= 10 or play["revealed_ones_count"] != 1


# ---------------------------------------------------------------- flood levels

NEXT = {"is increased": lambda level: min(level + 1, 2), "is decreased": lambda level: max(level - 1, 0), "becomes fully": lambda level: 2}
PLACES = {"a location": "wharf", "another location": "cellar"}


@given(numbers=NUMBERS)
@thousand
def test_flood_levels_are_those_of_three_lines_of_python(numbers: list[int]) -> None:
    play = Walker.beginning(machine("situations/flood.rules"))
    model = {"wharf": 0, "cellar": 0}
    for decided in play.steps(numbers, lambda: play.prompt == "The players must decide"):
        if len(decided) == 2:
            what, where = decided[0][1].replace("increases the flood", "is increased"), PLACES[decided[1][1]]
            before = model[where]
            model[where] = next((change(before) for words, change in NEXT.items() if words in what), before)
            assert play["a_level_was_raised"] == ("is increased" in what and model[where] > before)
            assert play["a_level_was_lowered"] == ("is decreased" in what and model[where] < before)
            assert play["the_fallback_was_used"] == ("or else" in what and model[where] == before)
            assert play["the_answer_was_yes"] == ("asks" in what and before > 0)
        assert {place: play[f"flood.{place}"] for place in model} == model
        assert {place: play[f"token_on.{place}"] for place in model} == {place: int(level > 0) for place, level in model.items()}


# ---------------------------------------------------------------- incursions on any map of eight

EIGHT = tuple("abcdefgh")
AT_ITS_END, AT_ITS_BEGINNING = 0, 1
Graph = Mapping[str, frozenset[str]]


@cache
def eight(folder: Path) -> Machine:
    """The rules of incursions over a map of eight locations."""
    text = (data_folder("rules") / "situations" / "incursions.rules").read_text(encoding="utf-8")
    places = "".join(f'    {place}  "{place.upper()}"\n' for place in EIGHT)
    text = re.sub(r'(?<=kinds place "location"\n)(    .*\n)+', places, text)
    text = text.replace("at most 3 times within itself", "at most 8 times within itself")
    text = re.sub(r"(?s)        the table decides.*?(?=        go to \"A phase\"\n)", "", text, count=1)
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("    claim", "acknowledge")))
    return Machine(compiled_text(folder, text, "eight.rules"))


@pytest.fixture(scope="module")
def on_eight(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return eight(tmp_path_factory.mktemp("eight"))


@st.composite
def graphs(draw: st.DrawFn, most: int) -> Graph:
    """A symmetric map, no location with more neighbours than `most`."""
    edges = draw(st.lists(st.tuples(st.sampled_from(EIGHT), st.sampled_from(EIGHT)), min_size=10, max_size=40))
    beside: dict[str, set[str]] = {place: set() for place in EIGHT}
    for one, other in edges:
        if one != other and len(beside[one] | {other}) <= most and len(beside[other] | {one}) <= most:
            beside[one].add(other)
            beside[other].add(one)
    return {place: frozenset(others) for place, others in beside.items()}


class Reference:
    """Breaches and incursions written down once more, from the printed lines 575 to 583; who is next is told as it was decided."""

    def __init__(self, graph: Graph, breaches: dict[str, int], reading: int) -> None:
        self.graph, self.breaches, self.reading = graph, breaches, reading
        self.resolved: set[str] = set()
        self.begun: list[str] = []
        self.under_way: set[str] = set()

    def place(self, where: str, order: list[str]) -> None:
        if self.breaches[where] == 3:
            self.incursion(where, order)
        else:
            self.breaches[where] += 1

    def incursion(self, where: str, order: list[str]) -> None:
        self.breaches[where] = 0
        self.begun.append(where)
        self.under_way.add(where)
        done: set[str] = set()
        while left := {n for n in self.graph[where] - done if not self.barred(n)}:
            following = order.pop(0)
            assert following in left
            done.add(following)
            self.place(following, order)
        self.under_way.discard(where)
        self.resolved.add(where)

    def barred(self, where: str) -> bool:
        return where in self.resolved or (self.reading == AT_ITS_BEGINNING and where in self.under_way)


def all_that_are_caused(graph: Graph, breaches: Mapping[str, int], barred: set[str], first: str) -> set[str]:
    """Under the second reading the order is nothing to the set: the least one that has the first, and whom its members fill."""
    found = {first}
    while more := {p for p in set(EIGHT) - found - barred if len(graph[p] & found) >= 4 - breaches[p]}:
        found |= more
    return found


def started(on_eight: Machine, graph: Graph, breaches: Mapping[str, int], reading: int) -> Walker:
    values = {f"connected.{a}.{b}": int(b in graph[a]) for a in EIGHT for b in EIGHT}
    values |= {f"breaches.{place}": number for place, number in breaches.items()}
    return Walker.beginning(on_eight, "A phase", {**values, "the_bar_begins": reading})


def incursions_are_those_of_the_reference(
    on_eight: Machine, graph: Graph, breaches: dict[str, int], reading: int, numbers: Sequence[int]
) -> None:  # fmt: skip
    note(f"{graph} {breaches}")
    play = started(on_eight, graph, breaches, reading)
    reference = Reference(graph, dict(breaches), reading)
    doom = dict.fromkeys(EIGHT, 0)
    for decided in play.steps(numbers, lambda: play.prompt == "The players must decide"):
        if play.stopped or play.prompt != "The players must decide":
            return
        before, barred, begun = dict(reference.breaches), set(reference.resolved), len(reference.begun)
        what, *where = (words for _, words in decided)
        order = [words.lower() for words in where[1:]]
        follow(reference, what, where[0].lower() if where else "", order)
        assert order == []
        caused = reference.begun[begun:]
        assert play.starting_with("breaches.") == reference.breaches
        assert play.starting_with("had_an_incursion.") == {place: int(place in reference.resolved) for place in EIGHT}
        assert not any(play.starting_with("under_way.").values())
        for place in caused:
            doom[place] = min(doom[place] + 1, 9)
        assert play.starting_with("doom.") == doom
        if caused:
            assert play["incursions_caused"] == min(len(caused), 9)
        if caused and reading == AT_ITS_BEGINNING:
            assert set(caused) == all_that_are_caused(graph, before, barred, caused[0])
            assert len(set(caused)) == len(caused)


def follow(reference: Reference, what: str, where: str, order: list[str]) -> None:
    """What a step does, by its words."""
    match what:
        case "a breach is placed":
            reference.place(where, order)
        case "a card causes an incursion":
            reference.incursion(where, order)
        case "a breach is removed":
            reference.breaches[where] -= 1
        case "a test removes 9 breaches":
            reference.breaches[where] = 0
        case "the phase ends":
            reference.resolved.clear()


MANY = st.lists(st.integers(0, 839), min_size=40, max_size=160)
BREACHES = st.fixed_dictionaries({place: st.sampled_from([3, 3, 3, 2, 1, 0]) for place in EIGHT})
READINGS = st.sampled_from([AT_ITS_END, AT_ITS_BEGINNING])


@given(graph=graphs(most=3), breaches=BREACHES, reading=READINGS, numbers=MANY)
@thousand
def test_incursions_on_any_map_are_those_of_the_reference(
    on_eight: Machine, graph: Graph, breaches: dict[str, int], reading: int, numbers: list[int]
) -> None:
    incursions_are_those_of_the_reference(on_eight, graph, breaches, reading, numbers)


@given(graph=graphs(most=7), breaches=BREACHES, numbers=MANY)
@thousand
def test_the_second_reading_ends_on_maps_of_any_density(
    on_eight: Machine, graph: Graph, breaches: dict[str, int], numbers: list[int]
) -> None:
    incursions_are_those_of_the_reference(on_eight, graph, breaches, AT_ITS_BEGINNING, numbers)


def test_under_the_first_reading_a_location_of_four_neighbours_may_be_interrupted_by_itself(on_eight: Machine) -> None:
    """Each neighbour gives it a breach back, and the fourth finds three there. Play stops, as the number of the rule does not get smaller:

    on a map where five locations are all connected this could go on for ever.
    """
    star = {place: frozenset("bcde") if place == "a" else frozenset("a") if place in "bcde" else frozenset() for place in EIGHT}
    play = started(on_eight, star, dict.fromkeys(EIGHT, 3), AT_ITS_END)
    for words in ("a breach is placed", "A", "B", "A", "C", "A", "D", "A", "E", "A"):
        assert not play.stopped
        play.decide_by(words)
    assert play.stopped.startswith("range: an incursion is resolved: the number that should get smaller")
    other = started(on_eight, star, dict.fromkeys(EIGHT, 3), AT_ITS_BEGINNING)
    for words in ("a breach is placed", "A", "B", "C", "D", "E"):
        other.decide_by(words)
    assert other.prompt == "The players must decide"
    assert [other[f"breaches.{place}"] for place in "abcde"] == [0] * 5

"""What any position can do, on a book so small that all positions can be looked at; and positions of which not all is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainchant.meaning.kernel import Program
from plainchant.meaning.lower import compile_book, lowered
from plainchant.meaning.modules import load
from plainchant.meaning.question import ask_book
from plainchant.play.assess import DEPENDS, FAILS, HOLDS, NOT_DECIDED, assess
from plainchant.play.documents import saved
from plainchant.play.machine import Machine
from plainchant.play.position import Position, of_state, read_position
from plainchant.play.session import Session

RULES = """\
kinds place "place"
    hand "hand"
    deck "deck"
    elsewhere "elsewhere"

kinds card "card"
    with points: 0 to 9 or none
    with wild: flag
    a "A": points 2, wild no
    b "B": points 3, wild yes
    c "C": wild no

kinds goal "goal"
    with points_shown: 0 to 99 or none @1
    with tokens_shown: 0 to 9 or none @2
    with cards_exactly: 0 to 9 or none @3
    easy "Easy": points_shown 2 @11
    hard "Hard": points_shown 5, tokens_shown 2 @12
    small "Small": points_shown 5, cards_exactly 1, tokens_shown 1 @13
    rich "Rich": tokens_shown 4 @14
    open "Open": cards_exactly 2 @15

fact place of card: place "Where is {card}?"
fact tokens: 0 to 3 "How many tokens?"
reading wild_counts "Does a wild card count?"
    it_does "yes"
    it_does_not "no"

define points_in_hand means the total of points of every card that has place = hand
define counted means how many card has (place is not elsewhere and not (wild and wild_counts is it_does_not))

requirement points of goal "Points", if printed(points_shown): points_in_hand >= points_shown @4
requirement tokens_needed of goal "Tokens", if printed(tokens_shown): tokens >= tokens_shown @5
requirement exact of goal "Cards", if printed(cards_exactly): counted = cards_exactly @6

epilogue end "The End"
    section "Now"
        the player may choose a goal, if fulfilled(that goal)
            the campaign is over: "reached"
        the campaign is over: "not yet"
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "goals.rules"
    path.write_text(RULES.replace("points of goal", "enough of goal"), encoding="utf-8")
    return path


@cache
def program_of(path: Path) -> Program:
    program, wrong = compile_book(path)
    assert program is not None, [one.message for one in wrong]
    return program


def positions(program: Program) -> Iterator[Position]:
    """Every position."""
    asked = [n for n, variable in enumerate(program.variables) if variable.asked]
    ranges = [range(program.variables[n].low, (program.variables[n].high or 0) + 1) for n in asked]
    for told in product(*ranges):
        values = [variable.initial for variable in program.variables]
        for number, value in zip(asked, told, strict=True):
            values[number] = value
        yield Position(tuple(values), frozenset())


def fulfilled_in(program: Program) -> dict[str, set[Position]]:
    """The positions in which each goal is fulfilled."""
    found: dict[str, set[Position]] = {demand.member: set() for demand in program.demands}
    for position in positions(program):
        for card in assess(program, position):
            if card.verdict == HOLDS:
                found[card.member].add(position)
    return found


# ---------------------------------------------------------------- the prover against all positions


def test_every_proof_agrees_with_all_positions(path: Path) -> None:
    pytest.importorskip("z3")
    from plainchant_proofs.positions import CAN, CANNOT, prove_cards

    asked, _ = ask_book(lowered(*load(path))[0], "yes", None, ["tokens", "points_in_hand"])
    assert asked is not None
    program, found = asked, fulfilled_in(asked)
    tokens, points = program.variable("tokens"), [program.variable(f"place.{card}") for card in "ab"]
    wild = program.variable("wild_counts")
    for proof in prove_cards(program, None, ["tokens", "points_in_hand"]):
        own = found[proof.member]
        assert proof.verdict == (CAN if own else CANNOT)
        assert proof.decided
        if not own:
            continue
        words = {demand.of: demand.member for demand in program.demands}
        assert {words[other] for other in proof.implies} == {m for m in found if m != proof.member and own <= found[m]}
        least = {"tokens": min(p.values[tokens] for p in own), "points_in_hand": min(_points(p, points) for p in own)}
        assert {one.text: one.value for one in proof.least} == least
        flipped = {Position(_with(p.values, wild, 1 - p.values[wild]), frozenset()) for p in own}
        assert bool(proof.depends_on) == (flipped != own)


def _points(position: Position, places: Sequence[int]) -> int:
    return sum(points for variable, points in zip(places, (2, 3), strict=True) if position.values[variable] == 0)


def _with(values: Sequence[int], number: int, value: int) -> tuple[int, ...]:
    return tuple(value if i == number else old for i, old in enumerate(values))


def test_requirements_that_exclude_each_other_are_named_and_none_of_them_can_be_left_out(path: Path) -> None:
    """Five points need both cards, and of the two that count only one may be there: unless the wild one does not count."""
    pytest.importorskip("z3")
    from plainchant_proofs.positions import prove_cards

    asked, _ = ask_book(lowered(*load(path))[0], "wild_counts is it_does")
    assert asked is not None
    proofs = {proof.member: proof for proof in prove_cards(asked)}
    assert [demand.name for demand in proofs["small"].core] == ["enough", "exact"]
    assert [low for demand in proofs["small"].core for cite in (*demand.cites, *demand.printed) for low, _ in cite.ranges] == [4, 13, 6, 13]
    assert [demand.name for demand in proofs["rich"].core] == ["tokens_needed"]
    assert proofs["easy"].core == ()


def test_a_witness_is_a_play_that_comes_to_the_position(path: Path) -> None:
    pytest.importorskip("z3")
    from plainchant_proofs.positions import prove_cards

    asked, _ = ask_book(lowered(*load(path))[0], "yes")
    assert asked is not None
    proofs = {proof.member: proof for proof in prove_cards(asked, ["hard"])}
    assert list(proofs) == ["hard"]
    assert [one.verdict for one in proofs["hard"].judged] == [HOLDS, HOLDS]
    assert proofs["hard"].witness is not None
    assert proofs["hard"].witness["ending"]["kind"] == "end"


# ---------------------------------------------------------------- not all is told


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_decided_of_a_part_is_so_whatever_the_rest_is(path: Path, data: st.DataObject) -> None:
    program = program_of(path)
    every = list(positions(program))
    position = data.draw(st.sampled_from(every))
    asked = [n for n, variable in enumerate(program.variables) if variable.asked]
    unknown = data.draw(st.sets(st.sampled_from(asked)))
    partly = {card.member: card.verdict for card in assess(program, Position(position.values, frozenset(unknown)))}
    for other in every:
        if all(other.values[n] == position.values[n] for n in asked if n not in unknown):
            for card in assess(program, other):
                assert partly[card.member] in (card.verdict, NOT_DECIDED, DEPENDS)


def test_what_is_not_told_is_named(path: Path, tmp_path: Path) -> None:
    program = program_of(path)
    told = _read(program, tmp_path, {"tokens": 3, "place": {"hand": ["A"]}})
    cards = {card.member: card for card in assess(program, told)}
    assert (cards["easy"].verdict, cards["hard"].verdict, cards["rich"].verdict) == (HOLDS, NOT_DECIDED, FAILS)
    assert cards["hard"].missing == ("Where is B?",)
    assert cards["easy"].missing == ()


def test_a_saved_play_is_a_position(path: Path) -> None:
    session, _ = Session.start(Machine(program_of(path)))
    assert session is not None
    session.apply("hand")
    position = of_state(session.program, session.moment.values)
    assert session.program.variable("place.a") not in position.unknown
    assert session.program.variable("place.b") in position.unknown
    assert saved(session)["steps"][0]["choice"] == "hand"


# ---------------------------------------------------------------- wrong files


def _read(program: Program, folder: Path, facts: object) -> Position:
    position, wrong = read_position(_written(folder, {"schema": "plainchant/position/1", "facts": facts}), program)
    assert position is not None, [one.message for one in wrong]
    return position


def _written(folder: Path, document: object) -> Path:
    path = folder / "position.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"place": {"hand": ["a", "A"]}}, ["PC511 “A” is told twice: “hand” and “hand”"]),
        ({"place": {"hand": ["a"], "deck": ["a", "b"], "otherwise": "hand"}}, ["PC511 “a” is told twice: “hand” and “deck”"]),
        ({"place": {"hands": ["a"]}}, ["PC201 nothing is called “hands” here"]),
        ({"place": {"hand": ["x"]}, "tokens": 9}, ["PC201 nothing is called “x” here", "PC302 9 lies outside of 0 to 3"]),
        ({"place": {"hand": "a"}}, ["PC301 “hand” is a word, but a list of names is needed here"]),
        ({"place": ["a"]}, ["PC301 “place” is a list, but an object that tells it of each is needed here"]),
        ({"place": {"otherwise": 3}}, ["PC301 “3” is a number, but one of hand, deck, elsewhere is needed here"]),
        ({"tokens": True}, ["PC301 “tokens” is true or false, but a number from 0 to 3 is needed here"]),
        ({"tokens": 1.5}, ["PC301 “tokens” is a number with a fraction, but a number from 0 to 3 is needed here"]),
        ({"tokens": None}, ["PC301 “tokens” is nothing, but a number from 0 to 3 is needed here"]),
        ({"wild_counts": "it_does"}, ["PC201 nothing is called “wild_counts” here"]),
    ],
)
def test_all_that_is_wrong_with_a_position_is_told(path: Path, tmp_path: Path, facts: object, found: list[str]) -> None:
    document = {"schema": "plainchant/position/1", "facts": facts}
    position, wrong = read_position(_written(tmp_path, document), program_of(path))
    assert position is None
    assert [f"{one.code} {one.message}" for one in wrong] == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is no JSON (Expecting value)"),
        ("[]", "it is no JSON object"),
        ('{"schema": "plainchant/position/2"}', "its schema is not “plainchant/position/1”"),
        ('{"schema": "plainchant/position/1", "book": "other"}', "it is one of “other”, not of “goals”"),
        ('{"schema": "plainchant/position/1", "fact": {}}', "“fact” is nothing that a position tells"),
        ('{"schema": "plainchant/position/1", "facts": []}', "“facts” is no JSON object"),
        ('{"schema": "plainchant/position/1", "facts": {"tokens": 1, "tokens": 2}}', "“tokens” stands twice in one object"),
        ("[" * 100_000, "it is nested too deeply, or holds a number that is too large"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_position_is_refused(path: Path, tmp_path: Path, text: str, why: str) -> None:
    position, wrong = read_position(_written(tmp_path, text), program_of(path))
    assert position is None
    assert [one.code for one in wrong] == ["PC510"]
    assert why in wrong[0].message


def test_a_file_that_cannot_be_read_is_told(path: Path, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b"\xff\xfe")
    assert [read_position(tmp_path / name, program_of(path))[1][0].code for name in ("none.json", "latin.json", ".")] == [
        "PC001", "PC510", "PC006",
    ]  # fmt: skip


def test_a_complaint_stands_at_its_place(path: Path, tmp_path: Path) -> None:
    text = '{"schema": "plainchant/position/1",\n "facts": {"place": {"hand": ["a"],\n  "deck": ["b", "a"]}}}'
    _, wrong = read_position(_written(tmp_path, text), program_of(path))
    assert [(one.at.line, one.at.column, one.source_line) for one in wrong] == [(3, 17, '  "deck": ["b", "a"]}}}')]


def test_facts_of_two_parts_with_one_name_are_named_with_their_part(tmp_path: Path) -> None:
    parts = "".join(
        f'epilogue {name} "{name}"\n    fact guests: 0 to 3 "How many guests?"\n    section "Now"\n'
        f'        if guests = 1: nothing happens\n        the campaign is over: "x"\n'
        for name in ("first", "second")
    )
    (tmp_path / "parts.rules").write_text(parts, encoding="utf-8")
    program = program_of(tmp_path / "parts.rules")
    told = _read(program, tmp_path, {"first.guests": 1, "second.guests": 3})
    assert [told.values[program.variable(name)] for name in ("first.guests", "second.guests")] == [1, 3]

"""What members of a kind carry: read, added up, absent where it is not printed, and complained of where it does not fit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from plainchant.data import data_folder
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Truth, reads
from plainchant.meaning.lower import compile_book

KINDS = """\
kinds city "city"
    arkham "Arkham"
    kingsport "Kingsport"

kinds card "card"
    with home: city or none
    with points: 0 to 9 or none
    with wild: flag
    with cities: list of city or none
    a "A": home arkham, points 2, wild no, cities (arkham, kingsport)
    b "B": points 3, wild yes, cities arkham

members of card
    c "C": home kingsport, wild yes

fact one: card "Which card?"

campaign setup x "X"
    section "Y"
        the campaign is over: "z"
"""


def compiled(tmp_path: Path, text: str) -> tuple[object, list[str]]:
    path = tmp_path / "book.rules"
    path.write_text(text, encoding="utf-8")
    program, wrong = compile_book(path)
    return program, [f"{one.code} {one.message}" for one in wrong]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("points of a = 2", True),
        ("points of b > points of a", True),
        ("home of a is arkham and home of c is kingsport", True),
        ("wild of b and not wild of a", True),
        ("kingsport in cities of a and not kingsport in cities of b", True),
        ("(how many card has wild) = 2", True),
        ("every card has (wild or home is arkham)", True),
        # Absent is neither zero nor anything else.
        ("points of c = 0 or points of c != 0 or points of c < 9", False),
        ("home of b is arkham or home of b is not arkham", False),
        ("arkham in cities of c or home of b in cities of a", False),
        ("printed(points of a) and not printed(points of c)", True),
        ("printed(wild of a)", True),
        # Sums leave out whom the condition leaves out, and who has no number.
        ("(the total of points of every card) = 5", True),
        ("(the total of points of every card that has wild) = 3", True),
        ("(the total of (points + 1) of every card that has wild) = 4", True),
        ("(the total of points of every card that has points > 9) = 0", True),
        ("divisible(the total of points of every card, 5) and not divisible(7, 2) and divisible(0, 3)", True),
        ("divisible(points of a - points of b, 2)", False),
        ("divisible(points of c, 3)", False),
    ],
)
def test_conditions_about_what_is_carried_are_worked_out(tmp_path: Path, condition: str, expected: bool) -> None:
    program, wrong = compiled(tmp_path, f"{KINDS}\nclaim it: always {condition}\n")
    assert program is not None, wrong
    (claim,) = program.claims  # type: ignore[attr-defined]
    assert reads(claim.condition) == ()
    assert truth(claim.condition, lambda variable: variable, Values()) is expected


def test_what_one_known_only_in_play_carries_is_told_apart_by_cases(tmp_path: Path) -> None:
    program, wrong = compiled(tmp_path, f"{KINDS}\nclaim it: always points of one >= 2\n")
    assert program is not None, wrong
    (claim,) = program.claims  # type: ignore[attr-defined]
    assert [truth(claim.condition, lambda _, chosen=card: chosen, Values()) for card in range(3)] == [True, True, False]


def test_a_kind_without_members_has_neutral_values(tmp_path: Path) -> None:
    text = """\
kinds card "card"
    with points: 0 to 9

fact taken of card: flag "Is {card} taken?"
requirement few of card "Few": points <= 3
claim every: always every card has taken
claim none: always no card has taken
claim sum: always (the total of points of every card) = 0
claim count: always (how many card has taken) = 0

campaign setup x "X"
    section "Y"
        for each card, if fulfilled(that card): nothing happens
        the player may choose a card, if taken: nothing happens
        the campaign is over: "z"
"""
    program, wrong = compiled(tmp_path, text)
    assert program is not None, wrong
    assert [claim.condition for claim in program.claims][:2] == [Truth(True), Truth(True)]  # type: ignore[attr-defined]
    assert all(truth(claim.condition, lambda variable: variable, Values()) for claim in program.claims)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('d "D": home arkham', ["PC316 “d” does not say its “wild”"]),
        ('d "D": wild no, homes arkham', ["PC201 nothing is called “homes” here"]),
        ('d "D": wild no, wild yes', ["PC202 “wild” is declared twice"]),
        ('d "D": wild no, points 12', ["PC302 12 lies outside of 0 to 9"]),
        ('d "D": wild no, points arkham', ["PC301 “arkham” is something else, but a number from 0 to 9 is needed here"]),
        ('d "D": wild no, home dunwich', ["PC201 nothing is called “dunwich” here"]),
        ('d "D": wild no, home (arkham, kingsport)', ["PC301 “home” is a list, but a city is needed here"]),
        ('d "D": wild no, cities (arkham, dunwich)', ["PC201 nothing is called “dunwich” here"]),
        ('a "D": wild no', ["PC202 “a” is declared twice"]),
    ],
)
def test_what_does_not_fit_is_complained_of(tmp_path: Path, line: str, found: list[str]) -> None:
    program, wrong = compiled(tmp_path, KINDS.replace('    c "C"', f'    {line}\n    c "C"'))
    assert program is None
    assert wrong == found


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        ("claim it: always printed(one)", ["PC301 this is something else, but what members of a kind carry (declared with `with …`) is needed here"]),
        ("claim it: always fulfilled(a)", ["PC317 no requirement of card is declared"]),
        ("claim it: always fulfilled(3)", ["PC301 this is a number from 3 to 3, but one of a kind that has requirements is needed here"]),
        ("claim it: always divisible(3, one)", ["PC301 this is worked out in play, but a plain number is needed here"]),
        ("claim it: always divisible(3, 0)", ["PC302 0 lies outside of 1 to 99"]),
        ("claim it: always divisible(3)", ["PC306 “divisible” takes two arguments, not 1"]),
        ("claim it: always (the total of home of every card) = 1", ["PC301 this is a city, but a number is needed here"]),
        ("claim it: always (the total of points of every card that has points) = 1",
         ["PC301 this is a number from 0 to 9, but something that is true or false is needed here"]),
        ("claim it: always (the total of points of every deck) = 1", ["PC207 there is no kind or group “deck”"]),
        ("claim it: always points = 1", ["PC307 “points” is declared for each card, and it is not said whose is meant"]),
        ('requirement few of deck "Few": yes', ["PC207 there is no kind or group “deck”"]),
        ('requirement few of card "Few": points', ["PC301 this is a number from 0 to 9, but something that is true or false is needed here"]),
        ('members of deck\n    d "D"', ["PC207 there is no kind or group “deck”"]),
    ],
)  # fmt: skip
def test_wrong_uses_are_complained_of(tmp_path: Path, declaration: str, found: list[str]) -> None:
    program, wrong = compiled(tmp_path, f"{KINDS}\n{declaration}\n")
    assert program is None
    assert wrong == found


def test_members_of_a_group_cannot_be_listed(tmp_path: Path) -> None:
    group = 'group player of 1 to 2 "How many?"\n    gold: number\n\nmembers of player\n    d "D"\n'
    assert compiled(tmp_path, f"{KINDS}\n{group}")[1] == [
        "PC301 “player” is a group of people, but a kind declared with `kinds` is needed here",
    ]  # fmt: skip


def test_a_module_lists_the_members_of_a_kind_that_another_declares(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "book.rules").write_text(
        'book rules "Rules"\n    begins with x\n\nkinds card "card"\n    with points: 0 to 9\n\n'
        'claim three: always (the total of points of every card) = 3\n\n'
        'campaign setup x "X"\n    section "Y"\n        the campaign is over: "z"\n',
        encoding="utf-8",
    )  # fmt: skip
    (tmp_path / "cards.rules").write_text('use rules\n\nmembers of cards\n    a "A": points 3\n', encoding="utf-8")
    for path, expected in ((tmp_path / "rules", False), (tmp_path / "cards.rules", True)):
        program, wrong = compile_book(path)
        assert program is not None, wrong
        assert truth(program.claims[0].condition, lambda variable: variable, Values()) is expected


def test_a_folder_without_rules_beside_a_book_hides_no_shipped_module(tmp_path: Path) -> None:
    (tmp_path / "chants").mkdir()
    shutil.copytree(data_folder("rules") / "chants" / "sample", tmp_path / "my_cards")
    program, wrong = compile_book(tmp_path / "my_cards")
    assert program is not None, wrong

"""Chants for the Old Ones, how it ends: the worked examples of the text, and the edge cases by their ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books import machine
from plainchant.play.assess import DEPENDS, FAILS, HOLDS, assess
from plainchant.play.machine import Machine
from plainchant.play.position import Position, of_state
from plainchant.play.session import Session
from positions import FIRST, SAMPLE, judged, placed, requirement, shown_on_cards

BOTH = {"city_cultist": "own_and_bonus"}
ALONE = {"city_cultist": "bonus_alone"}
MINIMUM = {"number_without_a_word": "minimum", "several_cities": "each"}
EXACT = {"number_without_a_word": "exact", "several_cities": "each"}

# Cards of the sample set: Yig and Star Spawn have 6, Hunting Horror and Dark Young 5, Ghoul 2; acolytes have 2, Nadezha Zukova of Kingsport 4.
KINGSPORT, ANOTHER_OF_KINGSPORT = "Nadezha Zukova", "Acolyte of Kingsport"


# ---------------------------------------------------------------- the worked examples (lines 158-159 and 205)


def test_line_159_added_cards_add_their_power_of_invocation_alone(tmp_path: Path) -> None:
    card = judged(tmp_path, "azathoth", place=placed(hand=["Nadezha Zukova", "Yig"]))
    assert requirement(card, "power_of_invocation").left == (10, 10)


@pytest.mark.parametrize(
    ("hand", "shown"),
    [
        (["Yig", "Star Spawn", "Hunting Horror", "Byakhee"], (20, 20)),
        (["Yig", "Star Spawn", "Gug", "Acolyte of Arkham", KINGSPORT], (24, 20)),
        (["Yig", "Star Spawn", "Gug", KINGSPORT, ANOTHER_OF_KINGSPORT], (26, 20)),
    ],
    ids=["20 from cards alone", "18 and a cultist", "16 and two cultists"],
)
def test_line_205_each_way_to_come_to_20_meets_the_requirement(tmp_path: Path, hand: list[str], shown: tuple[int, int]) -> None:
    """Whether the cultists' own power is added or not: the cards alone make up for it."""
    for readings, expected in zip((BOTH, ALONE), shown, strict=True):
        one = requirement(judged(tmp_path, "hastur", readings, place=placed(hand=hand)), "power_of_invocation_with_a_city")
        assert (one.left, one.right, one.verdict) == ((expected, expected), (20, 20), HOLDS)


def test_a_cultist_of_the_city_counts_from_the_hand_alone(tmp_path: Path) -> None:
    for place in ("draw_deck", "discard_pile", "being_played"):
        card = judged(tmp_path, "hastur", BOTH, place=placed(hand=["Yig"], **{place: [KINGSPORT]}))
        assert requirement(card, "power_of_invocation_with_a_city").left == (6, 6)


# ---------------------------------------------------------------- the nine kinds, each at its boundary


@pytest.mark.parametrize(("fact", "name", "card", "needed"), [
    ("knowledge", "arcane_knowledge", "azathoth", 12),
    ("power", "enough_power", "cthulhu", 10),
    ("sacrifices", "enough_sacrifices", "ithaqua", 5),
])  # fmt: skip
def test_tokens_are_a_minimum(tmp_path: Path, fact: str, name: str, card: str, needed: int) -> None:
    found = {amount: requirement(judged(tmp_path, card, **{fact: amount}), name) for amount in (needed - 1, needed, needed + 5)}
    assert [(one.verdict, one.by) for one in found.values()] == [(FAILS, -1), (HOLDS, 0), (HOLDS, 5)]


STRONG = ["Lavinia Whateley", "Ephraim Pell", "Silas Orne", "Abigail Thorne", "Josiah Crane", "Amos Whitlock"]


def test_an_exact_cult_has_no_more_and_no_fewer_cultists_wherever_they_are(tmp_path: Path) -> None:
    six = placed(hand=STRONG[:1], draw_deck=STRONG[1:3], discard_pile=STRONG[3:5], being_played=STRONG[5:])
    seven = {**six, "hand": [*STRONG[:1], "Acolyte of Arkham"]}
    five = {**six, "hand": []}
    verdicts = [requirement(judged(tmp_path, "ithaqua", place=place), "exact_cult") for place in (five, six, seven)]
    assert [(one.verdict, one.by) for one in verdicts] == [(FAILS, -1), (HOLDS, 0), (FAILS, 1)]


def test_other_cards_do_not_count_as_cultists(tmp_path: Path) -> None:
    place = placed(hand=[*STRONG, "Yig"], discard_pile=["Investigator 1", "Harassment 1"])
    assert requirement(judged(tmp_path, "ithaqua", place=place), "exact_cult").verdict == HOLDS


def test_a_powerful_cult_has_no_cultist_below_2_and_creatures_do_not_matter(tmp_path: Path) -> None:
    strong = requirement(judged(tmp_path, "ithaqua", place=placed(draw_deck=STRONG, discard_pile=["Investigator 1"])), "powerful_cult")
    weak = requirement(judged(tmp_path, "ithaqua", place=placed(draw_deck=[*STRONG, "Neophyte of Arkham"])), "powerful_cult")
    assert [(one.verdict, one.left) for one in (strong, weak)] == [(HOLDS, (0, 0)), (FAILS, (1, 1))]


def test_terror_counts_creatures_of_the_whole_cult(tmp_path: Path) -> None:
    place = placed(hand=["Yig"], draw_deck=["Ghoul"], discard_pile=["Gug"], being_played=["Ghast"])
    assert requirement(judged(tmp_path, "shub_niggurath", EXACT, place=place), "terror").verdict == HOLDS
    assert requirement(judged(tmp_path, "shub_niggurath", MINIMUM, place={**place, "hand": []}), "terror").verdict == FAILS


def test_whether_terror_is_a_minimum_is_not_said(tmp_path: Path) -> None:
    place = placed(draw_deck=["Yig", "Ghoul", "Gug", "Ghast", "Byakhee"])
    card = judged(tmp_path, "shub_niggurath", place=place, power=12, sacrifices=6)
    assert (card.verdict, len(card.depends_on)) == (DEPENDS, 1)


INNSMOUTH = ["Acolyte of Innsmouth", "Barnabas Eliot", "Thirza Gilman", "Obadiah Waite", "Keturah Sargent", "Enoch Babson"]


def test_an_extended_cult_counts_cultists_of_the_cities_on_the_card(tmp_path: Path) -> None:
    six = placed(hand=INNSMOUTH[:2], draw_deck=INNSMOUTH[2:4], discard_pile=INNSMOUTH[4:])
    five = {**six, "hand": [INNSMOUTH[0], "Acolyte of Arkham"]}
    verdicts = [requirement(judged(tmp_path, "dagon", MINIMUM, place=place), "extended_cult").verdict for place in (six, five)]
    assert verdicts == [HOLDS, FAILS]


def test_whether_each_of_several_cities_must_give_so_many_is_not_said(tmp_path: Path) -> None:
    three_of_one = placed(hand=INNSMOUTH[:3])
    card = judged(tmp_path, "hydra", {"number_without_a_word": "minimum"}, place=three_of_one, power=15)
    assert card.verdict == DEPENDS
    assert [reading.verdict for reading in card.readings] == [FAILS, HOLDS]


def test_cards_that_were_removed_at_setup_count_nowhere(tmp_path: Path) -> None:
    place = placed(hand=["Judith Lyle", "Harassing Deputy"])
    shown = [
        requirement(judged(tmp_path, "azathoth", place=place, players=players, infiltrators=left), "power_of_invocation").left
        for players, left in ((2, "left_out"), (3, "left_out"), (3, "included"))
    ]
    assert shown == [(0, 0), (2, 2), (3, 3)]


# ---------------------------------------------------------------- edge cases


def _at(moment: str, card: str = "Cthugha") -> Session:
    """A play of the sample set up to the chants, in a position in which Cthugha's card is fulfilled, and no other."""
    session, _ = Session.start(machine(SAMPLE))
    assert session is not None
    answers = {
        "How many players": 4, "infiltrators": "yes", "raid": "no", "moment": moment, "much power": 20, "knowledge": 0, "sacrifices": 4,
        "in front of you": card,
        "Yig": "in your hand", "Star Spawn": "in your hand", "Dark Young": "in your hand", "Ghoul": "in your hand",
    }  # fmt: skip
    while (asked := session.question) is not None and "decide" not in asked.prompt:
        given = next((answer for words, answer in answers.items() if words in asked.prompt), None)
        if given is None:
            given = "anywhere else" if asked.prompt.startswith("Where") else asked.choices[0].words
        made, refused = session.apply(given)
        assert made is not None, refused
    return session


def _choices(session: Session) -> list[str]:
    return [] if session.question is None else [choice.words for choice in session.question.choices]


CHANTS = "Reveal your Old Ones card, and perform the chants."


def test_ch_31_the_win_is_claimed_at_the_beginning_of_the_own_turn() -> None:
    session = _at("at the beginning of your turn")
    assert _choices(session) == [CHANTS, "Wait."]
    session.apply(CHANTS)
    assert session.ending is not None
    assert session.ending.about == "your Old One is summoned: you win the game"


@pytest.mark.parametrize("moment", ["later in your turn", "in the turn of another player"])
def test_ch_31_whoever_meets_all_at_another_moment_has_not_won(moment: str) -> None:
    session = _at(moment)
    assert session.question is None
    assert session.ending is not None
    assert session.ending.about == "no chants are performed: the game goes on"


def test_ch_31_the_own_card_counts_and_what_it_requires_must_hold_at_that_moment() -> None:
    session = _at("at the beginning of your turn", "Azathoth")
    verdicts = {card.member: card.verdict for card in assess(session.program, of_state(session.program, session.moment.values))}
    assert (verdicts["cthugha"], verdicts["azathoth"]) == (HOLDS, FAILS)
    assert session.question is None
    assert session.ending is not None
    assert session.ending.about == "no chants are performed: the game goes on"


def test_ch_33_whether_the_city_cultist_adds_its_own_power_is_not_said(tmp_path: Path) -> None:
    """Four of Kingsport among 18 points: 20 with both, 16 with the bonus in place of its own."""
    hand = ["Yig", "Star Spawn", "Acolyte of Arkham", KINGSPORT]
    card = judged(tmp_path, "hastur", place=placed(hand=hand))
    found = {reading.taken[0][1]: requirement(card, "power_of_invocation_with_a_city", i) for i, reading in enumerate(card.readings)}
    assert {words: (one.left, one.verdict) for words, one in found.items()} == {
        "with both": ((20, 20), HOLDS),
        "with the 2 points alone": ((16, 16), FAILS),
    }
    assert card.depends_on == (
        "Does a cultist from the indicated city count with its own power of invocation as well as with the 2 points?",
    )


def test_ch_35_the_cult_is_hand_draw_deck_discard_pile_and_what_is_being_played(tmp_path: Path) -> None:
    counts = {
        place: requirement(judged(tmp_path, "hastur", BOTH, place=placed(**{place: STRONG})), "exact_cult").left
        for place in ("hand", "draw_deck", "discard_pile", "being_played", "elsewhere")
    }
    assert counts == {"hand": (6, 6), "draw_deck": (6, 6), "discard_pile": (6, 6), "being_played": (6, 6), "elsewhere": (0, 0)}


def test_ch_35_drawing_cards_does_not_change_the_cult(tmp_path: Path) -> None:
    before, after = placed(draw_deck=STRONG), placed(hand=STRONG[:5], draw_deck=STRONG[5:])
    assert [requirement(judged(tmp_path, "ithaqua", place=p), "exact_cult").left for p in (before, after)] == [(6, 6), (6, 6)]


# ---------------------------------------------------------------- against a count in plain Python

_CARDS = {line[0]: line[1] for line in next(one for one in machine(SAMPLE).program.answerable if one.name == "place").lines}
_PLACES = ["hand", "draw_deck", "discard_pile", "being_played", "elsewhere"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(_PLACES), min_size=len(_CARDS), max_size=len(_CARDS)), st.integers(0, 30), st.sampled_from([BOTH, ALONE]))
def test_every_count_agrees_with_plain_python(places: list[str], tokens: int, reading: dict[str, str]) -> None:
    program = machine(SAMPLE).program
    cards = shown_on_cards()
    assert cards.keys() == _CARDS.keys()
    place = dict(zip(_CARDS, places, strict=True))
    values = list(_known(place, tokens, reading, Machine(program)).values)
    judged_cards = {card.member: card for card in assess(program, Position(tuple(values), frozenset()))}
    hand = [card for name, card in cards.items() if place[name] == "hand"]
    cult = [card for name, card in cards.items() if place[name] != "elsewhere"]
    cultists = [card for card in cult if card["sort"] == "cultist"]
    own = sum(int(card.get("invocation", 0)) for card in hand)
    of_city = [card for card in hand if card["sort"] == "cultist" and card["home"] == "kingsport"]
    bonus = 2 * len(of_city) - (sum(int(card["invocation"]) for card in of_city) if reading is ALONE else 0)
    weak = [card for card in cultists if int(card["invocation"]) < 2]
    hastur, nyarlathotep = judged_cards["hastur"], judged_cards["nyarlathotep"]
    assert requirement(nyarlathotep, "power_of_invocation").left == (own, own)
    assert requirement(hastur, "power_of_invocation_with_a_city").left == (own + bonus, own + bonus)
    assert requirement(hastur, "exact_cult").left == (len(cultists), len(cultists))
    assert requirement(nyarlathotep, "powerful_cult").left == (len(weak), len(weak))
    assert (hastur.verdict == HOLDS) == (own + bonus >= 20 and len(cultists) == 10)
    assert (nyarlathotep.verdict == HOLDS) == (own >= 16 and tokens >= 15 and not weak)


def _known(place: dict[str, str], tokens: int, reading: dict[str, str], own: Machine) -> Position:
    """A position with everything told, made without its file."""
    program = own.program
    values = [variable.initial for variable in program.variables]
    told = {**FIRST, "power": tokens, "knowledge": tokens, "sacrifices": tokens, **MINIMUM, **reading}
    for one in program.answerable:
        answers = [answer[0] for answer in one.answers]
        for member, _, variable in one.lines:
            low = program.variables[variable].low
            answer = place[member] if one.name == "place" else told.get(one.name, answers[0] if answers else 0)
            values[variable] = answer if isinstance(answer, int) else low + answers.index(answer)
    return Position(tuple(values), frozenset())

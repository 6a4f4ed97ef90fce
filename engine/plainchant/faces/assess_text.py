"""Judged positions and proofs about cards, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import plainchant
from plainchant.faces.proofs_text import witness_lines
from plainchant.faces.report import open_console
from plainchant.meaning.domains import Interval
from plainchant.meaning.kernel import Demand, Program
from plainchant.play.assess import Card, Judged, Outcome
from plainchant.play.documents import cites_json, cites_words

SCHEMA = "plainchant-assess-1"
_STYLES = {"holds": "bold green", "can be fulfilled": "bold green", "fails": "bold red", "cannot be fulfilled": "bold red"}


class Least(Protocol):
    """How small a number can be where a card is fulfilled; None: not decided."""

    @property
    def text(self) -> str: ...
    @property
    def value(self) -> int | None: ...


class CardProof(Protocol):
    """What was proven of one card."""

    @property
    def member(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def decided(self) -> bool: ...
    @property
    def witness(self) -> Mapping[str, Any] | None: ...
    @property
    def judged(self) -> Sequence[Judged]: ...
    @property
    def core(self) -> Sequence[Demand]: ...
    @property
    def implies(self) -> Sequence[str]: ...
    @property
    def depends_on(self) -> Sequence[str]: ...
    @property
    def undecided(self) -> Sequence[str]: ...
    @property
    def least(self) -> Sequence[Least]: ...
    @property
    def seconds(self) -> float: ...


# ---------------------------------------------------------------- a position


def show_position(cards: Sequence[Card], program: Program) -> None:
    """Each card with its requirements; under every way to read the text, where that makes a difference."""
    console = open_console()
    for card in cards:
        console.print(f"{card.words}: {card.verdict}", style=_STYLES.get(card.verdict, "bold yellow"), soft_wrap=True)
        for outcomes in card.by_requirement:
            for line in _outcome_lines(outcomes, program):
                console.print(f"  {line}", soft_wrap=True, highlight=False)
        for words in card.missing:
            console.print(f"  not told: {words}", soft_wrap=True)


def _judged_lines(requirements: Iterable[Judged], program: Program) -> Iterator[str]:
    for one in requirements:
        where = cites_words(one.demand.cites, program.source)
        yield f"{one.verdict:<12} {one.demand.words}  {_numbers(one)}{f'  ({where})' if where else ''}"


def _outcome_lines(outcomes: Sequence[Outcome], program: Program) -> Iterator[str]:
    """A requirement; if it depends on how the text is read, what it comes to under each answer."""
    if len(outcomes) == 1:
        yield from _judged_lines((one.judged for one in outcomes if one.judged is not None), program)
        return
    demand = next(one.judged.demand for one in outcomes if one.judged is not None)
    where = cites_words(demand.cites, program.source)
    yield f"{'depends':<12} {demand.words}{f'  ({where})' if where else ''}"
    yield from (f"    {question}" for question, _ in outcomes[0].taken)
    for outcome in outcomes:
        answers = "; ".join(answer for _, answer in outcome.taken)
        told = "not asked for" if outcome.judged is None else f"{outcome.judged.verdict}, {_numbers(outcome.judged)}"
        yield f"      {answers}: {told}"


def _numbers(one: Judged) -> str:
    """`18, needed 20: 2 too few`."""
    if one.left is None or one.right is None:
        return ", ".join(f"{name.replace('_', ' ')} {_shown(value)}" for name, value in one.numbers)
    sign = {">=": "at least ", "<=": "at most ", "=": "exactly ", ">": "more than ", "<": "less than ", "!=": "not "}[one.demand.operator]
    told = f"{_shown(one.left)}, needed {sign}{_shown(one.right)}"
    if not one.by:
        return told
    if one.verdict == "holds":
        return f"{told}: {one.by} more" if one.by > 0 else f"{told}: {-one.by} less"
    return f"{told}: {one.by} too many" if one.by > 0 else f"{told}: {-one.by} too few"


def _shown(value: Interval) -> str:
    low, high = value
    if low == high:
        return str(low)
    return f"{low} or more" if high is None else f"{low} to {high}"


def position_json(cards: Sequence[Card], program: Program) -> dict[str, object]:
    """The judged position for programs."""
    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "book": program.book,
        "cards": [
            {
                "name": card.member,
                "words": card.words,
                "verdict": card.verdict,
                "depends_on": list(card.depends_on),
                "missing": list(card.missing),
                "readings": [
                    {
                        "taken": dict(reading.taken),
                        "verdict": reading.verdict,
                        "requirements": [_judged_json(one, program) for one in reading.requirements],
                    }
                    for reading in card.readings
                ],
            }
            for card in cards
        ],
    }


def _judged_json(one: Judged, program: Program) -> dict[str, object]:
    return {
        **_demand_json(one.demand, program),
        "verdict": one.verdict,
        "left": None if one.left is None else list(one.left),
        "right": None if one.right is None else list(one.right),
        "by": one.by,
        "numbers": {name: list(value) for name, value in one.numbers},
    }


def _demand_json(demand: Demand, program: Program) -> dict[str, object]:
    return {
        "name": demand.name,
        "words": demand.words,
        "rule": demand.text,
        "cites": cites_json(demand.cites, program.source),
        "card": cites_json(demand.printed, program.source),
    }


# ---------------------------------------------------------------- any position


def show_proofs(proofs: Sequence[CardProof], program: Program) -> None:
    """What any position can do for each card."""
    console = open_console()
    for proof in proofs:
        console.print(f"{proof.words}: {proof.verdict}", style=_STYLES.get(proof.verdict, "bold yellow"), soft_wrap=True)
        for line in (*_judged_lines(proof.judged, program), *_about(proof, program)):
            console.print(f"  {line}", soft_wrap=True, highlight=False)
    if len(proofs) == 1 and proofs[0].witness is not None:
        console.print("a play that comes to such a position (the engine has played it):")
        for line in witness_lines(proofs[0].witness, whole=True):
            console.print(f"  {line}", soft_wrap=True)


def _about(proof: CardProof, program: Program) -> Iterator[str]:
    if proof.core:
        yield "these requirements together exclude each other:"
        for demand in proof.core:
            where = cites_words((*demand.cites, *demand.printed), program.source)
            yield f"  {demand.words}: {demand.text}{f'  ({where})' if where else ''}"
    for words in proof.implies:
        yield f"who fulfils it fulfils {words} as well"
    for words in proof.depends_on:
        yield f"depends on how the text is read: {words}"
    for least in proof.least:
        yield f"least {least.text}: {'not decided' if least.value is None else least.value}"
    for words in proof.undecided:
        yield f"not decided: {words}"


def proofs_json(proofs: Sequence[CardProof], program: Program) -> dict[str, object]:
    """The proofs for programs."""
    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "book": program.book,
        "cards": [
            {
                "name": proof.member,
                "words": proof.words,
                "verdict": proof.verdict,
                "requirements": [_judged_json(one, program) for one in proof.judged],
                "core": [_demand_json(demand, program) for demand in proof.core],
                "implies": list(proof.implies),
                "depends_on": list(proof.depends_on),
                "least": [{"number": least.text, "value": least.value} for least in proof.least],
                "undecided": list(proof.undecided),
                "witness": proof.witness,
                "seconds": proof.seconds,
            }
            for proof in proofs
        ],
    }

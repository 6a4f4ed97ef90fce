"""Judges a position: which requirements hold, which fail, by how much, and what depends on how the text is read."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from plainchant.meaning.domains import NOTHING_KNOWN, Between, Interval
from plainchant.meaning.evaluate import number, truth
from plainchant.meaning.kernel import Cond, Demand, Num, Program, Truth, reads
from plainchant.play.position import Position
from plainchant.records import Frozen, field, replace

HOLDS, FAILS, NOT_DECIDED, DEPENDS = "holds", "fails", "not decided", "depends on the reading"
MOST_READINGS = 256
"""Combinations of readings that are looked at for one card."""


Taken = tuple[tuple[str, str], ...]
"""How ambiguities are read: the words of each question and its answer."""


class Judged(Frozen):
    """One requirement in a position: its verdict, and what its numbers are (their least and greatest, where not all is known)."""

    demand: Demand
    verdict: str
    left: Interval | None = None
    right: Interval | None = None
    numbers: tuple[tuple[str, Interval], ...] = ()

    @property
    def by(self) -> int | None:
        """By how much the left number is more than the right one; None where no two numbers are compared, or one is not known."""
        if self.left is None or self.right is None or self.left[0] is None or self.right[0] is None:
            return None
        known = self.left[0] == self.left[1] and self.right[0] == self.right[1]
        return self.left[0] - self.right[0] if known else None


class Reading(Frozen):
    """What all requirements come to if ambiguities are read so."""

    taken: Taken
    verdict: str
    requirements: tuple[Judged, ...]


class Card(Frozen):
    """One of a kind in a position: all that it asks for. `missing` are questions without whose answers it is not decided."""

    member: str
    words: str
    verdict: str
    readings: tuple[Reading, ...]
    missing: tuple[str, ...] = field(default=())

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The ambiguities whose answers change a verdict on the card or on a requirement of it."""
        told = {reading.taken: (reading.verdict, *(one.verdict for one in reading.requirements)) for reading in self.readings}
        return tuple(question for question in _questions(told) if _matters(question, told))

    @property
    def by_requirement(self) -> tuple[tuple[Outcome, ...], ...]:
        """For each requirement what it comes to, told apart by those answers alone that make a difference to it."""
        demands = dict.fromkeys(one.demand for reading in self.readings for one in reading.requirements)
        return tuple(tuple(_outcomes(demand, self.readings)) for demand in demands)


class Outcome(Frozen):
    """What a requirement comes to under some answers; None: it is not asked for then."""

    taken: Taken
    judged: Judged | None


def assess(program: Program, position: Position, members: Iterable[str] | None = None) -> tuple[Card, ...]:
    """Judge each card (or those that are named) in a position."""
    wanted = None if members is None else set(members)
    by_card: dict[tuple[str, str], list[Demand]] = {}
    for demand in program.demands:
        if demand.applies != Truth(False) and (wanted is None or demand.member in wanted):
            by_card.setdefault((demand.member, demand.of), []).append(demand)
    return tuple(_card(program, position, member, words, demands) for (member, words), demands in by_card.items())


def _card(program: Program, position: Position, member: str, words: str, demands: Sequence[Demand]) -> Card:
    read = {variable for demand in demands for variable in _read(demand)}
    open_ = sorted(v for v in read & position.unknown if program.variables[v].role == "reading")
    answers = [range(program.variables[v].low, (program.variables[v].high or 0) + 1) for v in open_]
    # More combinations than this are not told one by one: the readings are then unknown like anything else.
    many = sum(1 for _ in zip(product(*answers), range(MOST_READINGS + 1), strict=False)) > MOST_READINGS
    readings = tuple(
        _reading(program, position, dict(zip(open_, taken, strict=True)), demands) for taken in ([()] if many else product(*answers))
    )
    verdicts = {reading.verdict for reading in readings}
    verdict = verdicts.pop() if len(verdicts) == 1 else NOT_DECIDED if NOT_DECIDED in verdicts else DEPENDS
    missing = [program.variables[v] for v in sorted(read & position.unknown) if many or program.variables[v].role != "reading"]
    told = tuple(variable.words for variable in missing) if verdict == NOT_DECIDED else ()
    return Card(member, words, verdict, readings, told)


def _read(demand: Demand) -> set[int]:
    """The variables that a requirement looks at."""
    return set(reads(demand.applies)) | set(reads(demand.holds))


def _reading(program: Program, position: Position, taken: Mapping[int, int], demands: Sequence[Demand]) -> Reading:
    """Everything under one way to read the text."""
    values = list(position.values)
    for variable, value in taken.items():
        values[variable] = value
    settled = replace(position, values=tuple(values), unknown=position.unknown - taken.keys())
    judged = tuple(one for one in (_judged(program, settled, demand) for demand in demands) if one is not None)
    verdicts = [one.verdict for one in judged]
    verdict = FAILS if FAILS in verdicts else NOT_DECIDED if NOT_DECIDED in verdicts else HOLDS
    told = tuple((program.variables[v].words, program.variables[v].shown(value)) for v, value in taken.items())
    return Reading(told, verdict, judged)


def _judged(program: Program, position: Position, demand: Demand) -> Judged | None:
    """One requirement where all readings that matter are settled; None if it is not asked for."""
    domain = Between()

    def read(variable: int) -> Interval:
        declared = program.variables[variable]
        if variable not in position.unknown:
            return position.values[variable], position.values[variable]
        return declared.low, declared.high

    def holds(condition: Cond) -> bool | None:
        return truth(condition, read, domain)

    def shown(expression: Num) -> Interval:
        return number(expression, read, domain)

    applies, met = holds(demand.applies), holds(demand.met)
    if applies is False:
        return None
    verdict = NOT_DECIDED if met is NOTHING_KNOWN else HOLDS if met else FAILS
    left, right = (None, None) if demand.left is None or demand.right is None else (shown(demand.left), shown(demand.right))
    return Judged(demand, verdict, left, right, tuple((name, shown(one)) for name, one in demand.numbers))


def _questions(told: Mapping[Taken, object]) -> list[str]:
    return list(dict.fromkeys(question for taken in told for question, _ in taken))


def _matters(question: str, told: Mapping[Taken, Hashable]) -> bool:
    """Whether the answer to one question changes what is told, the others being equal."""
    found: dict[Taken, set[Hashable]] = {}
    for taken, outcome in told.items():
        found.setdefault(tuple(pair for pair in taken if pair[0] != question), set()).add(outcome)
    return any(len(outcomes) > 1 for outcomes in found.values())


def _outcomes(demand: Demand, readings: Sequence[Reading]) -> Iterator[Outcome]:
    told = {reading.taken: next((one for one in reading.requirements if one.demand is demand), None) for reading in readings}
    seen = {taken: None if one is None else (one.verdict, one.left, one.right, one.numbers) for taken, one in told.items()}
    mattering = [question for question in _questions(told) if _matters(question, seen)]
    shown: dict[Taken, Judged | None] = {}
    for taken, judged in told.items():
        shown.setdefault(tuple(pair for pair in taken if pair[0] in mattering), judged)
    yield from (Outcome(taken, judged) for taken, judged in shown.items())

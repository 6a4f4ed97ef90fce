"""What any position can do: which cards can be fulfilled, which of their requirements exclude each other, which card makes another needless.

A position is whatever a play of the book can come to an end with, after the table has told all that the card's requirements look at.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plainchant.faces.findings import NOT_DECIDED, REACHABLE
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number
from plainchant.meaning.kernel import (
    Cond,
    Const,
    Demand,
    Equal,
    Program,
    Truth,
    all_of,
    at_most,
    opposite,
    reads,
)
from plainchant.play.assess import Judged, assess
from plainchant.play.machine import Machine
from plainchant.play.position import of_state
from plainchant.records import Frozen
from plainchant_proofs.goals import Shows
from plainchant_proofs.prover import Limits, Prover, Question, Verdict
from plainchant_proofs.settling import differing, told
from plainchant_proofs.smt import RLIMIT
from plainchant_proofs.witness import Promise, fulfilled, replayed

CAN, CANNOT = "can be fulfilled", "cannot be fulfilled"


class Least(Frozen):
    """How small a number can be where a card is fulfilled; None if that was not decided."""

    text: str
    value: int | None


class CardProof(Frozen):
    """What was proven of one card.

    `witness` is a play that the engine has made, which comes to a position in which the card is fulfilled (the first of the measured
    numbers is as small there as it can be), and `judged` are its requirements there. `core` are requirements of which all are needed to
    exclude each other, `implies` the words of the cards that are fulfilled whenever this one is, `depends_on` the ambiguities that alone
    decide in some position; `undecided` is what was given up.
    """

    member: str
    words: str
    verdict: str
    witness: Mapping[str, Any] | None
    judged: tuple[Judged, ...]
    core: tuple[Demand, ...]
    implies: tuple[str, ...]
    depends_on: tuple[str, ...]
    least: tuple[Least, ...]
    undecided: tuple[str, ...]
    seconds: float

    @property
    def decided(self) -> bool:
        return self.verdict != NOT_DECIDED and not self.undecided and all(one.value is not None for one in self.least)


def prove_cards(
    program: Program, members: Iterable[str] | None = None, least: Sequence[str] = (), *, rlimit: int | None = None
) -> tuple[CardProof, ...]:
    """Prove of each card (or those that are named) what any position can do.

    The last claim of the program says of which positions alone; `least` are the texts of its measured numbers. Raises ReplayMismatch if
    the engine does not find in a witness what the prover says.
    """
    proving = _Proving(program, least, Limits(rlimit=rlimit or RLIMIT))
    wanted = list(proving.cards) if members is None else list(members)
    return tuple(proving.proof(member) for member in wanted)


class _Proving:
    """All questions about the cards of one book, put at once and asked of one solver."""

    def __init__(self, program: Program, least: Sequence[str], limits: Limits) -> None:
        self.program = program
        self.machine = Machine(program)
        self.least_texts = least
        self.given = program.claims[-1].condition
        self.cards: dict[str, list[Demand]] = {}
        for demand in program.demands:
            if demand.applies != Truth(False):
                self.cards.setdefault(demand.member, []).append(demand)
        self.fulfilled = {member: all_of(*(demand.met for demand in demands)) for member, demands in self.cards.items()}
        measured = [Equal(measure, Const(0)) for measure in program.measures]
        self.prover = Prover(program, self.machine, limits, [self.given, *self.fulfilled.values(), *measured])
        self.is_given = self._put(self.given)
        self.met = {(d.member, d.name): self._put(told(program, d.met)) for demands in self.cards.values() for d in demands}
        self.unmet = {member: self._put(told(program, opposite(condition))) for member, condition in self.fulfilled.items()}
        self.differs = {
            (member, variable): self._put(differing(program, condition, variable))
            for member, condition in self.fulfilled.items()
            for variable in self._readings(condition)
        }
        self.ranges = [self._range(i) for i in range(len(program.measures))]
        self.within = [
            {value: self._put(at_most(measure, Const(value))) for value in range(low, high + 1)}
            for measure, (low, high) in zip(program.measures, self.ranges, strict=True)
        ]
        self.verdicts: dict[str, Verdict] = {}

    # ------------------------------------------------------------ conditions

    def _put(self, condition: Cond) -> Question:
        return self.prover.put(self.prover.encoding.meeting(condition, None), self.prover.encoding.campaign)

    def _readings(self, condition: Cond) -> list[int]:
        return [variable for variable in reads(condition) if self.program.variables[variable].role == "reading"]

    # ------------------------------------------------------------ asking

    def _ask(self, demands: Iterable[Demand], *also: Question, witness: bool = True) -> Verdict:
        questions = [self.met[(demand.member, demand.name)] for demand in demands]
        return self.prover.ask(self.is_given, *questions, *also, witness=witness)

    def _verdict(self, member: str) -> Verdict:
        if member not in self.verdicts:
            self.verdicts[member] = self._ask(self.cards[member])
        return self.verdicts[member]

    def proof(self, member: str) -> CardProof:
        started = time.perf_counter()
        demands = self.cards[member]
        verdict = self._verdict(member)
        undecided: list[str] = []
        can = verdict.verdict == REACHABLE
        word = CAN if can else NOT_DECIDED if verdict.open else CANNOT
        core = self._core(demands) if verdict.excluded else ()
        implies = tuple(self._implied(member, undecided)) if can else ()
        depends = tuple(self._depending(member, undecided))
        searched = [self._least(member, i) for i in range(len(self.program.measures))] if can else []
        example = searched[0][1] if searched else verdict
        witness, judged = (None, ()) if example.witness is None else self._shown(member, example)
        least = tuple(one for one, _ in searched)
        seconds = round(time.perf_counter() - started, 4)
        return CardProof(
            member, demands[0].of, word, witness, judged, core, implies, depends, least, tuple(undecided), seconds
        )  # fmt: skip

    def _shown(self, member: str, verdict: Verdict) -> tuple[Mapping[str, Any], tuple[Judged, ...]]:
        """The witness as a play that the engine has made, and how it judges the position at its end."""
        assert verdict.witness is not None
        condition = all_of(self.given, told(self.program, self.fulfilled[member]))
        play = fulfilled(self.machine, Promise(verdict.witness, Shows(condition=condition)))
        session = replayed(self.machine, verdict.witness)
        (card,) = assess(self.program, of_state(self.program, session.moment.values), [member])
        return play, card.readings[0].requirements

    def _core(self, demands: Sequence[Demand]) -> tuple[Demand, ...]:
        """Requirements that exclude each other, none of which can be left out; a single one is impossible by itself."""
        needed = list(demands)
        for demand in demands:
            without = [other for other in needed if other is not demand]
            if self._ask(without, witness=False).excluded:
                needed = without
        return tuple(needed)

    def _implied(self, member: str, undecided: list[str]) -> Iterable[str]:
        for other, demands in self.cards.items():
            if other == member or self._verdict(other).verdict != REACHABLE:
                continue
            verdict = self._ask(self.cards[member], self.unmet[other], witness=False)
            if verdict.excluded:
                yield demands[0].of
            elif verdict.open:
                undecided.append(f"whether who fulfils it fulfils {demands[0].of} as well")

    def _depending(self, member: str, undecided: list[str]) -> Iterable[str]:
        for (card, variable), question in self.differs.items():
            if card == member:
                verdict = self.prover.ask(self.is_given, question, witness=False)
                if verdict.verdict == REACHABLE:
                    yield self.program.variables[variable].words
                elif verdict.open:
                    undecided.append(f"whether it depends on how the text is read: {self.program.variables[variable].words}")

    # ------------------------------------------------------------ least numbers

    def _range(self, measure: int) -> tuple[int, int]:
        encoding = self.prover.encoding
        term = number(self.program.measures[measure], encoding.final.__getitem__, encoding.terms)
        return term.low, term.high

    def _least(self, member: str, measure: int) -> tuple[Least, Verdict]:
        """The least value, by halving what is still possible, and what shows it; each is measured in a play that the engine has made."""
        low, best = self.ranges[measure][0], self._verdict(member)
        high = self._measured(best, measure)
        while low < high:
            middle = (low + high) // 2
            verdict = self._ask(self.cards[member], self.within[measure][middle])
            if verdict.open:
                return Least(self.least_texts[measure], None), best
            if verdict.verdict == REACHABLE:
                best, high = verdict, self._measured(verdict, measure)
            else:
                low = middle + 1
        return Least(self.least_texts[measure], high), best

    def _measured(self, verdict: Verdict, measure: int) -> int:
        assert verdict.witness is not None
        session = replayed(self.machine, verdict.witness)
        return number(self.program.measures[measure], session.moment.values.__getitem__, Values())

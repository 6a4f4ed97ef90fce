"""`ask`: one question about a book, with a play that answers it, or the printed lines that exclude it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plainchant.faces.findings import Because
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number, truth
from plainchant.meaning.kernel import CAMPAIGN, Block, Claimed, Const, Entrance, Program, Set, opposite
from plainchant.play.documents import trace
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer, why_no_way
from plainchant_proofs.explore import Witness
from plainchant_proofs.prover import NOT_DECIDED, REACHABLE, UNREACHABLE, Limits, Prover, Verdict
from plainchant_proofs.terms import FALSE, Num
from plainchant_proofs.topology import unrolled
from plainchant_proofs.witness import ReplayMismatch, at_end, replayed, values_at

MOST_VALUES = 4096
"""The widest range of numbers in which a bound is sought."""


@dataclass(frozen=True, slots=True)
class Answer:
    """answer: reachable, unreachable, holds, fails or not decided; `value` a bound that was asked for."""

    answer: str
    value: int | None
    witness: Mapping[str, Any] | None
    because: tuple[Because, ...]
    bound: int | None
    change: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True)
class From:
    """A play from which is asked on: the session at that moment, and its program with an entrance there."""

    session: Session
    program: Program


def continued(program: Program, session: Session) -> From:
    """The program with one entrance more: the moment at which a session rests, with all its values."""
    moment = session.moment
    rest = program.blocks[moment.block]
    sets = tuple(Set(variable, Const(value)) for variable, value in enumerate(moment.values))
    block = Block(rest.section, (), rest.exit)
    entrance = Entrance("continued", "the saved play", sets, len(program.blocks))
    return From(session, replace(program, blocks=(*program.blocks, block), entrances=(entrance,)))


def answer(
    program: Program, claim: Claimed, always: bool, start: From | None = None, limits: Limits | None = None, *, change: bool = False
) -> Answer:  # fmt: skip
    """Whether the asked condition can hold (or, with `always`, whether it holds in every play).

    With `change` it is also sought which printed conditions would have to give way for what cannot be.
    """
    asked = replace(claim, condition=opposite(claim.condition)) if always else claim
    proving = _Asking(program if start is None else start.program, asked, start, limits or Limits())
    verdict = proving.verdict()
    if verdict.verdict == REACHABLE:
        return Answer("fails" if always else "reachable", None, proving.shown(verdict), (), verdict.bound)
    if verdict.verdict == NOT_DECIDED or (verdict.bound is not None and verdict.verdict == UNREACHABLE):
        return Answer("not decided", None, None, (), verdict.bound)
    because, given_up = proving.why_not(change)
    return Answer("holds" if always else "unreachable", None, None, because, None, given_up)


def bound(
    program: Program, claim: Claimed, *, least: bool, start: From | None = None, limits: Limits | None = None
) -> Answer:  # fmt: skip
    """The least or greatest value of the program's measured number in plays where the condition holds, with a play that has it."""
    proving = _Asking(program if start is None else start.program, claim, start, limits or Limits())
    return proving.bound(least)


class _Asking:
    """One question, put to the prover."""

    def __init__(self, program: Program, claim: Claimed, start: From | None, limits: Limits) -> None:
        self.program = program
        self.claim = claim
        self.start = start
        self.limits = limits
        self.machine = Machine(program)
        wanted = [claim.condition, *(_as_condition(measure) for measure in program.measures)]
        self.prover = Prover(program, self.machine, limits, wanted)
        encoding = self.prover.encoding
        self.block = None if claim.at is None else program.sections[claim.at].start
        self.values = encoding.final if self.block is None else encoding.at_block[self.block]
        self.there = encoding.ended() if self.block is None else self.prover.arrival(self.block)
        self.term = encoding.terms.all_of((encoding.condition(claim.condition, self.values), self.there))
        self.entrance = "continued" if start is not None else CAMPAIGN if CAMPAIGN in encoding.entrances else None

    def verdict(self) -> Verdict:
        question = self.prover.put(self.term, self.entrance)
        return self.prover.ask(question, until=self.block)

    def shown(self, verdict: Verdict) -> Mapping[str, Any]:
        """The witness as a trace, after the engine has made the play and the condition holds in it."""
        assert verdict.witness is not None
        machine = self.machine if self.start is None else self.start.session.machine
        values: Sequence[int] | None
        if self.block is None:
            final = _final(self.machine, verdict.witness)
            values = final
        else:
            values = values_at(self.machine, verdict.witness, self.block)
        if values is None or not truth(self.claim.condition, values.__getitem__, Values()):
            raise ReplayMismatch("the engine plays the witness, but the condition does not hold in it")
        if self.start is None:
            session = replayed(machine, verdict.witness)
            if self.block is None and not at_end(session):
                raise ReplayMismatch("the engine plays the witness, but it does not come to an end")
            return trace(session)
        return trace(_played_on(self.start.session, verdict.witness))

    def why_not(self, change: bool = False) -> tuple[tuple[Because, ...], tuple[Because, ...]]:
        """The lines that exclude it, and (if wanted) the guards without which it could be."""
        explainer = Explainer(unrolled(self.program, self.limits.unroll), self.prover.slice, self.limits.rlimit)
        arrival = None if self.block is None else explainer.encoding.arrives[self.block]
        question = claim_term(explainer, self.claim, arrival, self.entrance)
        because = explainer.why_not(question)
        if not because and self.claim.at is not None:
            because = why_no_way(self.program, self.program.sections[self.claim.at], self._unread())
        return because, explainer.change(question) if change else ()

    def _unread(self) -> frozenset[str]:
        """Sections that no play reads, as far as the order of the text alone tells."""
        terms = self.prover.encoding.arrives
        return frozenset(section.key for section in self.program.sections if terms.get(section.start, FALSE) is FALSE)

    def bound(self, least: bool) -> Answer:
        encoding = self.prover.encoding
        measure = number(self.program.measures[0], lambda v: self.values[v], encoding.terms)
        if measure.high - measure.low > MOST_VALUES:
            return Answer("not decided", None, None, (), encoding.bound)
        within = {
            value: self.prover.put(self._beyond(measure, value, least), self.entrance) for value in range(measure.low, measure.high + 1)
        }
        any_value = self.prover.put(self.term, self.entrance)
        best = self.prover.ask(any_value, until=self.block)
        if best.verdict != REACHABLE:
            if best.verdict == NOT_DECIDED or best.bound is not None:
                return Answer("not decided", None, None, (), best.bound)
            because, _ = self.why_not()
            return Answer("unreachable", None, None, because, None)
        value = self._measured(best)
        low, high = (measure.low, value) if least else (value, measure.high)
        while low < high:
            middle = (low + high) // 2 if least else (low + high + 1) // 2
            verdict = self.prover.ask(within[middle], until=self.block)
            if verdict.verdict == NOT_DECIDED:
                return Answer("not decided", None, None, (), encoding.bound)
            if verdict.verdict == REACHABLE:
                best, value = verdict, self._measured(verdict)
                low, high = (low, value) if least else (value, high)
            else:
                low, high = (middle + 1, high) if least else (low, middle - 1)
        return Answer("reachable", value, self.shown(best), (), encoding.bound)

    def _beyond(self, measure: Num, value: int, least: bool) -> Any:
        terms = self.prover.encoding.terms
        limit = terms.number(value)
        outside = terms.less(limit, measure) if least else terms.less(measure, limit)
        return terms.all_of((self.term, terms.opposite(outside)))

    def _measured(self, verdict: Verdict) -> int:
        """The number in the engine's own play of a witness."""
        assert verdict.witness is not None
        values = _final(self.machine, verdict.witness) if self.block is None else values_at(self.machine, verdict.witness, self.block)
        assert values is not None
        return number(self.program.measures[0], values.__getitem__, Values())


def _as_condition(measure: Any) -> Any:
    from plainchant.meaning.kernel import Equal

    return Equal(measure, Const(0))


def _final(machine: Machine, witness: Witness) -> tuple[int, ...]:
    """The values when the engine has played all decisions of a witness."""
    from plainchant_proofs.explore import decide

    way = machine.program.entrance(witness.entrance)
    assert way is not None
    state = machine.initial(way)
    block = machine.run(state, way.block).block
    for decided in witness.decisions:
        block = machine.run(state, decide(machine, state, block, decided)).block
    return tuple(state)


def _played_on(session: Session, witness: Witness) -> Session:
    """The saved play, continued as the witness says."""
    from plainchant_proofs.witness import apply_decisions

    apply_decisions(session, witness.decisions)
    return session

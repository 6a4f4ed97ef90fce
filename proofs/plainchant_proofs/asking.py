"""`ask`: one question about a book, with a play that answers it, or the printed lines that exclude it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from plainchant.beside import Beside, beside
from plainchant.faces.findings import NOT_DECIDED, REACHABLE, Because
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number
from plainchant.meaning.kernel import Block, Claimed, Cond, Const, Entrance, Equal, Num, Program, Set, all_of, at_most, opposite
from plainchant.play.documents import trace
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.records import Frozen, replace
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer, leading, why_no_way
from plainchant_proofs.explore import Witness
from plainchant_proofs.goals import Shows
from plainchant_proofs.induction import NOTHING, Inductive, by_induction
from plainchant_proofs.prover import Limits, Prover, Question, Verdict
from plainchant_proofs.reasons import Reason, Reasons, Wanted
from plainchant_proofs.terms import FALSE
from plainchant_proofs.wandering import found_by_chance
from plainchant_proofs.witness import Promise, apply_decisions, fulfilled, replayed, shortened, values_at

MOST_VALUES = 4096
"""The widest range of numbers in which a bound is sought."""


class Answer(Frozen):
    """answer: reachable, unreachable, holds, fails or not decided; `value` a bound that was asked for.

    `because` are the printed lines that exclude it (none: no line is needed); None if they were not found within the limits.
    """

    answer: str
    value: int | None
    witness: Mapping[str, Any] | None
    because: tuple[Because, ...] | None
    bound: int | None
    change: tuple[Because, ...] = ()


class From(Frozen):
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
    proving = _Asking(program if start is None else start.program, asked, start, limits or Limits(), tracked=change)
    with beside(proving.reasons, here=proving.rounds) as reasons:
        reasons.post(Wanted([asked]))
        return _answered(proving, reasons, always=always, change=change)


def _answered(proving: _Asking, reasons: Beside[Wanted, list[Reason]], *, always: bool, change: bool) -> Answer:
    asked = proving.claim
    verdict = proving.verdict()
    inductive = NOTHING
    if verdict.open and proving.rounds and asked.at is not None and proving.start is None:
        verdict, inductive = proving.in_all_rounds(verdict)
    if verdict.verdict == REACHABLE:
        return Answer("fails" if always else "reachable", None, proving.shown(verdict), (), verdict.bound)
    if asked.name in inductive.because:
        return Answer("holds" if always else "unreachable", None, None, inductive.because[asked.name], None)
    if verdict.open:
        return Answer(NOT_DECIDED, None, None, (), verdict.bound)
    because = proving.why_not(reasons.answer())
    return Answer("holds" if always else "unreachable", None, None, because, None, proving.change() if change else ())


def bound(
    program: Program, claim: Claimed, *, least: bool, start: From | None = None, limits: Limits | None = None
) -> Answer:  # fmt: skip
    """The least or greatest value of the program's measured number in plays where the condition holds, with a play that has it."""
    proving = _Asking(program if start is None else start.program, claim, start, limits or Limits())
    return proving.bound(least)


class _Asking:
    """One question, put to the prover."""

    def __init__(self, program: Program, claim: Claimed, start: From | None, limits: Limits, *, tracked: bool = False) -> None:
        self.program = program
        self.claim = claim
        self.start = start
        self.limits = limits
        self.machine = Machine(program)
        wanted = [claim.condition, *(_as_condition(measure) for measure in program.measures)]
        self.prover = Prover(program, self.machine, limits, wanted, tracked=tracked)
        encoding = self.prover.encoding
        self.block = None if claim.at is None else program.sections[claim.at].start
        self.entrance = "continued" if start is not None else encoding.campaign

    def verdict(self) -> Verdict:
        question = self._put(self.claim.condition)
        return self.prover.ask(question, shows=Shows(condition=self.claim.condition, at=self.block))

    def _put(self, condition: Cond) -> Question:
        return self.prover.put(self.prover.encoding.meeting(condition, self.block), self.entrance)

    def in_all_rounds(self, verdict: Verdict) -> tuple[Verdict, Inductive]:
        """What a book that goes round shows beyond the rounds that were followed: a long play, or a proof together with its claims."""
        shows = Shows(condition=self.claim.condition, at=self.block)
        found = found_by_chance(self.machine, self.program.entrances[0], shows)
        if found is not None:
            return Verdict(REACHABLE, found, verdict.bound), NOTHING
        others = [one for one in self.program.claims if one.name != self.claim.name]
        return verdict, by_induction(self.program, [*others, replace(self.claim, kind="never")], [], self.limits)

    def shown(self, verdict: Verdict) -> Mapping[str, Any]:
        """The witness as a trace, after the engine has made the play and the condition holds in it."""
        assert verdict.witness is not None
        told = fulfilled(self.machine, Promise(verdict.witness, Shows(condition=self.claim.condition, at=self.block)))
        return told if self.start is None else trace(played_on(self.start.session, verdict.witness))

    @property
    def rounds(self) -> bool:
        """Whether the book goes round, and was followed only so often."""
        return self.prover.encoding.bound is not None

    @cached_property
    def reasons(self) -> Reasons:
        """What tells why it cannot be."""
        return Reasons(self.program, self.machine, self.limits, self.prover.known, [self.claim], entrance=self.entrance)

    def why_not(self, nearby: Sequence[Reason]) -> tuple[Because, ...] | None:
        """The lines that exclude it, if those were looked at that are about what it names; None if none are found within the limits."""
        because = nearby[0].because
        if because is None:
            because = self.reasons(Wanted([self.claim], widely=True))[0].because
        if not because and self.claim.at is not None:
            return why_no_way(self.program, self.program.sections[self.claim.at], self._unread(), leading(self.program)) or because
        return because

    def change(self) -> tuple[Because, ...]:
        """The guards without which it could be; asked of a tracked prover."""
        explainer = Explainer(self.prover)
        return explainer.change(claim_term(explainer, self.claim, self.entrance))

    def _unread(self) -> frozenset[str]:
        """Sections that no play reads, as far as the order of the text alone tells."""
        terms = self.prover.encoding.arrives
        return frozenset(section.key for section in self.program.sections if terms.get(section.start, FALSE) is FALSE)

    def bound(self, least: bool) -> Answer:
        encoding = self.prover.encoding
        lowest, highest = self._range()
        if highest - lowest > MOST_VALUES:
            return Answer(NOT_DECIDED, None, None, (), encoding.bound)
        within = {value: self._put(self._within(value, least)) for value in range(lowest, highest + 1)}
        any_value = self._put(self.claim.condition)
        best = self.prover.ask(any_value)
        if best.open:
            return Answer(NOT_DECIDED, None, None, (), best.bound)
        if best.excluded:
            return Answer("unreachable", None, None, self.why_not(self.reasons(Wanted([self.claim]))), None)
        value = self._measured(best, self.claim.condition)
        low, high = (lowest, value) if least else (value, highest)
        while low < high:
            middle = (low + high) // 2 if least else (low + high + 1) // 2
            verdict = self.prover.ask(within[middle])
            if verdict.verdict == NOT_DECIDED:
                return Answer(NOT_DECIDED, None, None, (), encoding.bound)
            if verdict.verdict == REACHABLE:
                best, value = verdict, self._measured(verdict, self._within(middle, least))
                low, high = (low, value) if least else (value, high)
            else:
                low, high = (middle + 1, high) if least else (low, middle - 1)
        return Answer("reachable", value, self._bounded(best, value), (), encoding.bound)

    def _range(self) -> tuple[int, int]:
        """The least and the greatest value that the measured number can have by the bounds of what it is made of."""
        encoding = self.prover.encoding
        places = [encoding.final] if self.block is None else [encoding.at_block[copy] for copy in encoding.copies(self.block)]
        measures = [number(self.program.measures[0], values.__getitem__, encoding.terms) for values in places]
        return min(m.low for m in measures), max(m.high for m in measures)

    def _within(self, value: int, least: bool) -> Cond:
        """That the condition holds, and the measured number is at most (or at least) so large."""
        measure, limit = self.program.measures[0], Const(value)
        return all_of(self.claim.condition, at_most(measure, limit) if least else at_most(limit, measure))

    def _measured(self, verdict: Verdict, condition: Cond) -> int:
        """The number in the engine's own play of a witness of the condition."""
        assert verdict.witness is not None
        if self.block is None:
            values: Sequence[int] | None = replayed(self.machine, verdict.witness).moment.values
        else:
            values = values_at(self.machine, verdict.witness, self.block, condition)
        assert values is not None
        return number(self.program.measures[0], values.__getitem__, Values())

    def _bounded(self, verdict: Verdict, value: int) -> Mapping[str, Any]:
        """The trace of a witness in which the condition holds and the measured number has this value."""
        assert verdict.witness is not None
        condition = all_of(self.claim.condition, Equal(self.program.measures[0], Const(value)))
        shows = Shows(condition=condition, at=self.block)
        witness = shortened(self.machine, verdict.witness, shows)
        told = fulfilled(self.machine, Promise(witness, shows))
        return told if self.start is None else trace(played_on(self.start.session, witness))


def _as_condition(measure: Num) -> Cond:
    return Equal(measure, Const(0))


def played_on(session: Session, witness: Witness) -> Session:
    """The saved play, continued as the witness says."""
    apply_decisions(session, witness.decisions)
    return session

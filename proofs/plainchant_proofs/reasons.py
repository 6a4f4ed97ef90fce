"""Why claims hold and goals are never reached: one tracked prover for all of a book, and a smaller one, each made when it is wanted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Claimed, Program, reads
from plainchant.play.machine import Machine
from plainchant.records import Frozen
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Outline, Prover, Question
from plainchant_proofs.smt import Blank


class Reason(Frozen):
    """The printed lines that exclude something (None if they do not), and the seconds that it took to find them."""

    because: tuple[Because, ...] | None
    seconds: float = 0.0


class Wanted(Frozen):
    """Claims and goals that want reasons; `widely` if everything printed may count, and not only what is about the same as the claims."""

    of: Sequence[Claimed | Goal]
    widely: bool = False


class Reasons(Frozen, dict=True):
    """Tells why, of the claims and goals that it was made for; of plays that begin at an entrance (None: where campaigns begin).

    Most claims are refuted by lines about the entries that they name, or at least by lines about the campaign log. So these are tried
    first, in an encoding that follows nothing else: it is half as large, and answers in a third of the time.
    """

    program: Program
    machine: Machine
    limits: Limits
    outline: Outline
    claims: Sequence[Claimed]
    goals: Sequence[Goal] = ()
    blank: Blank | None = None
    entrance: str | None = None

    def __call__(self, wanted: Wanted) -> list[Reason]:
        """A reason for each of these."""
        return [self._widely(one) if wanted.widely else self._nearby(one) for one in wanted.of]

    def _widely(self, wanted: Claimed | Goal) -> Reason:
        """By all lines."""
        explainer, questions = self._all
        started = time.perf_counter()
        because = explainer.why_not(questions[wanted])
        return Reason(because, time.perf_counter() - started)

    def _nearby(self, claim: Claimed | Goal) -> Reason:
        """By lines about the entries that a claim names, or else about these and the campaign log."""
        explainer, questions = self._near
        started = time.perf_counter()
        assert isinstance(claim, Claimed)
        own = self.outline.slice.closed(reads(claim.condition))
        because = explainer.why_not(questions[claim], own, own | self._log)
        return Reason(because, time.perf_counter() - started)

    @cached_property
    def _log(self) -> frozenset[int]:
        """What the campaign log holds, and what flows into it."""
        return self.outline.slice.closed(number for number, one in enumerate(self.program.variables) if one.role in ("log", "value"))

    @cached_property
    def _near(self) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        read = {variable for claim in self.claims for variable in reads(claim.condition)}
        return self._made(Outline(self.outline.unrolled, self.outline.slice.narrowed(self._log | read)), ())

    @cached_property
    def _all(self) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        return self._made(self.outline, self.goals)

    def _made(self, outline: Outline, goals: Sequence[Goal]) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        """An explainer, and the questions about everything that it may be asked for."""
        explainer = Explainer(Prover(self.program, self.machine, self.limits, tracked=True, outline=outline, blank=self.blank))
        entrance = self.entrance or explainer.encoding.campaign
        put: dict[Claimed | Goal, Question] = {claim: claim_term(explainer, claim, entrance) for claim in self.claims}
        put.update((goal, explainer.put(explainer.prover.term(goal))) for goal in goals)
        return explainer, put

"""Why claims hold and goals are never reached: one tracked prover for all of a book, and a smaller one, each made when it is wanted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Claimed, Program, reads
from plainchant.play.machine import Machine
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Outline, Prover, Question
from plainchant_proofs.smt import Blank


@dataclass(frozen=True, slots=True)
class Reason:
    """The printed lines that exclude something (None if they do not), and the seconds that it took to find them."""

    because: tuple[Because, ...] | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Claims and goals that want reasons; `widely` if everything printed may count, and not only what is about the same as the claims."""

    of: Sequence[Claimed | Goal]
    widely: bool


@dataclass(frozen=True)
class Reasons:
    """Tells why, of the claims and goals that it was made for.

    Most claims are refuted by lines about the entries that they name, which are a small part of a book: that is tried first.
    """

    program: Program
    machine: Machine
    limits: Limits
    outline: Outline
    claims: Sequence[Claimed]
    goals: Sequence[Goal]
    blank: Blank | None = None

    def __call__(self, wanted: Wanted) -> list[Reason]:
        """A reason for each of these."""
        return [self._reason(one, *(self._all if wanted.widely else self._near)) for one in wanted.of]

    def _reason(self, wanted: Claimed | Goal, explainer: Explainer, questions: Mapping[Claimed | Goal, Question]) -> Reason:
        started = time.perf_counter()
        about = self.outline.slice.about(wanted.condition) if isinstance(wanted, Claimed) else None
        because = explainer.why_not(questions[wanted], about)
        return Reason(because, time.perf_counter() - started)

    @cached_property
    def _near(self) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        """What tells of the claims by lines that are about the same as one of them."""
        read = {variable for claim in self.claims for variable in reads(claim.condition)}
        return self._made(Outline(self.outline.unrolled, self.outline.slice.narrowed(read)), ())

    @cached_property
    def _all(self) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        """What tells of everything by all lines."""
        return self._made(self.outline, self.goals)

    def _made(self, outline: Outline, goals: Sequence[Goal]) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        """An explainer, and the questions about everything that it may be asked for."""
        explainer = Explainer(Prover(self.program, self.machine, self.limits, tracked=True, outline=outline, blank=self.blank))
        campaign = explainer.encoding.campaign
        put: dict[Claimed | Goal, Question] = {claim: claim_term(explainer, claim, campaign) for claim in self.claims}
        put.update((goal, explainer.put(explainer.prover.term(goal))) for goal in goals)
        return explainer, put

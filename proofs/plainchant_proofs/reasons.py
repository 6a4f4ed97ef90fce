"""Why claims hold and goals are never reached: one tracked prover for all of a book, made when the first reason is wanted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Claimed, Program
from plainchant.play.machine import Machine
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Outline, Prover, Question
from plainchant_proofs.smt import Blank


@dataclass(frozen=True, slots=True)
class Reason:
    """The printed lines that exclude something (none if it can be after all), and the seconds that it took to find them."""

    because: tuple[Because, ...]
    seconds: float = 0.0


@dataclass(frozen=True)
class Reasons:
    """Tells why, of the claims and goals that it was made for."""

    program: Program
    machine: Machine
    limits: Limits
    outline: Outline
    claims: Sequence[Claimed]
    goals: Sequence[Goal]
    blank: Blank | None = None

    def __call__(self, wanted: Sequence[Claimed | Goal]) -> list[Reason]:
        """A reason for each of these."""
        return [self._reason(one) for one in wanted]

    def _reason(self, wanted: Claimed | Goal) -> Reason:
        explainer, questions = self._put
        started = time.perf_counter()
        because = explainer.why_not(questions[wanted])
        return Reason(because, time.perf_counter() - started)

    @cached_property
    def _put(self) -> tuple[Explainer, dict[Claimed | Goal, Question]]:
        """The explainer, and the questions about everything that it may be asked for."""
        explainer = Explainer(Prover(self.program, self.machine, self.limits, tracked=True, outline=self.outline, blank=self.blank))
        encoding = explainer.encoding
        put: dict[Claimed | Goal, Question] = {claim: claim_term(explainer, claim, encoding.campaign) for claim in self.claims}
        put.update((goal, explainer.put(explainer.prover.term(goal))) for goal in self.goals)
        return explainer, put

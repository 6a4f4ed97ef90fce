"""Induction over rounds: what holds on every arrival at a section, however often play comes there.

A claim holds for ever if it holds when play comes there first, and if a round that begins where all the claims hold ends where it holds
(k-induction: if k rounds do; Sheeran, Singh, Stålmarck 2000). Claims are proven together: those that a round can break are left out,
until the rest keep each other. Then nothing is possible in any round that is not possible in one that begins where they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainchant.faces.findings import UNREACHABLE, Because
from plainchant.meaning.kernel import Claimed, Cond, Program, all_of
from plainchant.play.machine import Machine
from plainchant.records import Frozen, replace
from plainchant_proofs.encode import Encoding
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Prover, Question, Verdict
from plainchant_proofs.rounds import Rounds, rounds_of, sections_that_come_back
from plainchant_proofs.slicing import Slice, live_variables
from plainchant_proofs.terms import FALSE
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.witness import replayed, sought

MOST_ROUNDS = 3
"""Rounds in a row that are assumed to keep a claim before it is given up."""

WITHIN_A_ROUND = (6, 14, 28, 56)
"""How often loops within a round are followed, the next number where the one before was not enough."""


class Step(Frozen):
    """A round that breaks a claim, from a state that may be one that no play comes to: its values, and what was decided in it."""

    section: str
    values: tuple[tuple[str, str], ...]
    decided: tuple[str, ...]

    @property
    def json(self) -> dict[str, Any]:
        """For reports: `from` are the values, `steps` what was decided."""
        return {"section": self.section, "from": dict(self.values), "steps": list(self.decided)}


class Inductive(Frozen):
    """What induction has found out: the claims that hold for ever (with the printed lines), what breaks others, the goals that are excluded.

    `number` is how many rounds were needed, and `within` how often loops within one were followed; None if they could not be followed to
    their end, and nothing was proven. `sections` are those between which rounds are cut, `standing` the claims that hold on arrival there.
    """

    because: Mapping[str, tuple[Because, ...]]
    broken: Mapping[str, Step]
    excluded: frozenset[Goal]
    number: int | None
    within: int | None
    sections: tuple[int, ...] = ()
    standing: tuple[Claimed, ...] = ()


LESS_TO_EXPLAIN = 20
"""What was proven is explained with less effort: where it is not enough, a printed line more is named than would be needed."""

NOTHING = Inductive({}, {}, frozenset(), None, None)


def by_induction(program: Program, claims: Sequence[Claimed], goals: Sequence[Goal], limits: Limits) -> Inductive:
    """Prove what can be proven of a book that goes round: claims on arrival at sections, and that goals are never reached."""
    claims = [claim for claim in claims if claim.kind != "possible" and claim.at is not None]
    sections = sections_that_come_back(program, (claim.at for claim in claims if claim.at is not None))
    claims = [claim for claim in claims if claim.at in sections]
    if not sections:
        return NOTHING
    best = NOTHING
    for number in range(1, MOST_ROUNDS + 1):
        found = _with_rounds(program, claims, [goal for goal in goals if not goal.together], sections, number, limits)
        # More rounds prove more, but they are harder: what the limit of work stops must not undo what fewer have proven.
        if best.number is None or len(found.standing) > len(best.standing):
            best = found
        if not best.broken and best.number is not None:
            break
    return best


def _with_rounds(
    program: Program, claims: Sequence[Claimed], goals: Sequence[Goal], sections: Sequence[int], number: int, limits: Limits
) -> Inductive:  # fmt: skip
    live = live_at_sections(program, [claim.condition for claim in claims], sections)
    rounds = rounds_of(program, sections, live, number)
    if rounds.capped:
        return NOTHING
    for within in WITHIN_A_ROUND:
        proof = _Induction(program, rounds, claims, goals, replace(limits, unroll=within))
        if proof.complete:
            return proof.result(number)
    return NOTHING


def live_at_sections(program: Program, wanted: Sequence[Cond], sections: Sequence[int]) -> dict[int, Sequence[int]]:
    """For each block the variables that can matter when play arrives there: to its way, or to what is wanted on arrival at the sections."""
    slice_ = Slice(program, wanted, arms=True)
    condition = all_of(*wanted)
    found: dict[int, set[int]] = {}
    for watched in (program.sections[s].start for s in sections):
        for block, variables in live_variables(program, slice_, condition, watched)[0].items():
            found.setdefault(block, set()).update(variables)
    return {block: tuple(sorted(variables)) for block, variables in found.items()}


def kept_at_the_beginning(rounds: Rounds, encoding: Encoding, claim: Claimed) -> Term:
    """That rounds which begin anywhere begin where the claim holds."""
    terms = encoding.terms
    broken = [_broken_at(encoding, claim, block) for block in rounds.begins[claim.at or 0]]
    return terms.opposite(terms.all_of((_anywhere(rounds, encoding), terms.some_of(broken))))


def _broken_at_the_end(rounds: Rounds, encoding: Encoding, claim: Claimed) -> Term:
    """That the last round, or (where play begins as the book does) any, ends where the claim does not hold."""
    terms = encoding.terms
    last = _broken_at(encoding, claim, rounds.ends[claim.at or 0])
    on_the_way = [_broken_at(encoding, claim, block) for block in rounds.begins[claim.at or 0]]
    truly = terms.all_of((terms.opposite(_anywhere(rounds, encoding)), terms.some_of(on_the_way)))
    return terms.some_of((last, truly))


def _anywhere(rounds: Rounds, encoding: Encoding) -> Term:
    return encoding.terms.some_of(encoding.entrances[rounds.anywhere(s)] for s in rounds.begins)


def _broken_at(encoding: Encoding, claim: Claimed, block: int) -> Term:
    """That play arrives at a block where the claim does not hold."""
    found = [
        encoding.terms.all_of((encoding.arrives[copy], encoding.condition(sought(claim), encoding.at_block[copy])))
        for copy in encoding.copies(block)
        if encoding.arrives.get(copy, FALSE) is not FALSE
    ]
    return encoding.terms.some_of(found)


class _Induction:
    """One attempt, with so many rounds and loops within them followed so often."""

    def __init__(self, program: Program, rounds: Rounds, claims: Sequence[Claimed], goals: Sequence[Goal], limits: Limits) -> None:
        self.program = program
        self.rounds = rounds
        self.claims = list(claims)
        self.limits = limits
        self.machine = Machine(rounds.program)
        self.prover = Prover(rounds.program, self.machine, limits, [c.condition for c in claims], goals)
        encoding = self.prover.encoding
        self.kept = {c.name: self.prover.put(kept_at_the_beginning(rounds, encoding, c)) for c in claims}
        self.breaks = {c.name: self.prover.put(_broken_at_the_end(rounds, encoding, c)) for c in claims}
        self.cut = self.prover.put(encoding.ended(("bound",)))
        self.asked = {goal: self.prover.put(self.prover.term(goal)) for goal in goals}
        self.broken: dict[str, Step] = {}
        self.standing = self._stand()
        self.complete = self._excluded(self.cut)

    # ------------------------------------------------------------ what stands

    def _stand(self) -> list[Claimed]:
        """The claims that keep each other."""
        standing = list(self.claims)
        while True:
            failing = next((claim for claim in standing if not self._proven(claim, standing)), None)
            if failing is None:
                return standing
            standing.remove(failing)

    def _proven(self, claim: Claimed, standing: Sequence[Claimed]) -> bool:
        verdict = self.prover.ask(self.breaks[claim.name], *(self.kept[c.name] for c in standing))
        if verdict.witness is not None:
            self.broken[claim.name] = self._step(verdict)
        return _never(verdict)

    def _step(self, verdict: Verdict) -> Step:
        """The round of a witness, played by the engine."""
        assert verdict.witness is not None
        session = replayed(self.machine, verdict.witness)
        program = self.rounds.program
        values, decided = [], []
        for step in session.history:
            if step.decider == "whoever looks for a counterexample":
                variable = next(v for v in program.variables if v.words == step.prompt)
                values.append((variable.words, variable.shown(int(step.choice.words))))
            else:
                decided.append(step.choice.words)
        return Step(session.history[0].section.words if session.history else "", tuple(values), tuple(decided))

    def _excluded(self, question: Question) -> bool:
        return _never(self.prover.ask(question, *(self.kept[c.name] for c in self.standing), witness=False))

    # ------------------------------------------------------------ results

    def result(self, number: int) -> Inductive:
        excluded = frozenset(goal for goal, question in self.asked.items() if self._excluded(question))
        broken = {name: step for name, step in self.broken.items() if name not in {claim.name for claim in self.standing}}
        return Inductive(self._because(), broken, excluded, number, self.limits.unroll, tuple(self.rounds.begins), tuple(self.standing))

    def _because(self) -> dict[str, tuple[Because, ...]]:
        """The printed lines that make the standing claims so."""
        limits = replace(self.limits, rlimit=self.limits.rlimit // LESS_TO_EXPLAIN)
        explainer = Explainer(Prover(self.rounds.program, self.machine, limits, tracked=True, outline=self.prover.known))
        encoding = explainer.encoding
        kept = [kept_at_the_beginning(self.rounds, encoding, claim) for claim in self.standing]
        ends = {claim.name: _broken_at_the_end(self.rounds, encoding, claim) for claim in self.standing}
        questions = {name: explainer.put(encoding.terms.all_of((*kept, broken))) for name, broken in ends.items()}
        return {name: explainer.why_not(question) or () for name, question in questions.items()}


def _never(verdict: Verdict) -> bool:
    """Whether no round does it; loops that were cut within a round are looked after by the cut's own question."""
    return verdict.verdict == UNREACHABLE

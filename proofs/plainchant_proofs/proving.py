"""What `check` proves of a book, in one pass with one solver: all questions are put, then asked, then explained."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from plainchant.beside import Beside, beside
from plainchant.faces.findings import REACHABLE, UNREACHABLE, Because, ClaimVerdict, Finding
from plainchant.faces.progress import Progress
from plainchant.meaning.kernel import CAMPAIGN, Claimed, Program
from plainchant.play.machine import Machine
from plainchant.records import Changing, replace
from plainchant_proofs import findings as found
from plainchant_proofs.checking import Clock, Kept, Traces
from plainchant_proofs.claims import about_plays, judged, promised, put_claims, worked_out
from plainchant_proofs.goals import Goal, goals_of
from plainchant_proofs.induction import NOTHING, Inductive, by_induction
from plainchant_proofs.piecewise import in_pieces
from plainchant_proofs.prover import Limits, Outline, Prover, Question, Verdict, ask_goals, outlined, put_goals, settled
from plainchant_proofs.readings import depending, endings, put_readings
from plainchant_proofs.reasons import Reason, Reasons, Wanted
from plainchant_proofs.smt import Blank
from plainchant_proofs.standalone import Standalone, shared_facts, standalones
from plainchant_proofs.wandering import found_by_chance
from plainchant_proofs.witness import Promise, fulfilled, shown_by

if TYPE_CHECKING:
    from plainchant_proofs.pool import Shares

_K = TypeVar("_K", Claimed, Goal)

NEVER = Verdict(UNREACHABLE)
"""What no play does, however often it goes round."""


def proven(
    program: Program, machine: Machine, limits: Limits, progress: Progress, clock: Clock, jobs: int | None, blank: Blank | None = None
) -> tuple[Kept, Traces, object]:  # fmt: skip
    """Everything that the solver and the engine's plays find out, with the traces of its witnesses, as the engine has played them.

    The third is all that it was found out with: whoever has time to take that apart may let go of it.

    Reasons and readings are looked into beside, if nobody says how many processes there shall be. The goals of a long book are decided in
    pieces before; with several jobs all goals are decided elsewhere meanwhile.
    """
    goals = goals_of(program)
    ends, carried = endings(program), found.carried_out(program, goals)
    outline = outlined(program, limits, [claim.condition for claim in program.claims], [*goals, *carried.values(), *ends])
    here = outline.rounds or jobs is not None  # rounds are proven by induction, which leaves little to be shared out
    elsewhere = jobs if jobs is not None and jobs > 1 and not outline.rounds else 0
    blank = blank or Blank()
    with beside(Reasons(program, machine, limits, outline, about_plays(program), found.explained(goals), blank), here=here) as reasons:
        proving = _Proving(program, machine, limits, progress, clock, goals, carried, outline, blank, reasons, here, elsewhere)
        if elsewhere:
            from plainchant_proofs.pool import shared_out

            with shared_out(program, limits, goals, elsewhere) as shares:
                return (*proving.everything(shares), proving)
        return (*proving.everything(None), proving)


class _Proving(Changing, dict=True):
    """One pass over a book: all questions are put, then asked, then explained. `elsewhere` is how many processes decide the goals."""

    program: Program
    machine: Machine
    limits: Limits
    progress: Progress
    clock: Clock
    goals: Sequence[Goal]
    carried: Mapping[Goal, Goal]
    outline: Outline
    blank: Blank
    reasons: Beside[Wanted, list[Reason]]
    here: bool
    elsewhere: int

    def __post_init__(self) -> None:
        program, goals = self.program, self.goals
        self.explained = [] if self.outline.rounds else self._posted(about_plays(program))
        self.clock.lap("encode")
        whole = self.outline.rounds or self.elsewhere
        self.known = {} if whole else in_pieces(program, self.limits, goals, self.progress)
        self.clock.lap("pieces")
        self.prover = prover = Prover(program, self.machine, self.limits, outline=self.outline, blank=self.blank)
        if (
            self.outline.rounds
        ):  # what plays have shown need not be put, and each question less is one less for the solver to decide in each answer
            self._explore()
        self.questions = put_goals(prover, [goal for goal in goals if goal not in self.known])
        self.done = _put_carried(prover, self.carried)
        self.claims = put_claims(prover, program.claims)
        self.alone = [(one, _put_standalone(prover, one)) for one in standalones(self.machine)]
        self.outcomes = put_readings(prover, [g for g in goals if g.kind in ("section", "entry")] + endings(program))
        if not self.here:
            prover.begin()
        if (
            not self.outline.rounds
        ):  # of a book that is played once, it takes less time to decide more questions than to wait with the solver
            self._explore()
        self.clock.lap("encode")

    def _explore(self) -> None:
        self.clock.lap("encode")
        self.prover.explore()
        self.clock.lap("explore")

    def everything(self, shares: Shares | None) -> tuple[Kept, Traces]:
        """All findings and claims."""
        prover, program = self.prover, self.program
        inductive = self._by_induction()
        self.clock.lap("induction")
        prover.get_ready()
        with beside(self._by_reading, here=self.here) as readings:
            readings.post(inductive)
            verdicts = {} if shares is not None else self._asked({**self.known, **dict.fromkeys(inductive.excluded, NEVER)})
            claim_verdicts = [self._claim(claim, question, inductive) for claim, question in zip(program.claims, self.claims, strict=True)]
            standing = [finding for one, asked in self.alone for finding in _judge_standalone(prover, one, asked)]
            if shares is not None:
                verdicts = shares.verdicts(self.progress)
            always = frozenset(goal for goal, question in self.done.items() if self._never_done(verdicts[goal], question))
            self.clock.lap("solve")
            never = frozenset(g.section.key for g, v in verdicts.items() if g.kind == "section" and v.verdict == UNREACHABLE)
            proven = found.Proven(program, verdicts, never, always)
            why_never = found.in_the_order_of_the_text(proven)
            unexplained = self._posted([goal for goal, because in why_never.items() if not because], widely=True)
            traces = {promise: fulfilled(prover.machine, promise) for promise in self._promises(proven, claim_verdicts)}
            self.clock.lap("replay")  # while the reasons are looked for
            reasons = self._reasons(claim_verdicts, unexplained)
            judgements = (*self._judgements(claim_verdicts, reasons, inductive), *self._independent(inductive))
            why_never.update((goal, reasons[goal].because or ()) for goal in unexplained)
            drafts = [*found.from_goals(proven, why_never)]
            self.reasons.close()
            self.clock.lap("explain")
            plain = [*found.untriggered(program), *found.unread(program), *found.printed_order(program), *standing, *readings.answer()]
            self.clock.lap("readings")
        return Kept((*drafts, *((finding, None) for finding in plain)), judgements, verdicts), traces

    def _by_reading(self, inductive: Inductive) -> list[Finding]:
        """What depends on how the text is read."""
        if not self.outline.rounds:
            return list(depending(self.prover, self.outcomes))
        from plainchant_proofs.independence import readings_of_rounds

        return list(readings_of_rounds(self.program, inductive, self.limits))

    def _promises(self, proven: found.Proven, verdicts: Sequence[Verdict]) -> dict[Promise, None]:
        """What the witnesses of findings and claims will show, each once: known before the reasons are."""
        of_goals = (promise for _, promise in found.from_goals(proven, {}))
        of_claims = (promised(self.program, claim, verdict) for claim, verdict in zip(self.program.claims, verdicts, strict=True))
        return {promise: None for promise in (*of_goals, *of_claims) if promise is not None}

    def _by_induction(self) -> Inductive:
        """What is so however often play goes round; of the goals, those that no play has shown."""
        if not self.outline.rounds:
            return NOTHING
        return by_induction(self.program, self.program.claims, [g for g in self.goals if not settled(self.prover, g)], self.limits)

    def _claim(self, claim: Claimed, question: Question, inductive: Inductive) -> Verdict:
        if claim.name in inductive.because:
            return NEVER
        shows = shown_by(self.program, claim)
        if self.outline.rounds and shows.at is not None:
            found = found_by_chance(self.prover.machine, self.program.entrances[0], shows)
            if found is not None:
                return Verdict(REACHABLE, found, self.prover.encoding.bound)
        return self.prover.ask(question, shows=shows)

    def _judgements(
        self, verdicts: Sequence[Verdict], reasons: Mapping[Claimed | Goal, Reason], inductive: Inductive
    ) -> Iterator[tuple[ClaimVerdict, Promise | None]]:
        """The claims' verdicts with their witnesses or reasons."""
        for claim, verdict in zip(self.program.claims, verdicts, strict=True):
            known = worked_out(claim)
            if known is not None:
                yield known, None
                continue
            by_induction = inductive.because.get(claim.name)
            reason = reasons[claim] if verdict.excluded and by_induction is None else Reason(by_induction or ())
            one, promise = judged(self.program, claim, verdict, reason.because or ())
            if claim.name in inductive.broken:
                one = replace(one, broken=inductive.broken[claim.name].json)
            yield replace(one, seconds=round(reason.seconds, 4)), promise

    def _reasons(self, verdicts: Sequence[Verdict], goals: Sequence[Goal]) -> dict[Claimed | Goal, Reason]:
        """The reasons of claims, and of goals for which they were asked. A claim that what is about the same does not refute, though no play
        breaks it, is asked about once more."""
        reasons: dict[Claimed | Goal, Reason] = self._answered(self.explained)
        excluded = (claim for claim, verdict in zip(self.program.claims, verdicts, strict=True) if verdict.excluded)
        again = self._posted([claim for claim in excluded if claim in reasons and reasons[claim].because is None], widely=True)
        return reasons | self._answered(goals) | self._answered(again)

    def _posted(self, wanted: list[_K], *, widely: bool = False) -> list[_K]:
        """Ask for the reasons of these, if there are any."""
        if wanted:
            self.reasons.post(Wanted(wanted, widely))
        return wanted

    def _answered(self, posted: Sequence[Claimed | Goal]) -> dict[Claimed | Goal, Reason]:
        """The reasons that were asked for; what was posted first is answered first."""
        return dict(zip(posted, self.reasons.answer(), strict=True)) if posted else {}

    def _independent(self, inductive: Inductive) -> Iterator[tuple[ClaimVerdict, Promise | None]]:
        if not self.program.independences:
            return
        from plainchant_proofs.independence import judge_claim

        for claim in self.program.independences:
            started = time.perf_counter()
            verdict = judge_claim(self.program, claim, inductive, self.limits)
            yield replace(verdict, seconds=round(time.perf_counter() - started, 4)), None

    def _asked(self, known: Mapping[Goal, Verdict]) -> dict[Goal, Verdict]:
        """The verdicts of all goals, in their order; those that are known are not asked."""
        asked = ask_goals(self.prover, [goal for goal in self.goals if goal not in known], self.questions, self.progress)
        return {goal: known[goal] if goal in known else asked[goal] for goal in self.goals}

    def _never_done(self, verdict: Verdict, carried_out: Question) -> bool:
        return verdict.verdict == REACHABLE and self.prover.ask(carried_out, witness=False).excluded


def _put_carried(prover: Prover, carried: Mapping[Goal, Goal]) -> dict[Goal, Question]:
    """For each impossible instruction, whether a campaign can carry it out at all."""
    if prover.encoding.campaign is None:
        return {}
    return {goal: prover.put(prover.term(done), CAMPAIGN) for goal, done in carried.items()}


# ---------------------------------------------------------------- Standalone Modes


def _put_standalone(prover: Prover, one: Standalone) -> tuple[Question, dict[tuple[int, int], Question]]:
    """That a campaign arrives (for the first time) where the Standalone Mode leads to, and that it has each of the facts there."""
    there = prover.put(prover.encoding.arrives[one.leads_to.start], CAMPAIGN)
    values = prover.encoding.at_block[one.leads_to.start]
    terms = prover.encoding.terms
    asked = {}
    for variable, value, _ in shared_facts(one.states):
        if variable in values:
            asked[(variable, value)] = prover.put(terms.equal(values[variable], terms.number(value)), CAMPAIGN)
    return there, asked


def _judge_standalone(
    prover: Prover, one: Standalone, asked: tuple[Question, dict[tuple[int, int], Question]]
) -> Iterator[Finding]:  # fmt: skip
    there, facts = asked
    program = prover.program
    verdict = prover.ask(there, *facts.values(), witness=False)
    words = found.place(one.section)
    if verdict.open:
        message = f"whether a campaign can have the state of {words} was not decided within the limits"
        yield Finding("PC799", "not-decided", one.section.key, message, one.section.span, one.section.cites)
    elif verdict.excluded:
        core = _least(prover, there, facts)
        cites = {(v, value): lines for v, value, lines in shared_facts(one.states)}
        because = tuple(Because(cites[fact], _fact_words(program, *fact)) for fact in core)
        message = f"{words} lays down a state that no campaign can have there: these facts exclude each other in a campaign"
        yield Finding("PC731", "standalone", one.section.key, message, one.section.span, one.section.cites, None, because)
    if one.open_reads:
        names = ", ".join(f"“{program.variables[v].words}”" for v in one.open_reads)
        message = f"{words} does not say whether these stand in the log, and the scenario asks: {names}"
        yield Finding("PC732", "standalone-open", one.section.key, message, one.section.span, one.section.cites)


def _fact_words(program: Program, variable: int, value: int) -> str:
    shown = program.variables[variable]
    if shown.role == "bag":
        return f"{value} × “{shown.words}” in the bag"
    return f"“{shown.words}”: {shown.shown(value)}"


def _least(prover: Prover, there: Question, facts: dict[tuple[int, int], Question]) -> list[tuple[int, int]]:
    """Facts that together no campaign has, none of which can be left out."""
    needed = dict(facts)
    for fact in facts:
        without = {other: q for other, q in needed.items() if other != fact}
        if prover.ask(there, *without.values(), witness=False).excluded:
            needed = without
    return list(needed)

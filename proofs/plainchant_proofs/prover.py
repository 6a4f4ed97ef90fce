"""The prover: plays look first, the solver decides the rest; each answer has a witness that the engine played, or the solver's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations

from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE
from plainchant.faces.progress import Progress
from plainchant.meaning.kernel import Cond as Condition
from plainchant.meaning.kernel import Program
from plainchant.play.machine import Machine
from plainchant.records import Changing, Frozen, field, replace
from plainchant_proofs.encode import Encoding, encode
from plainchant_proofs.explore import Beam, Seen, Witness, explore
from plainchant_proofs.goals import Goal, Shows
from plainchant_proofs.slicing import Slice, live_variables
from plainchant_proofs.smt import RLIMIT, Blank, Solver
from plainchant_proofs.terms import FALSE, TRUE, Cond, Printer, Terms
from plainchant_proofs.topology import Unrolled, unrolled
from plainchant_proofs.tracking import Printed
from plainchant_proofs.witness import shortened, walked

ROUND_AND_ROUND = 20
"""How many times wider plays are looked at that come back to the same sections."""


class Verdict(Frozen):
    """reachable (with a witness), unreachable, or not decided; `bound` if loops were unrolled only so often."""

    verdict: str
    witness: Witness | None = None
    bound: int | None = None

    @property
    def excluded(self) -> bool:
        """Whether no play at all does it, however often it goes round in loops."""
        return self.verdict == UNREACHABLE and self.bound is None

    @property
    def open(self) -> bool:
        """Whether nothing is known: given up at the limit of work, or not found in as many rounds as were followed."""
        return self.verdict != REACHABLE and not self.excluded


class Limits(Frozen):
    """How hard to try: how many states the engine keeps for each section and plays from each, units of work for each question of the
    solver, copies of each loop."""

    width: int = 48
    plays: int = 48
    rlimit: int = RLIMIT
    unroll: int = 6


class Question(Frozen):
    """A term that may hold, of plays that begin at `entrance` (None: any)."""

    term: Cond
    entrance: str | None = None
    literal: str = ""


class Outline(Frozen):
    """What of a book is proven: its blocks without loops, and what of them matters."""

    unrolled: Unrolled
    slice: Slice

    @property
    def rounds(self) -> bool:
        """Whether play goes round in loops, and is followed only so often."""
        return self.unrolled.bound is not None


def outlined(program: Program, limits: Limits, wanted: Sequence[Condition] = (), goals: Sequence[Goal] = ()) -> Outline:
    """What matters to these conditions (also where no guard reads their variables) and goals (all copies of a goal's blocks count)."""
    without_loops = unrolled(program, limits.unroll)
    blocks = {target if isinstance(target, int) else target[0] for goal in goals for target in goal.targets}
    blocks |= {section.start for section in program.sections}
    copies = [copy for copy, origin in enumerate(without_loops.origin) if origin in blocks]
    return Outline(without_loops, Slice(without_loops.program, wanted, copies, arms=bool(goals)))


class Prover(Changing, dict=True):
    """One book under proof.

    `wanted` are conditions whose variables must be kept although no guard reads them (claims, what is asked); `goals` those that will be asked.
    With `tracked` each printed place has a literal, so that an Explainer can tell which of them exclude something; each answer takes longer
    then. `outline` is what matters, if that is known already; `blank` a solver that was made ahead.
    """

    program: Program
    machine: Machine
    limits: Limits = field(default_factory=Limits)
    wanted: Sequence[Condition] = ()
    goals: Sequence[Goal] = ()
    tracked: bool = False
    outline: Outline | None = None
    blank: Blank | None = None

    def __post_init__(self) -> None:
        self.seen = Seen(self.program)
        self.known = self.outline or outlined(self.program, self.limits, self.wanted, self.goals)
        without_loops = self.known.unrolled
        terms = Terms()
        self.places = Printed(without_loops.program, terms) if self.tracked else None
        self.encoding: Encoding = encode(without_loops, self.known.slice, without_loops.starts, self.places, terms)
        self._literals: dict[Cond, str] = {}
        self._cores: set[frozenset[str]] = set()
        self._walker = self.machine if without_loops.bound is None else Machine(without_loops.program)

    # ------------------------------------------------------------ terms of goals

    def term(self, goal: Goal) -> Cond:
        """A goal as a term."""
        terms = self.encoding.terms
        if goal.both is not None:
            return self._both(goal.both)
        passed = [self.encoding.passing(target) for target in goal.targets]
        return terms.all_of(passed) if goal.together else terms.some_of(passed)

    def _both(self, both: tuple[int, int, int]) -> Cond:
        """That two cases apply at once: either could be picked, so both guards hold."""
        block, i, j = both
        terms = self.encoding.terms
        found = []
        for copy in self.encoding.copies(block):
            guards = self.encoding.case_guards.get(copy)
            if guards is not None:
                found.append(terms.all_of((self.encoding.arrives[copy], guards[i], guards[j])))
        return terms.some_of(found)

    # ------------------------------------------------------------ asking

    def put(self, term: Cond, entrance: str | None = None) -> Question:
        """Announce a question; all must be announced before the first is asked. Questions about the same term share their literal."""
        if term not in self._literals:
            assert "solver" not in self.__dict__, "the solver was made before this question was put"
            self._literals[term] = f"goal_{len(self._literals)}"
        return Question(term, entrance, self._literals[term])

    @cached_property
    def solver(self) -> Solver:
        """The solver, with all questions that were put before it is first looked at."""
        printer = Printer()
        for law in self.encoding.laws:
            printer.always(law)
        if self.places is not None:
            self.places.declared(printer)
        for term, literal in self._literals.items():
            if term not in (TRUE, FALSE):
                printer.declare(literal)
                printer.hold(literal, term)
        for entered in self.encoding.entrances.values():
            printer.name(entered)
        return Solver(printer.text, self.limits.rlimit, self.blank)

    def begin(self) -> None:
        """Let the solver begin to take in all that was put, beside whatever is done until the first question is asked."""
        self.solver.begin()

    def get_ready(self) -> None:
        """See to it that the solver has taken in all that was put, before copies of it are asked."""
        self.solver.get_ready()

    def ask(self, question: Question, *also: Question, shows: Shows | None = None, witness: bool = True) -> Verdict:
        """Decide a question (together with others that are assumed); a witness is walked out and merged into what was seen.

        The witness is a whole play, or the beginning of one that is enough for what it `shows`; `witness=False` goes without.
        """
        bound = self.encoding.bound
        asked = (question, *also)
        if any(one.term is FALSE for one in asked):
            return Verdict(UNREACHABLE, None, bound)
        entrance = next((one.entrance for one in asked if one.entrance is not None), None)
        assumptions = [one.literal for one in asked if one.term is not TRUE]
        if entrance is not None:
            assumptions.append(self.encoding.entrances[entrance].name)
        if self._known_to_fail(assumptions):
            return Verdict(UNREACHABLE, None, bound)
        solver = self.solver
        answer = solver.check(assumptions + ([] if self.places is None else list(self.places.literals.values())))
        if answer.verdict == "unsat":
            self._cores.add(frozenset(answer.core))
            return Verdict(UNREACHABLE, None, bound)
        if answer.verdict != "sat":
            return Verdict(NOT_DECIDED, None, bound)
        if not witness:
            return Verdict(REACHABLE, None, bound)
        entered = entrance or next(n for n, literal in self.encoding.entrances.items() if solver.is_true(literal.name))
        play = walked(self.encoding, solver, self._walker, entered)
        self.seen.merge(play)
        whole = play.witness(len(play.decisions))
        found = whole if shows is None else shortened(self.machine, whole, shows)
        return Verdict(REACHABLE, found, bound)

    @property
    def _width(self) -> int:
        """What goes round comes to the same section in many states, and what is found late needs many of them."""
        return self.limits.width * (1 if self.encoding.bound is None else ROUND_AND_ROUND)

    def _known_to_fail(self, assumptions: Sequence[str]) -> bool:
        """Whether one or two of these literals were found to exclude each other before."""
        return any(frozenset(some) in self._cores for size in (1, 2) for some in combinations(assumptions, size))

    def explore(self) -> None:
        """Let the engine play from each entrance, most from the first (the campaign)."""
        without_loops = self.known.unrolled
        before = live_variables(without_loops.program, self.known.slice, order=without_loops.order)[0]
        rank = {block: place for place, block in enumerate(without_loops.order)}
        for i, entrance in enumerate(self.program.entrances):
            width = self._width if i == 0 else max(1, self.limits.width // 4)
            beam = Beam(width, self.limits.plays, rank.__getitem__, lambda block: before.get(block, ()))
            explore(self.machine, entrance, self.seen, beam)

    def seen_at(self, goal: Goal) -> Witness | None:
        """The shortest witness of a goal among the plays so far; only of goals that one target settles."""
        if goal.together or goal.both is not None:
            return None
        costs = [(cost, target) for target in goal.targets if (cost := self.seen.cost(target)) is not None]
        return self.seen.witness(min(costs, key=lambda found: found[0])[1]) if costs else None


def decide_goals(
    prover: Prover, goals: Sequence[Goal], progress: Progress = lambda _done, _of: None
) -> dict[Goal, Verdict]:  # fmt: skip
    """A verdict for each goal, of plays from any entrance: what plays have shown needs no solver."""
    prover.explore()
    return ask_goals(prover, goals, put_goals(prover, goals), progress)


def put_goals(prover: Prover, goals: Sequence[Goal]) -> dict[Goal, Question]:
    """Announce the goals that plays have not shown yet: each literal less is one less for the solver to decide in each answer."""
    return {goal: prover.put(prover.term(goal)) for goal in goals if not settled(prover, goal)}


def ask_goals(prover: Prover, goals: Sequence[Goal], questions: Mapping[Goal, Question], progress: Progress) -> dict[Goal, Verdict]:
    """The verdicts of goals, the shortest witness that plays or the solver have shown with each; `questions` are those that were put."""
    verdicts: dict[Goal, Verdict] = {}
    for number, goal in enumerate(goals, 1):
        verdict = Verdict(REACHABLE) if settled(prover, goal) else prover.ask(questions[goal], shows=goal.shows)
        verdicts[goal] = replace(verdict, witness=prover.seen_at(goal) or verdict.witness)
        progress(number, len(goals))
    return verdicts


def settled(prover: Prover, goal: Goal) -> bool:
    """Whether plays have already shown a goal."""
    return not goal.together and goal.both is None and any(prover.seen.cost(target) is not None for target in goal.targets)

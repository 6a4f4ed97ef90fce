"""Why something cannot be: the printed lines that exclude it, as few as are enough, in the order of play.

The book is encoded once more with a literal for each printed guard and each printed write of the log or the bags; without its literal a
guard may go either way and a write may leave anything. Of all that refutes the goal, those places are shown that go back as little as
can be, and none of which can be left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Branch, Cases, Choose, Const, Program, SectionInfo, Set, Variable, successors
from plainchant.text.place import Cite
from plainchant_proofs.encode import Encoding, encode
from plainchant_proofs.slicing import Slice
from plainchant_proofs.smt import RLIMIT, Solver
from plainchant_proofs.terms import FALSE, Num, Printer, Terms
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.topology import Unrolled

_TRACKED_ROLES = ("log", "value", "bag", "keep")


@dataclass(frozen=True, slots=True)
class Place:
    """A printed guard or write: where it is printed and what it does there."""

    cites: tuple[Cite, ...]
    text: str


@dataclass
class _Tracker:
    """Gives each printed guard and write a literal; the copies of one place (for each seat) share it."""

    program: Program
    terms: Terms
    campaign: frozenset[int]
    literals: dict[Place, str] = field(default_factory=dict)
    ties: list[tuple[str, Term]] = field(default_factory=list)
    guards: set[Place] = field(default_factory=set)
    free: int = 0

    def guard(self, block: int, number: int, term: Term) -> Term:
        place = _guard_place(self.program, block, number)
        if place is None:
            return term
        self.guards.add(place)
        self.free += 1
        stand_in = self.terms.condition_variable(f"guard_{self.free}")
        both, neither = (stand_in, term), (self.terms.opposite(stand_in), self.terms.opposite(term))
        same = self.terms.some_of((self.terms.all_of(both), self.terms.all_of(neither)))
        self.ties.append((self._literal(place), same))
        return stand_in

    def write(self, block: int, assignment: Set, value: Num) -> Num:
        variable = self.program.variables[assignment.variable]
        if block not in self.campaign or variable.role not in _TRACKED_ROLES or not assignment.cites:
            return value
        self.free += 1
        stand_in = self.terms.number_variable(f"value_{self.free}", value.low, value.high)
        self.ties.append((self._literal(Place(assignment.cites, _written(variable, assignment))), self.terms.equal(stand_in, value)))
        self.ties.append(("", self.terms.within(stand_in)))
        return stand_in

    def _literal(self, place: Place) -> str:
        return self.literals.setdefault(place, f"place_{len(self.literals)}")


def _guard_place(program: Program, block: int, number: int) -> Place | None:
    match program.blocks[block].exit:
        case Branch(words=words, cites=cites) if words:
            return Place(cites, words)
        case Cases(cases=cases):
            return Place(cases[number].cites, cases[number].words)
        case Choose(chooser="players", options=options):
            return Place(options[number].cites, f"“{options[number].words}” may be chosen only on its printed condition")
    return None


def _led_to(program: Program) -> frozenset[int]:
    """The blocks that the order of the text leads to from the first entrance: what only Standalone Modes do is no reason in a campaign."""
    seen: set[int] = set()
    waiting = [entrance.block for entrance in program.entrances[:1]]
    while waiting:
        block = waiting.pop()
        if block not in seen:
            seen.add(block)
            waiting += successors(program.blocks[block].exit)
    return frozenset(seen)


def _written(variable: Variable, assignment: Set) -> str:
    """What a write does, in the words of people."""
    words = variable.words
    if variable.role == "log":
        verbs = {0: "leaves out", 1: "records", 2: "crosses off"}
        verb = verbs[assignment.value.value] if isinstance(assignment.value, Const) else "changes"
        return f"{verb} “{words}”"
    if isinstance(assignment.value, Const):
        return f"sets “{words}” to {variable.shown(assignment.value.value)}"
    return f"changes “{words}”"


class Explainer:
    """Explains what cannot be in one book; a question that is put after the first answer costs another solver."""

    def __init__(self, unrolled: Unrolled, slice_: Slice, rlimit: int = RLIMIT) -> None:
        self.program = unrolled.program
        terms = Terms()
        self._tracker = _Tracker(self.program, terms, _led_to(self.program))
        self.encoding: Encoding = encode(unrolled, slice_, unrolled.starts, self._tracker, terms)
        self._rlimit = rlimit
        self._goals: list[tuple[Term, str | None]] = []
        self._solver: Solver | None = None
        self._put_before = 0

    def put(self, term: Term, entrance: str | None = None) -> int:
        """Announce a term of this encoding that is known to be impossible (in plays that begin so); returns the number of the question."""
        self._goals.append((term, entrance))
        return len(self._goals) - 1

    def why_not(self, question: int) -> tuple[Because, ...]:
        """The printed guards and writes that together exclude it; empty if the order of the text alone does."""
        if self._goals[question][0] is FALSE:
            return ()
        return self._told(self._core(self._fixed(question), list(self._tracker.literals.values())))

    def change(self, question: int) -> tuple[Because, ...]:
        """Printed guards without which it could be: a smallest set in the sense that none of them can be kept.

        Writes stay as printed; empty if giving up guards alone is not enough.
        """
        if self._goals[question][0] is FALSE:
            return ()
        fixed = self._fixed(question)
        guards = [literal for place, literal in self._tracker.literals.items() if place in self._tracker.guards]
        writes = [literal for place, literal in self._tracker.literals.items() if place not in self._tracker.guards]
        solver = self._ready()
        if solver.check(fixed + writes).verdict != "sat":
            return ()
        kept: list[str] = []
        given_up: list[str] = []
        for guard in guards:
            if solver.check(fixed + writes + kept + [guard]).verdict == "sat":
                kept.append(guard)
            else:
                given_up.append(guard)
        return self._told(given_up)

    def _fixed(self, question: int) -> list[str]:
        """What is assumed whatever the places say: the goal, and how play begins."""
        entrance = self._goals[question][1]
        return [f"goal_{question}"] + ([] if entrance is None else [self.encoding.entrances[entrance].name])

    def _told(self, literals: Sequence[str]) -> tuple[Because, ...]:
        by_literal = {literal: place for place, literal in self._tracker.literals.items()}
        return tuple(Because(by_literal[name].cites, by_literal[name].text) for name in literals)

    def _ready(self) -> Solver:
        if self._solver is None or self._put_before < len(self._goals):
            self._put_before = len(self._goals)
            printer = Printer()
            for law in self.encoding.laws:
                printer.always(law)
            for literal in self._tracker.literals.values():
                printer.declare(literal)
            for literal, tie in self._tracker.ties:
                if literal:
                    printer.hold(literal, tie)
                else:
                    printer.always(tie)
            for number, (term, _) in enumerate(self._goals):
                printer.declare(f"goal_{number}")
                printer.hold(f"goal_{number}", term)
            for entrance in self.encoding.entrances.values():
                printer.name(entrance)
            self._solver = Solver(printer.text, self._rlimit)
        return self._solver

    def _core(self, fixed: list[str], places: list[str]) -> list[str]:
        """The minimal set of places that goes back as little as can be: places are numbered in the order of play, and later ones preferred.

        Without places further back than so many, is the goal still refuted? Where it is not, the next one back belongs to the set. That is
        a matter of what the places mean, so no solver, and no order in which it is told of them, comes to another set; the solver's own
        cores only say how far to jump.
        """
        latest = places[::-1]
        order = {name: i for i, name in enumerate(latest)}
        needed: list[str] = []
        core = self._refuted(fixed + latest)
        while core is not None and (left := [order[name] for name in core if name in order and name not in needed]):
            furthest = max(left)
            without = self._refuted(fixed + needed + latest[:furthest])
            if without is None:
                needed.append(latest[furthest])
            else:
                core = without
        return sorted(needed, key=order.__getitem__, reverse=True)

    def _refuted(self, assumed: list[str]) -> tuple[str, ...] | None:
        """What of these literals the solver needs to refute them; None if it does not."""
        answer = self._ready().check(assumed)
        return answer.core if answer.verdict == "unsat" else None


# ---------------------------------------------------------------- sections that nothing leads to


def why_no_way(program: Program, section: SectionInfo, unreachable: frozenset[str]) -> tuple[Because, ...]:
    """Why a section is never read, if the reason is the order of the text: nothing leads there, or only what is never read itself."""
    seen: set[str] = set()
    waiting = [section]
    found: dict[Because, None] = {}
    while waiting:
        one = waiting.pop(0)
        if one.key in seen:
            continue
        seen.add(one.key)
        sources = [s for s in _leading_to(program, one) if s.key != one.key]
        if not sources:
            found[Because(one.cites, f"nothing printed leads to “{one.words}”")] = None
            found.update(dict.fromkeys(_jumped_over(program, one)))
        for source in sources:
            if source.key in unreachable:
                found[Because(source.cites, f"only “{source.words}” leads to “{one.words}”, and it is never read")] = None
                waiting.append(source)
    return tuple(found)


def _leading_to(program: Program, section: SectionInfo) -> list[SectionInfo]:
    found: dict[int, None] = {}
    for block in program.blocks:
        if section.start in successors(block.exit):
            found[block.section] = None
    return [program.sections[number] for number in found]


def _jumped_over(program: Program, section: SectionInfo) -> list[Because]:
    """The section printed before it in its part, if that one leads elsewhere."""
    own = [s for s in program.sections if s.part == section.part]
    place = own.index(section)
    if place == 0:
        return []
    before = own[place - 1]
    numbers = [n for n, s in enumerate(program.sections) if s == before]
    notes = [note for block in program.blocks if block.section in numbers for note in block.notes]
    leads = [note for note in notes if note.form in ("way", "printed order")]
    return [Because(note.cites, f"“{before.words}”, printed before it, says: {note.text}") for note in leads[-1:]]

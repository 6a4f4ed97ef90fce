"""Why something cannot be: the printed lines that exclude it, as few as are enough, in the order of play.

The book is encoded once more with a literal for each printed guard and each printed write of the log or the bags; without its literal a
guard may go either way and a write may leave anything. Of all that refutes the goal, those places are shown that go back as little as
can be, and none of which can be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Program, SectionInfo, successors
from plainchant_proofs.prover import Prover, Question
from plainchant_proofs.terms import FALSE, TRUE
from plainchant_proofs.terms import Cond as Term


class Explainer:
    """Explains what cannot be, by a prover whose printed places are tracked."""

    def __init__(self, prover: Prover) -> None:
        assert prover.places is not None
        self.program = prover.program
        self.encoding = prover.encoding
        self.prover = prover
        self._places = prover.places

    def put(self, term: Term, entrance: str | None = None) -> Question:
        """Announce a term of this encoding that is known to be impossible (in plays that begin so); all are announced before the first
        is explained."""
        return self.prover.put(term, entrance)

    def why_not(self, question: Question, *about: frozenset[int]) -> tuple[Because, ...] | None:
        """The printed guards and writes that together exclude it; empty if the order of the text alone does, None if nothing does.

        Only places that are about the first of these sets of variables count, or else about the next; if none is given, all do.
        """
        if question.term is FALSE:
            return ()
        fixed = self._fixed(question)
        for places in [self._about(variables) for variables in about] or [list(self._places.literals.values())]:
            core = self._core(fixed, places)
            if core is not None:
                return self._told(core)
        return None

    def _about(self, variables: frozenset[int]) -> list[str]:
        return [literal for place, literal in self._places.literals.items() if self._places.about[place] <= variables]

    def change(self, question: Question) -> tuple[Because, ...]:
        """Printed guards without which it could be: a smallest set in the sense that none of them can be kept.

        Writes stay as printed; empty if giving up guards alone is not enough.
        """
        if question.term is FALSE:
            return ()
        fixed = self._fixed(question)
        guards = [literal for place, literal in self._places.literals.items() if place in self._places.guards]
        writes = [literal for place, literal in self._places.literals.items() if place not in self._places.guards]
        solver = self.prover.solver
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

    def _fixed(self, question: Question) -> list[str]:
        """What is assumed whatever the places say: the goal, and how play begins."""
        literal = [] if question.term is TRUE else [question.literal]
        return literal + ([] if question.entrance is None else [self.encoding.entrances[question.entrance].name])

    def _told(self, literals: Sequence[str]) -> tuple[Because, ...]:
        by_literal = {literal: place for place, literal in self._places.literals.items()}
        return tuple(Because(by_literal[name].cites, by_literal[name].text) for name in literals)

    def _core(self, fixed: list[str], places: list[str]) -> list[str] | None:
        """The minimal set of places that goes back as little as can be: places are numbered in the order of play, and later ones preferred.
        None if all of them do not refute the goal.

        Without places further back than so many, is the goal still refuted? Where it is not, the next one back belongs to the set. That is
        a matter of what the places mean, so no solver, and no order in which it is told of them, comes to another set; the solver's own
        cores only say how far to jump.
        """
        latest = places[::-1]
        order = {name: i for i, name in enumerate(latest)}
        needed: list[str] = []
        core = self._refuted(fixed + latest)
        if core is None:
            return None
        while left := [order[name] for name in core if name in order and name not in needed]:
            furthest = max(left)
            without = self._refuted(fixed + needed + latest[:furthest])
            if without is None:
                needed.append(latest[furthest])
            else:
                core = without
        return sorted(needed, key=order.__getitem__, reverse=True)

    def _refuted(self, assumed: list[str]) -> tuple[str, ...] | None:
        """What of these literals the solver needs to refute them; None if it does not."""
        answer = self.prover.solver.check(assumed)
        return answer.core if answer.verdict == "unsat" else None


# ---------------------------------------------------------------- sections that nothing leads to


Leading = Mapping[int, Sequence[SectionInfo]]
"""By the block where a section begins, the sections that lead there."""


def leading(program: Program) -> Leading:
    """What leads to each section."""
    found: dict[int, dict[int, None]] = {section.start: {} for section in program.sections}
    for block in program.blocks:
        for target in successors(block.exit):
            if target in found:
                found[target][block.section] = None
    return {start: [program.sections[number] for number in numbers] for start, numbers in found.items()}


def why_no_way(program: Program, section: SectionInfo, unreachable: frozenset[str], leads: Leading) -> tuple[Because, ...]:
    """Why a section is never read, if the reason is the order of the text: nothing leads there, or only what is never read itself."""
    seen: set[str] = set()
    waiting = [section]
    found: dict[Because, None] = {}
    while waiting:
        one = waiting.pop(0)
        if one.key in seen:
            continue
        seen.add(one.key)
        sources = [s for s in leads[one.start] if s.key != one.key]
        if not sources:
            found[Because(one.cites, f"nothing printed leads to “{one.words}”")] = None
            found.update(dict.fromkeys(_jumped_over(program, one)))
        for source in sources:
            if source.key in unreachable:
                found[Because(source.cites, f"only “{source.words}” leads to “{one.words}”, and it is never read")] = None
                waiting.append(source)
    return tuple(found)


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

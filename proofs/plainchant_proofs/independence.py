"""Independence: whether what comes about depends on an order that the text leaves open, or on how it is read.

Two plays are described at once, that decide everything alike but what is in question. If they can never differ when they come to the
section again, it does not matter. Where they can, both are played by the engine before they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plainchant.faces.findings import NOT_DECIDED, ClaimVerdict, Finding
from plainchant.meaning.kernel import Choose, Cond, Const, Equal, Independence, Program, Range, Read, all_of
from plainchant.play.documents import trace
from plainchant.play.machine import Machine
from plainchant.records import Frozen
from plainchant.text.place import Cite, Span
from plainchant_proofs.encode import Encoding, encode
from plainchant_proofs.induction import Inductive, kept_at_the_beginning, live_at_sections
from plainchant_proofs.pairs import Found, Pairs
from plainchant_proofs.prover import Limits
from plainchant_proofs.readings import asked_at
from plainchant_proofs.rounds import rounds_of
from plainchant_proofs.slicing import Slice
from plainchant_proofs.smt import Solver
from plainchant_proofs.terms import FALSE, Printer, Terms
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.topology import Unrolled, unrolled
from plainchant_proofs.witness import replayed

TWO_PLAYS = 20
"""How many times harder a question about two plays at once is tried than one about a single play."""

_COMPARED = ("log", "value", "bag", "keep")
"""The roles of what people can see at the table; marks of the machine are no difference."""


class Judged(Frozen):
    """holds, fails or not decided, with its bound; for fails two plays, and where they end otherwise (words, value, the other's value)."""

    verdict: str
    bound: int | None = None
    plays: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
    differs: tuple[tuple[str, str, str], ...] = ()


def judge_claim(program: Program, claim: Independence, inductive: Inductive, limits: Limits) -> ClaimVerdict:
    """The verdict on a claim of independence."""
    judged = judge(program, claim, inductive, limits)
    first, second = judged.plays or (None, None)
    return ClaimVerdict(claim.name, claim.text, judged.verdict, judged.bound, claim.span, claim.cites, first, other=second)


def readings_of_rounds(program: Program, inductive: Inductive, limits: Limits) -> Iterator[Finding]:
    """For each reading of a book that goes round: whether what people see when play comes back depends on it."""
    for number, variable in enumerate(program.variables):
        if variable.role == "reading":
            cites, span = asked_at(program, number)
            name = variable.name.rpartition(".")[2]
            claim = Independence(name, "", number, inductive.sections[0] if inductive.sections else 0, cites, span)
            yield _finding(name, variable.words, cites, span, judge(program, claim, inductive, limits))


def _finding(name: str, question: str, cites: tuple[Cite, ...], span: Span, judged: Judged) -> Finding:
    if judged.plays is None:
        code = "PC752" if judged.verdict == "holds" else "PC799"
        told = (
            "nothing that comes about depends on how this is read"
            if judged.verdict == "holds"
            else "it was not decided whether this matters"
        )
        return Finding(code, "reading", name, f"{told}: {question}", span, cites)
    words = "; ".join(f"“{what}” is {one}, or {other}" for what, one, other in judged.differs[:4]) or "other choices are open"
    message = f"it depends on how this is read: {question} (after the same decisions {words})"
    return Finding("PC751", "reading", name, message, span, cites, judged.plays[0])


def judge(program: Program, claim: Independence, inductive: Inductive, limits: Limits) -> Judged:
    """Prove it for every round that begins where what is known by induction holds; else look for two plays that show the contrary."""
    compared = [v for v, variable in enumerate(program.variables) if variable.role in _COMPARED]
    asked = _Asked(program, claim, compared, limits)
    return Judged("holds") if asked.holds_in_each_round(inductive) else asked.in_plays(inductive.sections or (claim.at,))


class _Asked(Frozen):
    """One question of independence about a book."""

    program: Program
    claim: Independence
    compared: Sequence[int]
    limits: Limits

    @property
    def wanted(self) -> Cond:
        """A condition that reads all that is compared, and what the claim is about."""
        return all_of(self.claim.condition, *(Equal(Read(v), Const(-1)) for v in self.compared))

    def holds_in_each_round(self, inductive: Inductive) -> bool:
        """Whether two rounds that begin alike, where the standing claims hold, end alike whatever is in question."""
        live = live_at_sections(self.program, [self.wanted, *(one.condition for one in inductive.standing)], inductive.sections)
        rounds = rounds_of(self.program, inductive.sections, live)
        if inductive.within is None or rounds.capped:
            return False
        # That loops within a round end was proven of every single play that begins where the standing claims hold, so of both.
        plays = self._both(unrolled(rounds.program, inductive.within))
        kept = plays.terms.all_of(kept_at_the_beginning(rounds, plays.one, one) for one in inductive.standing)
        differ = plays.differ_at(list(rounds.ends.values()), self.compared, self.claim.condition)
        return plays.excludes(plays.terms.all_of((kept, differ)))

    def in_plays(self, sections: Sequence[int]) -> Judged:
        """Two plays that differ when they come back; not decided if there are none among those that are tried."""
        machine = Machine(self.program)
        at = frozenset(self.program.sections[s].start for s in sections)
        pairs = Pairs(machine, self.program.entrances[0], at, self.compared, _in_question(self.program, self.claim), self.claim.condition)
        found = pairs.differing()
        return Judged(NOT_DECIDED) if found is None else _shown(machine, found, self.compared)

    def _both(self, way: Unrolled) -> _Both:
        return _Both(way, self.claim, self.wanted, self.limits.rlimit * TWO_PLAYS)


class _Both:
    """Two plays of one program in the same terms."""

    def __init__(self, way: Unrolled, claim: Independence, wanted: Cond, rlimit: int) -> None:
        self.way = way
        self.rlimit = rlimit
        self.terms = Terms()
        slice_ = Slice(way.program, [wanted], way.starts)
        question = _in_question(way.program, claim)
        self.one: Encoding = encode(way, slice_, way.starts, terms=self.terms)
        self.other: Encoding = encode(way, slice_, way.starts, terms=self.terms, apart=question)

    def differ_at(self, blocks: Sequence[int], compared: Sequence[int], only: Cond) -> Term:
        """That only one of the plays comes to one of the blocks, that they are there with different values, or could not decide alike.

        Of plays that come there, those alone count in which a condition holds.
        """
        terms = self.terms
        found = []
        for place in (copy for block in blocks for copy in self.one.copies(block)):
            first, second = self.one.arrives.get(place, FALSE), self.other.arrives.get(place, FALSE)
            counts = [
                terms.opposite(terms.all_of((arrives, terms.opposite(encoding.condition(only, encoding.at_block[place])))))
                for encoding, arrives in ((self.one, first), (self.other, second))
                if arrives is not FALSE
            ]
            found.append(terms.all_of((self._unlike(first, second), *counts)))
            if first is not FALSE and second is not FALSE:
                values, others = self.one.at_block[place], self.other.at_block[place]
                unlike = [terms.opposite(terms.equal(values[v], others[v])) for v in compared if v in values]
                found.append(terms.all_of((first, second, terms.some_of(unlike), *counts)))
        return terms.some_of((*found, *self._offered_otherwise()))

    def _unlike(self, first: Term, second: Term) -> Term:
        terms = self.terms
        return terms.some_of((terms.all_of((first, terms.opposite(second))), terms.all_of((second, terms.opposite(first)))))

    def _offered_otherwise(self) -> list[Term]:
        """That both come to a decision and find other options open: they cannot be asked to decide alike there."""
        found = []
        for block, guards in self.one.option_guards.items():
            others = self.other.option_guards.get(block)
            if others is not None and self.one.selected.get((block, 0)) is self.other.selected.get((block, 0)):
                unlike = self.terms.some_of(self._unlike(a, b) for a, b in zip(guards, others, strict=True))
                found.append(self.terms.all_of((self.one.arrives[block], self.other.arrives[block], unlike)))
        return found

    def excludes(self, term: Term) -> bool:
        """Whether no two such plays do this."""
        printer = Printer()
        for law in (*self.one.laws, *self.other.laws):
            printer.always(law)
        printer.always(term)
        return Solver(printer.text, self.rlimit).check([]).verdict == "unsat"


def _shown(machine: Machine, found: Found, compared: Sequence[int]) -> Judged:
    """Both plays, which the engine makes anew for their traces, with what is otherwise where they differ."""
    differs = tuple(
        _told(machine.program, v, found.values[v], found.other_values[v]) for v in compared if found.values[v] != found.other_values[v]
    )
    return Judged("fails", None, (trace(replayed(machine, found.one)), trace(replayed(machine, found.other))), differs)


def _told(program: Program, variable: int, value: int, other: int) -> tuple[str, str, str]:
    """What is otherwise in two plays: its words, and its value in each."""
    own = program.variables[variable]
    bag = next((f" in {bag.words}" for bag in program.bags if variable in (v for _, v in bag.tokens)), "")
    return f"{own.words}{bag}", own.shown(value), own.shown(other)


def _in_question(program: Program, claim: Independence) -> Callable[[int], bool]:
    """The blocks at which the two plays may decide otherwise."""

    def in_question(block: int) -> bool:
        exit_ = program.blocks[block].exit
        if claim.of is None:
            return isinstance(exit_, Choose) and exit_.order
        return isinstance(exit_, Choose | Range) and exit_.variable == claim.of

    return in_question

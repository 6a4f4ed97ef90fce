"""Independence: whether what comes about depends on an order that the text leaves open, or on how it is read.

Two plays are described at once, that decide everything alike but what is in question. If they can never differ when they come to the
section again, it does not matter. Where they can, both are played by the engine before they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from plainchant.faces.findings import NOT_DECIDED, ClaimVerdict
from plainchant.meaning.kernel import Choose, Claimed, Cond, Const, Equal, Independence, Program, Range, Read, all_of
from plainchant.play.documents import trace
from plainchant.play.machine import Machine
from plainchant_proofs.encode import Encoding, encode
from plainchant_proofs.induction import WITHIN_A_ROUND, kept_at_the_beginning, live_at_sections
from plainchant_proofs.prover import Limits
from plainchant_proofs.rounds import Rounds, rounds_of
from plainchant_proofs.slicing import Slice
from plainchant_proofs.smt import Answer, Solver
from plainchant_proofs.terms import FALSE, Printer, Terms
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.topology import Unrolled, unrolled
from plainchant_proofs.witness import ReplayMismatch, replayed, walked

_COMPARED = ("log", "value", "bag", "keep")
"""The roles of what people can see at the table; marks of the machine are no difference."""


def judge(program: Program, claim: Independence, standing: Sequence[Claimed], limits: Limits) -> ClaimVerdict:
    """The verdict on a claim of independence; `standing` are claims that are known to hold on arrival at its section."""
    compared = [v for v, variable in enumerate(program.variables) if variable.role in _COMPARED]
    wanted = all_of(*(Equal(Read(v), Const(-1)) for v in compared))
    told = ClaimVerdict(claim.name, claim.text, NOT_DECIDED, None, claim.span, claim.cites)
    own = [one for one in standing if one.at == claim.at]
    if _holds_in_each_round(program, claim, own, wanted, limits):
        return replace(told, verdict="holds")
    plays = _Both(unrolled(program, limits.unroll), program, claim, wanted, limits.rlimit)
    section = program.sections[claim.at].start
    differ = plays.differ_at([(copy, copy) for copy in plays.one.copies(section)], compared)
    answer, solver = plays.ask(differ)
    if answer.verdict != "sat":
        return replace(told, bound=plays.one.bound)
    first, second = plays.witnesses(solver)
    return replace(told, verdict="fails", bound=plays.one.bound, witness=first, other=second)


def _holds_in_each_round(program: Program, claim: Independence, standing: Sequence[Claimed], wanted: Cond, limits: Limits) -> bool:
    """Whether two rounds that begin alike, where the standing claims hold, end alike whatever is in question."""
    live = live_at_sections(program, [wanted, *(one.condition for one in standing)], [claim.at])
    rounds = rounds_of(program, [claim.at], live)
    if rounds.capped:
        return False
    compared = [v for v, variable in enumerate(program.variables) if variable.role in _COMPARED]
    for within in WITHIN_A_ROUND:
        plays = _Both(unrolled(rounds.program, within), program, claim, wanted, limits.rlimit)
        kept = plays.terms.all_of(kept_at_the_beginning(rounds, plays.one, one) for one in standing)
        cut = plays.terms.some_of((plays.one.ended(("bound",)), plays.other.ended(("bound",))))
        if plays.ask(plays.terms.all_of((kept, cut)))[0].verdict == "unsat":
            return _never_differ(plays, rounds, claim, kept, compared)
    return False


def _never_differ(plays: _Both, rounds: Rounds, claim: Independence, kept: Term, compared: Sequence[int]) -> bool:
    end = rounds.ends[claim.at]
    differ = plays.differ_at([(copy, copy) for copy in plays.one.copies(end)], compared)
    return plays.ask(plays.terms.all_of((kept, differ)))[0].verdict == "unsat"


class _Both:
    """Two plays of one program in the same terms."""

    def __init__(self, way: Unrolled, book: Program, claim: Independence, wanted: Cond, rlimit: int) -> None:
        self.way = way
        self.book = Machine(book)
        self.rlimit = rlimit
        self.terms = Terms()
        slice_ = Slice(way.program, [wanted], way.starts)
        question = _in_question(way.program, book, claim)
        self.one: Encoding = encode(way, slice_, way.starts, terms=self.terms)
        self.other: Encoding = encode(way, slice_, way.starts, terms=self.terms, apart=question)

    def differ_at(self, places: Sequence[tuple[int, int]], compared: Sequence[int]) -> Term:
        """That only one of the plays comes to one of the places, that they are there with different values, or could not decide alike."""
        found = []
        for here, there in places:
            first, second = self.one.arrives.get(here, FALSE), self.other.arrives.get(there, FALSE)
            found.append(self._unlike(first, second))
            if first is not FALSE and second is not FALSE:
                values, others = self.one.at_block[here], self.other.at_block[there]
                unlike = [self.terms.opposite(self.terms.equal(values[v], others[v])) for v in compared if v in values]
                found.append(self.terms.all_of((first, second, self.terms.some_of(unlike))))
        return self.terms.some_of((*found, *self._offered_otherwise()))

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

    def ask(self, term: Term) -> tuple[Answer, Solver]:
        printer = Printer()
        for law in (*self.one.laws, *self.other.laws):
            printer.always(law)
        printer.always(term)
        for entrance in self.one.entrances.values():
            printer.name(entrance)
        solver = Solver(printer.text, self.rlimit)
        return solver.check([]), solver

    def witnesses(self, solver: Solver) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both plays, made by the engine, which must end in different states."""
        entrance = next(name for name, literal in self.one.entrances.items() if solver.is_true(literal.name))
        machine = Machine(self.way.program)
        sessions = []
        for encoding in (self.one, self.other):
            play = walked(encoding, solver, machine, entrance)
            sessions.append(replayed(self.book, play.witness(len(play.decisions))))
        if sessions[0].moment.values == sessions[1].moment.values and sessions[0].moment.block == sessions[1].moment.block:
            raise ReplayMismatch("two plays that should differ end alike")
        return trace(sessions[0]), trace(sessions[1])


def _in_question(program: Program, book: Program, claim: Independence) -> Callable[[int], bool]:
    """The blocks at which the two plays may decide otherwise."""

    def in_question(block: int) -> bool:
        exit_ = program.blocks[block].exit
        if claim.of is None:
            return isinstance(exit_, Choose) and exit_.order
        return isinstance(exit_, Choose | Range) and exit_.variable == claim.of

    return in_question

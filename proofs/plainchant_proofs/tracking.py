"""Literals for the printed places of a book: with its literal a guard or write means what is printed, without it anything."""

from __future__ import annotations

from plainchant.meaning.kernel import Branch, Cases, Choose, Cond, Const, Program, Set, Variable, led_to, reads
from plainchant.records import Changing, Frozen, field
from plainchant.text.place import Cite
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.terms import Num, Printer, Terms

_TRACKED_ROLES = ("log", "value", "bag", "keep")


class Place(Frozen):
    """A printed guard or write: where it is printed and what it does there."""

    cites: tuple[Cite, ...]
    text: str


class Printed(Changing, dict=True):
    """Gives each printed guard and write a literal; the copies of one place (for each seat) share it.

    `ties` say that a literal ties the free terms of its place to their meaning; those without a literal always hold.
    """

    program: Program
    terms: Terms
    literals: dict[Place, str] = field(default_factory=dict)
    ties: list[tuple[str, Term]] = field(default_factory=list)
    guards: set[Place] = field(default_factory=set)
    about: dict[Place, set[int]] = field(default_factory=dict)
    """The variables that a guard reads, or that is written."""
    free: int = 0

    def __post_init__(self) -> None:
        # What only Standalone Modes do is no reason in a campaign.
        self._campaign = led_to(self.program, [entrance.block for entrance in self.program.entrances[:1]])

    def guard(self, block: int, number: int, condition: Cond, term: Term) -> Term:
        """A free condition for a printed guard."""
        place = _guard_place(self.program, block, number)
        if place is None:
            return term
        self.guards.add(place)
        self.about.setdefault(place, set()).update(reads(condition))
        self.free += 1
        stand_in = self.terms.condition_variable(f"guard_{self.free}")
        both, neither = (stand_in, term), (self.terms.opposite(stand_in), self.terms.opposite(term))
        same = self.terms.some_of((self.terms.all_of(both), self.terms.all_of(neither)))
        self.ties.append((self._literal(place), same))
        return stand_in

    def write(self, block: int, assignment: Set, value: Num) -> Num:
        """A free number for what stands behind a printed write."""
        variable = self.program.variables[assignment.variable]
        if block not in self._campaign or variable.role not in _TRACKED_ROLES or not assignment.cites:
            return value
        place = Place(assignment.cites, _written(variable, assignment))
        self.about.setdefault(place, set()).add(assignment.variable)
        self.free += 1
        stand_in = self.terms.number_variable(f"value_{self.free}", value.low, value.high)
        self.ties.append((self._literal(place), self.terms.equal(stand_in, value)))
        self.ties.append(("", self.terms.within(stand_in)))
        return stand_in

    def declared(self, printer: Printer) -> None:
        """Write all literals and ties."""
        for literal in self.literals.values():
            printer.declare(literal)
        for literal, tie in self.ties:
            if literal:
                printer.hold(literal, tie)
            else:
                printer.always(tie)

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

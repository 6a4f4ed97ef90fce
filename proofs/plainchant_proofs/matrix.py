"""Log entries at the end of the campaign, pair by pair: which exclude each other, and which imply which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainchant.meaning.kernel import CAMPAIGN, Const, Equal, Read, Stop
from plainchant.play.machine import Machine, State
from plainchant.records import Frozen
from plainchant_proofs.explore import plays
from plainchant_proofs.prover import Limits, Prover, Question
from plainchant_proofs.terms import Cond

PLAYS = 1500
"""Plays of the engine that refute most pairs before the solver is asked."""


class Line(Frozen):
    """A line of the log: its variable and printed words."""

    variable: int
    words: str


class Matrix(Frozen):
    """Among lines that a campaign can end with: pairs that exclude each other, and pairs (a, b) where a implies b.

    Lines that every campaign ends with stand in `always` and not among the implications. A pair that stands there in both directions
    is equivalent. What was given up at the limit of work, or is about a loop of which some rounds were followed, is not decided: of
    `undecided` pairs whether they exclude or imply each other, of `unsure` lines whether some campaign, or every campaign, ends with them.
    """

    lines: tuple[Line, ...]
    always: tuple[Line, ...]
    exclusive: tuple[tuple[Line, Line], ...]
    implies: tuple[tuple[Line, Line], ...]
    undecided: tuple[tuple[Line, Line], ...]
    unsure: tuple[Line, ...]


def matrix(machine: Machine, limits: Limits | None = None) -> Matrix:
    """The table of a book's log at the end of its campaign (a line counts as there if it is recorded and not crossed off)."""
    program = machine.program
    lines = [Line(v, program.variables[v].words) for entry in program.log for _, v, _ in entry.lines]
    prover = Prover(program, machine, limits or Limits(), [Equal(Read(line.variable), Const(1)) for line in lines])
    table = _Table(prover, lines, _ends(machine, PLAYS))
    return table.filled()


class _Table:
    """Puts all questions that plays have not settled, then asks them."""

    def __init__(self, prover: Prover, lines: Sequence[Line], ends: Sequence[State]) -> None:
        self.prover = prover
        self.lines = lines
        terms = prover.encoding.terms
        ended = prover.encoding.ended()
        there = {line: terms.equal(prover.encoding.final[line.variable], terms.number(1)) for line in lines}
        absent = {line: terms.opposite(term) for line, term in there.items()}
        self.seen = {line: frozenset(i for i, state in enumerate(ends) if state[line.variable] == 1) for line in lines}
        both = [(a, b) for i, a in enumerate(lines) for b in lines[i + 1 :] if not self.seen[a] & self.seen[b]]
        only = [(a, b) for a in lines for b in lines if a is not b and self.seen[a] <= self.seen[b]]

        def put(*held: Cond) -> Question:
            return prover.put(terms.all_of((ended, *held)), CAMPAIGN)

        self.some = {line: put(there[line]) for line in lines if not self.seen[line]}
        self.none = {line: put(absent[line]) for line in lines if len(self.seen[line]) == len(ends)}
        self.both = {(a, b): put(there[a], there[b]) for a, b in both}
        self.only = {(a, b): put(there[a], absent[b]) for a, b in only}
        self.undecided: list[tuple[Line, Line]] = []
        self.unsure: dict[Line, None] = {}

    def filled(self) -> Matrix:
        live = {line for line in self.lines if self.seen[line] or self._possible(line, self.some[line])}
        always = {line for line in self.none if line in live and not self._possible(line, self.none[line])}
        exclusive = self._impossible(self.both, live)
        implies = self._impossible({pair: q for pair, q in self.only.items() if pair[1] not in always}, live)
        ordered = [line for line in self.lines if line in live]
        always_there = tuple(line for line in ordered if line in always)
        return Matrix(tuple(ordered), always_there, exclusive, implies, tuple(self.undecided), tuple(self.unsure))

    def _possible(self, line: Line, question: Question) -> bool:
        """Whether a campaign can end so, as far as is known."""
        verdict = self.prover.ask(question, witness=False)
        if verdict.open:
            self.unsure[line] = None
        return not verdict.excluded

    def _impossible(self, questions: Mapping[tuple[Line, Line], Question], live: set[Line]) -> tuple[tuple[Line, Line], ...]:
        found = []
        for pair, question in questions.items():
            if pair[0] not in live or pair[1] not in live:
                continue
            verdict = self.prover.ask(question, witness=False)
            if verdict.excluded:
                found.append(pair)
            elif verdict.open:
                self.undecided.append(pair)
        return tuple(found)


def _ends(machine: Machine, number: int) -> list[State]:
    """The last states of campaigns that came to a printed end."""
    entrance = machine.program.entrance(CAMPAIGN)
    if entrance is None:
        return []
    found = []
    for rest, state in plays(machine, entrance, number):
        exit_ = machine.program.blocks[rest].exit
        if isinstance(exit_, Stop) and exit_.kind == "end":
            found.append(state)
    return found

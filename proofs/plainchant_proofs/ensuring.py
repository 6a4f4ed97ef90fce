"""Can the players make sure of something, whatever table, chance and readings bring? A game that is searched to its end.

Players choose, everybody else answers as badly as can be. States that agree in all that can still matter are one state, so that most of a
campaign's questions (experience, say) do not multiply it.
"""

from __future__ import annotations

from plainchant.faces.findings import NOT_DECIDED
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import CAMPAIGN, Choose, Claimed, Program, Range, Stop
from plainchant.play.documents import trace
from plainchant.play.machine import Machine, State
from plainchant.play.session import Session
from plainchant.records import Changing, field
from plainchant_proofs.asking import Answer, From, played_on
from plainchant_proofs.explore import Witness
from plainchant_proofs.goals import Shows
from plainchant_proofs.slicing import Slice, live_variables
from plainchant_proofs.witness import Promise, ReplayMismatch, kept, replayed

MOST_STATES = 400_000
"""States that are looked at before the question is given up as not decided."""


class _TooMany(Exception):
    """The limit of states was reached."""


def ensure(program: Program, claim: Claimed, start: From | None = None) -> Answer:
    """`holds` if the players can make sure that the condition holds when play ends (or on arrival at the claim's section).

    Either comes with a play in which the winning side plays well; from a saved play only the rest is searched.
    """
    program = program if start is None else start.program
    game = _Game(program, Machine(program), claim)
    entrance = program.entrances[0] if start is not None else program.entrance(CAMPAIGN)
    assert entrance is not None
    try:
        wins = game.wins(game.machine.initial(entrance), entrance.block)
    except (_TooMany, RecursionError):
        return Answer(NOT_DECIDED, None, None, (), None)
    line = Witness(entrance.name, tuple(game.line(game.machine.initial(entrance), entrance.block)))
    session = _shown(game.machine, line, Shows(condition=claim.condition, at=game.watched), wins)
    witness = trace(session if start is None else played_on(start.session, line))
    return Answer("holds" if wins else "fails", None, witness, (), None)


def _shown(machine: Machine, witness: Witness, shows: Shows, wins: bool) -> Session:
    """The engine's own play, in which the goal is reached, or (if they cannot make sure of it) is not."""
    session = replayed(machine, witness)
    if kept(machine, Promise(witness, shows), session) != wins:
        raise ReplayMismatch("the engine plays the witness, but it does not end as the game says")
    return session


class _Game(Changing, dict=True):
    """The game about one claim, with the positions that are known to be won or lost."""

    program: Program
    machine: Machine
    claim: Claimed
    _known: dict[tuple[int, tuple[int, ...]], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.watched = None if self.claim.at is None else self.program.sections[self.claim.at].start
        slice_ = Slice(self.program, [self.claim.condition])
        self._live = live_variables(self.program, slice_, self.claim.condition, self.watched)[1]
        self._kept = slice_.relevant

    def wins(self, state: State, block: int) -> bool:
        """Whether the players can make sure of the goal from the beginning of a block."""
        rest, settled = self._run(state, block)
        if settled is not None:
            return settled
        exit_ = self.program.blocks[rest].exit
        if isinstance(exit_, Stop):
            return self.watched is None and exit_.kind == "end" and self._holds(state)
        key = (rest, tuple([state[v] for v in self._live[rest]]))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_STATES:
                raise _TooMany
            outcomes = (self.wins(*self._after(state, rest, decision)) for decision in self._decisions(state, rest))
            found = self._known[key] = any(outcomes) if self._players(rest) else all(outcomes)
        return found

    def _players(self, rest: int) -> bool:
        exit_ = self.program.blocks[rest].exit
        return isinstance(exit_, Choose) and exit_.chooser == "players"

    def _decisions(self, state: State, rest: int) -> tuple[int, ...]:
        """What can be decided at a rest; a question that cannot matter is answered in one way only."""
        exit_ = self.program.blocks[rest].exit
        asked_for = exit_.variable if isinstance(exit_, Choose | Range) else None
        open_ = self.machine.options(state, rest)
        return open_ if asked_for is None or asked_for in self._kept else open_[:1]

    def _after(self, state: State, rest: int, decision: int) -> tuple[State, int]:
        following = list(state)
        return following, self.machine.take(following, rest, decision)

    def _run(self, state: State, block: int) -> tuple[int, bool | None]:
        """Carry out blocks until a rest, or until the watched section settles the question."""
        while block >= 0:
            if block == self.watched:
                return block, self._holds(state)
            block = self.machine.step(state, block)
        return ~block, None

    def _holds(self, state: State) -> bool:
        return truth(self.claim.condition, state.__getitem__, Values())

    def line(self, state: State, block: int) -> list[int]:
        """A play in which the winning side plays well: the players' way to their goal, or the others' way to prevent it."""
        wanted = self.wins(list(state), block)
        decisions: list[int] = []
        while True:
            rest, settled = self._run(state, block)
            if settled is not None or isinstance(self.program.blocks[rest].exit, Stop):
                return decisions
            for decision in self._decisions(state, rest):
                following, target = self._after(state, rest, decision)
                if self.wins(list(following), target) == wanted:
                    decisions.append(decision)
                    state, block = following, target
                    break
            else:
                return decisions

"""Random plays that look for what was not seen yet: the cheapest witnesses, found by the engine itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plainchant.meaning.kernel import CAMPAIGN, Branch, Cases, Choose, Entrance, Program, Range, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine, State
from plainchant.play.walk import MOST_DECISIONS

Decisions = tuple[int, ...]
"""What was decided at each rest: the position of an option, or a number that was named."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A beginning of a play: how it began, and its decisions up to the arrival."""

    entrance: str
    decisions: Decisions


@dataclass(frozen=True, slots=True)
class Walked:
    """A whole play: how it began, its decisions, the blocks that were passed between them, and the last values."""

    entrance: str
    decisions: tuple[int, ...]
    trail: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]

    def until(self, block: int) -> Witness:
        """Its beginning, up to the first arrival at a block (all of it, if it does not come there)."""
        made = next((number for number, path in enumerate(self.trail) if block in path), len(self.decisions))
        return Witness(self.entrance, self.decisions[:made])


@dataclass
class Seen:
    """What plays have passed so far, each with the shortest beginning that leads there."""

    program: Program
    blocks: dict[int, Witness] = field(default_factory=dict)
    edges: dict[tuple[int, int], Witness] = field(default_factory=dict)
    by_reading: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """For each reading (variable, value) the blocks that were passed in whole campaigns which took it."""

    def __post_init__(self) -> None:
        self._readings = [i for i, variable in enumerate(self.program.variables) if variable.role == "reading"]

    def merge(self, walked: Walked) -> None:
        """Take in a play."""
        previous: int | None = None
        for made, path in enumerate(walked.trail):
            for block in path:
                known = self.blocks.get(block)
                if known is None or len(known.decisions) > made:
                    self.blocks[block] = Witness(walked.entrance, walked.decisions[:made])
                if previous is not None and (way := _way(self.program, previous, block, walked.decisions, made)) is not None:
                    known = self.edges.get((previous, way))
                    if known is None or len(known.decisions) > made:
                        self.edges[(previous, way)] = Witness(walked.entrance, walked.decisions[:made])
                previous = block
        if walked.entrance == CAMPAIGN:
            passed = {block for path in walked.trail for block in path}
            for reading in self._readings:
                self.by_reading.setdefault((reading, walked.values[reading]), set()).update(passed)


def _way(program: Program, block: int, following: int, decisions: Sequence[int], made: int) -> int | None:
    """By which of its ways a block was left, where the text names them."""
    exit_ = program.blocks[block].exit
    if isinstance(exit_, Branch):
        return (0 if following == exit_.then else 1) if exit_.words else None
    if isinstance(exit_, Choose):
        return decisions[made - 1]
    if isinstance(exit_, Cases):
        targets = [case.target for case in exit_.cases]
        return targets.index(following) if following in targets else len(targets)
    return None


def explore(machine: Machine, entrance: Entrance, plays: int, seen: Seen, seed: int = 1) -> None:
    """Play so often from an entrance, each time preferring what was taken least."""
    chance = Chance(seed)
    used: dict[tuple[int, int], int] = {}
    for _ in range(plays):
        walked, chance = play_once(machine, entrance, chance, used)
        seen.merge(walked)


def play_once(machine: Machine, entrance: Entrance, chance: Chance, used: dict[tuple[int, int], int]) -> tuple[Walked, Chance]:
    """One play to its end, and the source of chance after it; `used` counts how often each option was taken."""
    state, block = machine.initial(entrance), entrance.block
    decisions: list[int] = []
    trail: list[tuple[int, ...]] = []
    while True:
        run = machine.run(state, block)
        trail.append(run.path)
        exit_ = machine.program.blocks[run.block].exit
        if isinstance(exit_, Stop) or len(decisions) == MOST_DECISIONS:  # a book may lead round and round
            return Walked(entrance.name, tuple(decisions), tuple(trail), tuple(state)), chance
        if isinstance(exit_, Range):
            offset, chance = chance.below(exit_.high - exit_.low + 1)
            decided = exit_.low + offset
        else:
            open_ = machine.options(state, run.block)
            start, chance = chance.below(len(open_))
            rotated = open_[start:] + open_[:start]
            decided = min(rotated, key=lambda option: used.get((run.block, option), 0))
            used[(run.block, decided)] = used.get((run.block, decided), 0) + 1
        decisions.append(decided)
        block = decide(machine, state, run.block, decided)


def decide(machine: Machine, state: State, block: int, decided: int) -> int:
    """Make a decision at a rest: the block that follows."""
    exit_ = machine.program.blocks[block].exit
    if isinstance(exit_, Range):
        state[exit_.variable] = decided
        return exit_.target
    return machine.take(state, block, decided)

"""Random plays that look for what was not seen yet: the cheapest witnesses, found by the engine itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plainchant.meaning.kernel import CAMPAIGN, Branch, Cases, Choose, Entrance, Program, Range, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine, State

Decisions = tuple[int, ...]
"""What was decided at each rest: the position of an option, or a number that was named."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A beginning of a play: how it began, and its decisions up to the arrival."""

    entrance: str
    decisions: Decisions


@dataclass
class Seen:
    """What plays have passed so far, each with the shortest beginning that leads there."""

    blocks: dict[int, Witness] = field(default_factory=dict)
    edges: dict[tuple[int, int], Witness] = field(default_factory=dict)
    by_reading: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """For each reading (variable, value) the blocks that were passed in whole campaigns which took it."""

    def merge(self, entrance: str, decisions: Sequence[int], trail: Sequence[tuple[int, tuple[int, ...]]], program: Program) -> None:
        """Take in a play: for each number of decisions, the blocks that were passed then."""
        previous: int | None = None
        for made, path in trail:
            for block in path:
                known = self.blocks.get(block)
                if known is None or len(known.decisions) > made:
                    self.blocks[block] = Witness(entrance, tuple(decisions[:made]))
                if previous is not None and (way := _way(program, previous, block, decisions, made)) is not None:
                    known = self.edges.get((previous, way))
                    if known is None or len(known.decisions) > made:
                        self.edges[(previous, way)] = Witness(entrance, tuple(decisions[:made]))
                previous = block


def _way(program: Program, block: int, following: int, decisions: Sequence[int], made: int) -> int | None:
    """By which of its ways a block was left, where there is more than one."""
    exit_ = program.blocks[block].exit
    if isinstance(exit_, Branch):
        return 0 if following == exit_.then else 1
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
    readings = [i for i, variable in enumerate(machine.program.variables) if variable.role == "reading"]
    for _ in range(plays):
        state = machine.initial(entrance)
        decisions, trail, chance = play_once(machine, state, entrance, chance, used)
        seen.merge(entrance.name, decisions, trail, machine.program)
        if entrance.name == CAMPAIGN:
            for reading in readings:
                passed = seen.by_reading.setdefault((reading, state[reading]), set())
                passed.update(block for _, path in trail for block in path)


def play_once(
    machine: Machine, state: State, entrance: Entrance, chance: Chance, used: dict[tuple[int, int], int]
) -> tuple[list[int], list[tuple[int, tuple[int, ...]]], Chance]:  # fmt: skip
    block = entrance.block
    decisions: list[int] = []
    trail: list[tuple[int, tuple[int, ...]]] = []
    while True:
        run = machine.run(state, block)
        trail.append((len(decisions), run.path))
        exit_ = machine.program.blocks[run.block].exit
        if isinstance(exit_, Stop) or len(decisions) == MOST_DECISIONS:  # a book may lead round and round
            return decisions, trail, chance
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

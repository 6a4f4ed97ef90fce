"""Long random plays of a book that goes round, which look for a state: it may lie more rounds away than the solver follows."""

from __future__ import annotations

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Entrance, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant_proofs.explore import Witness, steered
from plainchant_proofs.goals import Shows

PLAYS = 400
"""Plays that are made before the search is given up."""

LENGTH = 120
"""Decisions of one play."""


def found_by_chance(machine: Machine, entrance: Entrance, shows: Shows, seed: int = 1) -> Witness | None:
    """The shortest of some plays that come to the block `shows.at` so that the condition holds there; None if none of them does."""
    assert shows.condition is not None and shows.at is not None
    chance, used = Chance(seed), dict[tuple[int, int], int]()
    best: list[int] | None = None
    for _ in range(PLAYS):
        state, block, decisions = machine.initial(entrance), entrance.block, list[int]()
        while len(decisions) < (LENGTH if best is None else len(best)):
            if block == shows.at and truth(shows.condition, state.__getitem__, Values()):
                best = decisions
                break
            block = machine.step(state, block)
            if block >= 0:
                continue
            if isinstance(machine.program.blocks[~block].exit, Stop):
                break
            decided, chance = steered(machine, state, ~block, chance, used)
            decisions.append(decided)
            block = machine.take(state, ~block, decided)
    return None if best is None else Witness(entrance.name, tuple(best))

"""A small book with everything that its plays can come to: the second opinion on what the prover says of it."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, assume, note, settings

from books import compiled_text
from enumeration import Everything, Node, TooLarge, holds
from plainchant.meaning.kernel import Cases, Claimed
from plainchant.play.documents import replay
from plainchant.play.machine import Machine
from plainchant_proofs.goals import Goal, Target
from plainchant_proofs.prover import Limits

CAMPAIGN = "campaign"
FEW = Limits(plays=1, width=1)
"""Few plays look first, so that the solver has something to decide."""

patient = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture])


class Book:
    """A small book, compiled, with everything that its plays can come to."""

    def __init__(self, folder: Path, text: str) -> None:
        note(text)
        self.path = folder / "small.rules"
        self.program = compiled_text(folder, text, self.path.name)
        self.machine = Machine(self.program)
        try:
            self.all = {entrance.name: Everything(self.machine, entrance) for entrance in self.program.entrances}
        except TooLarge:
            assume(False)
        self.campaign = self.all[CAMPAIGN]

    # ------------------------------------------------------------ goals

    def reached(self, goal: Goal) -> bool:
        """Whether some play from any entrance does what the goal says."""
        return any(self._reached_in(everything, goal) for everything in self.all.values())

    def _reached_in(self, everything: Everything, goal: Goal) -> bool:
        if goal.both is not None:
            return bool(self.overlapping(everything, goal))
        if goal.together:
            first, second = goal.targets
            one, other = everything.arrivals(block_of(first)), everything.arrivals(block_of(second))
            return any(node in everything.after(one) for node in other) or any(node in everything.after(other) for node in one)
        return any(self.passing(everything, target) for target in goal.targets)

    @staticmethod
    def passing(everything: Everything, target: Target) -> list[Node]:
        return everything.arrivals(target) if isinstance(target, int) else everything.passes(*target)

    @staticmethod
    def overlapping(everything: Everything, goal: Goal) -> list[Node]:
        assert goal.both is not None
        block, i, j = goal.both
        exit_ = everything.machine.program.blocks[block].exit
        assert isinstance(exit_, Cases)
        guards = (exit_.cases[i].condition, exit_.cases[j].condition)
        return [node for node in everything.arrivals(block) if all(holds(guard, everything.inside[node]) for guard in guards)]

    # ------------------------------------------------------------ states

    def states(self, claim: Claimed) -> list[tuple[int, ...]]:
        """The states that a claim is about."""
        if claim.at is None:
            return self.campaign.finals()
        return [values for _, values in self.campaign.arrivals(self.program.sections[claim.at].start)]

    def ensured(self, claim: Claimed) -> bool:
        """Whether the players can force it."""
        start = None if claim.at is None else self.program.sections[claim.at].start

        def settled(node: Node) -> bool | None:
            if node[0] == start:
                return holds(claim.condition, node[1])
            stopped = self.campaign.stopped(node)
            if stopped:
                return start is None and stopped == "end" and holds(claim.condition, self.campaign.inside[node])
            return None

        return self.campaign.can_ensure(settled)


def block_of(target: Target) -> int:
    """The block that a target is, or leaves."""
    return target if isinstance(target, int) else target[0]


def replays(machine: Machine, trace: object) -> bool:
    """Whether a trace, once through JSON, is a play of these rules."""
    session, departure, refused = replay(machine, json.loads(json.dumps(trace)))
    return session is not None and departure is None and refused == ()

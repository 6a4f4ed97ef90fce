"""Two plays side by side, made by the engine: they decide alike at random, but for what is in question, until they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Cond, Entrance, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine, State
from plainchant.records import Changing, Frozen
from plainchant_proofs.explore import Witness

TRIALS = ((12, 400), (40, 400), (160, 200))
"""How long pairs are played (decisions), and how many of that length: the short ones first, as a short witness tells most."""


class _Play(Changing):
    """One of the two: its values, the block where it is, and what was decided."""

    state: State
    block: int
    decisions: list[int]


class Found(Frozen):
    """Two plays that differ, and the values of each at the moment at which they do."""

    one: Witness
    other: Witness
    values: tuple[int, ...]
    other_values: tuple[int, ...]


class Pairs(Frozen, dict=True):
    """What to compare: the values of `compared` whenever both come to one of the blocks `at`; `in_question` are the blocks at which the two
    decide each for itself; plays count alone in which the condition `only` holds when they come there."""

    machine: Machine
    entrance: Entrance
    at: frozenset[int]
    compared: Sequence[int]
    in_question: Callable[[int], bool]
    only: Cond

    def differing(self, seed: int = 1) -> Found | None:
        """Two plays that differ, the shortest of those that were found; None if none were."""
        for length, number in TRIALS:
            found = list(self._found(length, number, seed))
            if found:
                return min(found, key=lambda pair: len(pair.one.decisions) + len(pair.other.decisions))
        return None

    def _found(self, length: int, number: int, seed: int) -> Iterator[Found]:
        chance = Chance(seed)
        for _ in range(number):
            pair, chance = self._played(length, chance)
            if pair is not None:
                yield pair

    def _played(self, length: int, chance: Chance) -> tuple[Found | None, Chance]:
        """One pair: the plays once they differ; None if they stop alike, or can no longer be compared."""
        one, other = (_Play(self.machine.initial(self.entrance), self.entrance.block, []) for _ in range(2))
        self._go_on(one, leave=False)
        self._go_on(other, leave=False)
        while len(one.decisions) + len(other.decisions) < 2 * length:
            if self._arrived(one) and self._arrived(other):
                if self._unlike(one, other):
                    return self._pair(one, other), chance
                self._go_on(one, leave=True)
                self._go_on(other, leave=True)
                continue
            asked = next((play for play in (one, other) if not self._arrived(play) and self.in_question(~play.block)), None)
            if asked is not None:
                chance = self._decide_alone(asked, other if asked is one else one, chance)
                continue
            if self._stopped(one) and self._stopped(other):
                return None, chance
            if self._stopped(one) or self._stopped(other) or one.block != other.block or self._arrived(one):
                return (self._pair(one, other) if self._ended_apart(one, other) else None), chance
            if any(one.state[v] != other.state[v] for v in self._marks):
                return None, chance  # the same words may ask each of them about something else
            open_ = self.machine.options(one.state, ~one.block)
            if open_ != self.machine.options(other.state, ~other.block):
                return self._pair(one, other), chance
            place, chance = chance.below(len(open_))
            for play in (one, other):
                self._take(play, open_[place])
        return None, chance

    @cached_property
    def _marks(self) -> tuple[int, ...]:
        """What the machine marks for itself: which rule is under way, with what arguments, and whose turn it was."""
        return tuple(v for v, variable in enumerate(self.machine.program.variables) if variable.role in ("hidden", "return"))

    def _decide_alone(self, play: _Play, other: _Play, chance: Chance) -> Chance:
        """A decision that is in question: the second play takes another answer than the first where it can."""
        open_ = self.machine.options(play.state, ~play.block)
        here = len(play.decisions)
        taken = other.decisions[here] if here < len(other.decisions) and other.decisions[:here] == play.decisions else None
        free = [option for option in open_ if option != taken] or list(open_)
        place, chance = chance.below(len(free))
        self._take(play, free[place])
        return chance

    def _take(self, play: _Play, decided: int) -> None:
        play.decisions.append(decided)
        play.block = self.machine.take(play.state, ~play.block, decided)
        self._go_on(play, leave=False)

    def _go_on(self, play: _Play, *, leave: bool) -> None:
        """Carry out blocks up to the next rest, or to one of the blocks at which the plays are compared."""
        while play.block >= 0 and (leave or play.block not in self.at):
            play.block = self.machine.step(play.state, play.block)
            leave = False

    def _arrived(self, play: _Play) -> bool:
        return play.block >= 0

    def _stopped(self, play: _Play) -> bool:
        return play.block < 0 and isinstance(self.machine.program.blocks[~play.block].exit, Stop)

    def _unlike(self, one: _Play, other: _Play) -> bool:
        return one.block != other.block or any(one.state[v] != other.state[v] for v in self.compared)

    def _pair(self, one: _Play, other: _Play) -> Found | None:
        """Two plays that differ, if they are such as count."""
        if all(truth(self.only, play.state.__getitem__, Values()) for play in (one, other)):
            return Found(self._witness(one), self._witness(other), tuple(one.state), tuple(other.state))
        return None

    def _ended_apart(self, one: _Play, other: _Play) -> bool:
        """Whether one of the plays has stopped and the other comes back: whoever rests elsewhere is not known to."""
        return self._stopped(one) != self._stopped(other) and (self._arrived(one) or self._arrived(other))

    def _witness(self, play: _Play) -> Witness:
        return Witness(self.entrance.name, tuple(play.decisions))

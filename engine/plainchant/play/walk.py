"""Random plays: every question is decided by chance, uniformly or by preferring what was chosen least so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from plainchant.meaning.kernel import Choose, Entrance, Range, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant.records import Changing, Frozen, field

MOST_DECISIONS = 2_000
"""A play that goes on longer is given up: its book probably leads round in a circle."""

ENDLESS = "endless"
"""The kind of a play that was given up."""


class Walk(Frozen):
    """A random play: why it stopped, at which block, and what people chose (not what the seed drew), in order."""

    seed: int
    kind: str
    about: str
    block: int
    choices: tuple[int, ...]


class Tracks(Changing):
    """What random plays have seen so far: how often each block was passed and each choice taken."""

    passed: Counter[int] = field(default_factory=Counter)
    chosen: Counter[tuple[int, int]] = field(default_factory=Counter)


def walkers_chance(seed: int) -> Chance:
    """The source that decides for people in a random play; another one than the play's own, which draws what the book leaves to chance."""
    return Chance(seed ^ (1 << 63))


def walk(
    machine: Machine, entrance: Entrance, seed: int, readings: Mapping[int, int], tracks: Tracks, *, steer: bool = False
) -> Walk:  # fmt: skip
    """Play once at random, adding to `tracks`. Without `steer` it is the very play that `moment.draw` makes from the same seed."""
    state = machine.initial(entrance)
    for variable, value in readings.items():
        state[variable] = value
    people, drawn = walkers_chance(seed), Chance(seed)
    choices: list[int] = []
    block = entrance.block
    for _ in range(MOST_DECISIONS):
        run = machine.run(state, block)
        tracks.passed.update(run.path)
        rest = run.block
        exit_ = machine.program.blocks[rest].exit
        if isinstance(exit_, Stop):
            return Walk(seed, exit_.kind, exit_.about, rest, tuple(choices))
        options = machine.options(state, rest)
        if isinstance(exit_, Choose | Range) and exit_.chooser == "chance":
            place, drawn = drawn.among(machine.weights(state, rest))
        else:
            place, people = _place(rest, options, people, tracks, steer)
            choices.append(options[place] if isinstance(exit_, Range) else place + 1)
        tracks.chosen[rest, options[place]] += 1
        block = machine.take(state, rest, options[place])
    return Walk(seed, ENDLESS, f"more than {MOST_DECISIONS} decisions", block, tuple(choices))


def _place(block: int, options: tuple[int, ...], chance: Chance, tracks: Tracks, steer: bool) -> tuple[int, Chance]:
    """The place of an option: any, or any of those that were chosen least so far."""
    places = list(range(len(options)))
    if steer:
        least = min(tracks.chosen[block, option] for option in options)
        places = [place for place in places if tracks.chosen[block, options[place]] == least]
    drawn, chance = chance.below(len(places))
    return places[drawn], chance

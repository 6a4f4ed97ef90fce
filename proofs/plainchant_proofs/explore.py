"""The engine looks first: from each section, in the order of play, it plays on from a few different states that arrived there.

So each stretch of play is short, however long the book, and what was found in one section serves all that follow it. Which option is
taken is steered to what was taken least. What is found this way is reachable, with its witness; what is not is left to the solver.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from plainchant.meaning.kernel import CAMPAIGN, Branch, Cases, Choose, Entrance, Exit, Program, Range, Stop
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine, State
from plainchant.play.walk import MOST_DECISIONS
from plainchant.records import Changing, Frozen, field

_PATIENCE = 12
"""Plays in a row from one section that may pass nothing new, before the next section has its turn (each state has its own play at least)."""

Decisions = tuple[int, ...]
"""What was decided at each rest: the position of an option, or a number that was named."""


class Witness(Frozen):
    """A beginning of a play: how it began, and its decisions up to the arrival.

    `made` are its last decisions, those after the beginning `before` that it goes on from; many plays may share one.
    """

    entrance: str
    made: Decisions
    before: Witness | None = None

    @property
    def decisions(self) -> Decisions:
        """All decisions, from the first."""
        pieces = [self.made]
        before = self.before
        while before is not None:
            pieces.append(before.made)
            before = before.before
        return tuple(decision for piece in reversed(pieces) for decision in piece)


class Stretch(Changing):
    """A part of a play, behind the part that led to it: its decisions, the blocks passed between them, and the last values.

    `made` counts the decisions before it. A whole play is a stretch without `parent`.
    """

    entrance: str
    parent: Stretch | None
    made: int
    decisions: list[int]
    trail: list[list[int]]
    values: Sequence[int]

    def witness(self, made: int) -> Witness:
        """The play from its beginning to the decision with this number of the stretch."""
        pieces = [self.decisions[:made]]
        stretch = self.parent
        while stretch is not None:
            pieces.append(stretch.decisions)
            stretch = stretch.parent
        return Witness(self.entrance, tuple(decision for piece in reversed(pieces) for decision in piece))


class Seen(Changing, dict=True):
    """What plays have passed so far, each with the shortest beginning that leads there."""

    program: Program
    by_reading: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """For each reading (variable, value) the blocks that were passed in campaigns which took it."""

    def __post_init__(self) -> None:
        self._blocks: dict[int, tuple[int, Stretch, int]] = {}
        self._edges: dict[tuple[int, int], tuple[int, Stretch, int]] = {}
        self._ways = [_ways(block.exit) for block in self.program.blocks]
        self._readings = [i for i, variable in enumerate(self.program.variables) if variable.role == "reading"]
        self._unknown = {i: self.program.variables[i].unknown for i in self._readings}

    def witness(self, target: int | tuple[int, int]) -> Witness | None:
        """The shortest play that passes a block, or leaves one by a way; None if none was seen."""
        found = self._found(target)
        return None if found is None else found[1].witness(found[2])

    def cost(self, target: int | tuple[int, int]) -> int | None:
        """How many decisions the shortest play to a target takes."""
        found = self._found(target)
        return None if found is None else found[0]

    def _found(self, target: int | tuple[int, int]) -> tuple[int, Stretch, int] | None:
        return self._blocks.get(target) if isinstance(target, int) else self._edges.get(target)

    def merge(self, stretch: Stretch) -> bool:
        """Take in a stretch of play; whether it has passed anything that none before has."""
        before = stretch.parent
        previous = -1 if before is None else before.trail[-1][-1]
        decided = before.decisions[-1] if before is not None and before.decisions else 0
        new = False
        for made, path in enumerate(stretch.trail):
            cost = stretch.made + made
            if made:
                decided = stretch.decisions[made - 1]
            for block in path:
                known = self._blocks.get(block)
                if known is None or known[0] > cost:
                    new |= known is None
                    self._blocks[block] = (cost, stretch, made)
                ways = None if previous < 0 else self._ways[previous]
                if ways is not None:
                    edge = (previous, ways.get(block, decided))
                    known = self._edges.get(edge)
                    if known is None or known[0] > cost:
                        new |= known is None
                        self._edges[edge] = (cost, stretch, made)
                previous = block
        if stretch.entrance == CAMPAIGN:
            self._note_readings(stretch)
        return new

    def _note_readings(self, stretch: Stretch) -> None:
        """A reading that this stretch took counts for all blocks before it as well."""
        passed = set[int]().union(*stretch.trail)
        for reading in self._readings:
            value = stretch.values[reading]
            if value == self._unknown[reading]:
                continue
            seen = self.by_reading.setdefault((reading, value), set())
            seen |= passed
            before = stretch.parent
            while before is not None and before.values[reading] == self._unknown[reading]:
                seen.update(*before.trail)
                before = before.parent


def _ways(exit_: Exit) -> Mapping[int, int] | None:
    """By which of its ways a block was left, by the block that followed; None where the text does not name them, or that does not tell.

    What leaves a choice is told by the decision instead.
    """
    match exit_:
        case Branch(then=then, otherwise=otherwise, words=words) if words and then != otherwise:
            return {otherwise: 1, then: 0}
        case Cases(cases=cases, hole=hole) if len({hole, *(case.target for case in cases)}) > len(cases):
            return {hole: len(cases), **{case.target: i for i, case in enumerate(cases)}}
        case Choose():
            return {}
    return None


class Beam(Frozen):
    """How wide to look: states kept for each section, and plays from them in turn. `live` are the variables that make states different there."""

    width: int
    plays: int
    rank: Callable[[int], int]
    live: Callable[[int], Collection[int]]


def explore(machine: Machine, entrance: Entrance, seen: Seen, beam: Beam, seed: int = 1) -> None:
    """Play on from section to section, beginning at an entrance."""
    _Explorer(machine, seen, beam, seed).run(entrance)


class _Explorer:
    def __init__(self, machine: Machine, seen: Seen, beam: Beam, seed: int) -> None:
        self.machine = machine
        self.seen = seen
        self.beam = beam
        self.starts = frozenset(section.start for section in machine.program.sections)
        self.used: dict[tuple[int, int], int] = {}
        self.chance = Chance(seed)
        self.waiting: dict[int, list[tuple[State, Stretch | None]]] = {}
        self.different: dict[int, set[tuple[int, ...]]] = {}
        self.sections: list[tuple[int, int]] = []

    def run(self, entrance: Entrance) -> None:
        self._arrive(entrance.block, self.machine.initial(entrance), None)
        while self.sections:
            _, block = heapq.heappop(self.sections)
            arrived = self.waiting.pop(block, [])
            most, patience = max(self.beam.plays, len(arrived)), max(_PATIENCE, len(arrived))
            made = fruitless = 0
            while arrived and made < most and fruitless < patience:
                state, before = arrived[made % len(arrived)]
                found = self.seen.merge(self._play(entrance.name, block, list(state), before))
                made, fruitless = made + 1, 0 if found else fruitless + 1

    def _arrive(self, block: int, state: State, before: Stretch | None) -> None:
        """Keep a state that arrives at a section, if it differs from those that did, and there are not enough of them."""
        known = self.different.setdefault(block, set())
        key = tuple([state[v] for v in self.beam.live(block)])
        if key in known or len(known) >= self.beam.width:
            return
        known.add(key)
        if block not in self.waiting:
            self.waiting[block] = []
            heapq.heappush(self.sections, (self.beam.rank(block), block))
        self.waiting[block].append((state, before))

    def _play(self, entrance: str, block: int, state: State, before: Stretch | None) -> Stretch:
        """Play until the next section begins, or play stops."""
        made = 0 if before is None else before.made + len(before.decisions)
        stretch = Stretch(entrance, before, made, [], [[block]], state)
        path, first, steps = stretch.trail[0], block, self.machine.steps
        while True:
            following = steps[block](state)
            if following < 0:
                if isinstance(self.machine.program.blocks[~following].exit, Stop) or made + len(stretch.decisions) >= MOST_DECISIONS:
                    return stretch
                decided, self.chance = steered(self.machine, state, ~following, self.chance, self.used)
                stretch.decisions.append(decided)
                following = self.machine.take(state, ~following, decided)
                path = []
                stretch.trail.append(path)
            block = following
            if block in self.starts and block != first:
                self._arrive(block, state, stretch)
                return stretch
            path.append(block)


def steered(machine: Machine, state: State, rest: int, chance: Chance, used: dict[tuple[int, int], int]) -> tuple[int, Chance]:
    """The open option that was taken least, among equals a random one; it is counted. Numbers are named at random."""
    open_ = machine.options(state, rest)
    start, chance = chance.below(len(open_))
    if isinstance(machine.program.blocks[rest].exit, Range):
        return open_[start], chance
    decided = min(open_[start:] + open_[:start], key=lambda option: used.get((rest, option), 0))
    used[(rest, decided)] = used.get((rest, decided), 0) + 1
    return decided, chance


def plays(machine: Machine, entrance: Entrance, number: int, seed: int = 1) -> Iterator[tuple[int, State]]:
    """Whole plays, steered to what was taken least: the block at which each stopped, and its last values."""
    chance, used = Chance(seed), dict[tuple[int, int], int]()
    for _ in range(number):
        state = machine.initial(entrance)
        rest = machine.run_fast(state, entrance.block)
        for _ in range(MOST_DECISIONS):
            if isinstance(machine.program.blocks[rest].exit, Stop):
                break
            decided, chance = steered(machine, state, rest, chance, used)
            rest = machine.run_fast(state, machine.take(state, rest, decided))
        yield rest, state

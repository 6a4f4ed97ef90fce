"""A second opinion on a small book: everything that any play can come to, found by trying it all with the engine. Nothing is proven here.

It shares no code with the prover: no slicing, no terms, no solver, no unrolling. States are whole, and each is visited once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Branch, Cases, Choose, Cond, Entrance, Range, Stop
from plainchant.play.machine import Machine
from plainchant.records import Changing, field

Node = tuple[int, tuple[int, ...]]
"""A block at which play arrives, with all values."""

_VALUES = Values()


class TooLarge(Exception):
    """The book has more states than were to be looked at."""


def holds(condition: Cond, values: Sequence[int]) -> bool:
    """Whether a condition holds in a state."""
    return truth(condition, values.__getitem__, _VALUES)


class Everything(Changing, dict=True):
    """All plays from one entrance: each node with the ways that lead on from it, `inside` the values when its block was carried out."""

    machine: Machine
    entrance: Entrance
    most: int = 20_000
    following: dict[Node, list[tuple[int, Node]]] = field(default_factory=dict)
    inside: dict[Node, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.first: Node = (self.entrance.block, tuple(self.machine.initial(self.entrance)))
        waiting = [self.first]
        while waiting:
            node = waiting.pop()
            if node not in self.following:
                if len(self.following) >= self.most:
                    raise TooLarge
                self.following[node] = list(self._ways(node))
                waiting += [after for _, after in self.following[node]]

    def _ways(self, node: Node) -> Iterator[tuple[int, Node]]:
        block, values = node
        state = list(values)
        target = self.machine.step(state, block)
        self.inside[node] = tuple(state)
        exit_ = self.machine.program.blocks[block].exit
        if target >= 0:
            yield self._way(exit_, state), (target, tuple(state))
        elif not isinstance(exit_, Stop):
            open_ = self.machine.options(state, block)
            assert open_, "people are asked, and may answer nothing"
            for option in open_:
                after = list(state)
                following = self.machine.take(after, block, option)
                yield 0 if isinstance(exit_, Range) else option, (following, tuple(after))

    @staticmethod
    def _way(exit_: object, state: Sequence[int]) -> int:
        if isinstance(exit_, Branch):
            return 0 if holds(exit_.condition, state) else 1
        if isinstance(exit_, Cases):
            return next((i for i, case in enumerate(exit_.cases) if holds(case.condition, state)), len(exit_.cases))
        return 0

    # ------------------------------------------------------------ what can be looked up

    def arrivals(self, block: int) -> list[Node]:
        """The nodes at a block."""
        return [node for node in self.following if node[0] == block]

    def passes(self, block: int, way: int) -> list[Node]:
        """The nodes from which a block is left by a way."""
        return [node for node, ways in self.following.items() if node[0] == block and any(taken == way for taken, _ in ways)]

    def stops(self, kind: str = "end") -> list[Node]:
        """Where play stops in this way."""
        return [node for node in self.following if self.stopped(node) == kind]

    def stopped(self, node: Node) -> str:
        """In which way play stops at a node; empty if it goes on."""
        exit_ = self.machine.program.blocks[node[0]].exit
        return exit_.kind if isinstance(exit_, Stop) else ""

    def finals(self, kinds: Iterable[str] = ("end",)) -> list[tuple[int, ...]]:
        """The values with which play stops."""
        return [self.inside[node] for kind in kinds for node in self.stops(kind)]

    def after(self, nodes: Iterable[Node]) -> set[Node]:
        """All nodes that can follow, with those themselves."""
        found = set(nodes)
        waiting = list(found)
        while waiting:
            for _, node in self.following[waiting.pop()]:
                if node not in found:
                    found.add(node)
                    waiting.append(node)
        return found

    def before(self, nodes: Iterable[Node]) -> set[Node]:
        """All nodes from which one of those can follow, with those themselves."""
        found = set(nodes)
        sources: dict[Node, list[Node]] = {}
        for source, ways in self.following.items():
            for _, target in ways:
                sources.setdefault(target, []).append(source)
        waiting = list(found)
        while waiting:
            for node in sources.get(waiting.pop(), ()):
                if node not in found:
                    found.add(node)
                    waiting.append(node)
        return found

    def can_ensure(self, goal: Callable[[Node], bool | None]) -> bool:
        """Whether the players can force the goal: `goal` settles a node (True, False) or leaves it open (None).

        The least set of nodes that are won; a play that goes round for ever is not.
        """
        won = {node for node in self.following if goal(node)}
        grown = True
        while grown:
            grown = False
            for node, ways in self.following.items():
                if node in won or goal(node) is not None or not ways:
                    continue
                exit_ = self.machine.program.blocks[node[0]].exit
                players = isinstance(exit_, Choose) and exit_.chooser == "players"
                if (any if players else all)(after in won for _, after in ways):
                    won.add(node)
                    grown = True
        return self.first in won

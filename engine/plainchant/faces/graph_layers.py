"""Layers for the boxes of a drawing, and an order within them in which few lines cross (Sugiyama, Tagawa, Toda 1981).

Every second layer holds boxes; between them stand the labels of lines, which have their places like boxes, so that nothing overlaps.
A line that passes several layers bends only at points that stand in these layers too; lines to the same box share their points.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

from plainchant.records import Changing, Frozen, field

GAP_BOX, GAP_LABEL, GAP_BEND = 26.0, 14.0, 18.0
SWEEPS = 24


class Box(Frozen):
    """A box to be placed: its size, and the number of its band."""

    width: float
    height: float
    band: int


class Line(Frozen):
    """A line from a box to another. Lines of one `sort` to the same box may run together; `label` is the size of its label, or None."""

    source: int
    target: int
    label: tuple[float, float] | None = None
    sort: Hashable = ""


# ---------------------------------------------------------------- layers


class Layering(Changing):
    """Items (first the boxes, then labels and bends) with their layers and sizes, and the chains of items that the lines pass.

    A trunk is a run of bends in neighbouring layers, which lines that run together share.
    """

    layer: list[int]
    size: list[tuple[float, float]]
    gap: list[float]
    chains: list[list[int]] = field(default_factory=list)
    trunks: dict[Hashable, list[int]] = field(default_factory=dict)
    band_layers: list[tuple[int, int]] = field(default_factory=list)

    def add(self, layer: int, size: tuple[float, float], gap: float) -> int:
        self.layer.append(layer)
        self.size.append(size)
        self.gap.append(gap)
        return len(self.layer) - 1

    @property
    def links(self) -> list[tuple[int, int]]:
        """Pairs of items in neighbouring layers that a line joins, the upper one first, each once."""
        pairs = ((a, b) for chain in self.chains for a, b in pairwise(chain))
        return list(dict.fromkeys((a, b) if self.layer[a] < self.layer[b] else (b, a) for a, b in pairs))


def layered(boxes: Sequence[Box], lines: Sequence[Line], bands: int) -> Layering:
    ranks: list[int] = [0] * len(boxes)
    band_layers = []
    first = 0
    for band in range(bands):
        inside = [i for i, box in enumerate(boxes) if box.band == band]
        own = _ranks(inside, [(line.source, line.target) for line in lines])
        for box, rank in own.items():
            ranks[box] = first + rank
        deep = max(own.values(), default=0) + 1
        band_layers.append((2 * first, 2 * (first + deep) - 1))
        first += deep
    layering = Layering([2 * rank for rank in ranks], [(b.width, b.height) for b in boxes], [GAP_BOX] * len(boxes))
    layering.band_layers = band_layers
    shared: dict[tuple[Hashable, int], int] = {}
    for number, line in enumerate(lines):
        layering.chains.append(_chain(layering, number, line, shared))
    return layering


def _ranks(inside: Sequence[int], lines: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Ranks within a band: each box below all that lead to it, and chains from a beginning right above where they lead to."""
    members = set(inside)
    out: dict[int, list[int]] = {box: [] for box in inside}
    for a, b in lines:
        if a in members and b in members and a != b:
            out[a].append(b)
    order = _downward(inside, out)
    position = {box: i for i, box in enumerate(order)}
    ranks = dict.fromkeys(inside, 0)
    down = {box: [other for other in out[box] if position[other] > position[box]] for box in order}
    held: set[int] = set()
    for box in order:
        for other in down[box]:
            ranks[other] = max(ranks[other], ranks[box] + 1)
            if box in held or len(down[box]) > 1:
                held.add(other)
    for box in reversed(order):
        if box not in held and down[box]:
            ranks[box] = min(ranks[other] for other in down[box]) - 1
    joined = {box for a, targets in out.items() for b in targets for box in (a, b)}
    for box in inside:
        if box not in joined:
            taken = [rank for other, rank in ranks.items() if other in joined]
            ranks[box] = min(range(max(taken, default=0) + 1), key=lambda rank: (taken.count(rank), rank))
            joined.add(box)
    return ranks


def _downward(inside: Sequence[int], out: dict[int, list[int]]) -> list[int]:
    """An order in which lines lead forward, but for those that close a circle (depth-first, without recursion)."""
    found: list[int] = []
    seen: set[int] = set()
    led_to = {b for targets in out.values() for b in targets}
    for root in [*(box for box in inside if box not in led_to), *inside]:
        if root in seen:
            continue
        seen.add(root)
        work = [(root, iter(reversed(out[root])))]
        while work:
            box, following = work[-1]
            after = next((b for b in following if b not in seen), None)
            if after is None:
                found.append(box)
                work.pop()
            else:
                seen.add(after)
                work.append((after, iter(reversed(out[after]))))
    return found[::-1]


def _chain(layering: Layering, number: int, line: Line, shared: dict[tuple[Hashable, int], int]) -> list[int]:
    """The items that a line passes, from source to target."""
    if line.source == line.target:
        return []
    down = layering.layer[line.source] < layering.layer[line.target]
    top, bottom = (line.source, line.target) if down else (line.target, line.source)
    chain = [top]
    for layer in range(layering.layer[top] + 1, layering.layer[bottom]):
        if line.label is not None and len(chain) == 1:
            chain.append(layering.add(layer, line.label, GAP_LABEL))
            continue
        trunk: Hashable = (bottom, line.sort) if down else number
        if (trunk, layer) not in shared:
            shared[trunk, layer] = layering.add(layer, (0.0, 0.0), GAP_BEND)
            layering.trunks.setdefault(trunk, []).append(shared[trunk, layer])
        chain.append(shared[trunk, layer])
    chain.append(bottom)
    return chain if down else chain[::-1]


# ---------------------------------------------------------------- order within the layers


def ordered(layering: Layering) -> list[list[int]]:
    """The items of each layer from left to right, with few crossings: sweeps by barycentres, and neighbours exchanged."""
    count = max(layering.layer, default=-1) + 1
    above: dict[int, list[int]] = {i: [] for i in range(len(layering.layer))}
    below: dict[int, list[int]] = {i: [] for i in range(len(layering.layer))}
    for a, b in layering.links:
        below[a].append(b)
        above[b].append(a)
    layers: list[list[int]] = [[] for _ in range(count)]
    for item, number in enumerate(layering.layer):
        layers[number].append(item)
    best, fewest = [list(layer) for layer in layers], _all_crossings(layers, below)
    for sweep in range(SWEEPS):
        downward = sweep % 2 == 0
        for layer in layers[1:] if downward else reversed(layers[:-1]):
            _by_barycentre(layer, above if downward else below, layers, layering)
        _exchange(layers, above, below)
        crossings = _all_crossings(layers, below)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return best


def _by_barycentre(layer: list[int], beside: dict[int, list[int]], layers: list[list[int]], layering: Layering) -> None:
    position: dict[int, int] = {}
    for neighbour in {layering.layer[n] for item in layer for n in beside[item]}:
        position |= {item: i for i, item in enumerate(layers[neighbour])}
    # What has no neighbour on this side keeps its place among the others.
    own = {item: float(i) for i, item in enumerate(layer)}
    keys = {item: sum(position[n] for n in beside[item]) / len(beside[item]) if beside[item] else None for item in layer}
    placed_ones = sorted((item for item in layer if keys[item] is not None), key=lambda i: (keys[i], own[i]))
    following = iter(placed_ones)
    layer[:] = [item if keys[item] is None else next(following) for item in layer]


def _exchange(layers: list[list[int]], above: dict[int, list[int]], below: dict[int, list[int]]) -> None:
    """Exchange neighbours as long as that saves crossings."""
    saved = True
    while saved:
        saved = False
        position = {item: i for layer in layers for i, item in enumerate(layer)}
        for layer in layers:
            for i in range(len(layer) - 1):
                a, b = layer[i], layer[i + 1]
                now = sum(_pair(beside[a], beside[b], position) for beside in (above, below))
                then = sum(_pair(beside[b], beside[a], position) for beside in (above, below))
                if then < now:
                    layer[i], layer[i + 1] = b, a
                    position[a], position[b] = i + 1, i
                    saved = True


def _pair(left: list[int], right: list[int], position: dict[int, int]) -> int:
    return sum(1 for a in left for b in right if position[a] > position[b])


def _all_crossings(layers: list[list[int]], below: dict[int, list[int]]) -> int:
    position = {item: i for layer in layers for i, item in enumerate(layer)}
    total = 0
    for layer in layers:
        ends: list[int] = []
        for item in layer:
            own = [position[n] for n in below[item]]
            total += sum(1 for end in own for other in ends if other > end)
            ends += own
    return total

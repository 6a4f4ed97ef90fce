"""Places for the boxes of a layered drawing, and routes for its lines, with one band for each group of boxes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from plainchant.faces.graph_layers import Box, Layering, Line, layered, ordered
from plainchant.records import Frozen

LEAST_RISE, MOST_RISE = 20.0, 64.0
BAND_ABOVE, BAND_BELOW = 26.0, 22.0
SETTLES = 120
TO_THE_MIDDLE = 0.003


class Place(Frozen):
    """A rectangle by its middle and its size."""

    x: float
    y: float
    width: float
    height: float


class Layout(Frozen):
    """Places in the order of what was given; a route lists (x, top, bottom) from source to target: the line runs upright there.

    It begins and ends at the edges of its boxes. A line from a box to itself has an empty route.
    `bands` are the upper and lower edges of the bands. All places are right of and below the origin.
    """

    boxes: tuple[Place, ...]
    labels: tuple[Place | None, ...]
    routes: tuple[tuple[tuple[float, float, float], ...], ...]
    bands: tuple[tuple[float, float], ...]
    width: float
    height: float


def placed(boxes: Sequence[Box], lines: Sequence[Line], bands: int) -> Layout:
    """The layout of a graph; the same for the same input."""
    layering = layered(boxes, lines, bands)
    layers = ordered(layering)
    x = _settled(layering, layers, len(boxes))
    return _measured(len(boxes), lines, layering, layers, x)


# ---------------------------------------------------------------- places


def _settled(layering: Layering, layers: list[list[int]], boxes: int) -> list[float]:
    """The middle of each item: as near to its neighbours as the order and the sizes allow."""
    pulls: list[list[tuple[int, float]]] = [[] for _ in layering.layer]
    for a, b in layering.links:
        weight = (1.0, 3.0, 12.0)[(a >= boxes) + (b >= boxes)]
        pulls[a].append((b, weight))
        pulls[b].append((a, weight))
    x = [0.0] * len(layering.layer)
    for layer in layers:
        _pack(layer, [0.0] * len(layer), [1.0] * len(layer), layering, x)
    for turn in range(SETTLES):
        only = (-1, 1)[turn % 2] if turn < SETTLES // 3 else 0
        upright = turn > SETTLES // 2
        average = sum(x) / max(len(x), 1)
        for layer in layers if turn % 2 == 0 else reversed(layers):
            wanted, weights = [], []
            for item in layer:
                near = [(n, w) for n, w in pulls[item] if not only or layering.layer[n] - layering.layer[item] == only]
                # At last distances count instead of their squares (by reweighting): few lines lean much, rather than all a little.
                near = [(n, w / max(abs(x[n] - x[item]), 0.5)) for n, w in near] if upright else near
                # A weak pull to the middle keeps bands below each other.
                total = sum(w for _, w in near) + TO_THE_MIDDLE
                wanted.append((sum(x[n] * w for n, w in near) + average * TO_THE_MIDDLE) / total)
                weights.append(total)
            _pack(layer, wanted, weights, layering, x)
    for trunk in layering.trunks.values():
        _straighten(trunk, layering, layers, x, pulls)
    return x


def _straighten(
    trunk: list[int], layering: Layering, layers: list[list[int]], x: list[float], pulls: list[list[tuple[int, float]]]
) -> None:  # fmt: skip
    """Set the bends of a trunk upright, in as few pieces as their neighbours allow, each as near to its lower end as it can."""
    piece: list[int] = []
    low, high = float("-inf"), float("inf")
    for item in [*sorted(trunk, key=lambda i: -layering.layer[i]), None]:
        if item is not None:
            left, right = _free(item, layering, layers, x)
            if max(low, left) <= min(high, right):
                piece.append(item)
                low, high = max(low, left), min(high, right)
                continue
        below = [x[n] for n, _ in pulls[piece[0]] if layering.layer[n] > layering.layer[piece[0]]]
        for i in piece:
            x[i] = min(max(below[0], low), high)
        if item is not None:
            piece, (low, high) = [item], (left, right)


def _free(item: int, layering: Layering, layers: list[list[int]], x: list[float]) -> tuple[float, float]:
    """Between which places an item can move without touching its neighbours."""
    layer = layers[layering.layer[item]]
    at = layer.index(item)
    left = x[layer[at - 1]] + _room(layering, layer[at - 1], item) if at else float("-inf")
    right = x[layer[at + 1]] - _room(layering, item, layer[at + 1]) if at + 1 < len(layer) else float("inf")
    return min(left, x[item]), max(right, x[item])


def _pack(layer: list[int], wanted: list[float], weights: list[float], layering: Layering, x: list[float]) -> None:
    """Places in the given order, without overlaps, nearest to what is wanted (least squares: pool adjacent violators)."""
    offsets = [0.0] * min(len(layer), 1)
    for a, b in pairwise(layer):
        offsets.append(offsets[-1] + _room(layering, a, b))
    blocks: list[tuple[float, float, int]] = []  # mean, weight, number of items
    for offset, want, weight in zip(offsets, wanted, weights, strict=True):
        mean, heavy, count = want - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, other_heavy, other_count = blocks.pop()
            mean = (mean * heavy + other * other_heavy) / (heavy + other_heavy)
            heavy, count = heavy + other_heavy, count + other_count
        blocks.append((mean, heavy, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    for item, mean, offset in zip(layer, means, offsets, strict=True):
        x[item] = mean + offset


def _room(layering: Layering, a: int, b: int) -> float:
    """How far the middles of two neighbours must be apart."""
    return (layering.size[a][0] + layering.size[b][0]) / 2 + max(layering.gap[a], layering.gap[b])


def _measured(boxes: int, lines: Sequence[Line], layering: Layering, layers: list[list[int]], x: list[float]) -> Layout:
    """Heights of the layers, and everything moved to the right of the origin."""
    left = min((x[i] - layering.size[i][0] / 2 for i in range(len(x))), default=0.0)
    right = max((x[i] + layering.size[i][0] / 2 for i in range(len(x))), default=0.0)
    x = [value - left for value in x]
    wide = [0.0] * len(layers)
    for a, b in layering.links:
        wide[layering.layer[b]] = max(wide[layering.layer[b]], abs(x[a] - x[b]))
    starts = {low for low, _ in layering.band_layers}

    def flat(number: int) -> bool:
        return number > 0 and all(layering.size[item][1] == 0 for item in layers[number])

    tops, bottoms, y = [], [], 0.0
    for number, layer in enumerate(layers):
        rise = min(LEAST_RISE + 0.09 * wide[number], MOST_RISE) if number else 0.0
        if flat(number) or flat(number - 1):
            rise *= 0.6
        y += max(rise, BAND_ABOVE + BAND_BELOW) if number in starts and number else rise
        y += BAND_ABOVE if number == 0 else 0.0
        tops.append(y)
        y += max((layering.size[item][1] for item in layer), default=0.0)
        bottoms.append(y)
    ends = [*tops, y + BAND_BELOW + BAND_ABOVE]
    edges = [(tops[low] - BAND_ABOVE, ends[min(high + 1, len(tops))] - BAND_ABOVE) for low, high in layering.band_layers]
    middle = [(top + bottom) / 2 for top, bottom in zip(tops, bottoms, strict=True)]
    places = [Place(x[i], middle[layering.layer[i]], *layering.size[i]) for i in range(len(x))]
    chained = zip(lines, layering.chains, strict=True)
    labels = [places[_label_of(layering, chain)] if line.label and chain else None for line, chain in chained]
    ports = _ports(layering, lines, x)
    routes = []
    for number, chain in enumerate(layering.chains):
        spans = [(ports.get((number, i), x[i]), tops[layering.layer[i]], bottoms[layering.layer[i]]) for i in chain]
        for end, beside in ((0, 1), (-1, -2)) if chain else ():
            # Upright from the edge of its box to the edge of its layer, so that it passes beside taller boxes.
            at, top, bottom = spans[end]
            box = places[chain[end]]
            below = layering.layer[chain[beside]] > layering.layer[chain[end]]
            spans[end] = (at, box.y + box.height / 2, bottom) if below else (at, top, box.y - box.height / 2)
        routes.append(tuple(spans))
    height = edges[-1][1] if edges else 0.0
    return Layout(tuple(places[:boxes]), tuple(labels), tuple(routes), tuple(edges), right - left, height)


def _ports(layering: Layering, lines: Sequence[Line], x: list[float]) -> dict[tuple[int, int], float]:
    """Where lines leave and enter their boxes: side by side, those that run together at one place."""
    sides: dict[tuple[int, bool], dict[Hashable, list[tuple[float, int]]]] = {}
    for number, chain in enumerate(layering.chains):
        if chain:
            for box, beside in ((chain[0], chain[1]), (chain[-1], chain[-2])):
                below = layering.layer[beside] > layering.layer[box]
                arrives = box == chain[-1]
                key: Hashable = ("in", lines[number].sort) if arrives else ("out", beside)
                sides.setdefault((box, below), {}).setdefault(key, []).append((x[beside], number))
    ports = {}
    for (box, _), groups in sides.items():
        in_order = sorted(groups.values(), key=lambda group: (sum(at for at, _ in group) / len(group), group[0][1]))
        step = min(24.0, (layering.size[box][0] - 24.0) / max(len(in_order) - 1, 1))
        for i, group in enumerate(in_order):
            for _, number in group:
                ports[number, box] = x[box] + (i - (len(in_order) - 1) / 2) * step
    return ports


def _label_of(layering: Layering, chain: list[int]) -> int:
    """The item of a line's label: the one right below the upper box."""
    return chain[1] if layering.layer[chain[0]] < layering.layer[chain[-1]] else chain[-2]

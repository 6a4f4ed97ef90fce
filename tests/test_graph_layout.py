"""Layouts of graphs: any graph is laid out legibly."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from plainchant.faces.graph_layers import Box, Line
from plainchant.faces.graph_layout import Layout, Place, placed


def touching(a: Place, b: Place) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 - 0.01 and abs(a.y - b.y) < (a.height + b.height) / 2 - 0.01


def assert_legible(layout: Layout, lines: list[Line]) -> None:
    """No box or label lies on another, and no line passes through a box or another's label."""
    rectangles = [*((place, None) for place in layout.boxes), *((place, i) for i, place in enumerate(layout.labels) if place is not None)]
    for i, (first, _) in enumerate(rectangles):
        assert first.x - first.width / 2 >= -0.01 and first.x + first.width / 2 <= layout.width + 0.01
        assert not any(touching(first, second) for second, _ in rectangles[:i])
    for number, route in enumerate(layout.routes):
        obstacles = [place for place, label in rectangles if label != number]
        for stretch in stretches(route):
            assert not any(touching(stretch, place) for place in obstacles), (number, stretch)


def stretches(route: tuple[tuple[float, float, float], ...]) -> Iterator[Place]:
    """Rectangles in which a line runs: thin where it is upright, and between."""
    down = len(route) > 1 and route[-1][1] > route[0][1]
    last = None
    for x, top, bottom in route:
        near, far = (top, bottom) if down else (bottom, top)
        yield Place(x, (near + far) / 2, 0.1, abs(far - near))
        if last is not None:
            assert (last[1] <= near + 0.01) if down else (last[1] >= near - 0.01)
            yield Place((x + last[0]) / 2, (near + last[1]) / 2, abs(x - last[0]) + 0.1, abs(near - last[1]))
        last = (x, far)


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[Box], list[Line], int]:
    bands = draw(st.integers(1, 4))
    sizes = st.floats(20, 200)
    own = [Box(draw(sizes), draw(sizes), band) for band in range(bands)]
    boxes = own + draw(st.lists(st.builds(Box, sizes, sizes, st.integers(0, bands - 1)), max_size=12))
    ends = st.integers(0, len(boxes) - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=25, unique=True))
    label = st.none() | st.tuples(sizes, sizes)
    return boxes, [Line(a, b, draw(label), draw(st.sampled_from("ab"))) for a, b in pairs], bands


@given(drawings())
def test_any_graph_is_laid_out_legibly(drawing: tuple[list[Box], list[Line], int]) -> None:
    boxes, lines, bands = drawing
    layout = placed(boxes, lines, bands)
    assert_legible(layout, lines)
    assert layout == placed(boxes, lines, bands)
    for box, place in zip(boxes, layout.boxes, strict=True):
        low, high = layout.bands[box.band]
        assert low <= place.y - place.height / 2 and place.y + place.height / 2 <= high
    assert all(above[1] <= below[0] + 0.01 for above, below in zip(layout.bands, layout.bands[1:], strict=False))
    for line, route, place in zip(lines, layout.routes, layout.labels, strict=True):
        assert bool(route) == (line.source != line.target)
        assert (place is not None) == (line.label is not None and bool(route))


def test_a_line_leads_downward_unless_it_closes_a_circle() -> None:
    boxes = [Box(50, 30, 0) for _ in range(4)]
    layout = placed(boxes, [Line(0, 1), Line(1, 2), Line(2, 0), Line(0, 3), Line(3, 2)], 1)
    first, second, third, fourth = (place.y for place in layout.boxes)
    assert first < second < third and first < fourth < third


def test_nothing_is_laid_out_as_nothing() -> None:
    assert placed([], [], 0) == Layout((), (), (), (), 0.0, 0.0)

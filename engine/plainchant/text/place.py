"""Places: a stretch of a file, and the printed lines of a source. Everything that is shown speaks of these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from plainchant.records import Frozen, PartlyCompared, compared, values_of


class Span(Frozen):
    """A stretch of a file: lines and columns count from 1, the end column is one past the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span("", 0, 0, 0, 0)


class Node(PartlyCompared, kw_only=True):
    """What every node of a tree has: its place, which makes no difference to equality."""

    APART = frozenset({"span"})

    span: Span = NOWHERE


def children(node: Node, *, cites: bool = False) -> tuple[object, ...]:
    """What a node says, in its order: everything but its place, and but the lines that it cites, if these are not wanted."""
    return _values(type(node), cites)(node)


@cache
def _values(kind: type[Node], cites: bool) -> Callable[[object], tuple[Any, ...]]:
    return values_of([name for name in compared(kind) if cites or name != "cites"])


class Cite(Node):
    """Printed lines of a source: ranges of line numbers, both ends included; source None is the book's own."""

    source: str | None
    ranges: tuple[tuple[int, int], ...]


def cite_text(cite: Cite) -> str:
    """A citation as the language writes it: `@tcu:37-40,52`."""
    ranges = ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in cite.ranges)
    return f"@{cite.source}:{ranges}" if cite.source else f"@{ranges}"

"""Places: a stretch of a file, and the printed lines of a source. Everything that is shown speaks of these."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: lines and columns count from 1, the end column is one past the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Node:
    """What every node of a tree has: its place, which makes no difference to equality."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Cite(Node):
    """Printed lines of a source: ranges of line numbers, both ends included; source None is the book's own."""

    source: str | None
    ranges: tuple[tuple[int, int], ...]


def cite_text(cite: Cite) -> str:
    """A citation as the language writes it: `@tcu:37-40,52`."""
    ranges = ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in cite.ranges)
    return f"@{cite.source}:{ranges}" if cite.source else f"@{ranges}"

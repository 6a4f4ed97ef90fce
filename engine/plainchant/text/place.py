"""Places: a stretch of a file, and the printed lines of a source. Everything that is shown speaks of these."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, TypeVar, dataclass_transform


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: lines and columns count from 1, the end column is one past the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """What every node of a tree has: its place, which makes no difference to equality."""

    span: Span = field(default=NOWHERE, compare=False, kw_only=True)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return children(self, cites=True) == children(other, cites=True)

    def __hash__(self) -> int:
        return hash((type(self), *children(self, cites=True)))

    def __repr__(self) -> str:
        kind: Any = type(self)
        return f"{kind.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in _names(kind, True))})"


_N = TypeVar("_N", bound=Node)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[_N]) -> type[_N]:
    """Make a class one of nodes: a frozen dataclass, compared, hashed and shown as Node says. Methods of its own for that, in each of a
    hundred classes, would take a third of the time that it takes to load them all."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(kind)


def children(node: Node, *, cites: bool = False) -> list[object]:
    """What a node says, in its order: everything but its place, and but the lines that it cites, if these are not wanted."""
    kind: Any = type(node)
    return [getattr(node, name) for name in _names(kind, cites)]


@cache
def _names(kind: Any, cites: bool) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.compare and (cites or one.name != "cites"))


@dataclass(frozen=True, slots=True)
class Cite(Node):
    """Printed lines of a source: ranges of line numbers, both ends included; source None is the book's own."""

    source: str | None
    ranges: tuple[tuple[int, int], ...]


def cite_text(cite: Cite) -> str:
    """A citation as the language writes it: `@tcu:37-40,52`."""
    ranges = ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in cite.ranges)
    return f"@{cite.source}:{ranges}" if cite.source else f"@{ranges}"

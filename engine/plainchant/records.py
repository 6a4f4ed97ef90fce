"""What all records of Plainchant are made of: named fields, set when the record is made; most are never changed any more.

Two hundred dataclasses would take a third of the time in which a book is read only to come into being: Python writes the methods of
each as text and compiles them, in every process anew. msgspec has these methods once, in C, for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, dataclass_transform

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["Changing", "Frozen", "PartlyCompared", "compared", "field", "replace", "values_of"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A record: its fields are set when it is made; equal, and the same key of a dict, is what has the same class and fields.

    `dict=True` lets a class keep what it has worked out of its fields (functools.cached_property).
    """


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class PartlyCompared(Frozen, eq=False):
    """A record of which the fields that are named in APART make no difference to equality, and are not shown."""

    APART: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = _values(type(self))
        return values(self) == values(other)

    def __hash__(self) -> int:
        kind = type(self)
        return hash((kind, _values(kind)(self)))

    def __repr__(self) -> str:
        kind = type(self)
        return f"{kind.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in compared(kind))})"


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Changing(Struct, eq=False):
    """A record of something under way, whose fields change; it is equal to nothing but itself. `dict=True` as above, and for what it has
    beside its fields."""


@cache
def compared(kind: type[PartlyCompared]) -> tuple[str, ...]:
    """The names of the fields that make a difference to equality, in their order."""
    return tuple(name for name in kind.__struct_fields__ if name not in kind.APART)


@cache
def _values(kind: type[PartlyCompared]) -> Callable[[PartlyCompared], tuple[Any, ...]]:
    return values_of(compared(kind))


def values_of(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """What gives the values of these fields of a record."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple([getattr(record, name) for name in names])

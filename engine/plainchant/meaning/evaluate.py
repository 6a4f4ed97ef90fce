"""The one meaning of the kernel: its evaluator, written over a domain of values.

The engine runs it on Python source (so that a program is compiled once), the tests on plain integers and on sets of possible values, the
prover on terms. Whatever a form of the kernel means is said here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from plainchant.meaning.kernel import (
    All,
    Cond,
    Const,
    Either,
    Equal,
    Less,
    Minus,
    Num,
    Opposite,
    Plus,
    Read,
    Set,
    Some,
    Truth,
)

N = TypeVar("N")
C = TypeVar("C")


class Domain(Protocol[N, C]):
    """Values of two sorts, numbers N and conditions C, with the operations that the kernel needs."""

    def number(self, value: int) -> N: ...
    def truth(self, value: bool) -> C: ...
    def plus(self, left: N, right: N) -> N: ...
    def minus(self, left: N, right: N) -> N: ...
    def either(self, condition: C, then: N, otherwise: N) -> N: ...
    def equal(self, left: N, right: N) -> C: ...
    def less(self, left: N, right: N) -> C: ...
    def all_of(self, items: Iterable[C]) -> C: ...
    def some_of(self, items: Iterable[C]) -> C: ...
    def opposite(self, item: C) -> C: ...
    def assigned(self, variable: int, value: N) -> N:
        """A variable takes a value; the domain may give it a name of its own and return that."""
        ...


def number(expression: Num, read: Callable[[int], N], domain: Domain[N, C]) -> N:
    """The value of a number expression, where `read` gives the variables' values."""
    match expression:
        case Const(value):
            return domain.number(value)
        case Read(variable):
            return read(variable)
        case Plus(left, right):
            return domain.plus(number(left, read, domain), number(right, read, domain))
        case Minus(left, right):
            return domain.minus(number(left, read, domain), number(right, read, domain))
        case Either(condition, then, otherwise):
            return domain.either(
                truth(condition, read, domain), number(then, read, domain), number(otherwise, read, domain)
            )  # fmt: skip
    raise TypeError(f"not a number expression: {expression!r}")


def truth(expression: Cond, read: Callable[[int], N], domain: Domain[N, C]) -> C:
    """The value of a condition, where `read` gives the variables' values."""
    match expression:
        case Truth(value):
            return domain.truth(value)
        case Equal(left, right):
            return domain.equal(number(left, read, domain), number(right, read, domain))
        case Less(left, right):
            return domain.less(number(left, read, domain), number(right, read, domain))
        case All(items):
            return domain.all_of(truth(item, read, domain) for item in items)
        case Some(items):
            return domain.some_of(truth(item, read, domain) for item in items)
        case Opposite(item):
            return domain.opposite(truth(item, read, domain))
    raise TypeError(f"not a condition: {expression!r}")


def carry_out(sets: Iterable[Set], read: Callable[[int], N], domain: Domain[N, C]) -> dict[int, N]:
    """Assignments in their order, each seeing the ones before it: the variables' new values."""
    new: dict[int, N] = {}

    def latest(variable: int) -> N:
        return new[variable] if variable in new else read(variable)

    for assignment in sets:
        value = number(assignment.value, latest, domain)
        new[assignment.variable] = domain.assigned(assignment.variable, value)
    return new

"""Four domains for the evaluator: plain values, values that are computed later (as functions, or as Python text), what is surely known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter


class Values:
    """Numbers are ints, conditions are bools."""

    def number(self, value: int) -> int:
        return value

    def truth(self, value: bool) -> bool:
        return value

    def plus(self, left: int, right: int) -> int:
        return left + right

    def minus(self, left: int, right: int) -> int:
        return left - right

    def either(self, condition: bool, then: int, otherwise: int) -> int:
        return then if condition else otherwise

    def equal(self, left: int, right: int) -> bool:
        return left == right

    def less(self, left: int, right: int) -> bool:
        return left < right

    def all_of(self, items: Iterable[bool]) -> bool:
        return all(items)

    def some_of(self, items: Iterable[bool]) -> bool:
        return any(items)

    def opposite(self, item: bool) -> bool:
        return not item

    def assigned(self, variable: int, value: int) -> int:
        return value


Number = Callable[[list[int]], int]
Condition = Callable[[list[int]], bool]


class Functions:
    """Numbers and conditions are functions of a state, the list of all variables' values; `made` are the assignments, in their order."""

    def __init__(self) -> None:
        self.made: list[tuple[int, Number]] = []
        self._constants: dict[Number, int] = {}

    def read(self, variable: int) -> Number:
        """The function that looks a variable up."""
        return itemgetter(variable)

    def number(self, value: int) -> Number:
        def same(_state: list[int]) -> int:
            return value

        self._constants[same] = value
        return same

    def truth(self, value: bool) -> Condition:
        return lambda _state: value

    def plus(self, left: Number, right: Number) -> Number:
        return lambda state: left(state) + right(state)

    def minus(self, left: Number, right: Number) -> Number:
        return lambda state: left(state) - right(state)

    def either(self, condition: Condition, then: Number, otherwise: Number) -> Number:
        return lambda state: then(state) if condition(state) else otherwise(state)

    def equal(self, left: Number, right: Number) -> Condition:
        if right in self._constants:  # most comparisons are with one
            value = self._constants[right]
            return lambda state: left(state) == value
        return lambda state: left(state) == right(state)

    def less(self, left: Number, right: Number) -> Condition:
        return lambda state: left(state) < right(state)

    def all_of(self, items: Iterable[Condition]) -> Condition:
        kept = tuple(items)
        return lambda state: all(item(state) for item in kept)

    def some_of(self, items: Iterable[Condition]) -> Condition:
        kept = tuple(items)
        return lambda state: any(item(state) for item in kept)

    def opposite(self, item: Condition) -> Condition:
        return lambda state: not item(state)

    def assigned(self, variable: int, value: Number) -> Number:
        self.made.append((variable, value))
        return self.read(variable)


class PythonText:
    """Numbers and conditions are Python expressions over the state `s`; assignments become lines of code in `lines`."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def read(self, variable: int) -> str:
        """The expression for a variable of the state."""
        return f"s[{variable}]"

    def number(self, value: int) -> str:
        return str(value) if value >= 0 else f"({value})"

    def truth(self, value: bool) -> str:
        return str(value)

    def plus(self, left: str, right: str) -> str:
        return f"({left} + {right})"

    def minus(self, left: str, right: str) -> str:
        return f"({left} - {right})"

    def either(self, condition: str, then: str, otherwise: str) -> str:
        return f"({then} if {condition} else {otherwise})"

    def equal(self, left: str, right: str) -> str:
        return f"{left} == {right}"

    def less(self, left: str, right: str) -> str:
        return f"{left} < {right}"

    def all_of(self, items: Iterable[str]) -> str:
        return "(" + (" and ".join(f"({item})" for item in items) or "True") + ")"

    def some_of(self, items: Iterable[str]) -> str:
        return "(" + (" or ".join(f"({item})" for item in items) or "False") + ")"

    def opposite(self, item: str) -> str:
        return f"(not ({item}))"

    def assigned(self, variable: int, value: str) -> str:
        self.lines.append(f"{self.read(variable)} = {value}")
        return self.read(variable)


NOTHING_KNOWN: None = None
"""Of a condition that may hold or not."""

Interval = tuple[int | None, int | None]
"""The least and the greatest that a number can be; None: no bound."""


class Between:
    """Numbers are intervals that surely hold the value, conditions are true, false or not known: for positions of which not all is told."""

    def number(self, value: int) -> Interval:
        return value, value

    def truth(self, value: bool) -> bool | None:
        return value

    def plus(self, left: Interval, right: Interval) -> Interval:
        return _sum(left[0], right[0]), _sum(left[1], right[1])

    def minus(self, left: Interval, right: Interval) -> Interval:
        return _sum(left[0], _less_than_nothing(right[1])), _sum(left[1], _less_than_nothing(right[0]))

    def either(self, condition: bool | None, then: Interval, otherwise: Interval) -> Interval:
        if condition is not NOTHING_KNOWN:
            return then if condition else otherwise
        low = None if then[0] is None or otherwise[0] is None else min(then[0], otherwise[0])
        high = None if then[1] is None or otherwise[1] is None else max(then[1], otherwise[1])
        return low, high

    def equal(self, left: Interval, right: Interval) -> bool | None:
        if self.less(left, right) or self.less(right, left):
            return False
        return True if None not in left and left == right and left[0] == left[1] else NOTHING_KNOWN

    def less(self, left: Interval, right: Interval) -> bool | None:
        if left[1] is not None and right[0] is not None and left[1] < right[0]:
            return True
        return False if left[0] is not None and right[1] is not None and left[0] >= right[1] else NOTHING_KNOWN

    def all_of(self, items: Iterable[bool | None]) -> bool | None:
        found = set(items)
        return False if False in found else NOTHING_KNOWN if NOTHING_KNOWN in found else True

    def some_of(self, items: Iterable[bool | None]) -> bool | None:
        found = set(items)
        return True if True in found else NOTHING_KNOWN if NOTHING_KNOWN in found else False

    def opposite(self, item: bool | None) -> bool | None:
        return NOTHING_KNOWN if item is NOTHING_KNOWN else not item

    def assigned(self, variable: int, value: Interval) -> Interval:
        return value


def _sum(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _less_than_nothing(value: int | None) -> int | None:
    return None if value is None else -value

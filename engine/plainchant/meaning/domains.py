"""Two domains for the evaluator: plain values, and Python source text (values that are computed later)."""

from __future__ import annotations

from collections.abc import Iterable


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

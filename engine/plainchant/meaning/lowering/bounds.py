"""How small and how large a number expression can be, by the declarations of what it reads."""

from __future__ import annotations

from plainchant.meaning.kernel import Const, Either, Minus, Num, Plus, Read
from plainchant.meaning.variables import Variables


def bounds(variables: Variables, value: Num) -> tuple[int | None, int | None]:
    """The least and the greatest that an expression can be, as far as the variables' declarations say (None: no bound)."""
    match value:
        case Const(number):
            return number, number
        case Read(variable):
            declared = variables.all[variable]
            return declared.low, declared.high
        case Plus(left, right):
            (a, b), (c, d) = bounds(variables, left), bounds(variables, right)
            return None if a is None or c is None else a + c, None if b is None or d is None else b + d
        case Minus(left, right):
            (a, b), (c, d) = bounds(variables, left), bounds(variables, right)
            return None if a is None or d is None else a - d, None if b is None or c is None else b - c
        case Either(_, then, otherwise):
            (a, b), (c, d) = bounds(variables, then), bounds(variables, otherwise)
            return None if a is None or c is None else min(a, c), None if b is None or d is None else max(b, d)
    return None, None

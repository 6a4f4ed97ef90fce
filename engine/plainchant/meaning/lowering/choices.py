"""Choices among members that only play knows, and comparisons by their signs."""

from __future__ import annotations

from plainchant.meaning.kernel import Cond, Const, Either, Equal, Less, Num, all_of, at_most, opposite, some_of


def in_one_case(cases: list[tuple[Cond, Cond]]) -> Cond:
    """That the case applies, and what holds in it."""
    return some_of(*(all_of(case, holds) for case, holds in cases))


def by_member(index: Num, choices: list[tuple[int, Num]]) -> Num:
    result: Num = choices[-1][1] if choices else Const(0)
    for position, value in reversed(choices[:-1]):
        result = Either(Equal(index, Const(position)), value, result)
    return result


def compared(operator: str, left: Num, right: Num) -> Cond:
    match operator:
        case "=":
            return Equal(left, right)
        case "!=":
            return opposite(Equal(left, right))
        case "<":
            return Less(left, right)
        case ">":
            return Less(right, left)
        case "<=":
            return at_most(left, right)
    return at_most(right, left)

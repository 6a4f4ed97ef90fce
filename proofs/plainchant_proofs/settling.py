"""Conditions about positions: that all they look at has been told, and what they would come to if an ambiguity were read so."""

from __future__ import annotations

from functools import partial

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
    Program,
    Read,
    Some,
    Truth,
    all_of,
    opposite,
    reads,
    settled,
    some_of,
)


def told(program: Program, condition: Cond) -> Cond:
    """The condition, in a position in which the table has told everything that it reads."""
    asked = [variable for variable in reads(condition) if program.variables[variable].asked]
    known = (opposite(Equal(Read(variable), Const(program.variables[variable].unknown))) for variable in asked)
    return all_of(condition, *known)


def differing(program: Program, condition: Cond, variable: int) -> Cond:
    """That in one position the condition holds under one answer to an ambiguity, and does not under another."""
    declared = program.variables[variable]
    ways = [taken_as(condition, variable, value) for value in range(declared.low, (declared.high or 0) + 1)]
    return all_of(told(program, some_of(*ways)), opposite(all_of(*ways)))


def taken_as(condition: Cond, variable: int, value: int) -> Cond:
    """The condition where the variable has this value."""
    again = partial(taken_as, variable=variable, value=value)
    side = partial(_number, variable=variable, value=value)
    match condition:
        case Equal(left, right):
            return settled(Equal(side(left), side(right)))
        case Less(left, right):
            return settled(Less(side(left), side(right)))
        case All(items):
            return all_of(*(again(item) for item in items))
        case Some(items):
            return some_of(*(again(item) for item in items))
        case Opposite(item):
            return opposite(again(item))
    return condition


def _number(expression: Num, variable: int, value: int) -> Num:
    side = partial(_number, variable=variable, value=value)
    match expression:
        case Read(read) if read == variable:
            return Const(value)
        case Plus(left, right):
            return Plus(side(left), side(right))
        case Minus(left, right):
            return Minus(side(left), side(right))
        case Either(condition, then, otherwise):
            known = taken_as(condition, variable, value)
            if isinstance(known, Truth):
                return side(then) if known.value else side(otherwise)
            return Either(known, side(then), side(otherwise))
    return expression

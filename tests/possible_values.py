"""A second domain for the one evaluator: sets of possible values, and with it what a whole program can ever hold at each of its blocks.

The result is an over-approximation: whatever a play holds at a block lies in it, so what it excludes can happen in no play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import product
from math import prod

from plainchant.meaning.evaluate import carry_out, truth
from plainchant.meaning.kernel import (
    All,
    Branch,
    Cases,
    Choose,
    Cond,
    Goto,
    Opposite,
    Program,
    Range,
    Set,
    Some,
    all_of,
    opposite,
    reads,
    successors,
)

MOST_VALUES = 128
"""A set that would grow larger becomes ANY: what accumulates without a bound is not followed."""

MOST_TRIED = 5_000
"""So many combinations of values are tried to see which of them a condition admits."""

Numbers = frozenset[int] | None
"""The possible values of a number; None (ANY): every number."""

ANY: Numbers = None
Truths = frozenset[bool]
State = tuple[Numbers, ...]
"""For each variable the values that it may have."""

YES, NO, BOTH = frozenset([True]), frozenset([False]), frozenset([True, False])


class PossibleValues:
    """Numbers are sets of integers, conditions sets of truth values: all those that could come out."""

    def number(self, value: int) -> Numbers:
        return frozenset([value])

    def truth(self, value: bool) -> Truths:
        return frozenset([value])

    def plus(self, left: Numbers, right: Numbers) -> Numbers:
        return _combined(left, right, lambda a, b: a + b)

    def minus(self, left: Numbers, right: Numbers) -> Numbers:
        return _combined(left, right, lambda a, b: a - b)

    def either(self, condition: Truths, then: Numbers, otherwise: Numbers) -> Numbers:
        if condition == YES:
            return then
        return otherwise if condition == NO else joined(then, otherwise)

    def equal(self, left: Numbers, right: Numbers) -> Truths:
        if left is None or right is None:
            return BOTH
        return frozenset([True] * bool(left & right) + [False] * (len(left | right) > 1))

    def less(self, left: Numbers, right: Numbers) -> Truths:
        if left is None or right is None:
            return BOTH
        return frozenset([True] * (min(left) < max(right)) + [False] * (max(left) >= min(right)))

    def all_of(self, items: Iterable[Truths]) -> Truths:
        found = list(items)
        return frozenset([True] * all(True in item for item in found) + [False] * any(False in item for item in found))

    def some_of(self, items: Iterable[Truths]) -> Truths:
        found = list(items)
        return frozenset([True] * any(True in item for item in found) + [False] * all(False in item for item in found))

    def opposite(self, item: Truths) -> Truths:
        return frozenset(not value for value in item)

    def assigned(self, variable: int, value: Numbers) -> Numbers:
        return value


_DOMAIN = PossibleValues()


def _combined(left: Numbers, right: Numbers, operation: Callable[[int, int], int]) -> Numbers:
    if left is None or right is None:
        return ANY
    return _limited(frozenset(operation(a, b) for a in left for b in right))


def _limited(values: Numbers) -> Numbers:
    return ANY if values is not None and len(values) > MOST_VALUES else values


def joined(left: Numbers, right: Numbers) -> Numbers:
    """The values that one or the other may have."""
    if left is None or right is None:
        return ANY
    return left if right <= left else right if left <= right else _limited(left | right)


def _merged(left: State, right: State) -> State:
    return left if left == right else tuple(a if a is b else joined(a, b) for a, b in zip(left, right, strict=True))


# ---------------------------------------------------------------- what a condition admits


def admitted(state: State, condition: Cond, wanted: bool = True) -> State | None:
    """The part of a state in which a condition may be as wanted; None if it cannot be."""
    if wanted not in truth(condition, state.__getitem__, _DOMAIN):
        return None
    variables = reads(condition)
    sets = [state[variable] for variable in variables]
    if all(values is not None for values in sets) and prod(len(values or ()) for values in sets) <= MOST_TRIED:
        return _tried(state, condition, wanted, variables)
    match condition:
        case Opposite(item):
            return admitted(state, item, not wanted)
        case All(items) if wanted:
            return _one_after_another(state, items, True)
        case Some(items) if not wanted:
            return _one_after_another(state, items, False)
        case All(items) | Some(items):
            return _any_of(admitted(state, item, wanted) for item in items)
    return state


def _tried(state: State, condition: Cond, wanted: bool, variables: Sequence[int]) -> State | None:
    """Every combination of values is tried; of each variable those remain that were in one that is admitted."""
    kept: dict[int, set[int]] = {variable: set() for variable in variables}
    for values in product(*(state[variable] or () for variable in variables)):
        single = {variable: frozenset([value]) for variable, value in zip(variables, values, strict=True)}
        if truth(condition, single.__getitem__, _DOMAIN) == frozenset([wanted]):
            for variable, value in zip(variables, values, strict=True):
                kept[variable].add(value)
    if variables and not kept[variables[0]]:
        return None
    return _with(state, {variable: frozenset(values) for variable, values in kept.items()})


def _one_after_another(state: State, items: Iterable[Cond], wanted: bool) -> State | None:
    left: State | None = state
    for item in items:
        left = admitted(left, item, wanted) if left is not None else None
    return left


def _any_of(states: Iterable[State | None]) -> State | None:
    found: State | None = None
    for state in states:
        if state is not None:
            found = state if found is None else _merged(found, state)
    return found


def _with(state: State, changes: dict[int, Numbers]) -> State:
    if not changes:
        return state
    values = list(state)
    for variable, new in changes.items():
        values[variable] = new
    return tuple(values)


# ---------------------------------------------------------------- the whole program


class Possible:
    """What may be held at each block, from one entrance on.

    States are kept apart by the values of the `apart` variables, so that what holds between those few is not lost where ways meet.
    """

    def __init__(self, program: Program, entrance: str, apart: Sequence[str] = (), readings: dict[str, int] | None = None) -> None:
        self.program = program
        self.apart = [program.variable(name) for name in apart]
        self.at: list[dict[tuple[Numbers, ...], State]] = [{} for _ in program.blocks]
        self._order = _order(program)
        self._waiting: list[tuple[int, int]] = []
        way_in = program.entrance(entrance)
        assert way_in is not None
        first: State = tuple(frozenset([variable.initial]) for variable in program.variables)
        first = _with(first, carry_out(way_in.sets, first.__getitem__, _DOMAIN))
        self._arrive(way_in.block, _with(first, {program.variable(n): frozenset([v]) for n, v in (readings or {}).items()}))
        while self._waiting:
            _, block = heappop(self._waiting)
            for state in list(self.at[block].values()):
                for target, after in self._ways(block, self.after(block, state)):
                    self._arrive(target, after)

    def reached(self, block: int) -> bool:
        """Whether some play may come to a block; if not, none can."""
        return bool(self.at[block])

    def after(self, block: int, state: State) -> State:
        """The state when a block's assignments were carried out."""
        return _with(state, carry_out(self.program.blocks[block].sets, state.__getitem__, _DOMAIN))

    def resting(self, block: int) -> list[State]:
        """The states in which play may wait (or stop) at a block."""
        return [self.after(block, state) for state in self.at[block].values()]

    def values(self, block: int, name: str) -> Numbers:
        """The values of a variable with which play may wait at a block."""
        found: Numbers = frozenset()
        for state in self.resting(block):
            found = joined(found, state[self.program.variable(name)])
        return found

    def may_hold(self, block: int, condition: Cond) -> bool:
        """Whether a condition may be true where play waits at a block; if not, it never is there."""
        return any(admitted(state, condition) is not None for state in self.resting(block))

    def _arrive(self, block: int, state: State) -> None:
        for one in self._split(state):
            key = tuple(one[variable] for variable in self.apart)
            known = self.at[block].get(key)
            merged = one if known is None else _merged(known, one)
            if merged != known:
                self.at[block][key] = merged
                if (self._order[block], block) not in self._waiting:
                    heappush(self._waiting, (self._order[block], block))

    def _split(self, state: State) -> Iterator[State]:
        """States in which each variable that is kept apart has one value."""
        each = [state[variable] or frozenset() for variable in self.apart]
        for values in product(*each):
            yield _with(state, {variable: frozenset([value]) for variable, value in zip(self.apart, values, strict=True)})

    def _ways(self, block: int, state: State) -> Iterator[tuple[int, State]]:
        """Where a block's exit may lead, each with the state there."""
        match self.program.blocks[block].exit:
            case Goto(target):
                yield target, state
            case Branch(condition=condition, then=then, otherwise=otherwise):
                yield from _leading(then, admitted(state, condition))
                yield from _leading(otherwise, admitted(state, condition, False))
            case Cases(cases=cases, hole=hole):
                for case in cases:
                    yield from _leading(case.target, admitted(state, case.condition))
                yield from _leading(hole, admitted(state, all_of(*(opposite(case.condition) for case in cases))))
            case Choose(options=options):
                for option in options:
                    yield from _leading(option.target, self._taken(state, option.condition, option.sets))
            case Range(variable=variable, low=low, high=high, target=target):
                yield target, _with(state, {variable: frozenset(range(low, high + 1))})

    def _taken(self, state: State, condition: Cond, sets: Iterable[Set]) -> State | None:
        allowed = admitted(state, condition)
        return None if allowed is None else _with(allowed, carry_out(sets, allowed.__getitem__, _DOMAIN))


def _order(program: Program) -> list[int]:
    """For each block its place in an order in which the ways to a block come before it, wherever the graph has no circle."""
    finished: list[int] = []
    seen: set[int] = set()
    for start in [entrance.block for entrance in program.entrances] + list(range(len(program.blocks))):
        stack = [(start, False)]
        while stack:
            block, left = stack.pop()
            if left:
                finished.append(block)
            elif block not in seen:
                seen.add(block)
                stack.append((block, True))
                stack += [(target, False) for target in successors(program.blocks[block].exit)]
    places = {block: place for place, block in enumerate(reversed(finished))}
    return [places[block] for block in range(len(program.blocks))]


def _leading(target: int, state: State | None) -> Iterator[tuple[int, State]]:
    if state is not None:
        yield target, state

"""Which variables can matter to a question: those that guards read, and whatever flows into them."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.meaning.kernel import (
    All,
    Branch,
    Cases,
    Choose,
    Cond,
    Const,
    Equal,
    Exit,
    Num,
    Program,
    Range,
    Read,
    Set,
    Stop,
    Truth,
    reads,
    successors,
)


def relevant(program: Program, wanted: Iterable[Num | Cond] = ()) -> frozenset[int]:
    """The variables on which the way of any play, or one of the wanted expressions, depends.

    A question that is asked only because something irrelevant was read is no reason to keep its variable: the branch “not asked
    yet” leads back to where it left.
    """
    needed: set[int] = set()
    waiting = [v for expression in wanted for v in reads(expression)]
    flows: dict[int, set[int]] = {}
    for block in program.blocks:
        for assignment in _sets_of(block.exit, block.sets):
            flows.setdefault(assignment.variable, set()).update(reads(assignment.value))
        waiting += [v for guard in guards_of(program, block.exit) for v in reads(guard)]
    while waiting:
        variable = waiting.pop()
        if variable not in needed:
            needed.add(variable)
            waiting += flows.get(variable, ())
    return frozenset(needed)


def guards_of(program: Program, exit_: Exit) -> list[Cond]:
    """The conditions by which an exit decides where play goes, apart from those that only ask."""
    match exit_:
        case Branch(condition=condition):
            return [] if asks_only(program, exit_) else [condition]
        case Cases(cases=cases):
            return [case.condition for case in cases]
        case Choose(options=options):
            return [option.condition for option in options if option.condition != Truth(True)]
    return []


def asks_only(program: Program, branch: Branch) -> bool:
    """Whether a branch only says “if not asked yet, ask”: its one side is a question about the variable that it tests."""
    question = program.blocks[branch.then]
    if question.sets or not isinstance(question.exit, Choose | Range) or question.exit.variable is None:
        return False
    asked = question.exit.variable
    targets = {question.exit.target} if isinstance(question.exit, Range) else {o.target for o in question.exit.options}
    unknown = Equal(Read(asked), Const(program.variables[asked].unknown))
    return targets == {branch.otherwise} and unknown in _conjuncts(branch.condition)


def _conjuncts(condition: Cond) -> tuple[Cond, ...]:
    return condition.items if isinstance(condition, All) else (condition,)


def _sets_of(exit_: Exit, sets: tuple[Set, ...]) -> tuple[Set, ...]:
    if isinstance(exit_, Choose):
        return sets + tuple(s for option in exit_.options for s in option.sets)
    return sets


def live_at_rests(program: Program, wanted: Cond, watched: int | None) -> dict[int, tuple[int, ...]]:
    """For each block, the variables whose values at its end can still matter to the way of play or to `wanted`.

    Backward data flow (Kildall 1973) over the relevant variables only. `wanted` matters where play stops, or at the block `watched`.
    """
    kept = relevant(program, [wanted])
    goal = frozenset(reads(wanted)) & kept
    predecessors: dict[int, list[int]] = {}
    for number, block in enumerate(program.blocks):
        for target in successors(block.exit):
            predecessors.setdefault(target, []).append(number)
    before: dict[int, frozenset[int]] = {}
    after: dict[int, frozenset[int]] = {}
    waiting = list(range(len(program.blocks)))[::-1]
    queued = set(waiting)
    while waiting:
        number = waiting.pop()
        queued.discard(number)
        after[number] = _live_after(program, number, before, kept, goal)
        live = _live_before(program, number, after[number], kept) | (goal if number == watched else frozenset())
        if live != before.get(number):
            before[number] = live
            for one in predecessors.get(number, ()):
                if one not in queued:
                    queued.add(one)
                    waiting.append(one)
    return {number: tuple(sorted(live)) for number, live in after.items()}


def _live_after(
    program: Program, number: int, before: dict[int, frozenset[int]], kept: frozenset[int], goal: frozenset[int]
) -> frozenset[int]:  # fmt: skip
    exit_ = program.blocks[number].exit
    if isinstance(exit_, Stop):
        return goal
    live = {v for guard in _all_guards(exit_) for v in reads(guard) if v in kept}
    for target in successors(exit_):
        live |= before.get(target, frozenset())
    if isinstance(exit_, Choose):
        live |= {v for option in exit_.options for s in option.sets if s.variable in kept for v in reads(s.value)}
    return frozenset(live)


def _live_before(program: Program, number: int, after: frozenset[int], kept: frozenset[int]) -> frozenset[int]:
    live = set(after)
    for assignment in reversed(program.blocks[number].sets):
        if assignment.variable in kept:
            live.discard(assignment.variable)
            live |= set(reads(assignment.value)) & kept
    return frozenset(live)


def _all_guards(exit_: Exit) -> list[Cond]:
    match exit_:
        case Branch(condition=condition):
            return [condition]
        case Cases(cases=cases):
            return [case.condition for case in cases]
        case Choose(options=options):
            return [option.condition for option in options]
    return []

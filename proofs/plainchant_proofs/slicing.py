"""Which variables can matter to a question: those that guards read, and whatever flows into them."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.meaning.kernel import Branch, Cases, Choose, Cond, Equal, Exit, Num, Program, Range, Read, Set, Truth, reads


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
    unknown = Equal(Read(asked), _unknown(program, asked))
    return targets == {branch.otherwise} and unknown in _conjuncts(branch.condition)


def _unknown(program: Program, variable: int) -> Num:
    from plainchant.meaning.kernel import Const

    return Const(program.variables[variable].unknown)


def _conjuncts(condition: Cond) -> tuple[Cond, ...]:
    from plainchant.meaning.kernel import All

    return condition.items if isinstance(condition, All) else (condition,)


def _sets_of(exit_: Exit, sets: tuple[Set, ...]) -> tuple[Set, ...]:
    if isinstance(exit_, Choose):
        return sets + tuple(s for option in exit_.options for s in option.sets)
    return sets

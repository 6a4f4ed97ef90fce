"""A lowered book as questions about it need it: names and variables beside the program, and claims that are lowered later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plainchant.meaning.kernel import Block, Claimed, Const, Program, Set, all_of
from plainchant.meaning.lowering.demands import rests_on
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.lowering.graph import moved
from plainchant.meaning.names import Names
from plainchant.meaning.resolve import Scope
from plainchant.meaning.variables import Variables
from plainchant.records import Frozen, replace
from plainchant.text.expression_text import expression_text
from plainchant.text.tree import Body, Claim, Expr, Truth


class Ground(Frozen):
    """A lowered book, with what is needed to lower further expressions about it; its names are without the text below them.

    `watched` are the sections of which the program notes that they were reached, each with its variable.
    """

    names: Names
    variables: Variables
    watched: dict[str, int]
    program: Program


def with_question(ground: Ground, claim: Claim, measured: Sequence[Expr] = ()) -> Program:
    """The program of a book with one claim more; `measured` are number expressions to be lowered with it.

    With them the claim is about those states alone in which they have a value: a number that was never recorded is no zero.
    """
    program, names = ground.program, ground.names
    expressions = Expressions(names, ground.variables.copy())
    expressions.watched = dict(ground.watched)
    numbers = {section.key: i for i, section in enumerate(program.sections)}
    claimed = claimed_by(names, expressions, numbers, claim, None)
    outside = Frame(Scope(names, None))
    measures = tuple(expressions.number(expression, outside) for expression in measured)
    needed = [need for expression in measured for need in expressions.needs(expression, outside)]
    watched = {
        program.sections[numbers[key]].start: variable for key, variable in expressions.watched.items() if key not in ground.watched
    }  # fmt: skip
    return looked_up(
        replace(
            program,
            variables=tuple(expressions.variables.all),
            blocks=watching(program.blocks, watched),
            claims=(*program.claims, replace(claimed, condition=all_of(claimed.condition, *needed))),
            measures=measures,
        )
    )


def watching(blocks: Iterable[Block], watched: Mapping[int, int]) -> tuple[Block, ...]:
    """Blocks of which some begin by noting that play was there."""
    made = list(blocks)
    for start, variable in watched.items():
        block = made[start]
        made[start] = replace(block, sets=(Set(variable, Const(1)), *block.sets), notes=moved(block.notes, 1))
    return tuple(made)


def looked_up(program: Program) -> Program:
    """The program with the numbers of its variables by their names."""
    return replace(program, lookup={variable.name: i for i, variable in enumerate(program.variables)})


def without_text(names: Names) -> Names:
    """Names as expressions need them: nothing of what stands below a section, rule or verb, or happens at an event."""
    nothing = Body(())
    parts = {
        name: replace(part, sections=tuple(replace(section, body=nothing) for section in part.sections))
        for name, part in names.parts.items()
    }  # fmt: skip
    return replace(
        names,
        sources={},
        parts=parts,
        rules={name: replace(rule, body=nothing) for name, rule in names.rules.items()},
        verbs={kind: tuple(replace(verb, body=nothing) for verb in verbs) for kind, verbs in names.verbs.items()},
        triggers={},
        keywords={},
        claims=(),
        acknowledged=(),
        order=tuple(parts[part.name] for part in names.order),
        begins=None if names.begins is None else replace(names.begins, body=nothing),
    )


def claimed_by(names: Names, expressions: Expressions, numbers: Mapping[str, int], claim: Claim, part: str | None) -> Claimed:
    """A claim that stands in a part, with its condition lowered."""
    arrived = names.section(claim.at, part)[0].key if claim.at else None
    expressions.arrived = arrived
    condition = expressions.condition(claim.expression, Frame(Scope(names, part)))
    expressions.arrived = None
    at = None if arrived is None else numbers[arrived]
    text = f"{claim.kind} {expression_text(claim.expression)}"
    rests, bare = rests_on(claim.expression, names, part), isinstance(claim.expression, Truth)
    return Claimed(claim.name.text, claim.kind, text, condition, at, claim.cites, claim.span, rests, bare)

"""Where statements lead: whether control ever comes out behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plainchant.text import tree as t

_LEAVES = t.Jump | t.SkipPart | t.ContinuePrinted | t.PlayScenario | t.GoOn | t.GoBack | t.Over


def falls_through(statements: Sequence[t.Statement]) -> bool:
    """Whether some way leads past the last statement."""
    return all(_passes(statement) for statement in statements)


def never_reached(statements: Sequence[t.Statement]) -> t.Statement | None:
    """The first statement of a block behind one that nothing leads past."""
    for statement, following in pairwise(statements):
        if not _passes(statement):
            return following
    return None


def _passes(statement: t.Statement) -> bool:
    match statement:
        case t.If(arms=arms, otherwise=otherwise):
            return otherwise is None or any(falls_through(b.statements) for b in (*(body for _, body in arms), otherwise))
        case t.Check(cases=cases):
            return any(falls_through(case.body.statements) for case in cases)
        case t.By(arms=by_arms):
            return any(falls_through(arm.body.statements) for arm in by_arms)
        case t.Decide(limit=limit, options=options):
            return limit is not None or any(o.body is None or falls_through(o.body.statements) for o in options)
        case t.Choose(optional=optional, body=body):
            return optional or falls_through(body.statements)
        case t.Draw(body=body):
            return falls_through(body.statements)
    return not isinstance(statement, _LEAVES)


def bodies(statement: t.Statement) -> Iterator[t.Body]:
    """The blocks that stand directly below a statement."""
    match statement:
        case t.If(arms=arms, otherwise=otherwise):
            yield from (body for _, body in arms)
            if otherwise:
                yield otherwise
        case t.Check(cases=cases):
            yield from (case.body for case in cases)
        case t.By(arms=by_arms):
            yield from (arm.body for arm in by_arms)
        case t.Decide(options=options):
            yield from (option.body for option in options if option.body)
        case t.Choose(body=body) | t.ForEach(body=body) | t.AnyOneMay(body=body) | t.Draw(body=body) | t.Happens(body=t.Body() as body):
            yield body


def walk(body: t.Body) -> Iterator[t.Statement]:
    """Every statement of a block and of the blocks in it, in reading order."""
    for statement in body.statements:
        yield statement
        for inner in bodies(statement):
            yield from walk(inner)

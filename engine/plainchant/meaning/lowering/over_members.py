"""What is asked of all members of a kind, or of all requirements of one: sums, equal shares, and that all is met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainchant.meaning.kernel import Cond, Const, Either, Equal, Num, Truth, all_of, settled, some_of, sum_of
from plainchant.meaning.lowering.bounds import bounds
from plainchant.meaning.lowering.choices import in_one_case
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.resolve import MemberOf, Scope, resolve, type_of
from plainchant.meaning.symbols import Kind, Requirement
from plainchant.text import tree as t

if TYPE_CHECKING:
    from plainchant.meaning.lowering.expressions import Expressions


def fulfilled(expressions: Expressions, argument: t.Expr, frame: Frame) -> Cond:
    """That all is met that one of a kind requires; one known only in play is told apart by cases."""
    kind = _kind_of(expressions, argument, frame)
    one = expressions.number(argument, frame, kind)
    if isinstance(one, Const):
        return _all_required(expressions, kind, one.value)
    return in_one_case([(Equal(one, Const(i)), _all_required(expressions, kind, i)) for i in range(len(kind.members))])


def _all_required(expressions: Expressions, kind: Kind, position: int) -> Cond:
    """That all is met that a member of a kind requires."""
    return all_of(*(_required(expressions, one, position) for one in expressions.names.requirements(kind)))


def _required(expressions: Expressions, requirement: Requirement, position: int) -> Cond:
    """That one requirement is met, or that this member does not ask for it."""
    assert requirement.index is not None
    meant = t.Value(t.Name(requirement.name), t.Index(None, t.Name(requirement.index.members[position].name)))
    return expressions.defined_condition(meant, Frame(Scope(expressions.names, requirement.part)))


def _kind_of(expressions: Expressions, argument: t.Expr, frame: Frame) -> Kind:
    if isinstance(argument, t.That):
        return expressions.kind(argument.kind)
    found = resolve(argument, frame.scope) if isinstance(argument, t.Value) else None
    kind = found.kind if isinstance(found, MemberOf) else type_of(found.symbol).kind if found is not None else None
    assert kind is not None
    return kind


def divisible(expressions: Expressions, call: t.Call, frame: Frame) -> Cond:
    """That a number is one of the multiples that it can be; one that is absent is none."""
    amount, shares = expressions.number(call.arguments[0], frame), call.arguments[1]
    low, high = bounds(expressions.variables, amount)
    assert isinstance(shares, t.Number) and low is not None and high is not None
    step = shares.value
    first = -(-low // step) * step
    multiple = some_of(*(Equal(amount, Const(whole)) for whole in range(first, high + 1, step)))
    return settled(all_of(*expressions.needs(call.arguments[0], frame), multiple))


def total_of(expressions: Expressions, total: t.Total, frame: Frame) -> Num:
    """The sum over the members that are meant; one without the number adds nothing."""
    kind, shares = expressions.kind(total.kind), []
    for i, present in expressions.members(kind):
        inner = frame.about(kind, i)
        counted = Truth(True) if total.condition is None else settled(expressions.condition(total.condition, inner))
        meant = all_of(present, counted, *(settled(need) for need in expressions.needs(total.value, inner)))
        if meant != Truth(False):
            value = expressions.number(total.value, inner)
            shares.append(value if meant == Truth(True) else Either(meant, value, Const(0)))
    return sum_of(tuple(share for share in shares if share != Const(0)))

"""Verbs, rules and instructions: statements that are carried out by other statements, or by people."""

from __future__ import annotations

from plainchant.meaning.kernel import Const, Instruction, Num, Read
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.expressions import Frame
from plainchant.meaning.phrases import match_verb, subject_of, verb_parameters
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Kind
from plainchant.text import tree as t


def lower_verb_use(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.VerbUse)
    subject = subject_of(statement, frame.scope)
    assert subject is not None
    matched = match_verb(subject.kind, subject.rest, lowering.names)
    assert matched is not None

    def one(position: int, inner: Frame) -> None:
        arguments = {name: _argument(lowering, name, value, inner, statement) for name, value in matched.arguments.items()}

        scope = Scope(lowering.names, None, parameters=verb_parameters(matched.verb)).about(subject.kind)
        lowering.note(statement)
        lowering.in_verb.append(statement)
        lowering.body(matched.verb.body, Frame(scope, {subject.kind.name: position}, arguments))
        lowering.in_verb.pop()

    if subject.whose is None:
        lowering.for_members(subject.kind, frame, statement.condition, one)
    else:
        lowering.owner(subject.whose, frame, lambda position: one(position or 0, frame.about(subject.kind, position or 0)))


def _argument(lowering: Lowering, name: str, value: t.Expr, frame: Frame, statement: t.Statement, kind: Kind | None = None) -> Num:
    """An argument keeps the value that it had when the rule began."""
    number = lowering.number(value, frame, statement, kind)
    if isinstance(number, Const) or (isinstance(number, Read) and lowering.variables.all[number.variable].asked):
        return number
    variable = lowering.variables.hidden(f"argument {name}", 0, None)
    lowering.set(variable, number)
    return Read(variable)


def lower_do(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Do)
    rule = lowering.names.rules[statement.rule.text]
    arguments = {
        p.name: _argument(lowering, f"{rule.name}.{p.name}", value, frame, statement, p.type.kind)
        for p, value in zip(rule.parameters, statement.arguments, strict=True)
    }
    scope = Scope(lowering.names, None, parameters={p.name: p for p in rule.parameters})
    lowering.note(statement)
    lowering.body(rule.body, Frame(scope, {}, arguments))


def lower_instruct(lowering: Lowering, statement: t.Statement, _frame: Frame) -> None:
    assert isinstance(statement, t.Instruct)
    names = tuple(words for _, words in statement.items)
    lowering.note(statement, instruction=Instruction(statement.verb, names, statement.at or ""))

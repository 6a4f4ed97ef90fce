"""Requirements as data over any state, and what a claim rests on: for reports that say which holds, by how much, and where it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plainchant.meaning.kernel import Answerable, Cond, Demand, Num, Truth, settled
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.names import Names
from plainchant.meaning.resolve import Named, Scope, resolve
from plainchant.meaning.symbols import Definition, Fact, Requirement
from plainchant.meaning.variables import Variables
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text
from plainchant.text.place import Cite


def demands_of(names: Names, expressions: Expressions) -> Iterator[Demand]:
    """Each requirement of each member of its kind, in the order of the members."""
    for kind in names.kinds.values():
        for position, member in enumerate(kind.members):
            for requirement in names.requirements(kind):
                frame = Frame(Scope(names, requirement.part)).about(kind, position)
                applies: Cond = Truth(True) if requirement.applies is None else settled(expressions.condition(requirement.applies, frame))
                operator, left, right = _sides(requirement.body, expressions, frame)
                numbers = () if operator else tuple(_numbers(requirement.body, expressions, frame))
                yield Demand(
                    requirement.name, requirement.words, kind.name, member.name, member.words, expression_text(requirement.body),
                    requirement.cites, member.cites, applies, settled(expressions.condition(requirement.body, frame)), operator, left, right,
                    numbers,
                )  # fmt: skip


def _sides(body: t.Expr, expressions: Expressions, frame: Frame) -> tuple[str, Num | None, Num | None]:
    """The two numbers that a requirement compares, if it is a comparison of numbers."""
    if not isinstance(body, t.Compare) or body.operator == "in" or not expressions.compares_numbers(body, frame):
        return "", None, None
    return body.operator, expressions.number(body.left, frame), expressions.number(body.right, frame)


def _numbers(body: t.Expr, expressions: Expressions, frame: Frame) -> Iterator[tuple[str, Num]]:
    """The numbers that a requirement names, also through other definitions."""
    seen: set[str] = set()
    waiting = list(_values(body))
    while waiting:
        value = waiting.pop(0)
        found = resolve(value, frame.scope)
        if value.name.text in seen or not isinstance(found, Named) or value.index is not None:
            continue
        seen.add(value.name.text)
        if isinstance(found.symbol, Definition) and not expressions.counts(value, frame):
            waiting += _values(found.symbol.meaning)
        elif expressions.counts(value, frame):
            yield value.name.text, expressions.number(value, frame)


def answerable(names: Names, variables: Variables) -> Iterator[Answerable]:
    """Everything that the table or the reader is asked, as positions name it."""
    for kind in (kind for kind in names.kinds.values() if kind.is_group):
        yield Answerable(kind.name, kind.question, "seats", (("", "", variables.number(kind)),), ())
    facts = [symbol for symbol in names.values.values() if isinstance(symbol, Fact)]
    alike = Counter(fact.name for fact in facts)
    for fact in facts:
        of = [("", "")] if fact.index is None else [(member.name, member.words) for member in fact.index.members]
        lines = tuple((name, words, variables.number(fact, i if fact.index else None)) for i, (name, words) in enumerate(of))
        answers = tuple((member.name, member.words) for member in fact.type.kind.members) if fact.type.kind else ()
        answers = (("no", "no"), ("yes", "yes")) if fact.type.form == "flag" else answers
        called = f"{fact.part}.{fact.name}" if alike[fact.name] > 1 and fact.part else fact.name
        yield Answerable(called, fact.question, "reading" if fact.chooser == "reading" else "fact", lines, answers)


def rests_on(expression: t.Expr, names: Names, part: str | None) -> tuple[tuple[str, tuple[Cite, ...]], ...]:
    """The printed definitions that an expression names, also through others, in the order in which they are named."""
    found: dict[str, tuple[Cite, ...]] = {}
    waiting: list[tuple[t.Expr, str | None]] = [(expression, part)]
    while waiting:
        one, owner = waiting.pop(0)
        for definition in _named(one, names, owner):
            text = f"{definition.name} means {expression_text(definition.meaning)}"
            if definition.cites and text not in found:
                found[text] = definition.cites
            waiting.append((definition.meaning, definition.part))
    return tuple(found.items())


def _named(expression: t.Expr, names: Names, part: str | None) -> Iterator[Definition]:
    for value in _values(expression):
        symbol = names.value(value.name.text, part)
        if isinstance(symbol, Definition) and not isinstance(symbol, Requirement):
            yield symbol


def _values(expression: t.Expr) -> Iterator[t.Value]:
    """The names that an expression reads, in the order of its text."""
    stack: list[object] = [expression]
    while stack:
        node = stack.pop(0)
        if isinstance(node, t.Value) and not node.name.printed:
            yield node
        if isinstance(node, tuple):
            stack[:0] = node
        elif isinstance(node, t.Node):
            stack[:0] = t.children(node)

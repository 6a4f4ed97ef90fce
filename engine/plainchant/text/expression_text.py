"""Expressions, names and citations as text: the spelling that the formatter writes and messages quote."""

from __future__ import annotations

from plainchant.text import tree as t

_TIGHTNESS = {t.Implies: 0, t.Or: 1, t.And: 2, t.Not: 3, t.Compare: 4, t.Quantified: 4, t.HowMany: 4, t.Sum: 5}


def quoted(words: str) -> str:
    """Printed words between quotes."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_text(name: t.Name) -> str:
    return quoted(name.text) if name.printed else name.text


def ref_text(ref: t.Ref) -> str:
    return " / ".join(name_text(name) for name in ref.names)


def cite_text(cite: t.Cite) -> str:
    """`@tcu:37-40,52`."""
    ranges = ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in cite.ranges)
    return f"@{cite.source}:{ranges}" if cite.source else f"@{ranges}"


def index_text(index: t.Index | None) -> str:
    if index is None:
        return ""
    if index.kind is not None:
        return f" of that {index.kind.text}"
    assert index.name is not None
    return f" of {index.name.text}"


def expression_text(expression: t.Expr) -> str:
    """An expression with just the brackets that it needs."""
    match expression:
        case t.Number(value):
            return str(value)
        case t.Truth(value):
            return "yes" if value else "no"
        case t.Value(name, index):
            return name_text(name) + index_text(index)
        case t.Path(ref):
            return ref_text(ref)
        case t.That(kind):
            return f"that {kind.text}"
        case t.Call(function, arguments):
            return f"{function.text}({_list(arguments)})"
        case t.Quantified(quantifier, kind, body):
            return f"{quantifier} {kind.text} has {_inside(body, expression)}"
        case t.HowMany(kind, body):
            return f"how many {kind.text} has {_inside(body, expression)}"
        case t.HowManyOf(items):
            return f"how many of ({_list(items)})"
        case t.SomeOf(limit, number, items):
            return f"{limit} {number} of ({_list(items)})"
        case t.Compare(operator, left, right):
            sign = "is" if operator == "=" and _names_a_member(right) else "is not" if operator == "!=" and _names_a_member(right) else operator
            return f"{_inside(left, expression, 1)} {sign} {_inside(right, expression, 1)}"
        case t.Sum(operator, left, right):
            return f"{_inside(left, expression)} {operator} {_inside(right, expression, 1)}"
        case t.And(items):
            return " and ".join(_inside(item, expression, 1) for item in items)
        case t.Or(items):
            return " or ".join(_inside(item, expression, 1) for item in items)
        case t.Not(item):
            return f"not {_inside(item, expression)}"
        case t.Implies(left, right):
            return f"{_inside(left, expression, 1)} implies {_inside(right, expression, 1)}"
    raise TypeError(f"not an expression: {expression!r}")


def _names_a_member(expression: t.Expr) -> bool:
    """`is` reads better before a name, = before a number."""
    return isinstance(expression, t.Value | t.That)


def _list(items: tuple[t.Expr, ...]) -> str:
    return ", ".join(expression_text(item) for item in items)


def _inside(inner: t.Expr, outer: t.Expr, more: int = 0) -> str:
    """The text of a part, in brackets if it binds less tightly than its place asks."""
    text = expression_text(inner)
    needed = _TIGHTNESS[type(outer)] + more
    if isinstance(outer, t.Quantified | t.HowMany):
        needed = 4
    return f"({text})" if _TIGHTNESS.get(type(inner), 9) < needed else text


def count_text(count: t.Expr) -> str:
    """A count as the grammar takes it: a plain number, or anything else in brackets."""
    return str(count.value) if isinstance(count, t.Number) else f"({expression_text(count)})"

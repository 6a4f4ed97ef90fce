"""Expressions, names and citations as text: the spelling that the formatter writes and messages quote."""

from __future__ import annotations

import re

from plainchant.text import tree as t

_TIGHTNESS = {t.Implies: 0, t.Or: 1, t.And: 2, t.Not: 3, t.Compare: 4, t.Quantified: 4, t.HowMany: 4, t.Total: 4, t.Sum: 5}
_UNCLEAR = ((t.And, t.Or), (t.Or, t.Implies))
"""Parts that need no brackets, and get them: who does not program does not know what binds more tightly."""

_WORD = re.compile(r"[a-z][a-z0-9]*")
_ENDS_A_NAME = re.compile(r"and|as|at|by|chooses?|decides?|from|holds|implies|in|is|may|of|or|to|under")
"""Words that would be taken for the rest of the line if they stood alone in a name."""


def quoted(words: str) -> str:
    """Printed words between quotes."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_text(name: t.Name) -> str:
    """A name as it is written: printed words in quotes, an identifier without."""
    return quoted(name.text) if name.printed else name.text


def spoken(name: t.Name) -> str:
    """`chaos_bag` as `chaos bag`; with its underscores if the words alone would be read otherwise."""
    words = name.text.split("_")
    if all(_WORD.fullmatch(word) and not _ENDS_A_NAME.fullmatch(word) for word in words):
        return " ".join(words)
    return name.text


def with_article(whole: t.Target | t.Index, name: t.Name) -> str:
    """`the chaos bag` where the author wrote the article, `chaos_bag` where not.

    The tree does not keep the article, as it means nothing; that something stands before the name is seen by the places.
    """
    return f"the {spoken(name)}" if 0 < whole.span.column < name.span.column else name.text


def ref_text(ref: t.Ref) -> str:
    """`"Part" / "Section"`, or one name."""
    return " / ".join(name_text(name) for name in ref.names)


def index_text(index: t.Index | None) -> str:
    """` of that investigator`, ` of the lead`, ` of gavriella`, or nothing."""
    if index is None:
        return ""
    if index.kind is not None:
        return f" of that {index.kind.text}"
    assert index.name is not None
    return f" of {with_article(index, index.name)}"


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
            return f"{quantifier} {kind.text} has {_had(body, expression)}"
        case t.HowMany(kind, body):
            return f"how many {kind.text} has {_had(body, expression)}"
        case t.Total(value, kind, condition):
            only = f" that has {_had(condition, expression)}" if condition is not None else ""
            return f"the total of {_inside(value, expression, 2)} of every {kind.text}{only}"
        case t.HowManyOf(items):
            return f"how many of ({_list(items)})"
        case t.SomeOf(limit, number, items):
            return f"{limit} {number} of ({_list(items)})"
        case t.Compare(operator):
            return _comparison(expression, _verb(operator) if _names_a_member(expression.right) else operator)
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


def _verb(operator: str) -> str:
    return {"=": "is", "!=": "is not"}.get(operator, operator)


def _comparison(compare: t.Compare, sign: str) -> str:
    return f"{_inside(compare.left, compare, 1)} {sign} {_inside(compare.right, compare, 1)}"


def _had(body: t.Expr, outer: t.Quantified | t.HowMany | t.Total) -> str:
    """What stands behind `has`, where a second verb would not read well: `has fate = defeated`."""
    return _comparison(body, body.operator) if isinstance(body, t.Compare) else _inside(body, outer)


def _list(items: tuple[t.Expr, ...]) -> str:
    return ", ".join(expression_text(item) for item in items)


def _inside(inner: t.Expr, outer: t.Expr, more: int = 0) -> str:
    """The text of a part, in brackets if it binds less tightly than its place asks, or if a reader might take it otherwise."""
    text = expression_text(inner)
    needed = _TIGHTNESS[type(outer)] + more
    return f"({text})" if _TIGHTNESS.get(type(inner), 9) < needed or (type(inner), type(outer)) in _UNCLEAR else text


def count_text(count: t.Expr) -> str:
    """A count as the grammar takes it: a plain number, or anything else in brackets."""
    return str(count.value) if isinstance(count, t.Number) else f"({expression_text(count)})"

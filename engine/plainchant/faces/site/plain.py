"""Rules in plain words, out of the tree: expressions and statements as sentences, with links to what they speak of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainchant.faces.declared import Key, key_of, spaced, with_blanks
from plainchant.faces.site.md import esc, said
from plainchant.meaning.names import Names, printed_forms
from plainchant.meaning.resolve import MemberOf, Named, Scope, kind_hint, resolve
from plainchant.meaning.symbols import Bag, BuiltIn, Definition, Entry, Fact, Keep, Kind
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text

Linker = Callable[[Key, str], str]
"""Makes a link to a declared thing out of its key and a label in Markdown."""

_COMPARED = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "in": "is among",
}  # fmt: skip


class PlainExpressions:
    """Says expressions of one place in words."""

    def __init__(self, names: Names, scope: Scope, link: Linker) -> None:
        self.names = names
        self.scope = scope
        self.link = link

    # ------------------------------------------------------------ conditions

    def condition(self, expression: t.Expr) -> str:
        """What must be so."""
        match expression:
            case t.Truth(value=value):
                return "always" if value else "never"
            case t.And(items=items):
                return " and ".join(self._grouped(item, t.Or | t.Implies) for item in items)
            case t.Or(items=items):
                return " or ".join(self._grouped(item, t.Implies) for item in items)
            case t.Not(item=item):
                return self._not(item)
            case t.Implies(left=left, right=right):
                return f"if {self.condition(left)}, then {self.condition(right)}"
            case t.Compare(operator=operator, left=left, right=right):
                return self._comparison(operator, left, right)
            case t.Quantified(quantifier=quantifier, kind=kind, body=body):
                about = {"every": "for every", "any": "for at least one", "no": "for no"}[quantifier]
                return f"{about} {self.kind(kind)}, {self._inside(kind, body)}"
            case t.SomeOf(limit=limit, number=number, items=items):
                return f"{limit} {number} of these hold: {self._listed(items)}"
            case t.Value() | t.Call():
                return self._holds(expression)
            case t.Path(ref=ref):
                return f"play came to {self.section(ref)}"
            case t.Number() | t.That() | t.HowMany() | t.HowManyOf() | t.Sum() | t.Total():
                return self.value(expression)
        return esc(expression_text(expression))

    def _grouped(self, item: t.Expr, loose: type | object) -> str:
        text = self.condition(item)
        return f"({text})" if isinstance(item, loose) else text  # type: ignore[arg-type]

    def _not(self, item: t.Expr) -> str:
        if isinstance(item, t.Value):
            return self._holds(item, yes=False)
        return (
            f"not ({self.condition(item)})" if isinstance(item, t.And | t.Or | t.Implies) else f"it is not so that {self.condition(item)}"
        )

    def _holds(self, expression: t.Expr, *, yes: bool = True) -> str:
        """A name or call as a condition, or its opposite."""
        if isinstance(expression, t.Call):
            return self._call(expression)
        found = self._resolved(expression)
        text = self.value(expression)
        match found.symbol if isinstance(found, Named) else None:
            case Entry():
                return f"{text} stands in the log" if yes else f"{text} does not stand in the log"
            case Fact():
                return f"the table says {'yes' if yes else 'no'} to {text}"
            case Keep():
                return f"{text} is {'yes' if yes else 'no'}"
        return f"{text} holds" if yes else f"{text} does not hold"

    def _comparison(self, operator: str, left: t.Expr, right: t.Expr) -> str:
        kind = kind_hint(left, self.scope) or kind_hint(right, self.scope)
        return f"{self.value(left, kind)} {_COMPARED[operator]} {self.value(right, kind)}"

    # ------------------------------------------------------------ values

    def value(self, expression: t.Expr, kind: Kind | None = None) -> str:
        """What is compared, counted or written."""
        match expression:
            case t.Number(value=number):
                return str(number)
            case t.Truth(value=truth):
                return "yes" if truth else "no"
            case t.That(kind=name):
                return f"that {esc(spaced(name.text))}"
            case t.Value():
                return self._value(expression, kind)
            case t.Call():
                return self._call(expression)
            case t.HowMany(kind=name, body=body):
                return f"the number of {self.kind(name)}s of which {self._inside(name, body)}"
            case t.HowManyOf(items=items):
                return f"the number of these that hold: {self._listed(items)}"
            case t.Sum(operator=operator, left=left, right=right):
                return f"{self.value(left)} {'plus' if operator == '+' else 'minus'} {self.value(right)}"
            case t.Path(ref=ref):
                return self.section(ref)
            case t.Total(value=value, kind=name, condition=condition):
                only = "" if condition is None else f" of which {self._inside(name, condition)}"
                return f"the total of {self._about(name).value(value)} of every {self.kind(name)}{only}"
            case t.And() | t.Or() | t.Not() | t.Implies() | t.Compare() | t.Quantified() | t.SomeOf():
                return self.condition(expression)
        return esc(expression_text(expression))

    def _value(self, value: t.Value, kind: Kind | None) -> str:
        match resolve(value, self.scope, kind):
            case MemberOf(kind=of, position=position):
                return said(of.members[position].words)
            case Named(symbol=symbol, whose=whose):
                text = self.symbol(symbol, position=None if whose is None else whose.position)
                return text if whose is None or whose.position is not None else f"{text}{self.whose(value.index)}"
        words = value.name.text
        return (said(words) if value.name.printed else esc(spaced(words))) + self.whose(value.index)

    def symbol(self, symbol: object, position: int | None = None) -> str:
        """A declared value, by its printed words where it has some, as a link."""
        key = next(key_of(symbol), None)
        match symbol:
            case Entry():
                words = dict(printed_forms(symbol)).get(position, with_blanks(symbol.words))
                return self.link(("entry", symbol.name), said(words))
            case Bag(words=words):
                label = esc(words)
            case Fact() | Keep() | Definition():
                label = esc(spaced(symbol.name))
            case BuiltIn(name=name):
                return esc(spaced(name))
            case _:
                return f"*{esc(spaced(getattr(symbol, 'name', '')))}*"
        return self.link(key, label) if key else label

    def whose(self, index: t.Index | None) -> str:
        """` of that investigator`, or nothing."""
        if index is None:
            return ""
        if index.kind is not None:
            return f" of that {esc(spaced(index.kind.text))}"
        assert index.name is not None
        symbol = self.scope.value(index.name.text)
        if symbol is not None:
            return f" of the {self.symbol(symbol)}"
        members = self.names.members_called(index.name)
        return f" of {said(members[0][0].members[members[0][1]].words)}" if members else f" of {esc(spaced(index.name.text))}"

    def _call(self, call: t.Call) -> str:
        given = [self.value(argument) for argument in call.arguments]
        match call.function.text:
            case "recorded":
                return f"{given[0]} was recorded (crossed off since or not)"
            case "crossed_off":
                return f"{given[0]} is crossed off"
            case "value":
                return f"the number in {given[0]}"
            case "size":
                return f"the number of things in {given[0]}"
            case "count":
                where = given[1] if len(given) > 1 else "the bag"
                return f"the number of {self._member(call.arguments[0])} in {where}"
            case "printed":
                return f"{given[0]} is printed"
            case "reached":
                return f"play came to {given[0]}"
        return f"{esc(spaced(call.function.text))} ({', '.join(given)})"

    def _member(self, expression: t.Expr) -> str:
        if isinstance(expression, t.Value):
            found = self.names.members_called(expression.name)
            if found:
                return said(found[0][0].members[found[0][1]].words)
        return self.value(expression)

    # ------------------------------------------------------------ pieces

    def kind(self, name: t.Name) -> str:
        """A kind or group, as a link."""
        kind = self.names.kind(name.text)
        singular = esc(spaced(kind.name if kind else name.text))
        return self.link(("group" if kind.is_group else "kind", kind.name), singular) if kind else singular

    def section(self, ref: t.Ref, part: str | None = None) -> str:
        """A section, as a link."""
        found = self.names.section(ref, part or self.scope.part)
        label = " / ".join(said(name.text) if name.printed else esc(spaced(name.text)) for name in ref.names)
        return self.link(("section", found[0].key), label) if found else label

    def _inside(self, name: t.Name, body: t.Expr) -> str:
        return self._about(name).condition(body)

    def _about(self, name: t.Name) -> PlainExpressions:
        """Inside of what is said about one of a kind."""
        kind = self.names.kind(name.text)
        return PlainExpressions(self.names, self.scope.about(kind) if kind else self.scope, self.link)

    def _listed(self, items: Sequence[t.Expr]) -> str:
        return "; ".join(self.condition(item) for item in items)

    def _resolved(self, expression: t.Expr) -> Named | MemberOf | None:
        return resolve(expression, self.scope) if isinstance(expression, t.Value) else None

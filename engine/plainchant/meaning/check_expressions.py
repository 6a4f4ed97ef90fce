"""The checker's half for expressions: each gets a type, and what does not fit is reported at its own place."""

from __future__ import annotations

from plainchant.meaning.names import owner_words
from plainchant.meaning.resolve import (
    Complain,
    MemberOf,
    Named,
    Scope,
    bound_member,
    find_kind,
    kind_hint,
    resolve,
    type_of,
)
from plainchant.meaning.symbols import FLAG, NUMBER, Bag, Definition, Entry, Kind, Type
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t

FUNCTIONS = ("size", "count", "recorded", "crossed_off", "value", "reached")
UNKNOWN = Type("unknown")


class ExpressionChecker:
    """Types expressions; `complain` takes what is wrong."""

    def __init__(self, complain: Complain) -> None:
        self.complain = complain
        self._definitions: dict[Definition, Type] = {}

    def condition(self, expression: t.Expr, scope: Scope) -> None:
        """Require something that is true or false."""
        self._require(expression, self.type(expression, scope), "flag", "something that is true or false")

    def number(self, expression: t.Expr, scope: Scope) -> Type:
        """Require a number."""
        found = self.type(expression, scope)
        self._require(expression, found, "number", "a number")
        return found

    def member(self, expression: t.Expr, kind: Kind, scope: Scope) -> None:
        """Require a member of a kind."""
        found = self.type(expression, scope, kind)
        if found.form not in ("unknown",) and (found.form != "member" or found.kind != kind):
            self.complain("PC301", expression.span, what="this", found=str(found), expected=f"a {kind.name}")

    def of_type(self, expression: t.Expr, wanted: Type, scope: Scope) -> None:
        """Require a value that fits a declared type, constants also its range."""
        if wanted.form == "member" and wanted.kind:
            self.member(expression, wanted.kind, scope)
        elif wanted.form == "flag":
            self.condition(expression, scope)
        else:
            self.number(expression, scope)
            if isinstance(expression, t.Number):
                self.in_range(expression, wanted)

    def in_range(self, number: t.Number, wanted: Type) -> None:
        low, high = wanted.low or 0, wanted.high
        if number.value < low or (high is not None and number.value > high):
            shown = "any number" if high is None else high
            self.complain("PC302", number.span, value=number.value, low=low, high=shown)

    def _require(self, expression: t.Expr, found: Type, form: str, expected: str) -> None:
        if found.form not in (form, "unknown"):
            self.complain("PC301", expression.span, what="this", found=str(found), expected=expected)

    # ------------------------------------------------------------ types

    def type(self, expression: t.Expr, scope: Scope, hint: Kind | None = None) -> Type:
        """The type of an expression; UNKNOWN after a complaint."""
        match expression:
            case t.Number(value):
                return Type("number", value, value)
            case t.Truth():
                return FLAG
            case t.Value():
                return self._value(expression, scope, hint)
            case t.That(kind=said):
                whose = bound_member(said, None, scope, self.complain)
                return UNKNOWN if whose is None else Type("member", kind=whose.kind)
            case t.Path():
                self._section(expression.ref, scope)
                return Type("section")
            case t.Call():
                return self._call(expression, scope)
            case t.Quantified(kind=name, body=body):
                self._for_kind(name, body, scope)
                return FLAG
            case t.HowMany(kind=name, body=body):
                self._for_kind(name, body, scope)
                return NUMBER
            case t.HowManyOf(items=items):
                self._conditions(items, scope)
                return Type("number", 0, len(items))
            case t.SomeOf(items=items) | t.And(items=items) | t.Or(items=items):
                self._conditions(items, scope)
                return FLAG
            case t.Not(item=item):
                self.condition(item, scope)
                return FLAG
            case t.Implies(left=left, right=right):
                self._conditions((left, right), scope)
                return FLAG
            case t.Sum(left=left, right=right):
                self.number(left, scope)
                self.number(right, scope)
                return NUMBER
            case t.Compare():
                return self._compare(expression, scope)
        raise TypeError(f"not an expression: {expression!r}")

    def _conditions(self, items: tuple[t.Expr, ...], scope: Scope) -> None:
        for item in items:
            self.condition(item, scope)

    def _for_kind(self, name: t.Name, body: t.Expr, scope: Scope) -> None:
        kind = find_kind(name, scope, self.complain)
        if kind is not None:
            self.condition(body, scope.about(kind))

    def _value(self, value: t.Value, scope: Scope, hint: Kind | None) -> Type:
        found = resolve(value, scope, hint, self.complain)
        match found:
            case None:
                return UNKNOWN
            case MemberOf(kind=kind):
                return Type("member", kind=kind)
            case Named(symbol=Definition() as definition):
                return self._definition(definition, scope)
            case Named(symbol=symbol):
                return type_of(symbol)
        return UNKNOWN

    def _definition(self, definition: Definition, scope: Scope) -> Type:
        if definition not in self._definitions:
            self._definitions[definition] = UNKNOWN  # so that one in a circle, which is reported elsewhere, comes to an end
            inner = Scope(scope.names, definition.part)
            if definition.index is not None:
                inner = inner.about(definition.index)
            self._definitions[definition] = self.type(definition.meaning, inner)
        return self._definitions[definition]

    # ------------------------------------------------------------ comparisons

    def _compare(self, expression: t.Compare, scope: Scope) -> Type:
        if expression.operator == "in":
            return self._in(expression, scope)
        left_hint, right_hint = kind_hint(expression.left, scope), kind_hint(expression.right, scope)
        left = self.type(expression.left, scope, right_hint)
        right = self.type(expression.right, scope, left_hint)
        if "unknown" in (left.form, right.form):
            return FLAG
        ordered = expression.operator not in ("=", "!=")
        alike = left.form == right.form and left.form in ("number", "flag", "member") and left.kind == right.kind
        if not alike or (ordered and left.form != "number"):
            self.complain("PC305", expression.span, left=str(left), right=str(right))
        return FLAG

    def _in(self, expression: t.Compare, scope: Scope) -> Type:
        right = self.type(expression.right, scope)
        if right.form == "list" and right.kind:
            self.member(expression.left, right.kind, scope)
        elif right.form != "unknown":
            self.complain("PC301", expression.right.span, what="this", found=str(right), expected="a list")
        return FLAG

    # ------------------------------------------------------------ functions

    def _call(self, call: t.Call, scope: Scope) -> Type:
        name = call.function.text
        if name not in FUNCTIONS:
            self.complain("PC313", call.function.span, name=name, nearest=nearest_name(name, FUNCTIONS))
            return UNKNOWN
        most = 2 if name == "count" else 1
        if not 1 <= len(call.arguments) <= most:
            expected = "one or two arguments" if most == 2 else "one argument"
            self.complain("PC306", call.span, name=name, expected=expected, found=len(call.arguments))
            return UNKNOWN
        check = {"size": self._size, "count": self._count, "reached": self._reached}.get(name)
        if check:
            return check(call, scope)
        return self._of_entry(call, scope)

    def _size(self, call: t.Call, scope: Scope) -> Type:
        found = self.type(call.arguments[0], scope)
        if found.form not in ("list", "bag", "unknown"):
            self.complain("PC301", call.arguments[0].span, what="this", found=str(found), expected="a list")
        return NUMBER

    def _count(self, call: t.Call, scope: Scope) -> Type:
        bag = bag_of_count(call, scope)
        if bag is None:
            at = call.arguments[-1].span
            self.complain("PC301", at, what="this", found="something else", expected="a bag")
            return NUMBER
        if len(call.arguments) == 2:
            self.type(call.arguments[1], scope)
        self.member(call.arguments[0], bag.kind, scope)
        return NUMBER

    def _reached(self, call: t.Call, scope: Scope) -> Type:
        argument = call.arguments[0]
        if isinstance(argument, t.Path):
            self._section(argument.ref, scope)
        elif isinstance(argument, t.Value) and argument.index is None:
            self._section(t.Ref((argument.name,), span=argument.span), scope)
        else:
            self.complain("PC301", argument.span, what="this", found="something else", expected="a section")
        return FLAG

    def _section(self, ref: t.Ref, scope: Scope) -> None:
        check_section(ref, scope, self.complain)

    def _of_entry(self, call: t.Call, scope: Scope) -> Type:
        argument, name = call.arguments[0], call.function.text
        found = resolve(argument, scope, None, self.complain) if isinstance(argument, t.Value) else None
        if not isinstance(argument, t.Value):
            self.complain("PC308", argument.span, name=name, found="an expression")
        elif isinstance(found, MemberOf):
            if list_with(found.kind, scope) is None:
                self.complain("PC308", argument.span, name=argument.name.text, found=f"a {found.kind.name}")
        elif isinstance(found, Named):
            if not isinstance(found.symbol, Entry) or found.symbol.form == "list":
                self.complain("PC308", argument.span, name=argument.name.text, found=owner_words(found.symbol))
            elif name == "value" and found.symbol.form not in ("number", "tally"):
                self.complain("PC301", argument.span, what="this entry", found="one without a number", expected="an entry with a number")
        return NUMBER if name == "value" else FLAG


def list_with(kind: Kind, scope: Scope) -> Entry | None:
    """The checklist of the log in which members of a kind are recorded."""
    lists = [s for s in scope.names.values.values() if isinstance(s, Entry) and s.listed == kind]
    return lists[0] if len(lists) == 1 else None


def bag_of_count(call: t.Call, scope: Scope) -> Bag | None:
    """The bag that `count(token)` or `count(token, bag)` means: without a name the first that is declared."""
    if len(call.arguments) == 2:
        named = call.arguments[1]
        symbol = scope.value(named.name.text) if isinstance(named, t.Value) else None
        return symbol if isinstance(symbol, Bag) else None
    return next((s for s in scope.names.values.values() if isinstance(s, Bag)), None)


def check_section(ref: t.Ref, scope: Scope, complain: Complain) -> None:
    """Complain unless a reference means exactly one section."""
    found = scope.names.section(ref, scope.part)
    name = " / ".join(n.text for n in ref.names)
    if not found:
        known = scope.names.section_names(scope.part)
        complain("PC206", ref.span, name=name, nearest=nearest_name(ref.names[-1].text, known))
    elif len(found) > 1:
        meanings = " or ".join(f"{scope.names.parts[s.part or ''].words} / {s.words}" for s in found[:3])
        complain("PC205", ref.span, name=name, meanings=meanings, cure='write the part before it: "Part" / "Section"')

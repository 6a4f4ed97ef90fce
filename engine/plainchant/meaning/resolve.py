"""What a name in an expression stands for, given where it stands; used by the checker (which complains) and by the lowering."""

from __future__ import annotations

from collections.abc import Callable

from plainchant.meaning.names import Names, member_positions, printed_forms
from plainchant.meaning.symbols import Attribute, Bag, Definition, Entry, Fact, Keep, Kind, Parameter, Type, Value
from plainchant.meaning.words import nearest_name
from plainchant.records import Frozen, field, replace
from plainchant.text import tree as t
from plainchant.text.place import Span

Complain = Callable[..., None]
"""Takes a code, a place, and the values of the message."""


class Whose(Frozen):
    """Which member an indexed name is about: a fixed position, the binder of the kind (`that …`), or a value read at run time."""

    kind: Kind
    position: int | None = None
    value: t.Value | None = None

    @property
    def bound(self) -> bool:
        return self.position is None and self.value is None


class Named(Frozen):
    """A value, and whose it is if it is declared for each of a kind."""

    symbol: Value
    whose: Whose | None = None


class MemberOf(Frozen):
    """A member of a kind, as a constant."""

    kind: Kind
    position: int


Resolved = Named | MemberOf


class Scope(Frozen):
    """Where an expression or statement stands: its part, the kinds that `that …` may speak of, and the parameters in reach."""

    names: Names
    part: str | None
    bound: tuple[str, ...] = ()
    parameters: dict[str, Parameter] = field(default_factory=dict)

    def about(self, kind: Kind) -> Scope:
        """The scope inside a block about one of a kind."""
        return replace(self, bound=(*self.bound, kind.name))

    def value(self, name: str) -> Value | None:
        return self.parameters.get(name) or self.names.value(name, self.part)

    def known(self) -> list[str]:
        return [*self.parameters, *self.names.value_names(self.part)]


def silent(_code: str, _at: Span, **_values: object) -> None:
    """Complains about nothing (for stages that run behind the checker)."""


def find_kind(name: t.Name, scope: Scope, complain: Complain = silent) -> Kind | None:
    kind = scope.names.kind(name.text)
    if kind is None:
        complain("PC207", name.span, name=name.text, nearest=nearest_name(name.text, list(scope.names.kinds)))
    return kind


def resolve(value: t.Value, scope: Scope, hint: Kind | None = None, complain: Complain = silent) -> Resolved | None:
    """What `value` stands for; `hint` is the kind that the place asks for. None after a complaint."""
    name = value.name
    if hint is not None and value.index is None:
        positions = member_positions(hint, name)
        if positions:
            return MemberOf(hint, positions[0])
    if name.printed:
        return _printed(value, scope, complain)
    symbol = scope.value(name.text)
    if symbol is not None:
        return _indexed(symbol, value.index, name, scope, complain)
    members = scope.names.members_called(name)
    if len(members) == 1:
        return MemberOf(*members[0])
    if members:
        meanings = " or ".join(f"the {kind.name} {name.text}" for kind, _ in members)
        complain("PC205", name.span, name=name.text, meanings=meanings)
        return None
    if complain is silent:
        return None  # looking for the nearest name takes longer than everything else here
    known = scope.known() + [m.name for kind in scope.names.kinds.values() for m in kind.members]
    if hint:
        known += [m.name for m in hint.members]
    complain("PC201", name.span, name=name.text, nearest=nearest_name(name.text, known))
    return None


def _printed(value: t.Value, scope: Scope, complain: Complain) -> Resolved | None:
    name = value.name
    found = scope.names.entries_printed(name.text)
    if found:
        entry, position = found[0]
        if position is None or entry.index is None:
            return _indexed(entry, value.index, name, scope, complain)
        return Named(entry, Whose(entry.index, position))
    members = scope.names.members_called(name)
    if members:
        return MemberOf(*members[0])
    nearest = nearest_name(name.text, printed_words(scope.names))
    complain("PC201", name.span, name=name.text, nearest=nearest)
    return None


def printed_words(names: Names) -> list[str]:
    """All printed words that serve as names of entries or members."""
    entries = [words for symbol in names.values.values() if isinstance(symbol, Entry) for _, words in printed_forms(symbol)]
    return entries + [m.words for kind in names.kinds.values() for m in kind.members]


def index_kind(symbol: Value) -> Kind | None:
    """The kind that a value is declared `of`."""
    return symbol.index if isinstance(symbol, Entry | Bag | Keep | Fact | Definition | Attribute) else None


def _indexed(symbol: Value, index: t.Index | None, name: t.Name, scope: Scope, complain: Complain) -> Named | None:
    kind = index_kind(symbol)
    if kind is None:
        if index is not None:
            complain("PC312", index.span, name=name.text)
            return None
        return Named(symbol)
    if index is None:
        if kind.name in scope.bound:
            return Named(symbol, Whose(kind))
        complain("PC307", name.span, name=name.text, kind=kind.name)
        return None
    whose = find_whose(index, kind, scope, complain)
    return None if whose is None else Named(symbol, whose)


def find_whose(index: t.Index, kind: Kind, scope: Scope, complain: Complain = silent) -> Whose | None:
    """Whose an indexed name is, for a name declared of `kind`."""
    if index.kind is not None:
        return bound_member(index.kind, kind, scope, complain)
    assert index.name is not None
    positions = member_positions(kind, index.name)
    if positions:
        return Whose(kind, positions[0])
    symbol = scope.value(index.name.text) or scope.value(index.name.text.removesuffix(f"_{kind.name}"))
    if symbol is not None and type_of(symbol).kind == kind and type_of(symbol).form == "member":
        return Whose(kind, None, t.Value(t.Name(symbol.name, span=index.name.span), None, span=index.name.span))
    known = [m.name for m in kind.members] + [n for n in scope.known() if _is_a(scope.value(n), kind)]
    if symbol is None:
        complain("PC201", index.name.span, name=index.name.text, nearest=nearest_name(index.name.text, known))
    else:
        found = str(type_of(symbol))
        complain("PC301", index.name.span, what=f"“{index.name.text}”", found=found, expected=f"a {kind.name}")
    return None


def bound_member(said: t.Name, kind: Kind | None, scope: Scope, complain: Complain = silent) -> Whose | None:
    """`that kind` as Whose; `kind` is what the place asks for, if it asks."""
    said_kind = find_kind(said, scope, complain)
    if said_kind is None:
        return None
    if said_kind.name not in scope.bound:
        complain("PC210", said.span, kind=said.text)
        return None
    if kind is not None and said_kind != kind:
        complain("PC301", said.span, what=f"“that {said.text}”", found=f"a {said_kind.name}", expected=f"a {kind.name}")
        return None
    return Whose(said_kind)


def named_member(name: t.Name, kind: Kind, scope: Scope) -> t.Value | None:
    """What names one of a kind in play (a parameter, a kept variable, a fact), as an expression; None if the name is none of these."""
    symbol = None if name.printed else scope.value(name.text)
    if symbol is None or index_kind(symbol) is not None or type_of(symbol).form != "member" or type_of(symbol).kind != kind:
        return None
    return t.Value(name, None, span=name.span)


def _is_a(symbol: Value | None, kind: Kind) -> bool:
    return symbol is not None and type_of(symbol).kind == kind


def type_of(symbol: Value) -> Type:
    """The type of a value when it stands in an expression by its bare name."""
    match symbol:
        case Keep(type=type_) | Fact(type=type_) | Attribute(type=type_) | Parameter(type=type_):
            return type_
        case Entry(form="list", listed=listed):
            return Type("list", kind=listed)
        case Bag(kind=kind):
            return Type("bag", kind=kind)
        case Definition():
            return Type("definition")
    return Type("flag", 0, 1)


def kind_hint(expression: t.Expr, scope: Scope) -> Kind | None:
    """The kind of which an expression names a member, as far as it can be told without a hint."""
    if isinstance(expression, t.That):
        return scope.names.kind(expression.kind.text)
    if not isinstance(expression, t.Value) or expression.name.printed:
        return None
    symbol = scope.value(expression.name.text)
    if symbol is None:
        return None
    type_ = type_of(symbol)
    return type_.kind if type_.form in ("member", "list") else None

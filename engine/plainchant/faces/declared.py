"""Everything that a book declares, each thing under one key, and all places where the rules use it; gathered in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plainchant.meaning.modules import Library
from plainchant.meaning.names import Names
from plainchant.meaning.phrases import match_verb, subject_of, verb_parameters
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Bag, BuiltIn, Definition, Entry, Fact, Keep, Parameter, Requirement
from plainchant.meaning.words import identifier
from plainchant.records import Frozen
from plainchant.text import tree as t

Key = tuple[str, str]
"""The sort of a declared thing, and its name: `("section", "the_woods.intro")`."""

WHAT = {
    "part": "part", "section": "section", "entry": "entry of the campaign log", "fact": "fact of the table",
    "reading": "ambiguity of the text", "keep": "kept beside the log", "definition": "definition",
    "verb": "verb", "rule": "rule", "event": "event", "keyword": "keyword", "ability": "ability", "kind": "kind",
    "group": "people at the table", "bag": "bag", "claim": "claim", "requirement": "requirement",
}  # fmt: skip
"""The sorts, in words."""

WRITES = (
    t.Record, t.LeaveOut, t.CardMayRecord, t.Tally, t.CrossOff, t.CrossOffEach, t.ListSome, t.Transfer, t.RemoveEach, t.MoveEach, t.Holds,
    t.Change, t.Deal, t.Evenly,
)  # fmt: skip
"""Statements that change what they name."""

JUMPS = (t.Jump, t.SkipPart, t.CardMay)
"""Statements that lead to what they name."""

WRITTEN, READ, LED_TO, USED, REACTED = "written in", "read in", "led to from", "used in", "reacted to by"


class Declared(Frozen):
    """Something that a book declares. `words` are for people; `part` is the part that it belongs to, or None."""

    key: Key
    words: str
    node: t.Node
    cites: tuple[t.Cite, ...]
    part: str | None = None


class Use(Frozen):
    """That `target` is read, written, led to or used by `place`, in a line of a rules file, and the printed lines of that."""

    target: Key
    how: str
    place: Key
    at: t.Span
    cites: tuple[t.Cite, ...]


# ---------------------------------------------------------------- what is declared


def declared(library: Library) -> Iterator[Declared]:
    """All that a library declares and people may look up, in the order of its files."""
    for module in library.modules:
        for file in module.files:
            yield from _items(file.items, None)


def _items(items: Sequence[t.Item | t.PartItem], part: str | None) -> Iterator[Declared]:
    for item in items:
        match item:
            case t.Part(name=name, words=words, items=inner):
                yield Declared(("part", name.text), words, item, item.cites)
                yield from _items(inner, name.text)
            case t.Section(words=words):
                yield Declared(("section", f"{part}.{identifier(words)}"), words, item, item.cites, part)
            case t.Log(entries=entries):
                for entry in entries:
                    yield Declared(("entry", entry.name.text), with_blanks(entry.words), entry, entry.cites)
            case t.Group(name=name, fields=fields):
                yield Declared(("group", name.text), spaced(name.text), item, item.cites)
                for field in fields:
                    yield Declared(("keep", field.name.text), spaced(field.name.text), field, field.cites)
            case t.Keyword(sort=sort, name=name, words=words):
                yield Declared((sort, name.text), words, item, item.cites)
            case t.Verb(kind=kind, pattern=pattern):
                yield Declared(
                    ("verb", f"{kind.text}.{identifier(pattern)}"), with_blanks(f"{spaced(kind.text)} {pattern}"), item, item.cites
                )
            case _:
                yield from _plain(item, part)


_SORTS = {
    t.Fact: "fact", t.Reading: "reading", t.Keep: "keep", t.Define: "definition", t.Rule: "rule", t.Event: "event", t.Kinds: "kind",
    t.Bag: "bag", t.Claim: "claim", t.Requirement: "requirement",
}  # fmt: skip


def _plain(item: t.Item | t.PartItem, part: str | None) -> Iterator[Declared]:
    sort, name = _SORTS.get(type(item)), getattr(item, "name", None)
    if sort is None or not isinstance(name, t.Name):
        return
    own = f"{part}.{name.text}" if part is not None and sort != "claim" else name.text
    words = getattr(item, "question", None) or getattr(item, "words", None) or spaced(name.text)
    yield Declared((sort, own), with_blanks(words), item, getattr(item, "cites", ()), part)


def with_blanks(words: str) -> str:
    """Printed words with their blanks in round brackets, as people fill them in."""
    return re.sub(r"\{(\w+)\}", lambda match: f"({spaced(match.group(1))})", words)


def spaced(name: str) -> str:
    """`victory_points` as `victory points`."""
    return name.replace("_", " ")


# ---------------------------------------------------------------- who uses it


def uses(library: Library, names: Names) -> Iterator[Use]:
    """Every use of a declared thing, in the order of the files."""
    for module in library.modules:
        for file in module.files:
            for place, part, node, scope in _places(file.items, names, None):
                yield from _Uses(names, place, part, scope).of(node)


def _places(items: Sequence[t.Item | t.PartItem], names: Names, part: str | None) -> Iterator[tuple[Key, str | None, t.Node, Scope]]:
    """Whatever may use names: sections, and declarations outside of them, with what is in reach there."""
    for item in items:
        if isinstance(item, t.Part):
            yield from _places(item.items, names, item.name.text)
            continue
        scope = Scope(names, part)
        if isinstance(item, t.Rule | t.Verb):
            scope = _with_parameters(item, names)
        for one in _items([item], part):
            if one.node is item:
                yield one.key, part, one.node, scope


def _with_parameters(item: t.Rule | t.Verb, names: Names) -> Scope:
    if isinstance(item, t.Rule):
        rule = names.rules.get(item.name.text)
        return Scope(names, None, parameters={p.name: p for p in rule.parameters} if rule else {})
    verb = next((v for verbs in names.verbs.values() for v in verbs if v.span == item.span), None)
    return Scope(names, None, parameters=verb_parameters(verb)).about(verb.kind) if verb else Scope(names, None)


class _Uses:
    """Walks one section or declaration."""

    def __init__(self, names: Names, place: Key, part: str | None, scope: Scope) -> None:
        self.names = names
        self.place = place
        self.part = part
        self.scope = scope

    def of(self, node: t.Node) -> Iterator[Use]:
        """The uses in a node, in reading order; each statement says for what is in it where it is printed."""
        stack: list[tuple[object, t.Node, tuple[t.Cite, ...]]] = [(node, node, getattr(node, "cites", ()))]
        while stack:
            item, holder, cites = stack.pop()
            if isinstance(item, tuple):
                stack += [(one, holder, cites) for one in reversed(item)]
            elif isinstance(item, t.Node):
                own = getattr(item, "cites", ()) or cites
                for key, how in self._keys(item, holder):
                    if key != self.place:
                        yield Use(key, how, self.place, item.span if item.span.line else holder.span, own)
                inner = item if isinstance(item, t.Statement) else holder
                stack += [(one, inner, own) for one in reversed(t.children(item))]

    def _keys(self, item: t.Node, holder: t.Node) -> Iterator[tuple[Key, str]]:
        match item:
            case t.Ref() if isinstance(holder, JUMPS):
                led = self.names.section(item, self.part)[:1]
                skipped = isinstance(holder, t.SkipPart) and item is holder.skipped
                yield from ((("section", section.key), LED_TO) for section in led if not skipped)
            case t.Path(ref=ref):
                yield from ((("section", section.key), READ) for section in self.names.section(ref, self.part)[:1])
            case t.Do(rule=rule):
                yield ("rule", rule.text), USED
            case t.Happens(event=event):
                yield ("event", event.text), WRITTEN
            case t.Trigger(event=event):
                yield ("event", event.text), REACTED
            case t.VerbUse():
                yield from self._verb(item)
            case t.ForEach(kind=kind) | t.Choose(kind=kind) | t.AnyOneMay(kind=kind) | t.Quantified(kind=kind) | t.HowMany(kind=kind):
                yield from self._kind(kind)
            case _:
                yield from self._value(item, holder)

    def _verb(self, use: t.VerbUse) -> Iterator[tuple[Key, str]]:
        subject = subject_of(use, self.scope)
        matched = match_verb(subject.kind, subject.rest, self.names) if subject else None
        if matched is not None:
            yield ("verb", f"{matched.verb.kind.name}.{identifier(matched.verb.words)}"), USED
        if subject is not None and subject.whose is not None and subject.whose.value is not None:
            symbol = self.scope.value(subject.whose.value.name.text)
            yield from ((key, READ) for key in key_of(symbol))

    def _kind(self, name: t.Name) -> Iterator[tuple[Key, str]]:
        kind = self.names.kind(name.text)
        if kind is not None:
            yield ("group" if kind.is_group else "kind", kind.name), USED

    def _value(self, item: t.Node, holder: t.Node) -> Iterator[tuple[Key, str]]:
        name = used_name(item)
        if name is None:
            return
        how = WRITTEN if isinstance(item, WRITES) or (not isinstance(item, t.Value) and isinstance(holder, WRITES)) else READ
        if name.printed:
            yield from ((("entry", entry.name), how) for entry, _ in self.names.entries_printed(name.text)[:1])
            return
        yield from ((key, how) for key in key_of(self.scope.value(name.text)))


def used_name(item: t.Node) -> t.Name | None:
    """The name that a node reads or writes."""
    match item:
        case (
            t.Value(name=name) | t.EntryRef(name=name) | t.Target(name=name) | t.Deal(field=name) | t.Evenly(field=name) | t.Holds(bag=name)
        ):
            return name
        case t.Ref(names=(name,)):
            return name
    return None


def key_of(symbol: object) -> Iterator[Key]:
    """The key of a value; none for parameters, for what the language brings along, and for nothing."""
    match symbol:
        case Entry(name=name):
            yield "entry", name
        case Bag(name=name, part=part):
            yield "bag", _owned(part, name)
        case Requirement(name=name, part=part):
            yield "requirement", _owned(part, name)
        case Definition(name=name, part=part):
            yield "definition", _owned(part, name)
        case Fact(name=name, part=part, chooser=chooser):
            yield "reading" if chooser == "reading" else "fact", _owned(part, name)
        case Keep(name=name, part=part):
            yield "keep", _owned(part, name)
        case Parameter() | BuiltIn() | None:
            return


def _owned(part: str | None, name: str) -> str:
    return name if part is None else f"{part}.{name}"

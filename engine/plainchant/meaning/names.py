"""All names of a book in one table: by which printed words each is known, and what a name means where."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.meaning.flow import walk
from plainchant.meaning.symbols import (
    Attribute,
    Bag,
    BuiltIn,
    Definition,
    Entry,
    Event,
    Fact,
    Keep,
    Kind,
    Parameter,
    Part,
    Requirement,
    Rule,
    Section,
    Symbol,
    Trigger,
    Value,
    Verb,
    Zones,
)
from plainchant.meaning.words import filled, plain
from plainchant.records import Frozen, field
from plainchant.text import tree as t
from plainchant.text.source import Source

A_RESOLUTION_WAS_REACHED = "a_resolution_was_reached"

ORDER = "order"
"""What a claim of independence calls the order in which the text leaves things to be done."""


class Names(Frozen):
    """The names of a book and of all modules that it uses."""

    sources: dict[str, Source]
    book: t.Book | None = None
    printed_lines: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    values: dict[tuple[str | None, str], Value] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    verbs: dict[str, tuple[Verb, ...]] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    triggers: dict[str, tuple[Trigger, ...]] = field(default_factory=dict)
    keywords: dict[str, t.Keyword] = field(default_factory=dict)
    zones: tuple[Zones, ...] = ()
    printed: dict[str, tuple[tuple[Entry, int | None], ...]] = field(default_factory=dict)
    claims: tuple[tuple[t.Claim, str | None], ...] = ()
    acknowledged: tuple[t.Acknowledge, ...] = ()
    order: tuple[Part, ...] = ()
    begins: Section | None = None

    @property
    def source(self) -> str | None:
        """The source that citations without a name mean."""
        return self.book.sources[0][0].text if self.book and self.book.sources else None

    def value(self, name: str, part: str | None) -> Value | None:
        """The value called `name` in a part: the part's own first."""
        return self.values.get((part, name)) or self.values.get((None, name))

    def value_names(self, part: str | None) -> list[str]:
        return [name for owner, name in self.values if owner in (None, part)]

    def kind(self, name: str) -> Kind | None:
        """A kind by its name, singular or with an s."""
        return self.kinds.get(name) or self.kinds.get(name.removesuffix("s"))

    def requirements(self, kind: Kind) -> list[Requirement]:
        """What each of a kind asks for, in the order of the text."""
        return [symbol for symbol in self.values.values() if isinstance(symbol, Requirement) and symbol.index == kind]

    def entries_printed(self, words: str) -> tuple[tuple[Entry, int | None], ...]:
        """The log entries with these printed words: the entry, and which one if there is one for each of a kind."""
        return self.printed.get(plain(words), ())

    def members_called(self, name: t.Name) -> list[tuple[Kind, int]]:
        """Members of any kind with this identifier or these printed words."""
        return [(kind, i) for kind in self.kinds.values() for i in member_positions(kind, name)]

    def section(self, ref: t.Ref, part: str | None) -> list[Section]:
        """What a reference to a section may mean, seen from a part; a part stands for its first section."""
        if len(ref.names) == 2:
            owner, name = ref.names
            return [s for p in self._parts_called(owner) for s in p.sections if _called(s, name)]
        name = ref.names[0]
        own = [s for s in (self.parts[part].sections if part in self.parts else ()) if _called(s, name)]
        if own:
            return own
        whole = [p.sections[0] for p in self._parts_called(name) if p.sections]
        return whole or [s for p in self.parts.values() for s in p.sections if _called(s, name)]

    def part_of(self, ref: t.Ref) -> Part | None:
        found = self._parts_called(ref.names[0]) if len(ref.names) == 1 else []
        return found[0] if found else None

    def section_names(self, part: str | None) -> list[str]:
        own = [s.words for s in (self.parts[part].sections if part in self.parts else ())]
        return own + [p.words for p in self.parts.values()]

    def _parts_called(self, name: t.Name) -> list[Part]:
        return [p for p in self.parts.values() if _called(p, name)]

    def next_part(self, part: str) -> Part | None:
        """The part that follows in the order of play."""
        names = [p.name for p in self.order]
        place = names.index(part) + 1 if part in names else len(names)
        return self.order[place] if place < len(names) else None


def member_positions(kind: Kind, name: t.Name) -> list[int]:
    """Positions in `kind` of the members that `name` may mean."""
    if name.printed:
        return [i for i, m in enumerate(kind.members) if plain(name.text) in (plain(m.words), plain(m.short))]
    place = kind.position(name.text)
    return [] if place is None else [place]


def totals_of(kind: Kind, bags: Iterable[Bag], parts: Iterable[Part], rules: Iterable[Rule]) -> tuple[int, ...] | None:
    """How many there are of each of a kind, as the bags are filled where parts begin.

    None if one of them is filled more than once, or anywhere else, where things may be in the others already.
    """
    totals = [0] * len(kind.members)
    filled_bags: set[str] = set()
    known = {bag.name for bag in bags}
    parts = tuple(parts)
    elsewhere = [rule.body for rule in rules] + [section.body for part in parts for section in part.sections[1:]]
    if any(isinstance(s, t.Holds) and s.bag.text in known for body in elsewhere for s in walk(body)):
        return None
    for statement in (s for part in parts for section in part.sections[:1] for s in walk(section.body)):
        if isinstance(statement, t.Holds) and statement.bag.text in known:
            if statement.bag.text in filled_bags:
                return None
            filled_bags.add(statement.bag.text)
            for position in (member_positions(kind, item) for item in statement.items if isinstance(item, t.Name)):
                if position:
                    totals[position[0]] += 1
    return tuple(totals)


def _called(symbol: Part | Section, name: t.Name) -> bool:
    return plain(symbol.words) == plain(name.text) if name.printed else symbol.name == name.text


def printed_forms(entry: Entry) -> list[tuple[int | None, str]]:
    """The printed words of an entry, one for each member of the kind that it is declared `of`."""
    if entry.index is None:
        return [(None, entry.words)]
    return [
        (i, filled(entry.words, {entry.index.name: m.words, "short": m.short})) for i, m in enumerate(entry.index.members)
    ]  # fmt: skip


def bag_forms(bag: Bag) -> list[tuple[int | None, str]]:
    """The printed words of a bag, one for each member of the kind on which there is one."""
    if bag.index is None:
        return [(None, bag.words)]
    return [(i, filled(bag.words, {bag.index.name: m.words, "short": m.short})) for i, m in enumerate(bag.index.members)]


def owner_words(symbol: Symbol) -> str:
    """What a symbol is, in the words of an error message."""
    words = {
        Entry: "a log entry", Bag: "a bag", Keep: "a kept variable", Fact: "a fact of the table", Definition: "a definition",
        Parameter: "a parameter", BuiltIn: "a built-in condition", Attribute: "carried by each of a kind",
        Requirement: "a requirement",
    }  # fmt: skip
    if isinstance(symbol, Fact) and symbol.chooser == "reading":
        return "a reading"
    return words.get(type(symbol), "something else")

"""Collects the names that a book and the modules that it uses declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plainchant.meaning.carried import attribute, check_carried, listed_members
from plainchant.meaning.modules import Library
from plainchant.meaning.names import A_RESOLUTION_WAS_REACHED, Names, printed_forms, totals_of
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.symbols import (
    FLAG,
    NUMBER,
    Bag,
    BuiltIn,
    Definition,
    Entry,
    Event,
    Fact,
    Keep,
    Kind,
    Member,
    Parameter,
    Part,
    Requirement,
    Rule,
    Section,
    Trigger,
    Type,
    Value,
    Verb,
    Zones,
)
from plainchant.meaning.words import identifier, nearest_name, plain
from plainchant.records import replace
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.place import Span

MOST_SEATS = 99
"""People at one table."""


def collect(library: Library) -> tuple[Names, tuple[Diagnostic, ...]]:
    """The names of the library's main module and all that it uses."""
    collector = _Collector(Reporter(library.sources), library)
    return collector.names(), collector.report.result()


class _Collector:
    """Gathers declarations; kinds first, because everything else may speak of them."""

    def __init__(self, report: Reporter, library: Library) -> None:
        self.report = report
        self.library = library
        self.kinds: dict[str, Kind] = {}
        self.members: dict[str, list[t.Member]] = {}
        self.values: dict[tuple[str | None, str], Value] = {}
        self.parts: dict[str, Part] = {}
        self.rules: dict[str, Rule] = {}
        self.verbs: dict[str, list[Verb]] = {}
        self.events: dict[str, Event] = {}
        self.triggers: dict[str, list[Trigger]] = {}
        self.keywords: dict[str, t.Keyword] = {}
        self.printed: dict[str, list[tuple[Entry, int | None]]] = {}
        self.claims: list[tuple[t.Claim, str | None]] = []
        self.acknowledged: list[t.Acknowledge] = []

    def names(self) -> Names:
        items = [item for module in self.library.modules for file in module.files for item in file.items]
        self.members = listed_members(items)
        for item in items:
            self._kind(item)
        for item in items:
            self._declare(item, None)
        names = Names(
            self.library.sources, self.library.main.book, dict(self._printed_lines()), self.kinds, self.values, self.parts,
            self.rules, {kind: tuple(verbs) for kind, verbs in self.verbs.items()},
            self.events, {event: tuple(triggers) for event, triggers in self.triggers.items()}, self.keywords,
            tuple(self._zones(item) for item in items if isinstance(item, t.Zones)),
            {words: tuple(found) for words, found in self.printed.items()}, tuple(self.claims), tuple(self.acknowledged),
        )  # fmt: skip
        return self._with_order(names)

    def _printed_lines(self) -> Iterator[tuple[str, int]]:
        for module in self.library.modules:
            if module.book:
                yield from ((name.text, lines) for name, lines in module.book.sources)

    def _with_order(self, names: Names) -> Names:
        book = names.book
        if book is None:
            return replace(names, order=tuple(names.parts.values()), begins=_first_section(names.parts.values()))
        order = []
        for line in book.order:
            part = names.part_of(line.ref)
            if part is None:
                self._unknown_section(names, line.ref)
            else:
                order.append(part)
        begins = None
        if book.begins:
            found = names.section(book.begins, None)
            begins = found[0] if found else None
            if not found:
                self._unknown_section(names, book.begins)
        return replace(names, order=tuple(order), begins=begins)

    def _unknown_section(self, names: Names, ref: t.Ref) -> None:
        name = ref.names[-1].text
        known = names.section_names(None) + list(names.parts)
        self.report("PC206", ref.span, name=name, nearest=nearest_name(name, known))

    # ------------------------------------------------------------ kinds

    def _kind(self, item: t.Item) -> None:
        if isinstance(item, t.Kinds):
            members: list[Member] = []
            for member in self.members[item.name.text]:
                if any(m.name == member.name.text for m in members):
                    self._twice(member.name, member.name.text, item.span)
                else:
                    members.append(Member(member.name.text, member.words, member.short or member.words, None, member.cites))
            self._add_kind(Kind(item.name.text, item.name.span, item.cites, None, item.words or item.name.text, tuple(members)), item.name)
        elif isinstance(item, t.Group):
            low, high = self._range(item.low, item.high, item.name.span)
            if high > MOST_SEATS:
                cure = "a group has a seat for each person at the table"
                self.report("PC302", item.name.span, cure=cure, value=high, low=0, high=MOST_SEATS)
                low, high = min(low, MOST_SEATS), MOST_SEATS
            title = item.name.text.replace("_", " ")
            seats = tuple(
                Member(f"{item.name.text}_{n}", f"{title} {n}".capitalize(), f"{title} {n}".capitalize()) for n in range(1, high + 1)
            )
            self._add_kind(Kind(item.name.text, item.name.span, item.cites, None, title, seats, low, high, item.question), item.name)

    def _add_kind(self, kind: Kind, name: t.Name) -> None:
        if kind.name in self.kinds:
            self._twice(name, kind.name, self.kinds[kind.name].span)
        else:
            self.kinds[kind.name] = kind

    def _range(self, low: int, high: int, at: Span) -> tuple[int, int]:
        if low > high:
            self.report("PC311", at, low=low, high=high)
            return high, low
        return low, high

    def _twice(self, at: t.Name, name: str, first: Span) -> None:
        place = f"{first.line}" if first.file == at.span.file else f"{first.line} of {first.file}"
        self.report("PC202", at.span, name=name, first=place)

    def _find_kind(self, name: t.Name | None) -> Kind | None:
        if name is None:
            return None
        kind = self.kinds.get(name.text) or self.kinds.get(name.text.removesuffix("s"))
        if kind is None:
            self.report("PC207", name.span, name=name.text, nearest=nearest_name(name.text, list(self.kinds)))
        return kind

    def _type(self, written: t.Type) -> Type:
        match written.form:
            case "flag":
                return FLAG
            case "number":
                return NUMBER
            case "range":
                low, high = self._range(written.low or 0, written.high or 0, written.span)
                return Type("number", low, high)
            case "list":
                return Type("list", kind=self._find_kind(written.kind))
        kind = self._find_kind(written.kind)
        return Type("member", 0, len(kind.members) - 1, kind) if kind else FLAG

    # ------------------------------------------------------------ everything else

    def _declare(self, item: t.Item | t.PartItem, part: str | None) -> None:
        match item:
            case t.Kinds(attributes=attributes):
                self._attributes(item.name.text, attributes)
            case t.Members():
                kind = self._find_kind(item.kind)
                if kind is not None and kind.is_group:
                    what = f"“{item.kind.text}”"
                    self.report("PC301", item.kind.span, what=what, found="a group of people", expected="a kind declared with `kinds`")
            case t.Group(fields=fields):
                for one in fields:
                    self._keep(one, None, self.kinds.get(item.name.text))
            case t.Bag():
                kind = self._find_kind(item.kind)
                if kind:
                    index = self._find_kind(item.index)
                    self._add(Bag(item.name.text, item.name.span, item.cites, part, item.words, kind, index), item.name)
            case t.Log(entries=entries):
                for entry in entries:
                    self._entry(entry)
            case t.Fact():
                self._fact(item, part)
            case t.Reading():
                type_ = self._alternatives(item.name, item.alternatives, part)
                self._add(Fact(item.name.text, item.name.span, item.cites, part, item.question, type_, None, "reading"), item.name)
            case t.Keep():
                self._keep(item, part, self._find_kind(item.index))
            case t.Define():
                index = self._find_kind(item.index)
                self._add(Definition(item.name.text, item.name.span, item.cites, part, item.meaning, index), item.name)
            case t.Verb():
                kind = self._find_kind(item.kind)
                if kind:
                    pattern = tuple(item.pattern.split())
                    self.verbs.setdefault(kind.name, []).append(Verb(item.pattern, item.span, item.cites, part, kind, pattern, item.body))
            case t.Rule():
                self._rule(item)
            case t.Event():
                self._event(item)
            case t.Keyword():
                self._keyword(item)
            case t.Requirement():
                self._requirement(item, part)
            case t.Acknowledge():
                self.acknowledged.append(item)
            case t.Claim():
                self.claims.append((item, part))
            case t.Part():
                self._part(item)

    def _add(self, symbol: Value, name: t.Name) -> None:
        key = (symbol.part, symbol.name)
        if key in self.values:
            self._twice(name, symbol.name, self.values[key].span)
        else:
            self.values[key] = symbol

    def _entry(self, entry: t.Entry) -> None:
        index, listed = self._find_kind(entry.index), self._find_kind(entry.kind)
        low, high = entry.low or 0, entry.high
        if high is not None:
            low, high = self._range(low, high, entry.name.span)
        if entry.form == "number" and not re.search(r"\bX\b", entry.words):
            message = f"“{entry.words}” has a number, but no X that says where it stands in the words"
            self.report("PC309", entry.name.span, message=message, what="put an X into the words, where the number is printed")
        symbol = Entry(entry.name.text, entry.name.span, entry.cites, None, entry.words, entry.form, index, low, high, listed)
        self._add(symbol, entry.name)
        for position, words in printed_forms(symbol):
            known = self.printed.setdefault(plain(words), [])
            if known:
                self._twice(entry.name, words, known[0][0].span)
            known.append((symbol, position))

    def _fact(self, fact: t.Fact, part: str | None) -> None:
        type_ = self._type(fact.type) if fact.type else self._alternatives(fact.name, fact.alternatives, part)
        index = self._find_kind(fact.index)
        if fact.type and (type_.form == "list" or (type_.form == "number" and type_.high is None)):
            found = "a list" if type_.form == "list" else "a number without a bound"
            what = f"“{fact.name.text}”"
            self.report("PC301", fact.type.span, what=what, found=found, expected="a flag, a range such as 0 to 20, a kind or a group")
            return
        self._add(Fact(fact.name.text, fact.name.span, fact.cites, part, fact.question, type_, index, "table"), fact.name)

    def _alternatives(self, name: t.Name, alternatives: tuple[t.Alternative, ...], part: str | None) -> Type:
        members: list[Member] = []
        for one in alternatives:
            if any(m.name == one.name.text for m in members):
                self._twice(one.name, one.name.text, name.span)
            else:
                members.append(Member(one.name.text, one.words, one.words, one.condition))
        kind = Kind(name.text, name.span, (), part, name.text, tuple(members))
        return Type("member", 0, len(members) - 1, kind)

    def _keep(self, keep: t.Keep, part: str | None, index: Kind | None) -> None:
        type_ = self._type(keep.type)
        initial = self._initial(keep, type_)
        self._add(Keep(keep.name.text, keep.name.span, keep.cites, part, type_, index, initial), keep.name)

    def _initial(self, keep: t.Keep, type_: Type) -> int:
        return (type_.low or 0) if keep.initial is None else self._literal(keep.initial, type_)

    def _literal(self, written: t.Name, type_: Type) -> int:
        """The value that a literal of a type stands for; its lowest after a complaint."""
        low, text, at = type_.low or 0, written.text, written.span
        if type_.form == "number" and text.isdigit():
            value = int(text)
            if value < low or (type_.high is not None and value > type_.high):
                self.report("PC302", at, value=value, low=low, high="any number" if type_.high is None else type_.high)
            return value
        if type_.form == "flag" and text in ("yes", "no"):
            return int(text == "yes")
        if type_.form == "member" and type_.kind:
            place = type_.kind.position(text)
            if place is None:
                nearest = nearest_name(text, [m.name for m in type_.kind.members])
                self.report("PC201", at, name=text, nearest=nearest)
            return place or 0
        self.report("PC301", at, what=f"“{text}”", found="something else", expected=str(type_))
        return low

    def _attributes(self, kind: str, attributes: tuple[t.Attribute, ...]) -> None:
        """What the members of a kind carry; they may be listed in other modules, so all are there by now."""
        members = self.members[kind]
        for written in attributes:
            type_ = self._type(written.type)
            self._add(attribute(written, self.kinds[kind], type_, members, self._literal, self.report), written.name)
        check_carried(members, attributes, self.report)

    def _requirement(self, item: t.Requirement, part: str | None) -> None:
        index = self._find_kind(item.kind)
        meaning = item.meaning if item.condition is None else t.Implies(item.condition, item.meaning, span=item.span)
        if index is not None:
            symbol = Requirement(
                item.name.text, item.name.span, item.cites, part, meaning, index, item.words, item.condition, item.meaning
            )  # fmt: skip
            self._add(symbol, item.name)

    def _rule(self, rule: t.Rule) -> None:
        name = rule.name.text
        if name in self.rules:
            self._twice(rule.name, name, self.rules[name].span)
            return
        words = rule.words or name.replace("_", " ")
        parameters = self._parameters(rule.parameters)
        self.rules[name] = Rule(name, rule.name.span, rule.cites, None, parameters, rule.body, words, rule.within, rule.ranking)

    def _parameters(self, written: tuple[t.Parameter, ...]) -> tuple[Parameter, ...]:
        return tuple(Parameter(p.name.text, p.name.span, (), None, self._type(p.type)) for p in written)

    def _event(self, event: t.Event) -> None:
        name = event.name.text
        if name in self.events:
            self._twice(event.name, name, self.events[name].span)
        else:
            self.events[name] = Event(name, event.name.span, event.cites, None, self._parameters(event.parameters), event.words)

    def _keyword(self, keyword: t.Keyword) -> None:
        name = keyword.name.text
        if name in self.keywords:
            self._twice(keyword.name, name, self.keywords[name].name.span)
            return
        self.keywords[name] = keyword
        for one in keyword.triggers:
            cites = one.cites or keyword.cites
            trigger = Trigger(one.event.text, one.event.span, cites, None, keyword.words, one.condition, one.timing, one.body)
            self.triggers.setdefault(one.event.text, []).append(trigger)

    def _zones(self, zones: t.Zones) -> Zones:
        """The bags of a kind among which its things are moved; bags of other kinds are no such places."""
        kind = self._find_kind(zones.kind)
        bags: list[Bag] = []
        for name in zones.bags:
            bag = self.values.get((None, name.text))
            if isinstance(bag, Bag) and bag.kind == kind:
                bags.append(bag)
            else:
                known = [b.name for b in self.values.values() if isinstance(b, Bag) and b.kind == kind]
                self.report("PC201", name.span, name=name.text, nearest=nearest_name(name.text, known))
        empty = Kind(zones.kind.text, zones.kind.span, (), None, "", ())
        totals = None if kind is None else totals_of(kind, bags, self.parts.values(), self.rules.values())
        return Zones(zones.kind.text, zones.kind.span, zones.cites, None, kind or empty, tuple(bags), totals)

    def _part(self, part: t.Part) -> None:
        name = part.name.text
        if name in self.parts:
            self._twice(part.name, name, self.parts[name].span)
            return
        sections: list[Section] = []
        standing: list[t.StandingRule] = []
        for item in part.items:
            if isinstance(item, t.Section):
                section = Section(
                    identifier(item.words), item.span, item.cites, name, item.words, item.kind, item.by_a_card, item.body
                )  # fmt: skip
                if any(s.name == section.name for s in sections):
                    first = next(s for s in sections if s.name == section.name)
                    at = Span(item.span.file, item.span.line, item.span.column, item.span.line, item.span.column + 7)
                    self._twice(t.Name(item.words, True, span=at), item.words, first.span)
                else:
                    sections.append(section)
            elif isinstance(item, t.Throughout):
                standing += item.rules
            else:
                self._declare(item, name)
        if any(s.kind == "before any other resolution" for s in sections):
            self._add(BuiltIn(A_RESOLUTION_WAS_REACHED, part.span, (), name), part.name)
        self.parts[name] = Part(
            name, part.name.span, part.cites, None, part.words, part.kind, tuple(sections), tuple(standing)
        )  # fmt: skip


def _first_section(parts: Iterable[Part]) -> Section | None:
    return next((part.sections[0] for part in parts if part.sections), None)

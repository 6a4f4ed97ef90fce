"""The checker: every name, type, range, case and way on of a book, all complaints of a run together."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.meaning.check_expressions import ExpressionChecker, check_section
from plainchant.meaning.expansion import check_expansion
from plainchant.meaning.flow import falls_through, never_reached, walk
from plainchant.meaning.modules import Library
from plainchant.meaning.names import Names, Reporter, member_positions, owner_words
from plainchant.meaning.phrases import match_verb, subject_of, verb_parameters, verb_sentences
from plainchant.meaning.resolve import (
    Named,
    Scope,
    bound_member,
    find_kind,
    find_whose,
    index_kind,
    named_member,
    printed_words,
    resolve,
)
from plainchant.meaning.symbols import Bag, Entry, Event, Fact, Keep, Kind, Parameter, Rule, Section, Type, Value, Verb
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.expression_text import name_text

MOST_STEPS = 999
"""Of what is done one at a time: dealing, listing, giving away."""

ORDER = "order"
"""What a claim of independence calls the order in which the text leaves things to be done."""

_ONLY_IN_PARTS = t.Jump | t.SkipPart | t.ContinuePrinted | t.PlayScenario | t.GoOn | t.GoBack | t.CardMay


def check(names: Names, library: Library) -> tuple[Diagnostic, ...]:
    """Everything that can be wrong with a book whose names are collected."""
    checker = _Checker(names)
    if not check_expansion(names, checker.report):
        return checker.report.result()
    checker.all()
    checker.citations(library)
    return checker.report.result()


class _Checker:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.report = Reporter(names.sources)
        self.expressions = ExpressionChecker(self.report)

    def all(self) -> None:
        for (part, _), symbol in self.names.values.items():
            self._declared(symbol, part)
        for rule in self.names.rules.values():
            self._rule(rule)
        for verb in (v for verbs in self.names.verbs.values() for v in verbs):
            self._verb(verb)
        for keyword in self.names.keywords.values():
            for trigger in keyword.triggers:
                self._trigger(trigger)
        for part_symbol in self.names.parts.values():
            for section in part_symbol.sections:
                self._section(section)
        self._ways_back()
        for claim, part in self.names.claims:
            scope = Scope(self.names, part)
            if claim.kind == "independent":
                self._independent(claim, scope)
            else:
                self.expressions.condition(claim.expression, scope)
            if claim.at:
                check_section(claim.at, scope, self.report)
        for known in self.names.acknowledged:
            self._acknowledged(known)
        if self.names.book and not self.names.book.begins:
            self.report("PC407", self.names.book.name.span)

    def _acknowledged(self, known: t.Acknowledge) -> None:
        """What an acknowledged finding is about must exist."""
        if acknowledged_subject(known, self.names) is None:
            names = [s.words for part in self.names.parts.values() for s in part.sections]
            names += [claim.name.text for claim, _ in self.names.claims] + self.names.value_names(None) + printed_words(self.names)
            name = " / ".join(n.text for n in known.subject.names)
            self.report("PC201", known.subject.span, name=name, nearest=nearest_name(known.subject.names[-1].text, names))

    # ------------------------------------------------------------ declarations

    def _declared(self, symbol: Value, part: str | None) -> None:
        scope = Scope(self.names, part)
        index = index_kind(symbol)
        if index is not None:
            scope = scope.about(index)
        if isinstance(symbol, Fact) and symbol.type.kind:
            for member in symbol.type.kind.members:
                if member.condition is not None:
                    self.expressions.condition(member.condition, scope)
        elif not isinstance(symbol, Fact | Keep | Entry | Bag):
            meaning = getattr(symbol, "meaning", None)
            if meaning is not None:
                value = t.Value(t.Name(symbol.name, span=symbol.span), None, span=symbol.span)
                self.expressions.type(value, scope)

    def _independent(self, claim: t.Claim, scope: Scope) -> None:
        """What a claim of independence is about: the order of things, or a reading."""
        assert isinstance(claim.expression, t.Value)
        name = claim.expression.name
        symbol = scope.value(name.text)
        if name.text != ORDER and not (isinstance(symbol, Fact) and symbol.chooser == "reading"):
            readings = [v.name for v in self.names.values.values() if isinstance(v, Fact) and v.chooser == "reading"]
            self.report("PC201", name.span, name=name.text, nearest=nearest_name(name.text, [*readings, ORDER]))

    def _rule(self, rule: Rule) -> None:
        scope = Scope(self.names, None, parameters={p.name: p for p in rule.parameters})
        self._outside_of_parts(rule.body)
        if rule.ranking is not None:
            self.expressions.number(rule.ranking, scope)
        self._body(rule.body, scope)
        self._costs_first(rule.body)

    def _costs_first(self, body: t.Body) -> None:
        """Nothing of a rule may be done before it is sure that its cost is paid: it would have to be taken back."""
        done = False
        for statement in walk(body):
            if isinstance(statement, t.Cost | t.OnlyIf) and done:
                self.report("PC413", statement.span)
            done = done or not isinstance(statement, t.OnlyIf | t.If | t.Check | t.By | t.Nothing | t.Instruct)

    def _trigger(self, trigger: t.Trigger) -> None:
        event = self._event(trigger.event)
        self._outside_of_parts(trigger.body)
        if event is not None:
            scope = Scope(self.names, None, parameters={p.name: p for p in event.parameters})
            if trigger.condition is not None:
                self.expressions.condition(trigger.condition, scope)
            self._body(trigger.body, scope)
        self._no_costs(trigger.body)

    def _event(self, name: t.Name) -> Event | None:
        event = self.names.events.get(name.text)
        if event is None:
            self.report("PC201", name.span, name=name.text, nearest=nearest_name(name.text, list(self.names.events)))
        return event

    def _no_costs(self, body: t.Body) -> None:
        for statement in walk(body):
            if isinstance(statement, t.Cost | t.OnlyIf):
                self.report("PC412", statement.span)

    def _verb(self, verb: Verb) -> None:
        scope = Scope(self.names, None, parameters=verb_parameters(verb)).about(verb.kind)
        self._outside_of_parts(verb.body)
        self._no_costs(verb.body)
        if any(isinstance(s, t.VerbUse) for s in walk(verb.body)):
            circle = f"{verb.words} → {verb.words}"
            self.report("PC211", verb.span, name=verb.words, circle=circle, cure="verbs are made of plain statements; use a rule instead")
        self._body(verb.body, scope)

    def _outside_of_parts(self, body: t.Body) -> None:
        for statement in walk(body):
            if isinstance(statement, _ONLY_IN_PARTS):
                self.report("PC410", statement.span)

    # ------------------------------------------------------------ sections

    def _section(self, section: Section) -> None:
        self._body(section.body, Scope(self.names, section.part))
        self._no_costs(section.body)
        if falls_through(section.body.statements):
            at = t.Span(section.span.file, section.span.line, section.span.column, section.span.line, section.span.column + 7)
            self.report("PC401", at, name=section.words)

    def _ways_back(self) -> None:
        """Each `go back` has exactly one place that sends there."""
        sent: dict[str, t.Statement] = {}
        for part in self.names.parts.values():
            for statement in (s for section in part.sections for s in walk(section.body)):
                if isinstance(statement, t.CardMay):
                    for target in self.names.section(statement.target, part.name)[:1]:
                        if target.part in sent:
                            self.report("PC408", statement.target.span, name=target.words)
                        sent[target.part or ""] = statement
        for part in self.names.parts.values():
            for section in part.sections:
                for statement in walk(section.body):
                    if isinstance(statement, t.GoBack) and part.name not in sent and not self._untriggered(section):
                        self.report("PC404", statement.span, name=part.words)

    def _untriggered(self, section: Section) -> bool:
        """A box that nothing in the guide leads to may say how it ends all the same."""
        for part in self.names.parts.values():
            for other in part.sections:
                for statement in walk(other.body):
                    target = getattr(statement, "target", None)
                    if isinstance(target, t.Ref) and section in self.names.section(target, part.name):
                        return False
        part_symbol = self.names.parts[section.part or ""]
        return section is not part_symbol.sections[0]

    def _body(self, body: t.Body, scope: Scope) -> None:
        for statement in body.statements:
            self._statement(statement, scope)
        dead = never_reached(body.statements)
        if dead is not None:
            self.report("PC402", dead.span)

    # ------------------------------------------------------------ statements

    def _statement(self, statement: t.Statement, scope: Scope) -> None:
        match statement:
            case t.Jump(target=target) | t.SkipPart(target=target) | t.CardMay(target=target):
                check_section(target, scope, self.report)
                if isinstance(statement, t.SkipPart):
                    check_section(statement.skipped, scope, self.report)
            case t.ContinuePrinted():
                if scope.part and self.names.next_part(scope.part) is None:
                    self.report("PC406", statement.span, name=self.names.parts[scope.part].words)
            case t.PlayScenario():
                self._play(statement, scope)
            case t.GoOn():
                if scope.value("a_resolution_was_reached") is None:
                    self.report("PC409", statement.span)
            case t.Record():
                self._record(statement, scope)
            case t.Tally(count=count, entry=ref):
                self.expressions.number(count, scope)
                entry = self._entry(t.EntryRef(ref.names[-1], None, span=ref.span), scope)
                if entry and entry.form != "tally":
                    self.report("PC301", ref.span, what=f"“{entry.words}”", found="no tally", expected="an entry declared as tally")
            case t.CardMayRecord(entry=one):
                self._entry(one, scope)
            case t.CrossOff(entries=entries) | t.LeaveOut(entries=entries):
                for one in entries:
                    self._entry(one, scope)
            case t.CrossOffEach(list=ref):
                self._list(ref, scope)
            case t.ListSome(count=count, list=ref):
                self._constant(count)
                self._list(ref, scope)
            case t.Transfer():
                self._transfer(statement, scope)
            case t.RemoveEach(place=place):
                self._place(place, scope)
                self._only_moved(statement, place, scope)
            case t.MoveEach(kind=name, source=source, destination=destination):
                kind = find_kind(name, scope, self.report)
                for place in (source, destination):
                    self._bag_of(place, kind, scope)
            case t.Cost(payment=payment):
                self._statement(payment, scope)
            case t.OnlyIf(condition=condition):
                self.expressions.condition(condition, scope)
            case t.Holds(bag=name, items=items):
                self._holds(name, items, scope)
            case t.Change():
                self._change(statement, scope)
            case t.Deal(count=count, field=field):
                self._constant(count)
                self._field(field, scope, group=True)
            case t.Evenly(count=count, field=field, kind=kind_name):
                self.expressions.number(count, scope)
                find_kind(kind_name, scope, self.report)
                self._field(field, scope, group=False)
            case t.VerbUse():
                self._verb_use(statement, scope)
            case t.Do():
                self._do(statement, scope)
            case _:
                self._compound(statement, scope)

    def _compound(self, statement: t.Statement, scope: Scope) -> None:
        match statement:
            case t.If(arms=arms, otherwise=otherwise):
                for condition, body in arms:
                    self.expressions.condition(condition, scope)
                    self._body(body, scope)
                if otherwise:
                    self._body(otherwise, scope)
            case t.Check(cases=cases):
                for case in cases:
                    if case.condition is not None:
                        self.expressions.condition(case.condition, scope)
                    self._body(case.body, scope)
            case t.By():
                self._by(statement, scope)
            case t.ForEach(kind=name, condition=condition, body=body):
                self._about(name, condition, body, scope)
            case t.Decide(options=options):
                for option in options:
                    if option.condition is not None:
                        self.expressions.condition(option.condition, scope)
                    if option.body:
                        self._body(option.body, scope)
            case t.Choose(who=who, kind=name, condition=condition, body=body):
                if isinstance(who, t.That):
                    bound_member(who.kind, None, scope, self.report)
                self._about(name, condition, body, scope)
            case t.AnyOneMay(kind=name, body=body):
                self._about(name, None, body, scope)
            case t.Draw(kind=name, place=place, body=body):
                self._bag_of(place, find_kind(name, scope, self.report), scope)
                self._about(name, None, body, scope)
            case t.Happens():
                self._happens(statement, scope)

    def _about(self, name: t.Name, condition: t.Expr | None, body: t.Body, scope: Scope) -> None:
        kind = find_kind(name, scope, self.report)
        if kind is None:
            return
        inner = scope.about(kind)
        if condition is not None:
            self.expressions.condition(condition, inner)
        self._body(body, inner)

    def _happens(self, statement: t.Happens, scope: Scope) -> None:
        event = self._event(statement.event)
        if event is not None:
            self._arguments(event.name, event.parameters, statement.arguments, statement.span, scope)
        if statement.body:
            self._body(statement.body, scope)

    def _play(self, statement: t.PlayScenario, scope: Scope) -> None:
        part = self.names.parts.get(scope.part or "")
        kinds = {"no resolution", "before any other resolution"}
        if part and not any(s.kind in kinds or s.by_a_card for s in part.sections):
            self.report("PC405", statement.span, name=part.words)

    def _by(self, statement: t.By, scope: Scope) -> None:
        found = self.expressions.type(statement.subject, scope)
        seen: set[str] = set()
        for arm in statement.arms:
            if arm.member.text in seen:
                self.report("PC304", arm.member.span, name=arm.member.text)
            seen.add(arm.member.text)
            self._body(arm.body, scope)
        if found.form == "unknown":
            return
        if found.form != "member" or found.kind is None:
            self.report("PC301", statement.subject.span, what="this", found=str(found), expected="one of a kind")
            return
        known = [m.name for m in found.kind.members]
        for arm in statement.arms:
            if arm.member.text not in known:
                self.report("PC201", arm.member.span, name=arm.member.text, nearest=nearest_name(arm.member.text, known))
        missing = [name for name in known if name not in seen]
        if missing:
            at = t.Span(statement.span.file, statement.span.line, statement.span.column, statement.span.line, statement.span.column + 2)
            self.report("PC303", at, missing=", ".join(missing), kind=found.kind.name)

    # ------------------------------------------------------------ the log

    def _entry(self, ref: t.EntryRef, scope: Scope) -> Entry | None:
        value = t.Value(ref.name, ref.index, span=ref.span)
        symbol = None if ref.name.printed else scope.value(ref.name.text)
        if symbol is None and not scope.names.entries_printed(ref.name.text):
            known = printed_words(self.names) if ref.name.printed else scope.known()
            self.report("PC201", ref.name.span, name=ref.name.text, nearest=nearest_name(ref.name.text, known))
            return None
        found = resolve(value, scope, None, self.report)
        if not isinstance(found, Named):
            return None
        if not isinstance(found.symbol, Entry):
            self.report("PC308", ref.name.span, name=ref.name.text, found=owner_words(found.symbol))
            return None
        return found.symbol

    def _record(self, record: t.Record, scope: Scope) -> None:
        if record.under is not None:
            listed = self._list(record.under, scope)
            if listed:
                self._items([e.name for e in record.entries], listed)
            return
        if record.value is not None:
            self.expressions.number(record.value, scope)
        for ref in record.entries:
            entry = self._entry(ref, scope)
            if entry is None:
                continue
            if entry.form == "list":
                message = f"“{entry.words}” is a list; things are recorded under it"
                self.report("PC309", ref.span, message=message, what="write: record … under …")
            elif entry.form == "number" and record.value is None:
                message = f"“{entry.words}” needs its number"
                self.report("PC309", ref.span, message=message, what=f"write: record {name_text(ref.name)} as …")
            elif entry.form != "number" and record.value is not None:
                message = f"“{entry.words}” has no number in it"
                self.report("PC309", ref.span, message=message, what="leave out “as …”, or declare the entry with a range")
            elif isinstance(record.value, t.Number):
                self.expressions.in_range(record.value, Type("number", entry.low, entry.high))

    def _list(self, ref: t.Ref, scope: Scope) -> Kind | None:
        entry = self._entry(t.EntryRef(ref.names[-1], None, span=ref.span), scope)
        if entry is None:
            return None
        if entry.listed is None:
            self.report("PC301", ref.span, what=f"“{entry.words}”", found="no list", expected="an entry declared as a list")
        return entry.listed

    def _items(self, items: Iterable[t.Name | t.That], kind: Kind, scope: Scope | None = None) -> None:
        """Members of a kind, each by its name; within a scope also by what names one: `that token`, a parameter."""
        known = [m.words for m in kind.members] + [m.name for m in kind.members]
        for item in items:
            if isinstance(item, t.That):
                bound_member(item.kind, kind, scope or Scope(self.names, None), self.report)
            elif not member_positions(kind, item) and not (scope and named_member(item, kind, scope)):
                self.report("PC201", item.span, name=item.text, nearest=nearest_name(item.text, known))

    # ------------------------------------------------------------ bags, lists, variables

    def _holds(self, name: t.Name, items: tuple[t.Name, ...], scope: Scope) -> None:
        bag = self._bag(name, scope)
        if bag is None:
            return
        if bag.index is not None:
            self.report("PC307", name.span, name=name.text, kind=bag.index.name)
        self._items(items, bag.kind)

    def _bag_of(self, place: t.Target, kind: Kind | None, scope: Scope) -> None:
        """A bag for things of a kind."""
        found = self._place(place, scope)
        if found is not None and ((kind is not None and found[0] != kind) or not found[1]):
            expected = f"a bag of {kind.name}" if kind else "a bag"
            self.report("PC301", place.span, what=f"“{place.name.text}”", found="something else", expected=expected)

    def _only_moved(self, statement: t.Statement, place: t.Target, scope: Scope) -> None:
        """What is always in exactly one of some bags is neither made nor destroyed."""
        symbol = scope.value(place.name.text)
        for zones in self.names.zones:
            if symbol in zones.bags:
                others = ", ".join(bag.name for bag in zones.bags if bag != symbol)
                self.report("PC315", statement.span, kind=zones.kind.name, others=others)

    def _bag(self, name: t.Name, scope: Scope) -> Bag | None:
        symbol = self._named(name, scope)
        if symbol is not None and not isinstance(symbol, Bag):
            self.report("PC314", name.span, name=name.text, found=owner_words(symbol), what="tokens")
            return None
        return symbol

    def _named(self, name: t.Name, scope: Scope) -> Value | None:
        symbol = scope.value(name.text)
        if symbol is None:
            self.report("PC201", name.span, name=name.text, nearest=nearest_name(name.text, scope.known()))
        return symbol

    def _place(self, place: t.Target, scope: Scope) -> tuple[Kind, bool] | None:
        """The kind of things in a bag or list, and whether it is a bag."""
        symbol = self._named(place.name, scope)
        if symbol is None:
            return None
        self._index(place, symbol, scope)
        if isinstance(symbol, Bag):
            return symbol.kind, True
        if isinstance(symbol, Keep) and symbol.type.form == "list" and symbol.type.kind:
            return symbol.type.kind, False
        self.report("PC314", place.name.span, name=place.name.text, found=owner_words(symbol), what="things")
        return None

    def _index(self, target: t.Target, symbol: Value, scope: Scope) -> None:
        kind = index_kind(symbol)
        if target.index is not None and kind is None:
            self.report("PC312", target.index.span, name=target.name.text)
        elif target.index is not None and kind is not None:
            find_whose(target.index, kind, scope, self.report)
        elif kind is not None and kind.name not in scope.bound:
            self.report("PC307", target.name.span, name=target.name.text, kind=kind.name)

    def _transfer(self, transfer: t.Transfer, scope: Scope) -> None:
        places = [self._place(p, scope) for p in (transfer.source, transfer.destination) if p is not None]
        if transfer.source is None or transfer.destination is None:
            self._only_moved(transfer, transfer.source or transfer.destination or t.Target(t.Name("")), scope)
        for thing in transfer.things:
            if thing.count is not None:
                self.expressions.number(thing.count, scope)
        for found in places:
            if found is None:
                continue
            kind, is_bag = found
            self._items([thing.item for thing in transfer.things], kind, scope)
            for thing in transfer.things:
                if not is_bag and thing.count is not None and thing.count != t.Number(1):
                    self.report("PC301", thing.count.span, what="this", found="a number of copies", expected="a single thing for a list")

    def _change(self, change: t.Change, scope: Scope) -> None:
        symbol = self._named(change.target.name, scope)
        if symbol is None:
            return
        self._index(change.target, symbol, scope)
        if not isinstance(symbol, Keep) or symbol.type.form == "list":
            found = owner_words(symbol) if not isinstance(symbol, Keep) else "a list"
            self.report("PC310", change.target.name.span, name=change.target.name.text, found=found)
            return
        if change.operator == "set":
            self.expressions.of_type(change.amount, symbol.type, scope)
            return
        if symbol.type.form != "number":
            found = str(symbol.type)
            self.report("PC301", change.target.span, what=f"“{change.target.name.text}”", found=found, expected="a number")
        self.expressions.number(change.amount, scope)

    def _field(self, name: t.Name, scope: Scope, *, group: bool) -> None:
        symbol = self._named(name, scope)
        if symbol is None:
            return
        fits = isinstance(symbol, Keep) and symbol.type.form == "number" and symbol.index is not None
        if fits and group and isinstance(symbol, Keep) and symbol.index and not symbol.index.is_group:
            fits = False
        if fits and not group and isinstance(symbol, Keep) and (symbol.type.high is None or symbol.type.high > MOST_STEPS):
            fits = False
        if not fits:
            kept = "of each member of a group" if group else f"of each of a kind, and never above {MOST_STEPS}"
            expected = f"a number kept {kept}"
            self.report("PC301", name.span, what=f"“{name.text}”", found=owner_words(symbol), expected=expected)

    def _constant(self, count: t.Expr) -> None:
        if not isinstance(count, t.Number):
            self.report("PC301", count.span, what="this", found="worked out in play", expected="a plain number")
        else:
            self.expressions.in_range(count, Type("number", 0, MOST_STEPS))

    # ------------------------------------------------------------ verbs and rules

    def _verb_use(self, use: t.VerbUse, scope: Scope) -> None:
        subject = subject_of(use, scope, self.report)
        if subject is None:
            return
        inner = scope.about(subject.kind)
        if use.condition is not None:
            self.expressions.condition(use.condition, inner)
        matched = match_verb(subject.kind, subject.rest, self.names)
        if matched is None:
            phrase = " ".join(i.text if isinstance(i, t.Name) else "…" for i in subject.rest)
            sentences = verb_sentences(subject.kind, self.names)
            self.report("PC208", use.phrase.span, kind=subject.kind.name, phrase=phrase, nearest=nearest_name(phrase, sentences))
            return
        for argument in matched.arguments.values():
            self.expressions.number(argument, inner)

    def _do(self, do: t.Do, scope: Scope) -> None:
        rule = self.names.rules.get(do.rule.text)
        if rule is None:
            known = list(self.names.rules)
            self.report("PC201", do.rule.span, name=do.rule.text, nearest=nearest_name(do.rule.text, known))
            return
        self._arguments(rule.name, rule.parameters, do.arguments, do.span, scope)

    def _arguments(
        self, name: str, parameters: tuple[Parameter, ...], arguments: tuple[t.Expr, ...], at: t.Span, scope: Scope
    ) -> None:  # fmt: skip
        wanted, given = len(parameters), len(arguments)
        if wanted != given:
            expected = f"{wanted} argument{'' if wanted == 1 else 's'}" if wanted else "no arguments"
            self.report("PC306", at, name=name, expected=expected, found=given)
        for parameter, argument in zip(parameters, arguments, strict=False):
            self.expressions.of_type(argument, parameter.type, scope)

    # ------------------------------------------------------------ citations

    def citations(self, library: Library) -> None:
        """Citations name known sources and lines that these have."""
        known = self.names.printed_lines
        if not known:
            return
        for module in library.modules:
            own = module.book.sources[0][0].text if module.book and module.book.sources else None
            for file in module.files:
                for cite in all_cites(file):
                    self._citation(cite, own, known)

    def _citation(self, cite: t.Cite, own: str | None, known: dict[str, int]) -> None:
        source = cite.source or own
        if source is None:
            return
        if source not in known:
            if self.names.book is not None and not _is_a_shipped_source(source):
                self.report("PC209", cite.span, name=source, nearest=nearest_name(source, list(known)))
            return
        for low, high in cite.ranges:
            if low > high:
                self.report("PC311", cite.span, low=low, high=high)
            elif high > known[source] or low < 1:
                self.report("PC403", cite.span, source=source, lines=known[source], line=high if low >= 1 else low)


def acknowledged_subject(known: t.Acknowledge, names: Names) -> str | None:
    """What an acknowledged finding is about, as findings name it: a section's key, or the identifier of an entry, reading or claim."""
    subject = known.subject
    if known.kind == "claim":
        return next((c.name.text for c, _ in names.claims if c.name.text == subject.names[0].text), None)
    if known.kind == "reading":
        return next((name for _, name in names.values if name == subject.names[0].text), None)
    if known.kind in ("never-read", "dangling-read"):
        symbol = names.value(subject.names[0].text, None)
        found = names.entries_printed(subject.names[0].text)
        return symbol.name if symbol else found[0][0].name if found else None
    sections = names.section(subject, None)
    return sections[0].key if len(sections) == 1 else None


def _is_a_shipped_source(name: str) -> bool:
    """Shared modules cite the books of others; those need not be loaded."""
    from plainchant.meaning.modules import shipped_books

    return name in shipped_books()


def all_cites(node: object) -> Iterable[t.Cite]:
    """Every citation in a tree."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, t.Cite):
            yield item
        elif isinstance(item, tuple):
            stack += reversed(item)
        elif isinstance(item, t.Node):
            stack += [getattr(item, name) for name in item.__dataclass_fields__ if name != "span"]

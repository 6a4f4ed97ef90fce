"""Checks statements: what they name, the types and ranges of what they use, and whether each is reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainchant.meaning.check_expressions import ExpressionChecker, check_section
from plainchant.meaning.flow import never_reached
from plainchant.meaning.names import Names, member_positions, owner_words
from plainchant.meaning.phrases import match_verb, subject_of, verb_sentences
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.resolve import Named, Scope, bound_member, find_kind, find_whose, index_kind, named_member, printed_words, resolve
from plainchant.meaning.symbols import Bag, Entry, Event, Keep, Kind, Parameter, Type, Value
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t
from plainchant.text.expression_text import name_text

MOST_STEPS = 999
"""Of what is done one at a time: dealing, listing, giving away."""


class StatementChecker:
    """Checks the statements of sections, rules and verbs, and complains to `report`."""

    def __init__(self, names: Names, report: Reporter, expressions: ExpressionChecker) -> None:
        self.names = names
        self.report = report
        self.expressions = expressions

    def body(self, body: t.Body, scope: Scope) -> None:
        """Check every statement of a body, and that each is reached."""
        for statement in body.statements:
            self._statement(statement, scope)
        dead = never_reached(body.statements)
        if dead is not None:
            self.report("PC402", dead.span)

    def event(self, name: t.Name) -> Event | None:
        """The event of that name; a complaint if there is none."""
        event = self.names.events.get(name.text)
        if event is None:
            known = nearest_name(name.text, list(self.names.events))
            nearest = f"“{name.text}” is a rule: write `do {name.text}`" if name.text in self.names.rules else known
            self.report("PC201", name.span, name=name.text, nearest=nearest)
        return event

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
                self._only_moved(statement, (place,), scope)
            case t.MoveEach(kind=name, source=source, destination=destination):
                kind = find_kind(name, scope, self.report)
                for place in (source, destination):
                    self._bag_of(place, kind, scope)
                self._only_moved(statement, (source, destination), scope)
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
                    self.body(body, scope)
                if otherwise:
                    self.body(otherwise, scope)
            case t.Check(cases=cases):
                for case in cases:
                    if case.condition is not None:
                        self.expressions.condition(case.condition, scope)
                    self.body(case.body, scope)
            case t.By():
                self._by(statement, scope)
            case t.ForEach(kind=name, condition=condition, body=body):
                self._about(name, condition, body, scope)
            case t.Decide(options=options):
                for option in options:
                    if option.condition is not None:
                        self.expressions.condition(option.condition, scope)
                    if option.body:
                        self.body(option.body, scope)
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
        self.body(body, inner)

    def _happens(self, statement: t.Happens, scope: Scope) -> None:
        event = self.event(statement.event)
        if event is not None:
            self._arguments(event.name, event.parameters, statement.arguments, statement.span, scope)
        if statement.body:
            self.body(statement.body, scope)

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
            self.body(arm.body, scope)
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

    def _only_moved(self, statement: t.Statement, places: Sequence[t.Target], scope: Scope) -> None:
        """What is always in exactly one of some bags is neither made nor destroyed, but moved from one of them to another."""
        symbols = [scope.value(place.name.text) for place in places]
        for zones in self.names.zones:
            inside = [symbol for symbol in symbols if symbol in zones.bags]
            if inside and len(inside) < 2:
                others = ", ".join(bag.name for bag in zones.bags if bag not in inside)
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
        targets = [place for place in (transfer.source, transfer.destination) if place is not None]
        places = [self._place(place, scope) for place in targets]
        self._only_moved(transfer, targets, scope)
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
            is_event = do.rule.text in self.names.events
            known = nearest_name(do.rule.text, list(self.names.rules))
            nearest = f"“{do.rule.text}” is an event: write `it happens that {do.rule.text}`" if is_event else known
            self.report("PC201", do.rule.span, name=do.rule.text, nearest=nearest)
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

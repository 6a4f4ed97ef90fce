"""Statements in plain words: what a rule has people do, as nested sentences with their printed lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainchant.faces.declared import spaced
from plainchant.faces.site.md import esc, said
from plainchant.faces.site.plain import Linker, PlainExpressions
from plainchant.faces.wording import sentence
from plainchant.meaning.names import Names
from plainchant.meaning.phrases import match_verb, subject_of
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Keep, Kind
from plainchant.meaning.words import identifier
from plainchant.records import Frozen, replace
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text
from plainchant.text.statement_text import headline, item_text, phrase_text


class Said(Frozen):
    """A sentence in Markdown, the printed lines of it, and what is said below it."""

    text: str
    cites: tuple[t.Cite, ...] = ()
    below: tuple[Said, ...] = ()


class PlainStatements:
    """Says statements of one place in words."""

    def __init__(self, names: Names, scope: Scope, link: Linker) -> None:
        self.names = names
        self.scope = scope
        self.link = link
        self.expressions = PlainExpressions(names, scope, link)

    def body(self, body: t.Body | None) -> tuple[Said, ...]:
        """The sentences of a block."""
        return tuple(self.statement(one) for one in body.statements) if body else ()

    def statement(self, statement: t.Statement) -> Said:
        """One statement, with what stands in it."""
        match statement:
            case t.If(arms=arms, otherwise=otherwise, arm_cites=arm_cites):
                return self._if(statement, arms, otherwise, arm_cites)
            case t.Check(title=title, cases=cases):
                below = tuple(self._case(case) for case in cases)
                return Said(f"Look at {said(title)}, and follow the case that applies:", statement.cites, below)
            case t.By(subject=subject, arms=by_arms):
                below = tuple(self._arm(arm) for arm in by_arms)
                return Said(f"By {self.expressions.value(subject)}:", statement.cites, below)
            case t.ForEach(kind=kind, condition=condition, body=body, any_order=any_order):
                order = " (in any order)" if any_order else ""
                text = f"For each {self.expressions.kind(kind)}{self._if_about(kind, condition)}{order}:"
                return Said(text, statement.cites, self._about(kind).body(body))
            case t.Decide(who=who, limit=limit, options=options):
                below = tuple(self._option(option) for option in options)
                if who is None:
                    return Said("One of these, at random:", statement.cites, below)
                many = "choose one" if limit is None else f"choose up to {limit}, one at a time"
                return Said(f"The {esc(phrase_text(who))} must decide ({many}):", statement.cites, below)
            case t.Choose(kind=kind, condition=condition, body=body):
                if_about = self._if_about(kind, condition)
                head = esc(sentence(headline(replace(statement, condition=None))))
                return Said(f"{head}{if_about}:", statement.cites, self._about(kind).body(body))
            case t.AnyOneMay(kind=kind, body=body):
                return Said(f"Any one {self.expressions.kind(kind)} may:", statement.cites, self._about(kind).body(body))
            case t.Draw(kind=kind, body=body):
                return Said(f"{esc(sentence(headline(statement)))}, then:", statement.cites, self._about(kind).body(body))
            case t.Happens(event=event, body=body):
                words = self.names.events[event.text].words if event.text in self.names.events else spaced(event.text)
                what = self.link(("event", event.text), said(words))
                return Said(f"This happens: {what}{', with these results:' if body else '.'}", statement.cites, self.body(body))
        return Said(self._simple(statement) + ".", statement.cites)

    # ------------------------------------------------------------ with blocks

    def _if(
        self, statement: t.If, arms: Sequence[tuple[t.Expr, t.Body]], otherwise: t.Body | None, arm_cites: Sequence[tuple[t.Cite, ...]]
    ) -> Said:
        cites = [*arm_cites, *((),) * (len(arms) + 1 - len(arm_cites))]
        first, *further = [
            Said(f"{'Otherwise, if' if number else 'If'} {self.expressions.condition(condition)}:", cites[number], self.body(body))
            for number, (condition, body) in enumerate(arms)
        ]
        if not further and otherwise is None:
            return replace(first, cites=first.cites or statement.cites)
        last = [Said("Otherwise:", cites[len(arms)], self.body(otherwise))] if otherwise else []
        return Said("The first of these that applies:", statement.cites if not arm_cites else (), (first, *further, *last))

    def _case(self, case: t.Case) -> Said:
        below = self.body(case.body)
        if case.condition is None:
            return Said("In all other cases:", case.cites, below)
        head = "If none of the above, and" if case.after else "If"
        return Said(f"{head} {self.expressions.condition(case.condition)}:", case.cites, below)

    def _arm(self, arm: t.Arm) -> Said:
        members = self.names.members_called(arm.member)
        words = said(members[0][0].members[members[0][1]].words) if members else esc(spaced(arm.member.text))
        return Said(f"{words}:", arm.cites, self.body(arm.body))

    def _option(self, option: t.Option) -> Said:
        only = "" if option.condition is None else f" (only if {self.expressions.condition(option.condition)})"
        return Said(f"{said(option.words)}{only}{':' if option.body else ''}", option.cites, self.body(option.body))

    def _about(self, name: t.Name) -> PlainStatements:
        kind = self.names.kind(name.text)
        return PlainStatements(self.names, self.scope.about(kind) if kind else self.scope, self.link)

    def _if_about(self, name: t.Name, condition: t.Expr | None) -> str:
        if condition is None:
            return ""
        return f", if {self._about(name).expressions.condition(condition)}"

    # ------------------------------------------------------------ on one line

    def _simple(self, statement: t.Statement) -> str:
        section, value = self.expressions.section, self.expressions.value
        match statement:
            case t.Jump(verb=verb, target=target):
                return f"{esc(verb[:1].upper() + verb[1:])} {section(target)}"
            case t.SkipPart(skipped=skipped, target=target):
                return f"Skip {section(skipped)}, and proceed directly to {section(target)}"
            case t.ContinuePrinted():
                following = self.names.next_part(self.scope.part or "")
                there = f", that is to {self.link(('part', following.name), said(following.words))}" if following else ""
                return f"Nothing is printed here; readers go on in printed order{there}"
            case t.PlayScenario():
                return "Play the scenario; the table then says how it ended"
            case t.CardMay(target=target):
                return f"A card may send the investigators to {section(target)}, and back"
            case t.VerbUse():
                return self._verb_use(statement)
            case t.Do(rule=rule, arguments=arguments):
                words = self.names.rules[rule.text].words if rule.text in self.names.rules else spaced(rule.text)
                given = f" ({', '.join(value(a) for a in arguments)})" if arguments else ""
                return f"Carry out {self.link(('rule', rule.text), said(words))}{given}"
            case t.Cost(payment=payment):
                return f"As a cost (which must be paid, or nothing happens): {self._simple(payment)}"
            case t.OnlyIf(condition=condition):
                return f"Only if {self.expressions.condition(condition)}; otherwise this cannot be done"
        return self._about_state(statement)

    def _about_state(self, statement: t.Statement) -> str:
        value = self.expressions.value
        match statement:
            case t.Record(entries=entries, value=number, under=None):
                words = ", ".join(self._entry(entry) for entry in entries)
                return f"Record in the campaign log: {words}" + (f", with the number {value(number)}" if number else "")
            case t.Record(entries=entries, under=t.Ref(names=names)):
                words = ", ".join(said(entry.name.text) if entry.name.printed else self._member(entry.name) for entry in entries)
                return f"Record under {self._named(names[-1])}: {words}"
            case t.Tally(count=count, entry=ref):
                marks = "mark" if count == t.Number(1) else "marks"
                return f"Record {value(count)} tally {marks} next to {self._named(ref.names[-1])}"
            case t.CrossOff(entries=entries):
                return "Cross off: " + ", ".join(self._entry(entry) for entry in entries)
            case t.CrossOffEach(list=ref):
                return f"Cross off everything under {self._named(ref.names[-1])}"
            case t.LeaveOut(entries=entries):
                return "These do not stand in the campaign log: " + ", ".join(self._entry(entry) for entry in entries)
            case t.CardMayRecord(entry=entry):
                return f"A card may have recorded: {self._entry(entry)}"
            case t.ListSome(count=count, list=ref):
                return f"List any {value(count)} under {self._named(ref.names[-1])}"
            case t.Transfer():
                return self._transfer(statement)
            case t.RemoveEach(place=place):
                return f"Remove everything from {self._target(place)}"
            case t.Holds(bag=bag, items=items):
                return f"Now {self._named(bag)} holds: {', '.join(self._item(item) for item in items)}"
            case t.Change(operator=operator, target=target, amount=amount):
                word = "to" if operator == "set" else "by"
                return f"{operator.capitalize()} {self._target(target)} {word} {value(amount, self._kind(target))}"
            case t.Deal(count=count, field=field):
                return f"Deal {value(count)} in player order, one at a time, to {self._named(field)}"
            case t.Evenly(count=count, field=field, kind=kind):
                return f"As evenly as possible, remove {value(count)} from {self._named(field)} of each {self.expressions.kind(kind)}"
        return esc(sentence(headline(statement)))

    def _transfer(self, transfer: t.Transfer) -> str:
        things = ", ".join(self._thing(thing) for thing in transfer.things)
        source = f" from {self._target(transfer.source)}" if transfer.source else ""
        destination = f" to {self._target(transfer.destination)}" if transfer.destination else ""
        verb = "Add" if not transfer.source else "Move" if transfer.destination else "Remove"
        return f"{verb} {things}{source}{destination}" + (", as far as there is any" if transfer.partial else "")

    def _thing(self, thing: t.Thing) -> str:
        count = "" if thing.count is None else f"{self.expressions.value(thing.count)} × "
        if isinstance(thing.item, t.That):
            return f"{count}that {esc(spaced(thing.item.kind.text))}"
        return count + (esc(thing.item.text) if thing.item.printed else self._member(thing.item))

    def _verb_use(self, use: t.VerbUse) -> str:
        subject = subject_of(use, self.scope)
        if subject is None:
            return esc(sentence(headline(use)))
        matched = match_verb(subject.kind, subject.rest, self.names)
        words = [spaced(item.text) if isinstance(item, t.Name) else expression_text(item) for item in subject.rest]
        phrase = esc(" ".join(words))
        if matched is not None:
            phrase = self.link(("verb", f"{matched.verb.kind.name}.{identifier(matched.verb.words)}"), phrase)
        who = {"each": f"Each {self.expressions.kind(t.Name(subject.kind.name))}", "that": f"That {esc(spaced(subject.kind.name))}"}
        named = (
            who.get(use.subject) or f"The {esc(' '.join(i.text for i in use.phrase.items[: -len(subject.rest)] if isinstance(i, t.Name)))}"
        )
        condition = "" if use.condition is None else f", if {self._about(t.Name(subject.kind.name)).expressions.condition(use.condition)},"
        return f"{named}{condition} {phrase}"

    # ------------------------------------------------------------ pieces

    def _entry(self, ref: t.EntryRef) -> str:
        return self.expressions.value(t.Value(ref.name, ref.index))

    def _named(self, name: t.Name) -> str:
        if name.printed:
            return self.expressions.value(t.Value(name))
        symbol = self.scope.value(name.text)
        return self.expressions.symbol(symbol) if symbol is not None else esc(spaced(name.text))

    def _target(self, target: t.Target) -> str:
        return self._named(target.name) + self.expressions.whose(target.index)

    def _member(self, name: t.Name) -> str:
        found = self.names.members_called(name)
        return said(found[0][0].members[found[0][1]].words) if found else self._named(name)

    def _item(self, item: t.Name | t.That) -> str:
        """A token among others: by its printed words, without quotes."""
        if isinstance(item, t.That):
            return esc(item_text(item))
        found = self.names.members_called(item)
        return esc(found[0][0].members[found[0][1]].words if found else item.text)

    def _kind(self, target: t.Target) -> Kind | None:
        symbol = self.scope.value(target.name.text)
        return symbol.type.kind if isinstance(symbol, Keep) else None


def triggers(keyword: t.Keyword, names: Names, link: Linker) -> Iterator[Said]:
    """What a keyword or ability does, each time that something happens."""
    for trigger in keyword.triggers:
        event = names.events.get(trigger.event.text)
        given = {parameter.name: parameter for parameter in event.parameters} if event else {}
        inside = PlainStatements(names, Scope(names, None, parameters=given), link)
        what = link(("event", trigger.event.text), said(event.words if event else spaced(trigger.event.text)))
        condition = "" if trigger.condition is None else f", if {inside.expressions.condition(trigger.condition)}"
        yield Said(f"Each time this happens: {what}{condition} ({esc(trigger.timing)}):", trigger.cites, inside.body(trigger.body))

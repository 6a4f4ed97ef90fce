"""The checker: every name, type, range, case and way on of a book, all complaints of a run together."""

from __future__ import annotations

from plainchant.meaning.check_expressions import ExpressionChecker, check_section
from plainchant.meaning.check_statements import StatementChecker
from plainchant.meaning.expansion import check_expansion
from plainchant.meaning.flow import falls_through, walk
from plainchant.meaning.names import ORDER, Names, owner_words
from plainchant.meaning.phrases import verb_parameters
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.resolve import Scope, index_kind, printed_words
from plainchant.meaning.symbols import Bag, Entry, Fact, Keep, Requirement, Rule, Section, Value, Verb
from plainchant.meaning.words import nearest_name
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic

MOST_WITHIN = 99
"""How often a rule may be under way at once; the deepest chain of a rulebook has a few."""

_ONLY_IN_PARTS = t.Jump | t.SkipPart | t.ContinuePrinted | t.PlayScenario | t.GoOn | t.GoBack | t.CardMay


def check(names: Names) -> tuple[Diagnostic, ...]:
    """Everything that can be wrong with what a book says, when its names are collected."""
    checker = _Checker(names)
    if check_expansion(names, checker.report):
        checker.all()
    return checker.report.result()


class _Checker:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.report = Reporter(names.sources)
        self.expressions = ExpressionChecker(self.report)
        self.statements = StatementChecker(names, self.report, self.expressions)

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
        self._filled_once()
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

    def _filled_once(self) -> None:
        """Where things are only moved, the bags are filled where a part begins, each once: filling one again would make things."""
        bodies = [rule.body for rule in self.names.rules.values()]
        bodies += [section.body for part in self.names.parts.values() for section in part.sections[1:]]
        for zones in self.names.zones:
            known = {bag.name: zones.kind for bag in zones.bags}
            first = [s for p in self.names.parts.values() for section in p.sections[:1] for s in walk(section.body)]
            seen: set[str] = set()
            for statement in (*first, *(s for body in bodies for s in walk(body))):
                if isinstance(statement, t.Holds) and statement.bag.text in known:
                    if statement.bag.text in seen or statement not in first:
                        others = ", ".join(name for name in known if name != statement.bag.text)
                        self.report("PC315", statement.span, kind=zones.kind.name, others=others)
                    seen.add(statement.bag.text)

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
        elif isinstance(symbol, Requirement):
            self.expressions.condition(symbol.meaning, scope)
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
            other = f"only `{ORDER}` or a reading can stand here, not {owner_words(symbol)}" if symbol is not None else None
            self.report("PC201", name.span, name=name.text, nearest=other or nearest_name(name.text, [*readings, ORDER]))
        if claim.condition is not None:
            self.expressions.condition(claim.condition, scope)

    def _rule(self, rule: Rule) -> None:
        if rule.within is not None and not 1 <= rule.within <= MOST_WITHIN:
            self.report("PC302", rule.span, value=rule.within, low=1, high=MOST_WITHIN)
            return
        scope = Scope(self.names, None, parameters={p.name: p for p in rule.parameters})
        self._outside_of_parts(rule.body)
        if rule.ranking is not None:
            self.expressions.number(rule.ranking, scope)
        self.statements.body(rule.body, scope)
        self._costs_first(rule.body)

    def _costs_first(self, body: t.Body) -> None:
        """Nothing of a rule may be done before it is sure that its cost is paid: it would have to be taken back."""
        done = False
        for statement in walk(body):
            if isinstance(statement, t.Cost | t.OnlyIf) and done:
                self.report("PC413", statement.span)
            done = done or not isinstance(statement, t.OnlyIf | t.If | t.Check | t.By | t.Choose | t.Decide | t.Nothing | t.Instruct)

    def _trigger(self, trigger: t.Trigger) -> None:
        event = self.statements.event(trigger.event)
        self._outside_of_parts(trigger.body)
        if event is not None:
            scope = Scope(self.names, None, parameters={p.name: p for p in event.parameters})
            if trigger.condition is not None:
                self.expressions.condition(trigger.condition, scope)
            self.statements.body(trigger.body, scope)
        self._no_costs(trigger.body)

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
        self.statements.body(verb.body, scope)

    def _outside_of_parts(self, body: t.Body) -> None:
        for statement in walk(body):
            if isinstance(statement, _ONLY_IN_PARTS):
                self.report("PC410", statement.span)

    # ------------------------------------------------------------ sections

    def _section(self, section: Section) -> None:
        self.statements.body(section.body, Scope(self.names, section.part))
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

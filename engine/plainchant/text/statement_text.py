"""The first line of each statement as text, without citation and block."""

from __future__ import annotations

import re

from plainchant.text import tree as t
from plainchant.text.expression_text import (
    count_text,
    expression_text,
    index_text,
    name_text,
    quoted,
    ref_text,
    spoken,
    with_article,
)

_SIGNED = re.compile(r"[+\-−–]?[0-9]+")


def headline(statement: t.Statement | t.Case | t.Arm | t.Option) -> str:
    """What stands on the statement's own line, up to the colon or block below it."""
    match statement:
        case t.If(arms=arms):
            return f"if {expression_text(arms[0][0])}"
        case t.Check(title=title):
            return f"check {quoted(title)}"
        case t.Case(condition=condition, after=after):
            if condition is None:
                return "otherwise"
            return f"{'otherwise when' if after else 'when'} {expression_text(condition)}"
        case t.By(subject=subject):
            return f"by {expression_text(subject)}"
        case t.Arm(member=member):
            return member.text
        case t.ForEach(kind=kind, condition=condition):
            order = ", in any order" if statement.any_order else ""
            return f"for each {kind.text}" + _if(condition) + order
        case t.Decide(who=None):
            return "at random"
        case t.Decide(who=t.Phrase() as who, limit=limit):
            verb = "decides" if _is_one(who) else "decide"
            return f"the {phrase_text(who)} {verb}" + (f" up to {limit}" if limit is not None else "")
        case t.Option(words=words, condition=condition):
            return quoted(words) + (f" only if {expression_text(condition)}" if condition else "")
        case t.Choose(who=who, optional=optional, kind=kind, condition=condition):
            chooser = f"that {who.kind.text}" if isinstance(who, t.That) else f"the {phrase_text(who)}"
            one = isinstance(who, t.That) or _is_one(who)
            verb = "may choose" if optional else "chooses" if one else "choose"
            return f"{chooser} {verb} {_article(kind.text)} {kind.text}" + _if(condition)
        case t.AnyOneMay(kind=kind):
            return f"any one {kind.text} may"
        case t.CardMay(target=target):
            return f"a card may send the investigators to {ref_text(target)}"
        case t.Draw(kind=kind, place=place):
            return f"draw {_article(kind.text)} {kind.text} from {target_text(place)}"
        case t.Happens(event=event, arguments=arguments):
            given = ", ".join(expression_text(a) for a in arguments)
            return f"it happens that {event.text}" + (f"({given})" if arguments else "")
    return _simple(statement)


def _simple(statement: t.Statement | t.Case | t.Arm | t.Option) -> str:
    match statement:
        case t.Jump(verb=verb, target=target):
            return f"{verb} {ref_text(target)}"
        case t.SkipPart(skipped=skipped, target=target):
            return f"skip {ref_text(skipped)} and proceed directly to {ref_text(target)}"
        case t.ContinuePrinted():
            return "continue in printed order"
        case t.PlayScenario():
            return "play the scenario"
        case t.GoOn():
            return "go on to the resolution reached"
        case t.GoBack():
            return "go back to the scenario"
        case t.Over(label=label, situation=situation):
            return f"the situation ends: {quoted(label)}" if situation else f"the campaign is over: {quoted(label)}"
        case t.Nothing():
            return "nothing happens"
        case t.VerbUse():
            return _verb_use(statement)
        case t.Do(rule=rule, arguments=arguments):
            given = ", ".join(expression_text(a) for a in arguments)
            return f"do {rule.text}({given})" if arguments else f"do {rule.text}"
        case t.Instruct(verb=verb, items=items, at=at):
            things = ", ".join((f"{number} " if number is not None else "") + quoted(words) for number, words in items)
            return f"{verb} {things}" + (f" at {quoted(at)}" if at is not None else "")
    return _about_state(statement)


def _about_state(statement: t.Statement | t.Case | t.Arm | t.Option) -> str:
    match statement:
        case t.Record(entries=entries, value=value, under=under):
            names = ", ".join(entry_text(entry) for entry in entries)
            tail = f" under {ref_text(under)}" if under else f" as {expression_text(value)}" if value else ""
            return f"record {names}{tail}"
        case t.Tally(count=count, entry=entry_ref):
            marks = "mark" if count == t.Number(1) else "marks"
            return f"record {count_text(count)} tally {marks} next to {ref_text(entry_ref)}"
        case t.CrossOff(entries=entries):
            return "cross off " + ", ".join(entry_text(entry) for entry in entries)
        case t.LeaveOut(entries=entries):
            return "no record of " + ", ".join(entry_text(entry) for entry in entries)
        case t.CardMayRecord(entry=may_be):
            return f"a card may record {entry_text(may_be)}"
        case t.CrossOffEach(list=list_):
            return f"cross off each of {ref_text(list_)}"
        case t.ListSome(count=count, list=list_):
            return f"list {count_text(count)} of any {ref_text(list_)}"
        case t.Transfer():
            return _transfer(statement)
        case t.RemoveEach(place=place):
            return f"remove each of {target_text(place)}"
        case t.MoveEach(kind=kind, source=source, destination=destination):
            return f"move each {kind.text} from {target_text(source)} to {target_text(destination)}"
        case t.Cost(payment=payment):
            return f"as a cost, {headline(payment)}"
        case t.OnlyIf(condition=condition):
            return f"only if {expression_text(condition)}"
        case t.Holds(bag=bag, items=items):
            return f"the {spoken(bag)} holds " + ", ".join(item_text(item) for item in items)
        case t.Change(operator=operator, target=target, amount=amount):
            word = "to" if operator == "set" else "by"
            return f"{operator} {target_text(target)} {word} {expression_text(amount)}"
        case t.Deal(count=count, field=field):
            return f"deal {expression_text(count)} in player order to {field.text}"
        case t.Evenly(count=count, field=field, kind=kind):
            return f"as evenly as possible, remove {expression_text(count)} from {field.text} of each {kind.text}"
    raise TypeError(f"not a statement: {statement!r}")


def _if(condition: t.Expr | None) -> str:
    return "" if condition is None else f", if {expression_text(condition)}"


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def _is_one(who: t.Phrase) -> bool:
    """Whether the decider's words are in the singular: its last word has no plural s (as `boss` and `genius` have none)."""
    last = who.items[-1]
    return not (isinstance(last, t.Name) and last.text.endswith("s") and not last.text.endswith(("ss", "us")))


def phrase_text(phrase: t.Phrase) -> str:
    """The words of a phrase, with brackets round what is computed."""
    return " ".join(
        item.text if isinstance(item, t.Name) else str(item.value) if isinstance(item, t.Number) else f"({expression_text(item)})"
        for item in phrase.items
    )


def entry_text(entry: t.EntryRef) -> str:
    """A log entry, and whose it is."""
    return name_text(entry.name) + index_text(entry.index)


def target_text(target: t.Target) -> str:
    """A place or variable, and whose it is: `the chaos bag`, `the deck of that investigator`."""
    return with_article(target, target.name) + index_text(target.index)


def item_text(item: t.Name | t.That) -> str:
    """A token or other thing: signed numbers stand without quotes."""
    if isinstance(item, t.That):
        return f"that {item.kind.text}"
    return item.text if item.printed and _SIGNED.fullmatch(item.text) else name_text(item)


def _transfer(transfer: t.Transfer) -> str:
    things = ", ".join((f"{count_text(x.count)} " if x.count is not None else "") + item_text(x.item) for x in transfer.things)
    if _says_tokens(transfer):
        things += " token" if len(transfer.things) == 1 and transfer.things[0].count in (None, t.Number(1)) else " tokens"
    source = f" from {target_text(transfer.source)}" if transfer.source else ""
    destination = f" to {target_text(transfer.destination)}" if transfer.destination else ""
    verb = "add" if not transfer.source else "move" if transfer.destination else "remove"
    return f"{verb} {things}{source}{destination}" + (" as far as possible" if transfer.partial else "")


def _says_tokens(transfer: t.Transfer) -> bool:
    """Whether the author called the things tokens, a word that the tree does not keep: there is room for it before the place."""
    place = transfer.source or transfer.destination
    assert place is not None
    preposition = "from" if transfer.source else "to"
    return place.span.column - transfer.things[-1].span.end_column >= len(f" token {preposition} ")


def _verb_use(use: t.VerbUse) -> str:
    words = phrase_text(use.phrase)
    if use.subject == "the":
        return f"the {words}"
    assert use.kind is not None
    condition = "" if use.condition is None else f", if {expression_text(use.condition)},"
    return f"{use.subject} {use.kind.text}{condition} {words}"

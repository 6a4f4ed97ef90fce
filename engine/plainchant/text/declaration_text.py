"""The first line of each declaration, and of what stands in one, as text without citation and block."""

from __future__ import annotations

from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text, quoted, ref_text


def declaration_headline(item: t.Declaration | t.StandingRule) -> str:
    """What stands on the declaration's own line, up to the colon or block below it."""
    match item:
        case t.Use(module=module):
            return f"use {module}"
        case t.Book(name=name, title=title):
            return f"book {name.text} {quoted(title)}"
        case t.Kinds(name=name, words=words):
            return f"kinds {name.text}" + _words(words)
        case t.Group(name=name, low=low, high=high, question=question):
            return f"group {name.text} of {low} to {high} {quoted(question)}"
        case t.Bag(name=name, kind=kind, words=words, index=index):
            return f"bag {name.text} of {kind.text}{f' on {index.text}' if index else ''} {quoted(words)}"
        case t.Zones(kind=kind, bags=bags):
            return f"every {kind.text} is in exactly one of {', '.join(bag.text for bag in bags)}"
        case t.Log():
            return "campaign log"
        case t.Entry(name=name, index=index, words=words):
            return f"{name.text}{_of(index)} {quoted(words)}{_entry_form(item)}"
        case t.Fact(name=name, index=index, type=type_, question=question):
            return f"fact {name.text}{_of(index)}{f': {type_text(type_)}' if type_ else ''} {quoted(question)}"
        case t.Reading(name=name, question=question):
            return f"reading {name.text} {quoted(question)}"
        case t.Keep():
            return f"keep {field_text(item)}"
        case t.Define(name=name, index=index, meaning=meaning):
            return f"define {name.text}{_of(index)} means {expression_text(meaning)}"
        case t.Verb(kind=verb_kind, pattern=pattern):
            return f"verb {verb_kind.text} {quoted(pattern)}"
        case t.Rule(name=name, parameters=parameters, words=words):
            return f"rule {name.text}{_parameters(parameters)}{_words(words)}{_within(item)}"
        case t.Event(name=name, parameters=parameters, words=words):
            return f"event {name.text}{_parameters(parameters)} {quoted(words)}"
        case t.Keyword(sort=sort, name=name, words=words):
            return f"{sort} {name.text} {quoted(words)}"
        case t.Claim(name=name, kind="independent", expression=expression, at=t.Ref() as at, condition=condition):
            only = f" if {expression_text(condition)}" if condition else ""
            return f"claim {name.text}: independent of {expression_text(expression)}{only} at {ref_text(at)}"
        case t.Claim(name=name, kind=claim_kind, expression=expression, at=at):
            return f"claim {name.text}: {claim_kind} {expression_text(expression)}" + (f" at {ref_text(at)}" if at else "")
        case t.Acknowledge(kind=finding, subject=subject, reason=reason):
            return f"acknowledge {finding} {ref_text(subject)} because {quoted(reason)}"
    return _in_a_part(item)


def _in_a_part(item: t.Declaration | t.StandingRule) -> str:
    match item:
        case t.Part(kind=kind, name=name, words=words):
            return f"{kind} {name.text} {quoted(words)}"
        case t.Section(kind=kind, words=words, by_a_card=by_a_card):
            return f"{kind} {quoted(words)}{', reached by a card' if by_a_card else ''}"
        case t.Throughout():
            return "throughout"
        case t.StandingRule(event=event, instead=None, ruling=ruling):
            return f"{quoted(event)} is {ruling}"
        case t.StandingRule(event=event, instead=str(instead)):
            return f"{quoted(event)} becomes {quoted(instead)}"
    raise TypeError(f"not a declaration: {item!r}")


def trigger_text(trigger: t.Trigger) -> str:
    """`each time EVENT, if …, after applying all results`."""
    condition = f", if {expression_text(trigger.condition)}" if trigger.condition else ""
    return f"each time {trigger.event.text}{condition}, {trigger.timing}"


def _parameters(parameters: tuple[t.Parameter, ...]) -> str:
    given = ", ".join(f"{p.name.text}: {type_text(p.type)}" for p in parameters)
    return f"({given})" if given else ""


def _within(rule: t.Rule) -> str:
    if rule.within is None:
        return ""
    ranking = f", each with a smaller {expression_text(rule.ranking)}" if rule.ranking else ""
    return f", at most {rule.within} times within itself{ranking}"


def field_text(keep: t.Keep) -> str:
    """A field of a group, and what stands behind `keep`: `standing: standing = in_the_game`."""
    initial = f" = {keep.initial.text}" if keep.initial else ""
    return f"{keep.name.text}{_of(keep.index)}: {type_text(keep.type)}{initial}"


def choice_text(choice: t.Member | t.Alternative, width: int = 0) -> str:
    """A member of a kind or an alternative; the printed words stand in one column behind names that are up to `width` long."""
    text = f"{choice.name.text.ljust(width)}  {quoted(choice.words)}"
    if isinstance(choice, t.Member):
        return text + (f" short {quoted(choice.short)}" if choice.short is not None else "")
    return text + (f" only if {expression_text(choice.condition)}" if choice.condition is not None else "")


def type_text(type_: t.Type) -> str:
    """`flag`, `number`, `0 to 20`, `list of memento`, `difficulty_level`."""
    match type_:
        case t.Type(form="range", low=low, high=high):
            return f"{low} to {high}"
        case t.Type(form="list", kind=t.Name(text=text)):
            return f"list of {text}"
        case t.Type(form="named", kind=t.Name(text=text)):
            return text
    return type_.form


def _entry_form(entry: t.Entry) -> str:
    match entry:
        case t.Entry(form="line"):
            return ""
        case t.Entry(form="number", low=low, high=int(high)):
            return f": {low} to {high}"
        case t.Entry(form="list", kind=t.Name(text=text)):
            return f": list of {text}"
    return f": {entry.form}"


def _of(index: t.Name | None) -> str:
    return f" of {index.text}" if index else ""


def _words(words: str | None) -> str:
    return "" if words is None else f" {quoted(words)}"

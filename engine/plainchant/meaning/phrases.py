"""Sentences about somebody: who is meant, and which declared verb the words follow."""

from __future__ import annotations

from plainchant.meaning.names import Names
from plainchant.meaning.resolve import Complain, Scope, Whose, bound_member, find_kind, silent, type_of
from plainchant.meaning.symbols import NUMBER, Kind, Parameter, Verb
from plainchant.records import Frozen
from plainchant.text import tree as t


class Subject(Frozen):
    """Who a sentence is about (`whose` None: each of the kind), and the words behind."""

    kind: Kind
    whose: Whose | None
    rest: tuple[t.Name | t.Expr, ...]


class MatchedVerb(Frozen):
    """A verb whose words a phrase has, with what stands in its blanks."""

    verb: Verb
    arguments: dict[str, t.Expr]


def subject_of(use: t.VerbUse, scope: Scope, complain: Complain = silent) -> Subject | None:
    """The subject of a verb sentence; for `the` the longest beginning that names somebody."""
    if use.subject == "the":
        return _named_subject(use.phrase, scope, complain)
    assert use.kind is not None
    if use.subject == "that":
        whose = bound_member(use.kind, None, scope, complain)
        return None if whose is None else Subject(whose.kind, whose, use.phrase.items)
    kind = find_kind(use.kind, scope, complain)
    return None if kind is None else Subject(kind, None, use.phrase.items)


def _named_subject(phrase: t.Phrase, scope: Scope, complain: Complain) -> Subject | None:
    words: list[t.Name] = []
    for item in phrase.items:
        if not isinstance(item, t.Name):
            break
        words.append(item)
    for length in range(len(words), 0, -1):
        name = "_".join(word.text for word in words[:length])
        symbol = scope.value(name)
        type_ = type_of(symbol) if symbol else None
        if type_ is not None and type_.form == "member" and type_.kind is not None:
            value = t.Value(t.Name(name, span=words[0].span), None, span=words[0].span)
            return Subject(type_.kind, Whose(type_.kind, None, value), phrase.items[length:])
    said = " ".join(word.text for word in words) or "…"
    complain(
        "PC201",
        phrase.span,
        name=said,
        nearest="name somebody: “each …”, “that …”, or “the” with a fact that names one of a group",
    )
    return None


def match_verb(kind: Kind, words: tuple[t.Name | t.Expr, ...], names: Names) -> MatchedVerb | None:
    """The verb whose sentence the words follow; words of the pattern win over blanks."""
    matches = [m for verb in names.verbs.get(kind.name, ()) if (m := _match(verb, words)) is not None]
    return min(matches, key=lambda m: len(m.arguments), default=None)


def _match(verb: Verb, words: tuple[t.Name | t.Expr, ...]) -> MatchedVerb | None:
    if len(words) != len(verb.pattern):
        return None
    arguments: dict[str, t.Expr] = {}
    for expected, item in zip(verb.pattern, words, strict=True):
        if expected.startswith("{"):
            arguments[expected[1:-1]] = t.Value(item, None, span=item.span) if isinstance(item, t.Name) else item
        elif not (isinstance(item, t.Name) and item.text == expected):
            return None
    return MatchedVerb(verb, arguments)


def verb_sentences(kind: Kind, names: Names) -> list[str]:
    """The sentences that are known about a kind."""
    return [verb.words for verb in names.verbs.get(kind.name, ())]


def verb_parameters(verb: Verb) -> dict[str, Parameter]:
    """The blanks of a verb's sentence, as parameters: numbers."""
    return {name: Parameter(name, verb.span, (), None, NUMBER) for name in verb.blanks}

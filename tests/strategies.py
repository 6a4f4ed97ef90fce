"""Hypothesis strategies that make trees of the rules language: a strategy for each class of expression, statement and declaration."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from plainchant.data import data_folder
from plainchant.records import replace
from plainchant.text import tree as t

Strategy = st.SearchStrategy[Any]


# ---------------------------------------------------------------- names, words, numbers


@cache
def language_words() -> frozenset[str]:
    """The words of the language, none of which may be a name of its own."""
    grammar = (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")
    terminals = re.findall(r"^_?[A-Z_]+(?:\.\d+)?: *(.*)$", grammar, re.MULTILINE)
    words = {word for terminal in terminals for word in re.findall(r"[a-z]+", terminal)}
    return frozenset(words | {word.removesuffix("s") for word in words} | {word + "s" for word in words} | {"have", "token"})


def _is_free(word: str) -> bool:
    return word not in language_words()


_fresh = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True).filter(_is_free)
_ordinary = st.sampled_from(["gavriella", "spell_broken", "chaos_bag", "investigator", "no_3", "isle", "order", "x_", "a__b"])
_out_of_words = st.lists(st.sampled_from(sorted(language_words() | {"bag", "deck"})), min_size=2, max_size=3).map("_".join)
"""Names whose words alone would mean something else: `is_the_bag`."""

identifiers = st.one_of(_ordinary.filter(_is_free), _fresh, _out_of_words)
words = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12) | st.sampled_from(
    ["Resolution 1", "the witches' spell was broken", 'say "no"', "# 1", "@3", "back\\slash", "+1", "–3", "²"]
)
numbers = st.integers(0, 99)
names = st.builds(t.Name, identifiers)
printed_names = st.builds(t.Name, words, st.just(True))
any_names = names | printed_names

cites = st.lists(
    st.builds(
        t.Cite,
        st.none() | st.sampled_from(["tcu", "a_2"]),
        st.lists(st.tuples(numbers, numbers), min_size=1, max_size=2).map(tuple),
    ),
    max_size=2,
).map(tuple)


def some(strategy: Strategy, low: int = 1, high: int = 3) -> Strategy:
    """Tuples."""
    return st.lists(strategy, min_size=low, max_size=high).map(tuple)


def maybe(strategy: Strategy) -> Strategy:
    """The same, or None."""
    return st.none() | strategy


def with_article(node: t.Target | t.Index) -> Any:
    """The node with places that leave room for an article before its name."""
    assert node.name is not None
    name = replace(node.name, span=t.Span("", 1, 5, 1, 5 + len(node.name.text)))
    return replace(node, name=name, span=t.Span("", 1, 1, 1, 5 + len(node.name.text)))


_named_indexes = st.builds(t.Index, st.none(), names)
indexes = st.one_of(st.builds(t.Index, names, st.none()), _named_indexes, _named_indexes.map(with_article))
_plain_targets = st.builds(t.Target, names, maybe(indexes))
targets = _plain_targets | _plain_targets.map(with_article)
paths = st.builds(t.Ref, st.tuples(printed_names, printed_names))
refs = st.builds(t.Ref, st.tuples(any_names)) | paths
entry_refs = st.builds(t.EntryRef, any_names, maybe(indexes))


# ---------------------------------------------------------------- expressions


def _leaf_expressions() -> dict[type, Strategy]:
    return {
        t.Number: st.builds(t.Number, numbers),
        t.Truth: st.builds(t.Truth, st.booleans()),
        t.Value: st.builds(t.Value, names, maybe(indexes)) | st.builds(t.Value, printed_names),
        t.Path: st.builds(t.Path, paths),
        t.That: st.builds(t.That, names),
    }


@cache
def expressions_by_class(depth: int = 2) -> dict[type, Strategy]:
    """A strategy for each class of expression, with expressions in expressions down to `depth`."""
    inner = expressions(depth - 1)
    return _leaf_expressions() | {
        t.Call: st.builds(t.Call, names, some(inner)),
        t.Quantified: st.builds(t.Quantified, st.sampled_from(["every", "any", "no"]), names, inner),
        t.HowManyOf: st.builds(t.HowManyOf, some(inner)),
        t.HowMany: st.builds(t.HowMany, names, inner),
        t.Total: st.builds(t.Total, inner, names, maybe(inner)),
        t.SomeOf: st.builds(t.SomeOf, st.sampled_from(["exactly", "at most", "at least"]), numbers, some(inner)),
        t.Compare: st.builds(t.Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in"]), inner, inner),
        t.Sum: st.builds(t.Sum, st.sampled_from("+-"), inner, inner),
        t.And: st.builds(t.And, some(inner, 2)),
        t.Or: st.builds(t.Or, some(inner, 2)),
        t.Not: st.builds(t.Not, inner),
        t.Implies: st.builds(t.Implies, inner, inner),
    }


@cache
def expressions(depth: int = 2) -> Strategy:
    """Any expression."""
    return st.one_of(*(expressions_by_class(depth) if depth > 0 else _leaf_expressions()).values())


# ---------------------------------------------------------------- statements

_phrase_words = names | st.sampled_from([t.Name("is"), t.Name("left")])
phrases = st.builds(t.Phrase, some(_phrase_words | expressions(1)))
deciders = st.builds(t.Phrase, some(names | st.sampled_from([t.Name("investigators"), t.Name("boss")])))
things = st.builds(t.Thing, maybe(expressions(1)), any_names | st.builds(t.That, names))


@st.composite
def _transfers(draw: Any, kept: Strategy = cites) -> t.Transfer:
    source, destination = draw(maybe(targets)), draw(maybe(targets))
    if source is None and destination is None:
        destination = draw(targets)
    partial = source is not None and draw(st.booleans())
    return t.Transfer(draw(some(things)), source, destination, partial, cites=draw(kept))


@st.composite
def _records(draw: Any, kept: Strategy = cites) -> t.Record:
    value = draw(maybe(expressions(1)))
    return t.Record(draw(some(entry_refs)), value, draw(maybe(refs)) if value is None else None, cites=draw(kept))


@st.composite
def _verb_uses(draw: Any, kept: Strategy = cites) -> t.VerbUse:
    subject = draw(st.sampled_from(["the", "that", "each"]))
    kind = None if subject == "the" else draw(names)
    condition = draw(maybe(expressions(1))) if subject == "each" else None
    return t.VerbUse(subject, kind, condition, draw(phrases), cites=draw(kept))


_JUMPS = ["proceed to", "skip to", "go to", "the story continues in"]
_INSTRUCTIONS = [
    "gather", "put into play", "set aside", "remove from the game", "begin at", "read", "take", "shuffle", "place", "use", "search for",
    "leave out", "return",
]  # fmt: skip


@cache
def simple_by_class(kept: Strategy = cites) -> dict[type, Strategy]:
    """A strategy for each class of statement that takes one line, with citations from `kept`."""

    def one(make: Callable[..., Any], *fields: Strategy) -> Strategy:
        return st.builds(make, *fields, cites=kept)

    value = expressions(1)
    return {
        t.Jump: one(t.Jump, st.sampled_from(_JUMPS), refs),
        t.SkipPart: one(t.SkipPart, refs, refs),
        t.ContinuePrinted: one(t.ContinuePrinted),
        t.PlayScenario: one(t.PlayScenario),
        t.GoOn: one(t.GoOn),
        t.GoBack: one(t.GoBack),
        t.Over: one(t.Over, words, st.booleans()),
        t.Nothing: one(t.Nothing),
        t.Record: _records(kept),
        t.Tally: one(t.Tally, value, refs),
        t.CrossOff: one(t.CrossOff, some(entry_refs)),
        t.CrossOffEach: one(t.CrossOffEach, refs),
        t.LeaveOut: one(t.LeaveOut, some(entry_refs)),
        t.CardMayRecord: one(t.CardMayRecord, entry_refs),
        t.ListSome: one(t.ListSome, value, refs),
        t.Transfer: _transfers(kept),
        t.RemoveEach: one(t.RemoveEach, targets),
        t.MoveEach: one(t.MoveEach, names, targets, targets),
        t.Cost: one(t.Cost, _transfers(st.just(())) | st.builds(t.Change, st.just("decrease"), targets, value)),
        t.OnlyIf: one(t.OnlyIf, value),
        t.Holds: one(t.Holds, names, some(any_names)),
        t.Change: one(t.Change, st.sampled_from(["set", "increase", "decrease"]), targets, value),
        t.Deal: one(t.Deal, value, names),
        t.Evenly: one(t.Evenly, value, names, names),
        t.VerbUse: _verb_uses(kept),
        t.Do: one(t.Do, names, some(value, 0)),
        t.Instruct: one(t.Instruct, st.sampled_from(_INSTRUCTIONS), some(st.tuples(maybe(numbers), words)), maybe(words)),
    }


@st.composite
def _governed(draw: Any, depth: int) -> tuple[t.Body, tuple[t.Cite, ...]]:
    """A body and its header's citations; these belong to an inline statement as well."""
    kept = draw(cites)
    if draw(st.booleans()):
        statement = draw(st.one_of(*simple_by_class().values()))
        return t.Body((replace(statement, cites=kept),), inline=True), kept
    return t.Body(draw(some(statements(depth - 1), 1, 2))), kept


@st.composite
def _ifs(draw: Any, depth: int) -> t.If:
    arms = draw(some(st.tuples(expressions(1), _governed(depth)), 1, 2))
    last = draw(maybe(_governed(depth)))
    arm_cites = tuple(kept for _, (_, kept) in arms) + (() if last is None else (last[1],))
    bodies = tuple((condition, body) for condition, (body, _) in arms)
    return t.If(bodies, None if last is None else last[0], arm_cites, cites=arm_cites[0])


@st.composite
def _cases(draw: Any, depth: int) -> t.Case:
    condition = draw(maybe(expressions(1)))
    return t.Case(condition, condition is None or draw(st.booleans()), *draw(_governed(depth)))


@st.composite
def _options(draw: Any, depth: int) -> t.Option:
    body, kept = draw(st.tuples(st.none(), cites) | _governed(depth))
    return t.Option(draw(words), draw(maybe(expressions(1))), body, kept)


@st.composite
def _decides(draw: Any, depth: int) -> t.Decide:
    who = draw(maybe(deciders))
    limit = None if who is None else draw(maybe(numbers))
    return t.Decide(who, limit, draw(some(_options(depth))), cites=draw(cites))


@st.composite
def _happens(draw: Any, depth: int) -> t.Happens:
    body, kept = draw(st.tuples(st.none(), cites) | _governed(depth))
    return t.Happens(draw(names), draw(some(expressions(1), 0)), body, cites=kept)


@cache
def compound_by_class(depth: int) -> dict[type, Strategy]:
    """A strategy for each class of statement with a block, or that no header takes behind its colon."""
    condition = maybe(expressions(1))
    governed = _governed(depth)
    chooser = deciders | st.builds(t.That, names)

    def headed(make: Callable[..., Any], *fields: Strategy) -> Strategy:
        return st.tuples(governed, *fields).map(lambda drawn: make(*drawn[1:], drawn[0][0], cites=drawn[0][1]))

    return {
        t.If: _ifs(depth),
        t.Check: st.builds(t.Check, words, some(_cases(depth)), cites=cites),
        t.By: st.builds(t.By, expressions(1), some(st.tuples(names, governed).map(lambda d: t.Arm(d[0], *d[1]))), cites=cites),
        t.ForEach: headed(t.ForEach, names, condition)
        | st.tuples(headed(t.ForEach, names, condition)).map(lambda d: replace(d[0], any_order=True)),
        t.Draw: headed(t.Draw, names, targets),
        t.Happens: _happens(depth),
        t.Decide: _decides(depth),
        t.Choose: headed(t.Choose, chooser, st.booleans(), names, condition),
        t.AnyOneMay: headed(t.AnyOneMay, names),
        t.CardMay: st.builds(t.CardMay, refs, cites=cites),
    }


def statements_by_class(depth: int = 2) -> dict[type, Strategy]:
    """A strategy for each class of statement."""
    return simple_by_class() | compound_by_class(depth)


@cache
def statements(depth: int = 2) -> Strategy:
    """Any statement, with blocks in blocks down to `depth`."""
    return st.one_of(*(statements_by_class(depth) if depth > 0 else simple_by_class()).values())


# ---------------------------------------------------------------- declarations

types = st.one_of(
    st.sampled_from([t.Type("flag"), t.Type("number")]),
    st.builds(t.Type, st.just("range"), st.none(), numbers, numbers),
    st.builds(t.Type, st.sampled_from(["list", "named"]), names),
)
literals = names | numbers.map(lambda number: t.Name(str(number))) | st.sampled_from([t.Name("yes"), t.Name("no")])
alternatives = st.builds(t.Alternative, names, words, maybe(expressions(1)), cites)
_carried = st.builds(t.Carried, names, literals.map(lambda literal: (literal,))) | st.builds(
    t.Carried, names, some(literals), st.just(True)
)
members = st.builds(t.Member, names, words, maybe(words), cites, some(_carried, 0))
attributes = st.builds(t.Attribute, names, types, st.booleans(), cites)
fields = st.builds(t.Keep, names, st.none(), types, maybe(literals), cites=cites)
_numbered = st.tuples(st.just("number"), numbers, numbers) | st.sampled_from([("number", 0, None), ("tally", 0, None)])
_entry_forms = st.one_of(
    st.sampled_from([("line",), ("printed",)]),
    _numbered,
    st.tuples(st.just("list"), st.none(), st.none(), names),
)
entries = st.tuples(st.tuples(names, maybe(names), words), _entry_forms, cites).map(lambda d: t.Entry(*d[0], *d[1], cites=d[2]))
standing_rules = st.builds(t.StandingRule, words, st.sampled_from(["ignored", "forbidden"]), st.none(), cites) | st.builds(
    t.StandingRule, words, st.just("becomes"), words, cites
)


@st.composite
def _books(draw: Any) -> t.Book:
    begins, begins_cites = draw(st.tuples(refs, cites) | st.just((None, ())))
    order = draw(some(st.builds(t.PartInOrder, refs, cites), 0))
    order_cites = draw(cites) if order else ()
    sources = draw(some(st.tuples(names, numbers), 0 if begins or order else 1, 2))
    return t.Book(draw(names), draw(words), sources, begins, order, order_cites, begins_cites, cites=draw(cites))


@st.composite
def _facts(draw: Any) -> t.Fact:
    type_ = draw(maybe(types))
    return t.Fact(draw(names), draw(maybe(names)), type_, draw(words), draw(some(alternatives)) if type_ is None else (), cites=draw(cites))


@st.composite
def _with_body(draw: Any, make: Callable[..., Any], *parts: Strategy) -> Any:
    body, kept = draw(_governed(1))
    return make(*(draw(part) for part in parts), body, cites=kept)


parameters = st.builds(t.Parameter, names, types)


@st.composite
def _rules(draw: Any) -> t.Rule:
    rule: t.Rule = draw(_with_body(t.Rule, names, some(parameters, 0), maybe(words)))
    within = draw(maybe(numbers))
    return replace(rule, within=within, ranking=None if within is None else draw(maybe(expressions(1))))


@st.composite
def _triggers(draw: Any) -> t.Trigger:
    body, kept = draw(_governed(1))
    return t.Trigger(draw(names), draw(maybe(expressions(1))), draw(st.sampled_from(_TIMINGS)), body, kept)


_TIMINGS = ["instead", "before it", "after applying all results", "as a reaction"]
_SECTIONS = ["section", "resolution", "no resolution", "standalone", "before any other resolution"]
_FINDINGS = ["hole", "may-be-absent", "standalone", "standalone-open", "reading", "claim", "never-read"]
_LINE_CLASSES = ["heading", "narrative", "artwork", "photograph", "example", "reference", "remark", "advice"]
_PARTS = ["scenario", "interlude", "prologue", "epilogue", "campaign setup", "situation"]


@cache
def _inside_parts() -> dict[type, Strategy]:
    body = st.builds(t.Body, some(statements(1)))
    return {
        t.Fact: _facts(),
        t.Keep: st.builds(t.Keep, names, maybe(names), types, maybe(literals), cites=cites),
        t.Reading: st.builds(t.Reading, names, words, some(alternatives), cites=cites),
        t.Define: st.builds(t.Define, names, maybe(names), expressions(), cites=cites),
        t.Claim: st.builds(t.Claim, names, st.sampled_from(["never", "always", "possible"]), expressions(), maybe(refs), cites=cites)
        | st.builds(t.Claim, names, st.just("independent"), st.builds(t.Value, names), refs, maybe(expressions(1)), cites=cites),
        t.Section: st.builds(t.Section, st.sampled_from(_SECTIONS), words, st.booleans(), body, cites=cites),
        t.Throughout: st.builds(t.Throughout, some(standing_rules), cites=cites),
    }


@cache
def declarations_by_class() -> dict[type, Strategy]:
    """A strategy for each class of declaration; sections and standing rules are made as parts of a part."""
    inside = _inside_parts()
    own = {kind: strategy for kind, strategy in inside.items() if kind not in (t.Section, t.Throughout)}
    dotted = st.lists(names, min_size=1, max_size=2).map(lambda ns: ".".join(n.text for n in ns))
    return own | {
        t.Use: st.builds(t.Use, dotted, cites=cites),
        t.Book: _books(),
        t.Kinds: st.builds(t.Kinds, names, maybe(words), some(members), some(attributes, 0), cites=cites),
        t.Members: st.builds(t.Members, names, some(members), cites=cites),
        t.Requirement: st.builds(t.Requirement, names, names, words, maybe(expressions()), expressions(), cites=cites),
        t.Group: st.builds(t.Group, names, numbers, numbers, words, some(fields), cites=cites),
        t.Bag: st.builds(t.Bag, names, names, words, maybe(names), cites=cites),
        t.Zones: st.builds(t.Zones, names, some(names), cites=cites),
        t.Event: st.builds(t.Event, names, some(parameters, 0), words, cites=cites),
        t.Keyword: st.builds(t.Keyword, st.sampled_from(["keyword", "ability"]), names, words, some(_triggers()), cites=cites),
        t.Log: st.builds(t.Log, some(entries), cites=cites),
        t.Verb: _with_body(t.Verb, names, words),
        t.Waive: st.builds(t.Waive, st.sampled_from(_LINE_CLASSES), words, cites=cites),
        t.NotTranscribed: st.builds(t.NotTranscribed, words, cites=cites),
        t.Acknowledge: st.builds(t.Acknowledge, st.sampled_from(_FINDINGS), refs, words, cites=cites),
        t.Rule: _rules(),
        t.Part: st.builds(t.Part, st.sampled_from(_PARTS), names, words, some(st.one_of(*inside.values())), cites=cites),
        t.Section: _parts_with(inside[t.Section]),
        t.Throughout: _parts_with(inside[t.Throughout]),
    }


def _parts_with(items: Strategy) -> Strategy:
    return st.builds(t.Part, st.sampled_from(_PARTS), names, words, some(items), cites=cites)


@cache
def files() -> Strategy:
    """Whole files, without comments."""
    return st.builds(t.File, some(st.one_of(*declarations_by_class().values()), 0, 4))

"""What definitions, rules and verbs become where they are used: circles, and growth that no machine could carry out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from plainchant.meaning.names import Names
from plainchant.meaning.phrases import match_verb, subject_of
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Definition, Kind, Requirement, Rule, Section, Trigger, Verb
from plainchant.records import Frozen
from plainchant.text import tree as t
from plainchant.text.source import MAX_DEPTH

MAX_STEPS = 100_000
"""Statements and conditions of one section, with all rules and verbs put in their place; the largest printed ones have some hundred."""

MAX_SIZE = 5_000_000
"""The same with all definitions put in their place as well. Each is worked out once for each of its kind, however often it is used."""

User = Definition | Rule | Verb | Trigger | Section


class _Extent(Frozen):
    """How much something becomes, without and with what definitions stand for, and through how many names it leads."""

    steps: int
    size: int
    depth: int


def check_expansion(names: Names, report: Reporter) -> bool:
    """Complain of what is made of itself, or grows beyond measure; whether all the rest can be checked and carried out."""
    users = {_key(user): user for user in _users(names)}
    used = {key: {_key(one) for one in _used(user, names) if not _again(one)} & users.keys() for key, user in users.items()}
    _report_circles(users, used, report)
    extents: dict[str, _Extent] = {}
    for key in TopologicalSorter(used).static_order():
        extent = _extent(users[key], names, extents, used[key])
        extents[key] = extent
        if extent.depth > MAX_DEPTH or extent.steps > MAX_STEPS or extent.size > MAX_SIZE:
            what = "definitions and rules" if extent.depth > MAX_DEPTH else "repetitions and rules"
            most = MAX_STEPS if extent.steps > MAX_STEPS else MAX_SIZE
            limit = f"{MAX_DEPTH} levels" if extent.depth > MAX_DEPTH else f"{most} statements"
            report("PC212", users[key].span, what=what, limit=limit)
            return False
    return True


def _users(names: Names) -> Iterator[User]:
    yield from (value for value in names.values.values() if isinstance(value, Definition))
    yield from names.rules.values()
    yield from (verb for verbs in names.verbs.values() for verb in verbs)
    yield from (trigger for triggers in names.triggers.values() for trigger in triggers)
    yield from (section for part in names.parts.values() for section in part.sections)


def _again(user: User) -> bool:
    """Whether it may lead to itself: it stands once, and is not written out where it is used."""
    return isinstance(user, Rule) and user.within is not None


def _report_circles(users: Mapping[str, User], used: dict[str, set[str]], report: Reporter) -> None:
    """Report each circle once, and cut it so that the next is found."""
    while True:
        try:
            TopologicalSorter(used).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][::-1]
            first = min(range(len(circle) - 1), key=lambda i: (users[circle[i]].span.line, circle[i]))
            turned = [*circle[first:-1], *circle[: first + 1]]
            words = " → ".join(users[key].name for key in turned)
            report("PC211", users[turned[0]].span, name=users[turned[0]].name, circle=words)
            used[turned[-2]].discard(turned[-1])
        else:
            return


def _key(user: User) -> str:
    return f"{type(user).__name__} {user.part or ''} {user.name} {user.span.file}:{user.span.line}"


def _nodes(node: object) -> Iterator[t.Node]:
    """All nodes below one, itself first."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += item
        elif isinstance(item, t.Node):
            yield item
            stack += t.children(item)


def _body(user: User) -> t.Node:
    return user.meaning if isinstance(user, Definition) else user.body


def _used(user: User, names: Names) -> Iterator[User]:
    """The definitions, rules and verbs that something names."""
    for node in _nodes(_body(user)):
        yield from _named_by(node, Scope(names, user.part))


def _named_by(node: t.Node, scope: Scope) -> Iterator[User]:
    match node:
        case t.Value(name=name) if not name.printed:
            symbol = scope.value(name.text)
            if isinstance(symbol, Definition):
                yield symbol
        case t.Call(function=function) if function.text == "fulfilled":
            yield from (value for value in scope.names.values.values() if isinstance(value, Requirement))
        case t.Do(rule=rule):
            if rule.text in scope.names.rules:
                yield scope.names.rules[rule.text]
        case t.Happens(event=event):
            yield from scope.names.triggers.get(event.text, ())
        case t.VerbUse():
            verb = _verb(node, scope)
            if verb is not None:
                yield verb


def _verb(use: t.VerbUse, scope: Scope) -> Verb | None:
    if use.kind is None:
        subject = subject_of(use, scope)
        kind, words = (None, ()) if subject is None else (subject.kind, subject.rest)
    else:
        kind, words = scope.names.kind(use.kind.text), use.phrase.items
    matched = None if kind is None else match_verb(kind, words, scope.names)
    return None if matched is None else matched.verb


def _extent(user: User, names: Names, known: Mapping[str, _Extent], used: set[str]) -> _Extent:
    inside = {key: known[key] for key in used if key in known}
    steps, size = _sizes(_body(user), Scope(names, user.part), inside)
    return _Extent(steps, size, 1 + max((one.depth for one in inside.values()), default=0))


def _sizes(node: object, scope: Scope, known: Mapping[str, _Extent]) -> tuple[int, int]:
    """How many statements and conditions a node becomes, loops once for each member: without what definitions stand for, and with it."""
    if isinstance(node, tuple):
        each = [_sizes(item, scope, known) for item in node]
    elif isinstance(node, t.Node):
        each = [(1, 1), *(_sizes(child, scope, known) for child in t.children(node) if isinstance(child, tuple | t.Node))]
        if known:
            each += [_named_size(key, known[key]) for key in map(_key, _named_by(node, scope)) if key in known]
    else:
        return 0, 0
    times = _times(node, scope) if isinstance(node, t.Node) else 1
    steps, size = sum(one for one, _ in each), sum(one for _, one in each)
    return min(steps * times, MAX_SIZE + 1), min(size * times, MAX_SIZE + 1)


def _named_size(key: str, extent: _Extent) -> tuple[int, int]:
    """A definition is worked out once, and only named where it is used; everything else is written out there."""
    return 1 if key.startswith(("Definition ", "Requirement ")) else extent.steps, extent.size


def _times(node: t.Node, scope: Scope) -> int:
    match node:
        case t.Draw(kind=name):
            return _members(scope.names.kind(name.text))
        case (
            t.ForEach(kind=name)
            | t.Choose(kind=name)
            | t.AnyOneMay(kind=name)
            | t.Quantified(kind=name)
            | t.HowMany(kind=name)
            | t.Total(kind=name)
        ):
            return _members(scope.names.kind(name.text))
        case t.VerbUse(kind=t.Name() as name):
            return _members(scope.names.kind(name.text))
        case t.Call(function=function, arguments=arguments) if function.text == "fulfilled" and not isinstance(arguments[0], t.That):
            asking = [value.index for value in scope.names.values.values() if isinstance(value, Requirement)]
            return max((_members(kind) for kind in asking), default=1)
        case t.Compare():
            return 2
        case t.Decide(limit=int(limit)):
            return max(1, limit)
        case t.ListSome(count=t.Number(value)) | t.Deal(count=t.Number(value)):
            return max(1, value)
    return 1


def _members(kind: Kind | None) -> int:
    return max(1, len(kind.members)) if kind else 1

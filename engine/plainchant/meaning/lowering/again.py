"""Rules that may lead to themselves again: they stand once in the graph, and a stack keeps what those have still to do that wait.

A call puts the variables of the one that waits aside, under the number of those that are under way; coming back takes them from there.
So a rule may interrupt itself, as the books have it (an incursion that causes another), without any loop that nobody can follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.meaning.kernel import Branch, Cond, Const, Either, Equal, Goto, Less, Minus, Num, Plus, Read, Set, Stop, some_of
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Rule
from plainchant.records import Changing, Frozen, field
from plainchant.text import tree as t
from plainchant.text.place import Cite


class Site(Frozen):
    """A place where the rule is begun: the block that begins it, that to come back to, what it is begun with, and the printed lines.

    `first` says that nothing of the sort can be under way there.
    """

    push: int
    after: int
    arguments: dict[str, Num]
    cites: tuple[Cite, ...]
    first: bool


class SharedRule(Changing):
    """One rule in one section: its first block, where it ends, from where it is begun, and the variables that a call must put aside."""

    rule: Rule
    start: int
    end: int
    own: dict[int, None]
    depth: int
    back: int
    sites: list[Site] = field(default_factory=list)


def begin_again(lowering: Lowering, rule: Rule, arguments: dict[str, Num], statement: t.Statement) -> None:
    """Begin a rule that may be under way already, and go on behind it."""
    shared = lowering.shared.get(rule.name) or _shared(lowering, rule)
    assert rule.within is not None
    first = not lowering.variables.traced
    if not first:
        about = f"{rule.words}: more than {rule.within} within each other"
        lowering.only_if(Less(Read(shared.depth), Const(rule.within)), "range", about, statement)
    site = Site(lowering.graph.new(), lowering.graph.new(), arguments, lowering.cites, first)
    lowering.graph.close(Goto(site.push))
    shared.sites.append(site)
    lowering.graph.open = site.after


def _shared(lowering: Lowering, rule: Rule) -> SharedRule:
    """Lower the rule's body once. Who begins it is known only at the end of the section: then `finish` closes what is open here."""
    variables, graph = lowering.variables, lowering.graph
    depth = variables.hidden(f"{rule.name}: how many are under way", 0, rule.within)
    back = variables.hidden(f"{rule.name}: where it came from", 0, MOST_SITES, role="return")
    shared = lowering.shared[rule.name] = SharedRule(rule, graph.new(), graph.new(), {back: None}, depth, back)
    outside, known, ends = graph.open, lowering.asking.known, lowering.rule_ends
    graph.open, lowering.asking.known, lowering.rule_ends = shared.start, set(), [shared.end]
    in_verb, lowering.in_verb = lowering.in_verb, []
    variables.traced.append((rule.name, shared.own))
    parameters: dict[str, Num] = {p.name: Read(_parameter(lowering, rule, p.name)) for p in rule.parameters}
    frame = Frame(Scope(lowering.names, None, parameters={p.name: p for p in rule.parameters}), {}, parameters)
    _must_get_smaller(lowering, rule, depth, frame)
    lowering.body(rule.body, frame)
    if graph.open is not None:
        graph.close(Goto(shared.end))
    variables.traced.pop()
    graph.open, lowering.asking.known, lowering.rule_ends, lowering.in_verb = outside, known, ends, in_verb
    return shared


def _parameter(lowering: Lowering, rule: Rule, name: str) -> int:
    parameter = next(p for p in rule.parameters if p.name == name)
    number = lowering.variables.hidden(f"{rule.name}: {name}", parameter.type.low or 0, parameter.type.high)
    lowering.shared[rule.name].own[number] = None
    return number


def _must_get_smaller(lowering: Lowering, rule: Rule, depth: int, frame: Frame) -> None:
    """The ranking: a number from 0 on that is smaller for each one within another, so that there cannot be ever more of them."""
    if rule.ranking is None:
        return
    rank = lowering.variables.passing("ranking", 0, None)
    number = lowering.expressions.number(rule.ranking, frame)
    lowering.asking.before(number)
    statement = t.Do(t.Name(rule.name, span=rule.span), (), span=rule.span)
    first: Cond = Equal(Read(depth), Const(1))
    smaller = some_of(first, Less(number, Read(rank)))
    lowering.only_if(smaller, "range", f"{rule.words}: the number that should get smaller each time does not", statement)
    lowering.set(rank, number)


MOST_SITES = 9_999
"""Places in one section from where a rule is begun."""


def finish(lowering: Lowering) -> None:
    """At the end of a section: close what its shared rules have left open."""
    for shared in lowering.shared.values():
        frames = _frames(lowering, shared)
        for number, site in enumerate(shared.sites):
            _push(lowering, shared, site, number, frames)
        _pops(lowering, shared, frames)
    lowering.shared.clear()


Frames = dict[int, list[int]]
"""For each variable of a rule, the variables in which those that wait have put it aside, by their number under way (from 1)."""


def _frames(lowering: Lowering, shared: SharedRule) -> Frames:
    frames: Frames = {}
    for variable in shared.own:
        own = lowering.variables.all[variable]
        frames[variable] = [
            lowering.variables.hidden(f"{own.name}, put aside by number {level}", own.low, own.high)
            for level in range(1, shared.rule.within or 1)
        ]
    return frames


def _push(lowering: Lowering, shared: SharedRule, site: Site, number: int, frames: Frames) -> None:
    """Put the variables of the one that is under way aside, and begin anew."""
    graph = lowering.graph
    graph.open = site.push
    for variable, aside in frames.items():
        for level, place in enumerate(aside, 1):
            is_own = Equal(Read(shared.depth), Const(level))
            kept = Const(lowering.variables.all[place].initial) if site.first else Either(is_own, Read(variable), Read(place))
            graph.set(Set(place, kept, ()))
        if site.first:
            graph.set(Set(variable, Const(lowering.variables.all[variable].initial), ()))
    graph.set(Set(shared.depth, Const(1) if site.first else Plus(Read(shared.depth), Const(1)), ()))
    for name, value in site.arguments.items():
        graph.set(Set(_parameter(lowering, shared.rule, name), value, site.cites))
    graph.set(Set(shared.back, Const(number), ()))
    graph.close(Goto(shared.start))


def _pops(lowering: Lowering, shared: SharedRule, frames: Frames) -> None:
    """Go back to where the rule was begun, with the variables of the one that waited there."""
    graph = lowering.graph
    graph.open = shared.end
    for number, site in enumerate(shared.sites):
        block = graph.new()
        following = graph.new()
        # The last place is told apart, too: nothing comes from anywhere else.
        graph.close(Branch(Equal(Read(shared.back), Const(number)), block, following))
        graph.open = block
        graph.set(Set(shared.depth, Const(0) if site.first else Minus(Read(shared.depth), Const(1)), ()))
        for variable, aside in frames.items():
            waiting = () if site.first else aside
            graph.set(Set(variable, _taken_back(lowering, shared.depth, variable, waiting), ()))
        graph.close(Goto(site.after))
        graph.open = following
    graph.close(Stop("range", f"{shared.rule.words}: it was begun nowhere", shared.rule.cites, shared.rule.span))


def _taken_back(lowering: Lowering, depth: int, variable: int, aside: Sequence[int]) -> Num:
    """What was put aside by the one that goes on; where none waits, the variable is as it was before all of them."""
    value: Num = Const(lowering.variables.all[variable].initial)
    for level, place in enumerate(aside, 1):
        value = Either(Equal(Read(depth), Const(level)), Read(place), value)
    return value

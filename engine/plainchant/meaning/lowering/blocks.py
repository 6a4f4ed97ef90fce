"""Statements with blocks: conditions, printed cases, loops and decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from plainchant.meaning.kernel import (
    Case,
    Cases,
    Choose,
    Cond,
    Const,
    Equal,
    Goto,
    Less,
    Option,
    Read,
    Set,
    Stop,
    Truth,
    all_of,
    opposite,
    reads,
    some_of,
)
from plainchant.meaning.lowering.context import Lowering, place_of
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.resolve import kind_hint
from plainchant.meaning.symbols import Kind
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text
from plainchant.text.place import Cite
from plainchant.text.statement_text import choosing, headline, phrase_text


def lower_if(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.If)
    _arms(lowering, list(zip(statement.arms, statement.arm_cites, strict=False)), statement, frame)


def _arms(lowering: Lowering, arms: list[tuple[tuple[t.Expr, t.Body], tuple[Cite, ...]]], statement: t.If, frame: Frame) -> None:
    if not arms:
        lowering.body(statement.otherwise, frame)
        return
    ((expression, body), cites), *rest = arms
    lowering.cites = cites or lowering.cites
    condition = lowering.condition(expression, frame)
    words = f"if {expression_text(expression)}"
    lowering.fork(condition, lambda: lowering.body(body, frame), lambda: _arms(lowering, rest, statement, frame), words)


def lower_check(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Check)
    guards: list[Cond] = []
    for case in statement.cases:
        own = Truth(True) if case.condition is None else lowering.expressions.condition(case.condition, frame)
        guards.append(all_of(*(opposite(guard) for guard in guards), own) if case.after else own)
    _ask_in_turn(lowering, statement.cases, guards)
    cases, sides = [], []
    for case, guard in zip(statement.cases, guards, strict=True):
        block = lowering.graph.new()
        words = headline(case)
        cases.append(Case(guard, block, words, case.cites or _first_cites(case.body) or lowering.cites))
        sides.append((block, partial(lowering.body, case.body, frame)))
    hole = lowering.graph.new()
    about = f"check “{statement.title}”"
    lowering.graph.close(Cases(about, lowering.cites, tuple(cases), hole))
    lowering.graph.open = hole
    read = reads(some_of(*guards))
    all_cites = tuple(dict.fromkeys(cite for case in cases for cite in case.cites)) or lowering.cites
    lowering.graph.close(Stop("hole", about, all_cites, statement.span, read))
    lowering.each_side(sides)


def _ask_in_turn(lowering: Lowering, cases: Sequence[t.Case], guards: Sequence[Cond]) -> None:
    """Ask what the cases read; what only an `otherwise when` reads is asked only if no case before it applies."""
    for i, (case, guard) in enumerate(zip(cases, guards, strict=True)):
        if case.after and i:
            none_before = all_of(*(opposite(earlier) for earlier in guards[:i]))
            lowering.fork(none_before, partial(lowering.asking.before, guard))
        else:
            lowering.asking.before(guard)


def lower_by(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.By)
    kind = kind_hint(statement.subject, frame.scope)
    assert kind is not None
    subject = lowering.number(statement.subject, frame, statement)
    remaining = list(statement.arms)

    def rest() -> None:
        arm = remaining.pop(0)
        if not remaining:
            lowering.body(arm.body, frame)
            return
        position = kind.position(arm.member.text)
        assert position is not None
        lowering.fork(
            Equal(subject, Const(position)), lambda: lowering.body(arm.body, frame), rest, f"{headline(statement)}: {arm.member.text}"
        )

    rest()


def lower_for_each(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.ForEach)
    kind = lowering.names.kind(statement.kind.text)
    assert kind is not None
    if statement.any_order:
        _in_any_order(lowering, statement, kind, frame)
        return
    lowering.for_members(kind, frame, statement.condition, lambda _, inner: lowering.body(statement.body, inner))


def _in_any_order(lowering: Lowering, statement: t.ForEach, kind: Kind, frame: Frame) -> None:
    """Each of those that are meant has its turn once; the text leaves the order open, so the players say who is next."""
    lowering.asking.seats(kind)
    place = f"{statement.span.line}:{statement.span.column}"
    done = [lowering.variables.passing(f"{headline(statement)} ({place}): {member.words} was next", 0, 1) for member in kind.members]
    left: list[Cond] = []
    for position, present in lowering.expressions.members(kind):
        inner = frame.about(kind, position)
        wanted = Truth(True) if statement.condition is None else lowering.condition(statement.condition, inner)
        left.append(all_of(present, wanted, Equal(Read(done[position]), Const(0))))
        lowering.set(done[position], Const(0))
    again = lowering.graph.new()
    lowering.graph.start(again)
    known = set(lowering.asking.known)
    some, none = lowering.graph.fork(some_of(*left))
    options = []
    for position, open_ in enumerate(left):
        block = lowering.graph.new()
        options.append(Option(kind.members[position].words, open_, (Set(done[position], Const(1)),), block, lowering.cites))
    lowering.graph.open = some
    prompt = f"{headline(statement)}: who is next?"
    lowering.graph.close(Choose("players", "the investigators", prompt, lowering.cites, tuple(options), order=True))
    for position, option in enumerate(options):
        lowering.asking.known = set(known)
        lowering.graph.open = option.target
        lowering.body(statement.body, frame.about(kind, position))
        if lowering.graph.open is not None:
            lowering.graph.close(Goto(again))
    lowering.graph.open = none
    lowering.asking.known = known


def lower_draw(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """A draw from a bag: each of its things is as likely as any other. From an empty bag nothing can be drawn, which is a hole."""
    assert isinstance(statement, t.Draw)
    kind = lowering.names.kind(statement.kind.text)
    assert kind is not None
    symbol, whose = place_of(lowering, statement.place, frame)

    def draw(position: int | None) -> None:
        options, sides = [], []
        for i, slot in enumerate(lowering.expressions.slots(symbol, position)):
            block = lowering.graph.new()
            options.append(Option(kind.members[i].words, Less(Const(0), Read(slot)), (), block, lowering.cites, Read(slot)))
            sides.append((block, partial(lowering.body, statement.body, frame.about(kind, i))))
        lowering.note(statement)
        lowering.asking.choose(Choose("chance", "chance", headline(statement), lowering.cites, tuple(options)))
        lowering.each_side(sides)

    lowering.owner(whose, frame, draw)


def lower_decide(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Decide)
    decider = "chance" if statement.who is None else f"the {phrase_text(statement.who)}"
    chooser = "chance" if statement.who is None else "players"
    if statement.limit is None:
        _one_decision(lowering, statement, frame, chooser, decider, None)
        return
    place = f"{statement.span.line}:{statement.span.column}"
    used = [
        lowering.variables.passing(f"{frame.scope.part}.{option.words} ({place})", 0, 1, frame.scope.part or "")
        for option in statement.options
    ]
    for variable in used:
        lowering.set(variable, Const(0))
    done = lowering.graph.new()
    for _ in range(statement.limit):
        if lowering.graph.open is not None:
            _one_decision(lowering, statement, frame, chooser, decider, (used, done))
    lowering.graph.start(done)


def _one_decision(
    lowering: Lowering, statement: t.Decide, frame: Frame, chooser: str, decider: str, limited: tuple[list[int], int] | None
) -> None:  # fmt: skip
    conditions = [
        Truth(True) if option.condition is None else lowering.expressions.condition(option.condition, frame) for option in statement.options
    ]
    lowering.asking.before(*conditions)
    options, sides = [], []
    for i, (option, condition) in enumerate(zip(statement.options, conditions, strict=True)):
        block = lowering.graph.new()
        sets: tuple[Set, ...] = ()
        if limited is not None:
            variable = limited[0][i]
            condition, sets = all_of(condition, Equal(Read(variable), Const(0))), (Set(variable, Const(1)),)
        options.append(Option(option.words, condition, sets, block, option.cites or lowering.cites))
        sides.append((block, partial(_option, lowering, option, frame)))
    prompt = f"{decider[:1].upper()}{decider[1:]} must decide" if chooser == "players" else "At random"
    if limited is not None:
        options.append(Option("no more", Truth(True), (), limited[1], lowering.cites))
        prompt = f"{prompt} (up to {statement.limit}, one at a time)"
    lowering.asking.choose(Choose(chooser, decider, prompt, lowering.cites, tuple(options)))
    lowering.each_side(sides)


def _option(lowering: Lowering, option: t.Option, frame: Frame) -> None:
    outer, lowering.cites = lowering.cites, option.cites or lowering.cites
    lowering.body(option.body, frame)
    lowering.cites = outer


def lower_choose(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Choose)
    if isinstance(statement.who, t.That):
        chooser_kind = lowering.names.kind(statement.who.kind.text)
        assert chooser_kind is not None
        decider = chooser_kind.members[frame.positions[chooser_kind.name]].words
    else:
        decider = f"the {phrase_text(statement.who)}"
    kind = lowering.names.kind(statement.kind.text)
    assert kind is not None
    prompt = f"{decider[:1].upper()}{decider[1:]} {choosing(statement.who, statement.optional)} {_article(kind.words)} {kind.words}"
    _choose_member(lowering, kind, statement.condition, statement.body, statement.optional, decider, prompt, frame)


def lower_any_one_may(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.AnyOneMay)
    kind = lowering.names.kind(statement.kind.text)
    assert kind is not None
    done = "; ".join(headline(s) for s in statement.body.statements)
    prompt = f"Any one {kind.name} may: {done}"
    _choose_member(lowering, kind, None, statement.body, True, f"any one {kind.name}", prompt, frame)


def _choose_member(
    lowering: Lowering, kind: Kind, condition: t.Expr | None, body: t.Body, optional: bool,
    decider: str, prompt: str, frame: Frame,
) -> None:  # fmt: skip
    lowering.asking.seats(kind)
    options: list[Option] = []
    sides: list[tuple[int, Callable[[], None]]] = []
    for position, present in lowering.expressions.members(kind):
        inner = frame.about(kind, position)
        allowed = present if condition is None else all_of(present, lowering.condition(condition, inner))
        block = lowering.graph.new()
        options.append(Option(kind.members[position].words, allowed, (), block, lowering.cites))
        sides.append((block, partial(lowering.body, body, inner)))
    if optional:
        block = lowering.graph.new()
        options.append(Option("nobody" if kind.is_group else "none", Truth(True), (), block, lowering.cites))
        sides.append((block, lambda: None))
    lowering.asking.choose(Choose("players", decider, prompt, lowering.cites, tuple(options)))
    lowering.each_side(sides)


def _first_cites(body: t.Body) -> tuple[Cite, ...]:
    return body.statements[0].cites if body.statements else ()


def _article(words: str) -> str:
    return "an" if words[:1].lower() in "aeio" else "a"

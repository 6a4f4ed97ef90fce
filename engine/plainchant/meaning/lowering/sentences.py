"""Verbs, rules and instructions: statements that are carried out by other statements, or by people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from plainchant.meaning.flow import walk
from plainchant.meaning.kernel import Choose, Const, Instruction, Note, Num, Option, Read, Truth
from plainchant.meaning.lowering.again import begin_again
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.phrases import match_verb, subject_of, verb_parameters
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Kind, Trigger
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text


def lower_verb_use(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.VerbUse)
    subject = subject_of(statement, frame.scope)
    assert subject is not None
    matched = match_verb(subject.kind, subject.rest, lowering.names)
    assert matched is not None

    def one(position: int, inner: Frame) -> None:
        arguments = {name: _argument(lowering, name, value, inner, statement) for name, value in matched.arguments.items()}

        scope = Scope(lowering.names, None, parameters=verb_parameters(matched.verb)).about(subject.kind)
        lowering.note(statement)
        lowering.in_verb.append(statement)
        with lowering.using(arguments):
            lowering.body(matched.verb.body, Frame(scope, {subject.kind.name: position}, arguments))
        lowering.in_verb.pop()

    if subject.whose is None:
        lowering.for_members(subject.kind, frame, statement.condition, one)
    else:
        lowering.owner(subject.whose, frame, lambda position: one(position or 0, frame.about(subject.kind, position or 0)))


def _argument(lowering: Lowering, name: str, value: t.Expr, frame: Frame, statement: t.Statement, kind: Kind | None = None) -> Num:
    """An argument keeps the value that it had when the rule began."""
    number = lowering.number(value, frame, statement, kind)
    if isinstance(number, Const) or (isinstance(number, Read) and lowering.variables.all[number.variable].asked):
        return number
    within = lowering.arguments[name]
    variable = lowering.variables.passing(f"argument {name}" + (f" ({within} within)" if within else ""), 0, None)
    lowering.set(variable, number)
    return Read(variable)


def lower_do(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Do)
    rule = lowering.names.rules[statement.rule.text]
    arguments = {
        p.name: _argument(lowering, f"{rule.name}.{p.name}", value, frame, statement, p.type.kind)
        for p, value in zip(rule.parameters, statement.arguments, strict=True)
    }
    lowering.note(statement)
    if rule.within is not None:
        begin_again(lowering, rule, arguments, statement)
        return
    scope = Scope(lowering.names, None, parameters={p.name: p for p in rule.parameters})
    known = set(lowering.asking.known)
    lowering.rule_ends.append(lowering.graph.new())
    with lowering.using(f"{rule.name}.{name}" for name in arguments):
        lowering.body(rule.body, Frame(scope, {}, arguments))
    lowering.graph.start(lowering.rule_ends.pop())
    if any(isinstance(one, t.Cost | t.OnlyIf) for one in walk(rule.body)):
        lowering.asking.known = known  # the rule may have ended before it asked


def lower_happens(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    """An event with all that reacts to it: what replaces it, what comes before it, its results, what follows from them, reactions.

    What is forced comes before what may be done, and each does it once. What replaces the event is the first that applies.
    """
    assert isinstance(statement, t.Happens)
    event = lowering.names.events[statement.event.text]
    arguments = {
        p.name: _argument(lowering, f"{event.name}.{p.name}", value, frame, statement, p.type.kind)
        for p, value in zip(event.parameters, statement.arguments, strict=True)
    }
    inner = Frame(Scope(lowering.names, None, parameters={p.name: p for p in event.parameters}), {}, arguments)
    triggers = lowering.names.triggers.get(event.name, ())

    def at(timing: str, then: Callable[[Trigger], None]) -> None:
        for trigger in triggers:
            if trigger.timing == timing:
                _react(lowering, trigger, inner, partial(then, trigger))

    def carry_out(trigger: Trigger) -> None:
        lowering.body(trigger.body, inner)

    def unreplaced(left: Sequence[Trigger]) -> None:
        if left:
            one = left[0]
            _react(lowering, one, inner, partial(carry_out, one), partial(unreplaced, left[1:]))
            return
        at("before it", carry_out)
        lowering.note(statement)
        lowering.body(statement.body, frame)
        at("after applying all results", carry_out)
        at("as a reaction", lambda trigger: _offer(lowering, trigger, inner))

    with lowering.using(f"{event.name}.{name}" for name in arguments):
        unreplaced([trigger for trigger in triggers if trigger.timing == "instead"])


def _react(
    lowering: Lowering, trigger: Trigger, frame: Frame, then: Callable[[], None], otherwise: Callable[[], None] | None = None
) -> None:  # fmt: skip
    """What a keyword does, if its condition holds now."""
    outer, lowering.cites = lowering.cites, trigger.cites
    condition = Truth(True) if trigger.condition is None else lowering.condition(trigger.condition, frame)
    words = (
        f"{trigger.words}: {trigger.timing}" if trigger.condition is None else f"{trigger.words}: if {expression_text(trigger.condition)}"
    )

    def react() -> None:
        lowering.cites = trigger.cites
        lowering.graph.note(Note(f"{trigger.words}: {trigger.timing}", trigger.cites, trigger.span))
        then()

    def go_on() -> None:
        lowering.cites = outer
        if otherwise is not None:
            otherwise()

    lowering.fork(condition, react, go_on, words)
    lowering.cites = outer


def _offer(lowering: Lowering, trigger: Trigger, frame: Frame) -> None:
    """A reaction: the players may leave it."""
    does, leaves = lowering.graph.new(), lowering.graph.new()
    options = tuple(Option(words, Truth(True), (), block, trigger.cites) for words, block in (("yes", does), ("no", leaves)))
    prompt = f"Do the investigators react: {trigger.words}?"
    lowering.asking.choose(Choose("players", "the investigators", prompt, trigger.cites, options))
    lowering.each_side([(does, lambda: lowering.body(trigger.body, frame)), (leaves, lambda: None)])


def lower_instruct(lowering: Lowering, statement: t.Statement, _frame: Frame) -> None:
    assert isinstance(statement, t.Instruct)
    names = tuple(words for _, words in statement.items)
    lowering.note(statement, instruction=Instruction(statement.verb, names, statement.at or ""))

"""Jumps, ends, the play of a scenario and excursions: statements that lead somewhere else."""

from __future__ import annotations

from plainchant.meaning.kernel import Choose, Const, Equal, Goto, Option, Read, Set, Stop, Truth
from plainchant.meaning.lowering.context import Lowering
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.symbols import Section
from plainchant.text import tree as t
from plainchant.text.statement_text import headline


def lower_jump(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.Jump | t.SkipPart)
    lowering.note(statement, "way")
    lowering.routes.go(lowering.names.section(statement.target, frame.scope.part)[0], frame.scope.part, lowering.cites)


def lower_continue(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    lowering.note(statement, "printed order")
    following = lowering.names.next_part(frame.scope.part or "")
    assert following is not None
    lowering.routes.go(following.sections[0], frame.scope.part, lowering.cites)


def lower_over(lowering: Lowering, statement: t.Statement, _frame: Frame) -> None:
    assert isinstance(statement, t.Over)
    lowering.note(statement)
    lowering.graph.close(Stop("end", statement.label, lowering.cites, statement.span))


def lower_nothing(lowering: Lowering, statement: t.Statement, _frame: Frame) -> None:
    lowering.note(statement)


def lower_play(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    part = lowering.names.parts[frame.scope.part or ""]
    lowering.note(statement, "play")
    before = next((s for s in part.sections if s.kind == "before any other resolution"), None)
    without = before or next((s for s in part.sections if s.kind == "no resolution"), None)
    named = [s for s in part.sections if s.by_a_card and s.kind == "resolution"]
    outcomes: list[tuple[str, Section, int]] = [(f"{s.words} was reached", before or s, i) for i, s in enumerate(named, 1)]
    if without is not None:
        outcomes.append(("no resolution was reached", without, 0))
    mark = None if before is None else lowering.expressions.reached_resolution(part.name)
    options, ways = [], []
    for words, section, number in outcomes:
        block = lowering.graph.new()
        sets = () if mark is None else (Set(mark, Const(number)),)
        options.append(Option(words, Truth(True), sets, block, section.cites))
        ways.append((block, section))
    if len(options) == 1:
        lowering.graph.close(Goto(options[0].target))
    else:
        prompt = f"How did “{part.words}” end?"
        lowering.graph.close(Choose("table", "the table", prompt, lowering.cites, tuple(options)))
    for block, section in ways:
        lowering.graph.open = block
        lowering.routes.go(section, part.name, lowering.cites)


def lower_go_on(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    lowering.note(statement)
    part = lowering.names.parts[frame.scope.part or ""]
    mark = lowering.expressions.reached_resolution(part.name)
    named = [s for s in part.sections if s.by_a_card and s.kind == "resolution"]
    for number, section in enumerate(named, 1):
        yes, no = lowering.graph.fork(Equal(Read(mark), Const(number)))
        if lowering.graph.resume(yes):
            lowering.routes.go(section, part.name, lowering.cites)
        lowering.graph.resume(no)
    lowering.graph.close(Stop("hole", "which resolution was reached", lowering.cites, statement.span, (mark,)))


def lower_card_may(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    assert isinstance(statement, t.CardMay)
    target = lowering.names.section(statement.target, frame.scope.part)[0]
    part = lowering.names.parts[target.part or ""]
    prompt = f"Does a card send the investigators to “{part.words}”?"
    away, after = lowering.asking.yes_or_no("table", "the table", prompt, lowering.cites)
    lowering.routes.ways_back[part.name] = after
    lowering.graph.open = away
    lowering.routes.go(target, frame.scope.part, lowering.cites, leaving=False)
    lowering.graph.open = after
    lowering.asking.known = set()


def lower_go_back(lowering: Lowering, statement: t.Statement, frame: Frame) -> None:
    lowering.note(statement)
    part = frame.scope.part or ""
    if part in lowering.routes.ways_back:
        lowering.graph.close(Goto(lowering.routes.ways_back[part]))
    else:
        lowering.graph.close(Stop("dead-end", headline(statement), lowering.cites, statement.span))

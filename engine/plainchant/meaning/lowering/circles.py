"""Circles in which nobody decides anything: play would go round in them for ever."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from plainchant.meaning.kernel import Block, Branch, Cases, Const, Equal, Exit, Goto, Program, Read, Set, successors
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.source import Source


def restless_circle(program: Program, sources: Mapping[str, Source]) -> tuple[Diagnostic, ...]:
    """The complaint about a circle of blocks none of which waits; nothing if every circle does."""
    ways = _ways_without_waiting(program)
    try:
        TopologicalSorter(ways).prepare()
    except CycleError as error:
        circle: list[int] = error.args[1]
        # The sorter's edges are our ways turned round, so its circle runs backwards.
        sections = dict.fromkeys(program.blocks[number].section for number in reversed(circle))
        named = [program.sections[number] for number in sections]
        at = named[0].span
        source = sources.get(at.file)
        line = source.line(at.line) if source else ""
        shown = " → ".join(f"“{section.part_words} / {section.words}”" for section in [*named, named[0]])
        return (problem("PC411", at, source_line=line, circle=shown),)
    return ()


Ways = dict[int, list[int]]


def _ways_without_waiting(program: Program) -> Ways:
    """Where each block leads without anybody deciding.

    A rule that may lead to itself is passed over where it is begun, if it can be carried out without waiting: it is not begun more often
    within itself than it may, so it ends unless there is a circle in it, which is found there.
    """
    ways = {n: list(successors(block.exit)) for n, block in enumerate(program.blocks) if isinstance(block.exit, Goto | Branch | Cases)}
    afters: dict[tuple[int, int], int] = {}
    for number in list(ways):
        came_from = _came_from(program.blocks[number].exit, program)
        if came_from is not None:
            exit_ = program.blocks[number].exit
            assert isinstance(exit_, Branch)
            afters[came_from] = exit_.then
            ways[number] = [exit_.otherwise]
    begun = {n: site for n in ways if (site := _begun(program.blocks[n], n in afters.values(), program)) is not None}
    starts = {site[0]: ways[n] for n, site in begun.items()}
    for number in begun:
        ways[number] = []
    ends = {variable: {n for n in ways if (_came_from(program.blocks[n].exit, program) or (-1, 0))[0] == variable} for variable in starts}
    restless: set[int] = set()
    while more := {v for v in starts.keys() - restless if _reached(ways, starts[v]) & ends[v]}:
        restless |= more
        ways |= {n: [afters[site]] for n, site in begun.items() if site[0] in restless and site in afters}
    return ways


def _came_from(exit_: Exit, program: Program) -> tuple[int, int] | None:
    """Where a rule that may lead to itself is left: the variable that tells from where it was begun, and the place that is asked for."""
    match exit_:
        case Branch(Equal(Read(variable), Const(place))) if program.variables[variable].role == "return":
            return variable, place
    return None


def _begun(block: Block, comes_back: bool, program: Program) -> tuple[int, int] | None:
    """Where such a rule is begun: the same; coming back to it writes that variable once, too."""
    written = [s for s in block.sets if program.variables[s.variable].role == "return"][1 if comes_back else 0 :]
    match written:
        case [*_, Set(variable, Const(place))]:
            return variable, place
    return None


def _reached(ways: Ways, begin: list[int]) -> set[int]:
    """The blocks that are come to from some."""
    found, waiting = set(begin), list(begin)
    while waiting:
        for following in ways.get(waiting.pop(), ()):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return found

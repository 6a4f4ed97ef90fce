"""Circles in which nobody decides anything: play would go round in them for ever."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from plainchant.meaning.kernel import Branch, Cases, Goto, Program, reads, successors
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.source import Source


def restless_circle(program: Program, sources: Mapping[str, Source]) -> tuple[Diagnostic, ...]:
    """The complaint about a circle of blocks none of which waits; nothing if every circle does."""
    ways = {
        number: list(successors(block.exit))
        for number, block in enumerate(program.blocks)
        if isinstance(block.exit, Goto | Branch | Cases) and not _returns(block.exit, program)
    }
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


def _returns(exit_: Goto | Branch | Cases, program: Program) -> bool:
    """Whether a rule that may lead to itself is left here: it comes back to where it was begun, and was not begun more often than it may."""
    return isinstance(exit_, Branch) and any(program.variables[v].role == "return" for v in reads(exit_.condition))

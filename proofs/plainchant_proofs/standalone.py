"""Standalone Modes against the campaign: what they lay down that no campaign can have there, and what they leave open that is read later."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.meaning.kernel import (
    CAMPAIGN,
    All,
    Choose,
    Cond,
    Const,
    Entrance,
    Equal,
    Program,
    Read,
    SectionInfo,
    Set,
    reads,
    successors,
)
from plainchant.play.machine import Machine, State
from plainchant.records import Frozen
from plainchant.text.place import Cite
from plainchant_proofs.slicing import guards_of


class Laid(Frozen):
    """One state that a Standalone Mode can lay down: the decisions that lead to it, and each fact (a variable, its value, its lines)."""

    decisions: tuple[int, ...]
    facts: tuple[tuple[int, int, tuple[Cite, ...]], ...]


class Standalone(Frozen):
    """A Standalone Mode: where it is printed, the section that it leads to, the states that it can lay down, what it leaves open."""

    entrance: Entrance
    section: SectionInfo
    leads_to: SectionInfo
    states: tuple[Laid, ...]
    open_reads: tuple[int, ...]

    def condition(self, laid: Laid) -> Cond:
        """That all variables which are laid down have these values."""
        return All(tuple(Equal(Read(variable), Const(value)) for variable, value, _ in laid.facts))


def standalones(machine: Machine) -> list[Standalone]:
    """Every Standalone Mode of the book, its states found by playing all its decisions."""
    program = machine.program
    starts = {section.start: section for section in program.sections}
    found = []
    for entrance in program.entrances:
        if entrance.name == CAMPAIGN:
            continue
        section = starts[entrance.block]
        states, targets = _states(machine, entrance, section, starts)
        if targets:
            laid = {variable for state in states for variable, _, _ in state.facts}
            found.append(Standalone(entrance, section, targets[0], tuple(states), _left_open(program, section, targets[0], laid)))
    return found


Facts = dict[int, tuple[Cite, ...]]
"""What was laid down: variables of the log and the bags, each with the lines that say so."""

_LAID_DOWN = ("log", "value", "bag")
_MOST_STATES = 300


def _states(
    machine: Machine, entrance: Entrance, section: SectionInfo, starts: dict[int, SectionInfo]
) -> tuple[list[Laid], list[SectionInfo]]:  # fmt: skip
    """What the ways through the block lay down, where they differ (nothing, if these are too many), and where they lead."""
    states: dict[tuple[tuple[int, int, tuple[Cite, ...]], ...], Laid] = {}
    targets: dict[str, SectionInfo] = {}
    waiting: list[tuple[int, ...]] = [()]
    while waiting and len(states) < _MOST_STATES:
        decisions = waiting.pop(0)
        state, facts = machine.initial(entrance), Facts()
        block = _decided(machine, state, entrance.block, frozenset(starts) - {section.start}, decisions, facts)
        if block >= 0:
            targets[starts[block].key] = starts[block]
            told = tuple((v, state[v], cites) for v, cites in sorted(facts.items(), key=lambda fact: fact[0]))
            states.setdefault(told, Laid(decisions, told))
        else:
            waiting += [(*decisions, option) for option in machine.options(state, ~block)]
    return [] if waiting else list(states.values()), list(targets.values())


def _decided(machine: Machine, state: State, block: int, others: frozenset[int], decisions: Sequence[int], facts: Facts) -> int:
    """Play with these decisions, noting what is laid down: the start of another section, or the complement (~) of a rest before it."""
    program, remaining = machine.program, list(decisions)
    while block not in others:
        _note(program, facts, program.blocks[block].sets)
        following = machine.step(state, block)
        if following < 0:
            if not remaining:
                return following
            rest, option = ~following, remaining.pop(0)
            exit_ = program.blocks[rest].exit
            if isinstance(exit_, Choose):
                _note(program, facts, exit_.options[option].sets, exit_.cites)
            following = machine.take(state, rest, option)
        block = following
    return block


def _note(program: Program, facts: Facts, sets: Sequence[Set], cites: tuple[Cite, ...] | None = None) -> None:
    for assignment in sets:
        if program.variables[assignment.variable].role in _LAID_DOWN:
            facts[assignment.variable] = assignment.cites if cites is None else cites


def _left_open(program: Program, section: SectionInfo, first: SectionInfo, laid: set[int]) -> tuple[int, ...]:
    """Log variables that the scenario's text reads, although neither the Standalone Mode nor that text itself writes them before.

    What the text of the scenario can write itself is not counted as left open.
    """
    read: dict[int, None] = {}
    written: set[int] = set()
    seen: set[int] = set()
    waiting = [first.start]
    while waiting:
        block = waiting.pop(0)
        if block in seen or program.sections[program.blocks[block].section].part != section.part:
            continue
        seen.add(block)
        written |= {s.variable for s in program.blocks[block].sets if program.variables[s.variable].role == "log"}
        for guard in guards_of(program.blocks[block].exit):
            read.update(dict.fromkeys(v for v in reads(guard) if program.variables[v].role == "log"))
        for assignment in program.blocks[block].sets:
            if program.variables[assignment.variable].role != "log":
                read.update(dict.fromkeys(v for v in reads(assignment.value) if program.variables[v].role == "log"))
        waiting += successors(program.blocks[block].exit)
    return tuple(v for v in read if v not in laid and v not in written)


def shared_facts(states: Sequence[Laid]) -> tuple[tuple[int, int, tuple[Cite, ...]], ...]:
    """The facts that every state of a Standalone Mode lays down."""
    if not states:
        return ()
    common = set(states[0].facts)
    for state in states[1:]:
        common &= set(state.facts)
    return tuple(fact for fact in states[0].facts if fact in common)

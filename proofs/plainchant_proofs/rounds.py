"""The rounds of a book that goes round: from one arrival at a section to the next, out of any state whatever.

A situation comes back to the same section again and again (the table decides what happens next). Its rounds are a program of the same
kernel: it begins as the book does, or at such a section with whatever values somebody names, and it ends where play comes there again.
So everything that can be asked of a book can be asked of its rounds, and the engine plays what is answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainchant.meaning.kernel import (
    Block,
    Choose,
    Const,
    Entrance,
    Goto,
    Program,
    Range,
    SectionInfo,
    Set,
    Stop,
    Variable,
    led_to,
    successors,
)
from plainchant.meaning.lowering.graph import renumbered
from plainchant.play.machine import Machine
from plainchant.records import Frozen, replace
from plainchant_proofs.topology import components, roots_of

ANYWHERE = "any state at "
"""How the entrances are called that begin with whatever values somebody names, before the key of their section."""

MOST_WITHOUT_BOUND = 12
"""Up to which number a variable without a bound is looked at."""


class Rounds(Frozen):
    """A book's rounds as a program.

    `begins[s]` are the first blocks of section s (a number in the book) in each of the rounds, `ends[s]` the block at which the last round
    arrives there; in the first round the book's blocks have their own numbers. `capped` are variables that have no bound, and were given one.
    """

    program: Program
    begins: dict[int, tuple[int, ...]]
    ends: dict[int, int]
    capped: tuple[Variable, ...]

    def anywhere(self, section: int) -> str:
        """The entrance that begins at a section with any values."""
        return ANYWHERE + self.program.sections[section].key


def sections_that_come_back(program: Program, claimed: Iterable[int]) -> tuple[int, ...]:
    """Sections at which rounds can be cut, so that none goes round within itself: those that claims are about, else the first of each loop.

    Loops that lie between two cuts stay loops.
    """
    wanted = set(claimed)
    found: list[int] = []
    for part in components(program.blocks, roots_of(program)):
        if len(part) > 1 or part[0] in successors(program.blocks[part[0]].exit):
            inside = set(part)
            sections = [number for number, section in enumerate(program.sections) if section.start in inside]
            cut = [number for number in sections if number in wanted] or sections[:1]
            found += cut
    return tuple(sorted(found))


def never_changed(program: Program, sections: Sequence[int]) -> dict[int, int]:
    """The variables that no round changes, with the values that set-up gives them, where set-up leaves nothing to be decided."""
    starts = [program.sections[s].start for s in sections]
    if len(program.entrances) != 1 or not starts:
        return {}
    machine, entrance = Machine(program), program.entrances[0]
    state, block = machine.initial(entrance), entrance.block
    while block not in starts:
        block = machine.step(state, block)
        if block < 0:
            return {}
    changed: set[int] = set()
    for one in led_to(program, starts):
        exit_ = program.blocks[one].exit
        changed |= {s.variable for s in program.blocks[one].sets}
        if isinstance(exit_, Choose):
            changed |= {s.variable for option in exit_.options for s in option.sets}
        if isinstance(exit_, Range):
            changed.add(exit_.variable)
    return {variable: value for variable, value in enumerate(state) if variable not in changed}


def rounds_of(program: Program, sections: Sequence[int], live: dict[int, Sequence[int]], number: int = 1) -> Rounds:
    """So many rounds one after the other; `live` are for each section the variables that can matter when play arrives there."""
    fixed = never_changed(program, sections)
    cuts = {program.sections[s].start: s for s in sections}
    size = len(program.blocks)
    blocks: list[Block] = []
    ends = {s: number * size + i for i, s in enumerate(sections)}
    begins = {s: tuple(level * size + program.sections[s].start for level in range(number)) for s in sections}
    for level in range(number):
        for block in program.blocks:
            targets = {t: _following(t, level, size, cuts, begins, ends) for t in successors(block.exit)}
            blocks.append(replace(block, exit=renumbered(block.exit, targets)))
    for s in sections:
        section = program.sections[s]
        blocks.append(Block(s, (), Stop("round", f"“{section.words}” again", section.cites, section.span)))
    entrances = list(program.entrances)
    capped: dict[int, None] = {}
    for s in sections:
        first = len(blocks)
        asked = [v for v in live[program.sections[s].start] if v not in fixed]
        blocks += [_any_value(program, s, variable, first + i + 1) for i, variable in enumerate(asked)]
        blocks.append(Block(s, tuple(Set(v, Const(value)) for v, value in fixed.items()), Goto(begins[s][0])))
        capped.update(dict.fromkeys(v for v in asked if program.variables[v].high is None))
        entrances.append(Entrance(ANYWHERE + program.sections[s].key, f"any state at “{program.sections[s].words}”", (), first))
    later = [_again(program.sections[s], block, i) for s in sections for i, block in enumerate((*begins[s][1:], ends[s]), 1)]
    made = replace(program, blocks=tuple(blocks), entrances=tuple(entrances), sections=(*program.sections, *later), claims=())
    return Rounds(made, begins, ends, tuple(program.variables[v] for v in capped))


def _following(
    target: int, level: int, size: int, cuts: dict[int, int], begins: dict[int, tuple[int, ...]], ends: dict[int, int]
) -> int:  # fmt: skip
    """Where a way of a round leads: within the round, into the next, or to the end of the last."""
    if target not in cuts:
        return level * size + target
    following = begins[cuts[target]]
    return following[level + 1] if level + 1 < len(following) else ends[cuts[target]]


def _any_value(program: Program, section: int, variable: int, following: int) -> Block:
    """Somebody names the value of a variable; what is asked for in play may also not have been asked yet."""
    own = program.variables[variable]
    low = own.unknown if own.asked else own.low
    high = MOST_WITHOUT_BOUND if own.high is None else own.high
    return Block(section, (), Range("table", "whoever looks for a counterexample", own.words, (), variable, low, high, following))


def _again(section: SectionInfo, block: int, number: int) -> SectionInfo:
    return replace(section, key=f"{section.key} (round {number + 1})", start=block)

"""Builds the graph of blocks: one block is open at a time, statements add to it, exits close it."""

from __future__ import annotations

from plainchant.meaning.kernel import (
    Block,
    Branch,
    Case,
    Cases,
    Choose,
    Cond,
    Exit,
    Goto,
    Note,
    Program,
    Range,
    Set,
    Stop,
    Truth,
    successors,
)
from plainchant.records import replace
from plainchant.text.place import Cite


class Graph:
    """Blocks under construction; `open` is the number of the open block, or None where nothing can arrive."""

    def __init__(self) -> None:
        self._sets: list[list[Set]] = []
        self._notes: list[list[Note]] = []
        self._exits: list[Exit | None] = []
        self._sections: list[int] = []
        self.open: int | None = None
        self.section = 0

    def new(self) -> int:
        """A new empty block of the current section, not yet open."""
        self._sets.append([])
        self._notes.append([])
        self._exits.append(None)
        self._sections.append(self.section)
        return len(self._exits) - 1

    def start(self, block: int) -> None:
        """Go on in this block; an open one leads into it."""
        if self.open is not None:
            self.close(Goto(block))
        self.open = block

    def close(self, exit_: Exit) -> None:
        """Leave the open block by this exit."""
        if self.open is not None:
            self._exits[self.open] = exit_
            self.open = None

    def set(self, assignment: Set) -> None:
        if self.open is not None:
            self._sets[self.open].append(assignment)

    def note(self, note: Note) -> None:
        """Say which statement is carried out from here on; a block holds what is carried out together."""
        if self.open is not None:
            self._notes[self.open].append(replace(note, after=len(self._sets[self.open])))

    def fork(self, condition: Cond, words: str = "", cites: tuple[Cite, ...] = ()) -> tuple[int | None, int | None]:
        """Leave by a condition: the blocks for yes and no, one of them None if the condition is constant (the open block goes on)."""
        if self.open is None:
            return None, None
        if isinstance(condition, Truth):
            return (self.open, None) if condition.value else (None, self.open)
        yes, no = self.new(), self.new()
        self.close(Branch(condition, yes, no, words, cites))
        return yes, no

    def resume(self, block: int | None) -> bool:
        """Open one side of a fork; whether there is anything to do there."""
        self.open = block
        return block is not None

    def finished(self) -> list[Block]:
        """All blocks; one that was never closed is a fault of the lowering."""
        blocks = []
        for section, sets, exit_, notes in zip(self._sections, self._sets, self._exits, self._notes, strict=True):
            if exit_ is None:
                raise AssertionError("a block was left open")
            blocks.append(Block(section, tuple(sets), exit_, tuple(notes)))
        return blocks


def renumbered(exit_: Exit, number: dict[int, int]) -> Exit:
    """The same exit with other block numbers."""
    match exit_:
        case Goto(target):
            return Goto(number[target])
        case Branch(then=then, otherwise=otherwise):
            return replace(exit_, then=number[then], otherwise=number[otherwise])
        case Cases():
            cases = tuple(Case(c.condition, number[c.target], c.words, c.cites) for c in exit_.cases)
            return replace(exit_, cases=cases, hole=number[exit_.hole])
        case Choose():
            options = tuple(replace(option, target=number[option.target]) for option in exit_.options)
            return replace(exit_, options=options)
        case Range():
            return replace(exit_, target=number[exit_.target])
        case Stop():
            return exit_


def tidied(program: Program) -> Program:
    """The same program with straight runs of blocks joined, and blocks that nothing leads to dropped.

    Entrances and the first blocks of sections stay, also of sections that no play reaches: they are what a prover is asked about.
    """
    keep = {section.start for section in program.sections} | {entrance.block for entrance in program.entrances}
    blocks = dict(enumerate(program.blocks))
    arrivals: dict[int, int] = dict.fromkeys(keep, 2)
    for block in blocks.values():
        for target in successors(block.exit):
            arrivals[target] = arrivals.get(target, 0) + 1
    absorbed = {
        block.exit.target
        for block in blocks.values()
        if isinstance(block.exit, Goto) and _absorbs(block, block.exit.target, blocks, arrivals)
    }
    joined = {start: _run(start, blocks, arrivals) for start in blocks if start not in absorbed}
    live = _live(keep, joined)
    number = {old: new for new, old in enumerate(live)}
    return replace(
        program,
        blocks=tuple(replace(joined[old], exit=renumbered(joined[old].exit, number)) for old in live),
        sections=tuple(replace(s, start=number[s.start]) for s in program.sections),
        entrances=tuple(replace(e, block=number[e.block]) for e in program.entrances),
    )


def _absorbs(block: Block, target: int, blocks: dict[int, Block], arrivals: dict[int, int]) -> bool:
    """Whether the plain end of a block is the only way into the next, which belongs to the same section."""
    return arrivals.get(target, 0) == 1 and blocks[target].section == block.section


def _run(start: int, blocks: dict[int, Block], arrivals: dict[int, int]) -> Block:
    block = blocks[start]
    while isinstance(block.exit, Goto) and _absorbs(block, block.exit.target, blocks, arrivals):
        following = blocks[block.exit.target]
        notes = block.notes + moved(following.notes, len(block.sets))
        block = Block(block.section, block.sets + following.sets, following.exit, notes)
    return block


def moved(notes: tuple[Note, ...], count: int) -> tuple[Note, ...]:
    """Notes of a block before whose assignments so many others are put."""
    return tuple(replace(note, after=note.after + count) for note in notes)


def _live(keep: set[int], blocks: dict[int, Block]) -> list[int]:
    seen: dict[int, None] = {}
    stack = sorted(keep, reverse=True)
    while stack:
        block = stack.pop()
        if block not in seen:
            seen[block] = None
            stack += reversed(successors(blocks[block].exit))
    return list(seen)

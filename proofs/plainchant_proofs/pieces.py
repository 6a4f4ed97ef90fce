"""Long books in pieces: where every play passes one block, and little of what was before can matter any more, a book is cut in two.

A piece is a program of its own. It begins with each state in which plays can come to it, as far as that matters to the piece; the piece
before finds all of these states, each with a play that arrives in it. So what is proven of the pieces is true of the whole book, and a
witness in a piece is one of the book behind the play that leads to the piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from plainchant.meaning.kernel import Block, Choose, Const, Entrance, Program, Range, Set, Stop, reads, successors
from plainchant.records import Frozen, replace
from plainchant_proofs.renaming import Renaming
from plainchant_proofs.slicing import guards_of
from plainchant_proofs.topology import components

_LEAST_BLOCKS = 1000
"""Pieces are at least so large: each costs something of itself."""

_MOST_CARRIED = 6
"""Variables that may matter beyond a cut; every state of them is looked for."""


class Piece(Frozen):
    """A part of a book as a program: which blocks and variables of the book it has, in its own order.

    `carried` are variables of the book that matter in a later piece. Where plays go on to the next piece, `program` stops: at the block
    `last`, which stands for the first of the next piece (None in the last piece).
    """

    program: Program
    blocks: Mapping[int, int]
    variables: Mapping[int, int]
    carried: tuple[int, ...]
    last: int | None

    def begun(self, states: Sequence[Mapping[int, int]]) -> Program:
        """The piece with an entrance for each state of what is carried into it; the first piece has the book's own."""
        entrances = [
            Entrance(str(number), "", tuple(Set(self.variables[v], Const(value)) for v, value in state.items() if v in self.variables), 0)
            for number, state in enumerate(states)
        ]
        return replace(self.program, entrances=tuple(entrances))


def pieces_of(program: Program) -> list[Piece]:
    """The pieces of a book, in the order of play; none if there is no place to be cut, or it has loops."""
    if len(program.blocks) < 2 * _LEAST_BLOCKS:
        return []
    order = components(program.blocks, [entrance.block for entrance in program.entrances])
    if any(len(part) > 1 or part[0] in successors(program.blocks[part[0]].exit) for part in order):
        return []
    blocks = _nearest_first(program, [part[0] for part in order])
    cuts = list(_cuts(program, blocks))
    if not cuts:
        return []
    bounds = [0, *(place for place, _ in cuts), len(blocks)]
    carried = [tuple[int, ...](), *(matters for _, matters in cuts), ()]
    return [
        _piece(program, blocks[low:high], carried[i], carried[i + 1], blocks[high] if high < len(blocks) else None)
        for i, (low, high) in enumerate(pairwise(bounds))
    ]  # fmt: skip


def _nearest_first(program: Program, order: Sequence[int]) -> list[int]:
    """Blocks in an order of play in which what leads nowhere comes before what much follows: so nothing is passed over at a cut."""
    height: dict[int, int] = {}
    for block in reversed(order):
        height[block] = 1 + max((height[target] for target in successors(program.blocks[block].exit)), default=0)
    done: list[int] = []
    seen: set[int] = set()
    for entrance in sorted({entrance.block for entrance in program.entrances}, key=height.__getitem__):
        work = [(entrance, iter((entrance,)))]
        while work:
            block, following = work[-1]
            target = next((one for one in following if one not in seen), None)
            if target is None:
                work.pop()
                if work:
                    done.append(block)
            else:
                seen.add(target)
                ways = sorted(successors(program.blocks[target].exit), key=height.__getitem__, reverse=True)
                work.append((target, iter(ways)))
    return done[::-1]


def _cuts(program: Program, blocks: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Places in the order of play where a book can be cut, each with the variables that matter beyond it."""
    place = {block: i for i, block in enumerate(blocks)}
    starts = {section.start for section in program.sections}
    written, read = _spans(program, blocks)
    furthest = 1 + max(place[entrance.block] for entrance in program.entrances)  # a piece has no other way in than from the one before
    open_: set[int] = set()
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for variable, first in written.items():
        if read.get(variable, -1) > first:
            begins.setdefault(first, []).append(variable)
            ends.setdefault(read[variable], []).append(variable)
    last = 0
    for i, block in enumerate(blocks):
        # Here what was written before and is read from here on is still open.
        if i and furthest <= i and block in starts and len(open_) <= _MOST_CARRIED and min(i - last, len(blocks) - i) >= _LEAST_BLOCKS:
            last = i
            yield i, tuple(sorted(open_))
        open_.update(begins.get(i, ()))
        open_.difference_update(ends.get(i, ()))
        furthest = max([furthest, *(place[target] for target in successors(program.blocks[block].exit))])


def _spans(program: Program, blocks: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
    """For each variable the first place where it is written, and the last where it is read."""
    written: dict[int, int] = {s.variable: 0 for entrance in program.entrances for s in entrance.sets}
    read: dict[int, int] = {}
    for i, block in enumerate(blocks):
        for variable in _written_at(program.blocks[block]):
            written.setdefault(variable, i)
        for variable in _read_at(program.blocks[block]):
            read[variable] = i
    return written, read


def _sets_at(block: Block) -> Iterator[Set]:
    yield from block.sets
    if isinstance(block.exit, Choose):
        for option in block.exit.options:
            yield from option.sets


def _written_at(block: Block) -> Iterator[int]:
    yield from (s.variable for s in _sets_at(block))
    if isinstance(block.exit, Range):
        yield block.exit.variable


def _read_at(block: Block) -> Iterator[int]:
    for guard in guards_of(block.exit):
        yield from reads(guard)
    for assignment in _sets_at(block):
        yield from reads(assignment.value)
    for option in block.exit.options if isinstance(block.exit, Choose) else ():
        yield from reads(option.weight)


def _piece(
    program: Program, own: Sequence[int], carried_in: Iterable[int], carried: tuple[int, ...], following: int | None
) -> Piece:  # fmt: skip
    """The program of some blocks that follow each other in the order of play."""
    touched: dict[int, None] = dict.fromkeys((*carried_in, *carried))
    for block in own:
        touched.update(dict.fromkeys((*_written_at(program.blocks[block]), *_read_at(program.blocks[block]))))
    variables = {variable: i for i, variable in enumerate(touched)}
    blocks = {block: i for i, block in enumerate(own)}
    renaming = Renaming(variables, blocks if following is None else {**blocks, following: len(own)})
    made = [renaming.block(program.blocks[block]) for block in own]
    if following is not None:
        made.append(Block(0, (), Stop("cut", "the next piece", ())))
    return Piece(
        Program(
            program.book, program.title, tuple(program.variables[v] for v in touched), tuple(made),
            tuple(replace(s, start=blocks[s.start]) for s in program.sections if s.start in blocks),
            tuple(replace(e, block=blocks[e.block], sets=renaming.sets(e.sets)) for e in program.entrances if e.block in blocks),
        ),
        blocks, variables, carried, None if following is None else len(own),
    )  # fmt: skip

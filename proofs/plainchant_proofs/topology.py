"""The order in which a program's blocks can be visited: topological where play cannot return, unrolled to a bound where it can."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.meaning.kernel import Block, Program, Stop, successors
from plainchant.meaning.lowering.graph import renumbered
from plainchant.records import Frozen, replace


class Unrolled(Frozen):
    """A program without loops: `origin` gives for each block the one of the book it is a copy of (-1 for the end of an unrolled loop, which
    is no block of the book); bound is None if nothing was cut."""

    program: Program
    order: tuple[int, ...]
    origin: tuple[int, ...]
    bound: int | None

    @property
    def starts(self) -> tuple[int, ...]:
        """The first blocks of all sections, in every copy."""
        first = {section.start for section in self.program.sections}
        return tuple(copy for copy, origin in enumerate(self.origin) if origin in first)


def roots_of(program: Program) -> list[int]:
    """Where play can begin, and the first block of each section (also of those that nothing leads to)."""
    return list(dict.fromkeys([e.block for e in program.entrances] + [s.start for s in program.sections]))


def components(blocks: Sequence[Block], roots: Sequence[int]) -> list[list[int]]:
    """Strongly connected components in topological order, what is printed first before what is printed later.

    Tarjan 1972, without recursion; later branches are visited first, because the order is reversed at the end.
    """
    number: dict[int, int] = {}
    least: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in reversed(roots):
        if root in number:
            continue
        work = [(root, reversed(successors(blocks[root].exit)))]
        number[root] = least[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            block, following = work[-1]
            for target in following:
                if target not in number:
                    number[target] = least[target] = len(number)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, reversed(successors(blocks[target].exit))))
                    break
                if target in on_stack:
                    least[block] = min(least[block], number[target])
            else:
                work.pop()
                if work:
                    least[work[-1][0]] = min(least[work[-1][0]], least[block])
                if least[block] == number[block]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == block:
                            break
                    found.append(component[::-1])
    return found[::-1]


def unrolled(program: Program, bound: int) -> Unrolled:
    """The program with each loop unrolled so often; one without loops comes back as it is."""
    parts = components(program.blocks, roots_of(program))
    if all(len(part) == 1 and part[0] not in successors(program.blocks[part[0]].exit) for part in parts):
        order = tuple(part[0] for part in parts)
        return Unrolled(program, order, tuple(range(len(program.blocks))), None)
    return _copied(program, parts, bound)


def _in_order(program: Program, part: Sequence[int]) -> list[int]:
    """The blocks of a loop from where it is entered, each behind all that lead to it but by going back: reverse postorder."""
    inside = set(part)
    seen = {part[0]}
    done: list[int] = []
    work = [(part[0], reversed(successors(program.blocks[part[0]].exit)))]
    while work:
        for target in work[-1][1]:
            if target in inside and target not in seen:
                seen.add(target)
                work.append((target, reversed(successors(program.blocks[target].exit))))
                break
        else:
            done.append(work.pop()[0])
    return done[::-1]


def _copied(program: Program, parts: list[list[int]], bound: int) -> Unrolled:
    """Copies of each loop: an edge back inside of a loop leads to the next copy, from the last copy to a stop."""
    blocks: list[Block] = list(program.blocks)
    origin = list(range(len(blocks)))
    order: list[int] = []
    for part in (_in_order(program, found) for found in parts):
        inside = set(part)
        loops = len(part) > 1 or part[0] in successors(program.blocks[part[0]].exit)
        if not loops:
            order.append(part[0])
            continue
        rank = {block: i for i, block in enumerate(part)}
        copies: list[dict[int, int]] = [{block: block for block in part}]
        for _ in range(bound - 1):
            copy = {block: len(blocks) + i for i, block in enumerate(part)}
            blocks += [program.blocks[block] for block in part]
            origin += part
            copies.append(copy)
        cut = len(blocks)
        blocks.append(Block(program.blocks[part[0]].section, (), Stop("bound", "the bound of unrolling", ())))
        origin.append(-1)
        for level, copy in enumerate(copies):
            for block in part:
                numbers = {}
                for target in successors(program.blocks[block].exit):
                    if target not in inside:
                        numbers[target] = target
                    elif rank[target] > rank[block]:
                        numbers[target] = copy[target]
                    else:
                        numbers[target] = copies[level + 1][target] if level + 1 < len(copies) else cut
                blocks[copy[block]] = replace(program.blocks[block], exit=renumbered(program.blocks[block].exit, numbers))
            order += [copy[block] for block in part]
        order.append(cut)
    return Unrolled(replace(program, blocks=tuple(blocks)), tuple(order), tuple(origin), bound)

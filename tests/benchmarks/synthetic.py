"""Campaigns of any length: copies of one program chained at their ends, with guards that read what the copy before has written."""

from __future__ import annotations

from plainchant.meaning.kernel import All, Block, Branch, Choose, Cond, Const, Equal, Program, Read, Stop
from plainchant.records import replace
from plainchant_proofs.renaming import Renaming


def chained(program: Program, copies: int) -> Program:
    """`copies` times the same campaign, one after the other.

    Where one copy ends as the book prints, the next begins, by two ways that a log entry of the copy before decides; and in the next,
    the last option of a decision is open only if that entry was recorded.
    """
    size, width, parts = len(program.blocks), len(program.variables), len(program.sections)
    memory = next(i for i, v in enumerate(program.variables) if v.role == "log" and v.initial == 0)
    begin = program.entrances[0].block
    limited = next(i for i, block in enumerate(program.blocks) if isinstance(block.exit, Choose) and block.exit.chooser == "players")
    blocks: list[Block] = []
    renamings = [
        Renaming({old: old + copy * width for old in range(width)}, {old: old + copy * size for old in range(size)})
        for copy in range(copies)
    ]
    for copy, renaming in enumerate(renamings):
        for place, block in enumerate(program.blocks):
            moved = renaming.block(block)
            exit_ = moved.exit
            if isinstance(exit_, Stop) and exit_.kind == "end" and copy + 1 < copies:
                there = Equal(Read(memory + copy * width), Const(1))
                exit_ = Branch(there, begin + (copy + 1) * size, begin + (copy + 1) * size, "if the copy before has recorded it")
            if isinstance(exit_, Choose) and copy and place == limited:
                exit_ = _limited(exit_, Equal(Read(memory + (copy - 1) * width), Const(1)))
            blocks.append(replace(moved, section=block.section + copy * parts, exit=exit_, notes=block.notes))
    return replace(
        program,
        variables=tuple(replace(v, name=f"{copy}.{v.name}") for copy in range(copies) for v in program.variables),
        blocks=tuple(blocks),
        sections=tuple(replace(s, key=f"{copy}.{s.key}", start=s.start + copy * size) for copy in range(copies) for s in program.sections),
        entrances=program.entrances[:1],
        claims=tuple(
            replace(c, name=f"{c.name}_{copy}", condition=renaming.condition(c.condition), at=None)
            for copy, renaming in enumerate(renamings)
            for c in program.claims
            if c.at is None
        ),
        acknowledged=(),
        log=program.log,
    )


def _limited(choice: Choose, only_if: Cond) -> Choose:
    """The decision with its last option open on one more condition."""
    *others, last = choice.options
    return replace(choice, options=(*others, replace(last, condition=All((last.condition, only_if)))))

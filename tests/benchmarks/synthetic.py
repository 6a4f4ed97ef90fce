"""Campaigns of any length: copies of one program chained at their ends, with guards that read what the copy before has written."""

from __future__ import annotations

from dataclasses import replace

from plainchant.meaning.kernel import (
    All,
    Block,
    Branch,
    Cases,
    Choose,
    Cond,
    Const,
    Either,
    Equal,
    Exit,
    Less,
    Minus,
    Num,
    Opposite,
    Plus,
    Program,
    Range,
    Read,
    Set,
    Some,
    Stop,
    Truth,
)
from plainchant.meaning.lowering.graph import renumbered


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
    for copy in range(copies):
        for place, block in enumerate(program.blocks):
            number = {old: old + copy * size for old in range(size)}
            exit_ = renumbered(_moved_exit(block.exit, copy * width), number)
            if isinstance(exit_, Stop) and exit_.kind == "end" and copy + 1 < copies:
                there = Equal(Read(memory + copy * width), Const(1))
                exit_ = Branch(there, begin + (copy + 1) * size, begin + (copy + 1) * size, "if the copy before has recorded it")
            if isinstance(exit_, Choose) and copy and place == limited:
                exit_ = _limited(exit_, Equal(Read(memory + (copy - 1) * width), Const(1)))
            sets = tuple(_moved_set(s, copy * width) for s in block.sets)
            blocks.append(Block(block.section + copy * parts, sets, exit_, block.notes))
    return replace(
        program,
        variables=tuple(replace(v, name=f"{copy}.{v.name}") for copy in range(copies) for v in program.variables),
        blocks=tuple(blocks),
        sections=tuple(replace(s, key=f"{copy}.{s.key}", start=s.start + copy * size) for copy in range(copies) for s in program.sections),
        entrances=program.entrances[:1],
        claims=tuple(
            replace(c, name=f"{c.name}_{copy}", condition=_moved_condition(c.condition, copy * width), at=None)
            for copy in range(copies)
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


def _moved_set(assignment: Set, by: int) -> Set:
    return Set(assignment.variable + by, _moved_number(assignment.value, by), assignment.cites)


def _moved_exit(exit_: Exit, by: int) -> Exit:
    match exit_:
        case Branch():
            return replace(exit_, condition=_moved_condition(exit_.condition, by))
        case Cases():
            return replace(exit_, cases=tuple(replace(c, condition=_moved_condition(c.condition, by)) for c in exit_.cases))
        case Choose():
            options = tuple(
                replace(
                    o,
                    condition=_moved_condition(o.condition, by),
                    sets=tuple(_moved_set(s, by) for s in o.sets),
                    weight=_moved_number(o.weight, by),
                )
                for o in exit_.options
            )
            return replace(exit_, options=options, variable=None if exit_.variable is None else exit_.variable + by)
        case Range():
            return replace(exit_, variable=exit_.variable + by)
        case Stop():
            return replace(exit_, reads=tuple(v + by for v in exit_.reads))
    return exit_


def _moved_number(expression: Num, by: int) -> Num:
    match expression:
        case Read(variable):
            return Read(variable + by)
        case Plus(left, right):
            return Plus(_moved_number(left, by), _moved_number(right, by))
        case Minus(left, right):
            return Minus(_moved_number(left, by), _moved_number(right, by))
        case Either(condition, then, otherwise):
            return Either(_moved_condition(condition, by), _moved_number(then, by), _moved_number(otherwise, by))
    return expression


def _moved_condition(condition: Cond, by: int) -> Cond:
    match condition:
        case Equal(left, right):
            return Equal(_moved_number(left, by), _moved_number(right, by))
        case Less(left, right):
            return Less(_moved_number(left, by), _moved_number(right, by))
        case All(items):
            return All(tuple(_moved_condition(item, by) for item in items))
        case Some(items):
            return Some(tuple(_moved_condition(item, by) for item in items))
        case Opposite(item):
            return Opposite(_moved_condition(item, by))
        case Truth():
            return condition
    return condition

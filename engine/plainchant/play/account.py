"""An account of what happened in a step, in its order: the sections passed, the statements carried out, what each of them changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import carry_out
from plainchant.meaning.kernel import Block, Note, SectionInfo, Set
from plainchant.play.machine import Machine, State
from plainchant.play.moment import Choice, Moment, taken
from plainchant.play.session import Session, find_entrance
from plainchant.records import Frozen, replace

Changes = Mapping[int, tuple[int, int]]
"""Variables that changed, each with its value before and after."""

_VALUES = Values()


class Deed(Frozen):
    """A statement that was carried out (None: the choice itself did it), and the variables that it changed."""

    note: Note | None
    changes: Changes


class Passage(Frozen):
    """What was carried out in a section without leaving it; `entered` says whether it was entered just then."""

    section: SectionInfo
    entered: bool
    deeds: tuple[Deed, ...]


def of_opening(session: Session) -> tuple[Passage, ...]:
    """What happened before the first question of a play."""
    program = session.program
    entrance = find_entrance(program, session.began.entrance)
    assert entrance is not None
    state = session.machine.initial(entrance)
    first = session.moments[0].values
    for number, variable in enumerate(program.variables):
        if variable.role == "reading":
            state[number] = first[number]
    return _passages(session.machine, state, entrance.block, ())


def of_step(session: Session, number: int) -> tuple[Passage, ...]:
    """What happened in step `number` (from 1) of a session's history."""
    return of_choice(session.machine, session.moments[number - 1], session.history[number - 1].choice)


def of_choice(machine: Machine, moment: Moment, choice: Choice) -> tuple[Passage, ...]:
    """What happens when a legal choice is taken at a moment."""
    state, target = taken(machine, moment, choice)
    chosen = _changes(moment.values, state)
    return _passages(machine, state, target, (Deed(None, chosen),) if chosen else (), machine.program.blocks[moment.block].section)


def _passages(
    machine: Machine, state: State, start: int, before: tuple[Deed, ...], section: int | None = None
) -> tuple[Passage, ...]:  # fmt: skip
    program = machine.program
    starts = {s.start for s in program.sections}
    passages: list[Passage] = []
    if section is not None:
        passages.append(Passage(program.sections[section], False, before))
    for number in machine.run(list(state), start).path:
        block = program.blocks[number]
        info = program.sections[block.section]
        if number in starts or not passages or passages[-1].section != info:
            passages.append(Passage(info, number in starts, ()))
        deeds = _joined((*passages[-1].deeds, *_deeds(block, state)))
        passages[-1] = replace(passages[-1], deeds=deeds)
    return tuple(passage for passage in passages if passage.entered or passage.deeds)


def _deeds(block: Block, state: State) -> Iterable[Deed]:
    """Carry out a block, statement by statement, changing `state`."""
    bounds = [note.after for note in block.notes] + [len(block.sets)]
    yield Deed(None, _carried_out(block.sets[: bounds[0]], state))
    for note, low, high in zip(block.notes, bounds, bounds[1:], strict=False):
        yield Deed(note, _carried_out(block.sets[low:high], state))


def _carried_out(sets: Sequence[Set], state: State) -> Changes:
    before = list(state)
    for variable, value in carry_out(sets, state.__getitem__, _VALUES).items():
        state[variable] = value
    return _changes(before, state)


def _changes(before: Sequence[int], after: Sequence[int]) -> Changes:
    return {i: (old, new) for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}


def _joined(deeds: Iterable[Deed]) -> tuple[Deed, ...]:
    """A statement that goes on in further blocks, or is carried out for one member after the other, is one deed."""
    joined: list[Deed] = []
    for deed in deeds:
        if deed.note is None and not deed.changes:
            continue
        if joined and deed.note in (None, joined[-1].note):
            joined[-1] = Deed(joined[-1].note, _both(joined[-1].changes, deed.changes))
        else:
            joined.append(deed)
    return tuple(joined)


def _both(first: Changes, second: Changes) -> Changes:
    both = {**first, **{i: (first[i][0] if i in first else old, new) for i, (old, new) in second.items()}}
    return {i: (old, new) for i, (old, new) in both.items() if old != new}

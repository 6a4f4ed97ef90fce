"""Witnesses: from a model to decisions, from decisions to a play that the engine has made again."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Branch, Cases, Claimed, Cond, Exit, Program, Range, Stop, opposite
from plainchant.play.documents import trace, write_json
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.records import Frozen
from plainchant.store import key_of, store_folder
from plainchant_proofs.encode import Encoding
from plainchant_proofs.explore import Stretch, Witness
from plainchant_proofs.goals import Shows, Target
from plainchant_proofs.smt import Solver
from plainchant_proofs.terms import bits


class ReplayMismatch(Exception):
    """Engine and model disagree about a play: a fault of the program, never of the rules.

    Raised with both sides, and shown as an internal error; a witness that was not replayed is never shown.
    """


def walked(encoding: Encoding, solver: Solver, walker: Machine, entrance: str) -> Stretch:
    """Walk the encoded program as the solver's last model says, in the book's own blocks."""
    way = encoding.program.entrance(entrance)
    assert way is not None
    state, block = walker.initial(way), way.block
    decisions: list[int] = []
    trail: list[list[int]] = []
    while True:
        run = walker.run(state, block)
        trail.append([encoding.origin[b] for b in run.path if encoding.origin[b] >= 0])
        exit_ = encoding.program.blocks[run.block].exit
        if isinstance(exit_, Stop):
            return Stretch(entrance, None, 0, decisions, trail, state)
        if isinstance(exit_, Range):
            decided = _number(encoding, solver, run.block, exit_.low)
        else:
            open_ = walker.options(state, run.block)
            decided = _picked(encoding, solver, run.block, open_)
        decisions.append(decided)
        block = walker.take(state, run.block, decided)


def _number(encoding: Encoding, solver: Solver, block: int, lowest: int) -> int:
    number = encoding.numbers.get(block)
    if number is None:
        return lowest
    value = solver.number(number.name, bits(number.low, number.high))
    return lowest if value is None else value


def _picked(encoding: Encoding, solver: Solver, block: int, open_: tuple[int, ...]) -> int:
    """The option that the model picks: where it picks at all, exactly one, so that the last need not be looked at."""
    *others, last = open_
    for option in others:
        pick = encoding.selected.get((block, option))
        if pick is not None and solver.is_true(pick.name):
            return option
    return last if (block, last) in encoding.selected else open_[0]


def replayed(machine: Machine, witness: Witness) -> Session:
    """The witness as a session of the engine.

    Raises ReplayMismatch if the engine refuses one of its decisions.
    """
    session, refused = Session.start(machine, witness.entrance)
    if session is None:
        raise ReplayMismatch(refused[0].message)
    apply_decisions(session, witness.decisions)
    return session


def apply_decisions(session: Session, decisions: Sequence[int]) -> None:
    """Let the engine make these decisions.

    Raises ReplayMismatch if it refuses one of them.
    """
    for decided in decisions:
        asked = session.question
        if asked is None:
            raise ReplayMismatch("play stopped before the last decision of the witness")
        open_ = session.machine.options(list(session.moment.values), session.moment.block)
        if decided not in open_:
            raise ReplayMismatch(f"option {decided} is not open at “{asked.prompt}”")
        made, refused = session.apply(decided if asked.wants_number else asked.choices[open_.index(decided)])
        if made is None:
            raise ReplayMismatch(refused[0].message)


class Promise(Frozen):
    """A witness that is still to be shown, and what its play must do. Plain data, so that it can be kept and fulfilled by a later run."""

    witness: Witness
    shows: Shows


class _Passage(Frozen):
    """A block that a play passes after so many decisions: the values on arrival, and by which way it is left (None: it rests)."""

    decisions: int
    block: int
    values: tuple[int, ...]
    way: int | None


def _passages(machine: Machine, witness: Witness) -> Iterator[_Passage]:
    """Every block that the engine passes on the way of a witness, the rest after its last decision included."""
    way = machine.program.entrance(witness.entrance)
    assert way is not None
    state, block = machine.initial(way), way.block
    made, decisions = 0, witness.decisions
    while True:
        arrival = tuple(state)
        following = machine.step(state, block)
        exit_ = machine.program.blocks[block].exit
        if following >= 0:
            yield _Passage(made, block, arrival, _way(exit_, state))
            block = following
            continue
        if made == len(decisions) or isinstance(exit_, Stop):
            yield _Passage(made, block, arrival, None)
            return
        decided = decisions[made]
        yield _Passage(made, block, arrival, 0 if isinstance(exit_, Range) else decided)
        made += 1
        block = machine.take(state, block, decided)


def _way(exit_: Exit, state: Sequence[int]) -> int:
    """By which of its ways a block is left at which nobody decides."""
    match exit_:
        case Branch(condition=condition):
            return 0 if _holds(condition, state) else 1
        case Cases(cases=cases):
            return next((i for i, case in enumerate(cases) if _holds(case.condition, state)), len(cases))
    return 0


def _holds(condition: Cond, state: Sequence[int]) -> bool:
    return truth(condition, state.__getitem__, Values())


def values_at(machine: Machine, witness: Witness, block: int, condition: Cond) -> tuple[int, ...] | None:
    """The values with which the engine first arrives at a block so that a condition holds there; None if it never does."""
    return next((p.values for p in _passages(machine, witness) if p.block == block and _holds(condition, p.values)), None)


def shortened(machine: Machine, witness: Witness, shows: Shows) -> Witness:
    """The beginning of a witness that is enough to show it; the whole if it must come to an end (or shows nothing at all)."""
    if shows.condition is not None and shows.at is None:
        return witness
    shown = _showing(machine, witness, shows)
    if shown is None:
        return witness
    made = shown.decisions + (shown.way is not None and (shown.block, shown.way) in shows.targets)
    return Witness(witness.entrance, witness.decisions[:made])


def _showing(machine: Machine, witness: Witness, shows: Shows) -> _Passage | None:
    """The passage with which a play has shown it; None if it does not."""
    waiting = set(shows.targets)
    for passage in _passages(machine, witness):
        waiting -= {passage.block, (passage.block, passage.way)}
        if _enough(machine, shows, passage, waiting):
            return passage
    return None


def _enough(machine: Machine, shows: Shows, passage: _Passage, waiting: set[Target]) -> bool:
    """Whether a play has shown it with this passage, when these targets were not passed."""
    if shows.condition is not None:
        return passage.block == shows.at and _holds(shows.condition, passage.values)
    if shows.both is not None:
        block, i, j = shows.both
        return passage.block == block and _apply(machine, passage, i, j)
    return not waiting if shows.together else len(waiting) < len(set(shows.targets))


def _apply(machine: Machine, passage: _Passage, i: int, j: int) -> bool:
    """Whether two printed cases apply at once when play is at their check."""
    exit_ = machine.program.blocks[passage.block].exit
    assert isinstance(exit_, Cases)
    state = list(passage.values)
    machine.step(state, passage.block)
    return _holds(exit_.cases[i].condition, state) and _holds(exit_.cases[j].condition, state)


def fulfilled(machine: Machine, promise: Promise) -> dict[str, object]:
    """The trace of a promised witness, played by the engine and found to do what was promised.

    Raises ReplayMismatch if it does not; both sides are then kept in a file that the message names.
    """
    session = _played(machine, promise)
    if not kept(machine, promise, session):
        raise _mismatch(machine, promise, "the engine plays the witness, but it does not show what the model says")
    return trace(session)


def _played(machine: Machine, promise: Promise) -> Session:
    try:
        return replayed(machine, promise.witness)
    except ReplayMismatch as error:
        raise _mismatch(machine, promise, str(error)) from error


def _mismatch(machine: Machine, promise: Promise, why: str) -> ReplayMismatch:
    return ReplayMismatch(f"{why} (both sides are kept in {_both_sides(machine, promise)})")


def _both_sides(machine: Machine, promise: Promise) -> Path:
    """What the model promised and what the engine plays, for whoever mends the program."""
    session, _ = Session.start(machine, promise.witness.entrance)
    if session is not None:
        with contextlib.suppress(ReplayMismatch):
            apply_decisions(session, promise.witness.decisions)
    model = {"entrance": promise.witness.entrance, "decisions": promise.witness.decisions, "shows": repr(promise.shows)}
    document = {"model": model, "engine": None if session is None else trace(session, whole_states=True)}
    folder = store_folder() or Path(tempfile.gettempdir())
    path = folder / f"mismatch-{key_of(repr(promise))}.json"
    write_json(path, document)
    return path


def kept(machine: Machine, promise: Promise, session: Session) -> bool:
    """Whether a play that was made as the witness says does what was promised."""
    shows = promise.shows
    if shows.condition is not None and shows.at is None:
        return at_end(session) and _holds(shows.condition, session.moment.values)
    return _showing(machine, promise.witness, shows) is not None


def sought(claim: Claimed) -> Cond:
    """What a play must show to settle a claim: the case that it forbids, or the one that it says is possible."""
    return opposite(claim.condition) if claim.kind == "always" else claim.condition


def shown_by(program: Program, claim: Claimed) -> Shows:
    """What a play must do to settle a claim."""
    return Shows(condition=sought(claim), at=None if claim.at is None else program.sections[claim.at].start)


def at_end(session: Session) -> bool:
    """Whether the play has stopped at an end that the book prints."""
    ending = session.ending
    return ending is not None and ending.kind == "end"

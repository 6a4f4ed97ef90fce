"""Witnesses: from a model to decisions, from decisions to a play that the engine has made again."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Claimed, Cond, Range, Stop, opposite
from plainchant.play.documents import trace, write_json
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.store import key_of, store_folder
from plainchant_proofs.encode import Encoding
from plainchant_proofs.explore import Stretch, Witness, decide
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
        trail.append([encoding.origin[b] for b in run.path])
        exit_ = encoding.program.blocks[run.block].exit
        if isinstance(exit_, Stop):
            return Stretch(entrance, None, 0, decisions, trail, state)
        if isinstance(exit_, Range):
            decided = _number(encoding, solver, run.block, exit_.low)
        else:
            open_ = walker.options(state, run.block)
            decided = _picked(encoding, solver, run.block, open_)
        decisions.append(decided)
        block = decide(walker, state, run.block, decided)


def _number(encoding: Encoding, solver: Solver, block: int, lowest: int) -> int:
    number = encoding.numbers.get(block)
    if number is None:
        return lowest
    value = solver.number(number.name, bits(number.low, number.high))
    return lowest if value is None else value


def _picked(encoding: Encoding, solver: Solver, block: int, open_: tuple[int, ...]) -> int:
    for option in open_:
        pick = encoding.selected.get((block, option))
        if pick is not None and solver.is_true(pick.name):
            return option
    return open_[0]


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
    machine = session.machine
    for decided in decisions:
        asked = session.question
        if asked is None:
            raise ReplayMismatch("play stopped before the last decision of the witness")
        exit_ = machine.program.blocks[session.moment.block].exit
        if isinstance(exit_, Range):
            made, refused = session.apply(decided)
        else:
            open_ = machine.options(list(session.moment.values), session.moment.block)
            number = open_.index(decided) if decided in open_ else -1
            made, refused = session.apply(asked.choices[number]) if number >= 0 else (None, ())
        if made is None:
            raise ReplayMismatch(refused[0].message if refused else f"option {decided} is not open at “{asked.prompt}”")


def last_path(machine: Machine, witness: Witness) -> tuple[int, ...]:
    """The blocks that the engine passes after the last decision of a witness, with the rest before it in front."""
    way = machine.program.entrance(witness.entrance)
    assert way is not None
    state, block = machine.initial(way), way.block
    rest: tuple[int, ...] = ()
    for decided in witness.decisions:
        run = machine.run(state, block)
        rest = (run.block,)
        block = decide(machine, state, run.block, decided)
    return rest + machine.run(state, block).path


def values_at(machine: Machine, witness: Witness, block: int) -> tuple[int, ...] | None:
    """The values with which the engine arrives at a block for the first time on the witness's way; None if it never does."""
    way = machine.program.entrance(witness.entrance)
    assert way is not None
    state, at, waiting = machine.initial(way), way.block, list(witness.decisions)
    while at != block:
        at = machine.step(state, at)
        if at < 0:
            if not waiting or isinstance(machine.program.blocks[~at].exit, Stop):
                return None
            at = decide(machine, state, ~at, waiting.pop(0))
    return tuple(state)


def shown(machine: Machine, witness: Witness, arrives: Callable[[Session, tuple[int, ...]], bool]) -> dict[str, object]:
    """The trace of a witness, after the engine has played it and agreed that it arrives.

    `arrives` is given the session and the blocks passed after the last decision. Raises ReplayMismatch if it does not.
    """
    session = replayed(machine, witness)
    if not arrives(session, last_path(machine, witness)):
        raise ReplayMismatch("the engine plays the witness, but does not arrive where the model says")
    return trace(session)


@dataclass(frozen=True, slots=True)
class Promise:
    """A witness that is still to be shown, and what its play must do for it.

    It must pass one of `targets` after its last decision (with `together`: each of them somewhere), or, where `claim` is a number, show the
    case that this claim of the program is about. Plain data, so that it can be kept and fulfilled by a later run.
    """

    witness: Witness
    targets: tuple[int | tuple[int, int], ...] = ()
    together: bool = False
    claim: int | None = None


def fulfilled(machine: Machine, promise: Promise) -> dict[str, object]:
    """The trace of a promised witness, played by the engine and found to do what was promised.

    Raises ReplayMismatch if it does not; both sides are then kept in a file that the message names.
    """
    try:
        return shown(machine, promise.witness, lambda session, path: _kept(machine, promise, session, path))
    except ReplayMismatch as error:
        path = _both_sides(machine, promise)
        raise ReplayMismatch(f"{error} (both sides are kept in {path})") from error


def _both_sides(machine: Machine, promise: Promise) -> Path:
    """What the model promised and what the engine plays, for whoever mends the program."""
    session, _ = Session.start(machine, promise.witness.entrance)
    if session is not None:
        with contextlib.suppress(ReplayMismatch):
            apply_decisions(session, promise.witness.decisions)
    model = {
        "entrance": promise.witness.entrance,
        "decisions": promise.witness.decisions,
        "targets": promise.targets,
        "claim": promise.claim,
    }
    document = {"model": model, "engine": None if session is None else trace(session, whole_states=True)}
    folder = store_folder() or Path(tempfile.gettempdir())
    path = folder / f"mismatch-{key_of(repr(promise))}.json"
    write_json(path, document)
    return path


def _kept(machine: Machine, promise: Promise, session: Session, path: tuple[int, ...]) -> bool:
    if promise.claim is not None:
        return _shows_claim(machine, promise.witness, machine.program.claims[promise.claim], session)
    blocks = [target if isinstance(target, int) else target[0] for target in promise.targets]
    if promise.together:
        return all(values_at(machine, promise.witness, block) is not None for block in blocks)
    return any(block in path for block in blocks)


def _shows_claim(machine: Machine, witness: Witness, claim: Claimed, session: Session) -> bool:
    values: Sequence[int] | None = session.moment.values
    if claim.at is not None:
        values = values_at(machine, witness, machine.program.sections[claim.at].start)
    elif not at_end(session):
        return False
    return values is not None and truth(sought(claim), values.__getitem__, Values())


def sought(claim: Claimed) -> Cond:
    """What a play must show to settle a claim: the case that it forbids, or the one that it says is possible."""
    return opposite(claim.condition) if claim.kind == "always" else claim.condition


def at_end(session: Session) -> bool:
    """Whether the play has stopped at an end that the book prints."""
    ending = session.ending
    return ending is not None and ending.kind == "end"

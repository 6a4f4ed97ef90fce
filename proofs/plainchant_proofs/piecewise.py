"""Goals of a long book, decided piece by piece: each piece begins with all states in which the one before can leave off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE
from plainchant.faces.progress import Progress
from plainchant.meaning.kernel import Const, Equal, Program, Read
from plainchant.play.machine import Machine
from plainchant.records import Frozen, replace
from plainchant_proofs.explore import Witness
from plainchant_proofs.goals import Goal
from plainchant_proofs.pieces import Piece, pieces_of
from plainchant_proofs.prover import Limits, Prover, Question, Verdict, ask_goals, decide_goals, put_goals

_MOST_VALUES = 16
_MOST_STATES = 64
"""How many values a variable, and how many states all of them together, may carry from piece to piece."""


class _TooMany(Exception):
    """There are too many states to begin a piece with, or some of them were not decided."""


class _Start(Frozen):
    """A state of what matters in which plays can begin a piece, and a play of the book that comes to it (None: the book's beginning)."""

    values: Mapping[int, int]
    play: Witness | None


def decided(program: Program, limits: Limits, goals: Sequence[Goal], progress: Progress = lambda _done, _of: None) -> dict[Goal, Verdict]:
    """A verdict for each goal, of plays from any entrance: in pieces as far as the book can be cut, the rest as a whole."""
    found = in_pieces(program, limits, goals, progress)
    rest = [goal for goal in goals if goal not in found]
    if rest:
        found.update(decide_goals(Prover(program, Machine(program), limits, goals=rest), rest, progress))
    return {goal: found[goal] for goal in goals}


def in_pieces(program: Program, limits: Limits, goals: Sequence[Goal], progress: Progress = lambda _done, _of: None) -> dict[Goal, Verdict]:
    """Verdicts of all goals but those that want plays to pass several pieces; of none if the book is not to be decided in pieces."""
    pieces = pieces_of(program)
    try:
        return _piece_by_piece(pieces, limits, goals, progress) if pieces else {}
    except _TooMany:
        return {}


def _piece_by_piece(pieces: Sequence[Piece], limits: Limits, goals: Sequence[Goal], progress: Progress) -> dict[Goal, Verdict]:
    owner = {block: number for number, piece in enumerate(pieces) for block in piece.blocks}
    within = [goal for goal in goals if not goal.together or len({owner.get(_block(target)) for target in goal.targets}) == 1]
    by_piece: list[dict[Goal, Goal]] = [{} for _ in pieces]
    for goal in within:
        for number in {owner[_block(target)] for target in goal.targets if _block(target) in owner}:
            by_piece[number][_in_piece(goal, pieces[number])] = goal
    found = {goal: Verdict(UNREACHABLE) for goal in within}
    starts = [_Start({}, None)]
    done = 0
    for piece, own in zip(pieces, by_piece, strict=True):
        if not starts:
            break
        verdicts, starts = _in_one(piece, starts, limits, list(own))
        for mapped, verdict in verdicts.items():
            found[own[mapped]] = _either(found[own[mapped]], verdict)
        done += len(own)
        progress(min(done, len(goals)), len(goals))
    return found


def _block(target: int | tuple[int, int]) -> int:
    return target if isinstance(target, int) else target[0]


def _in_piece(goal: Goal, piece: Piece) -> Goal:
    """A goal with the block numbers of a piece, and those of its targets alone that lie in it."""
    number = piece.blocks
    targets = [target for target in goal.targets if _block(target) in number]
    own = tuple(number[target] if isinstance(target, int) else (number[target[0]], target[1]) for target in targets)
    both = None if goal.both is None else (number[goal.both[0]], *goal.both[1:])
    return replace(goal, targets=own, both=both)


def _either(one: Verdict, other: Verdict) -> Verdict:
    """The verdict of a goal that two pieces may reach."""
    known = {verdict.verdict: verdict for verdict in (other, one)}
    return known.get(REACHABLE) or known.get(NOT_DECIDED) or one


def _in_one(
    piece: Piece, starts: Sequence[_Start], limits: Limits, goals: Sequence[Goal]
) -> tuple[dict[Goal, Verdict], list[_Start]]:  # fmt: skip
    """The verdicts of a piece's goals, and all states in which the next piece can begin."""
    program = piece.program if starts[0].play is None else piece.begun([start.values for start in starts])
    plays = {entrance.name: start.play for entrance, start in zip(program.entrances, starts, strict=False)}
    carried = [piece.variables[variable] for variable in piece.carried]
    cut = [] if piece.last is None or not goals else [replace(goals[0], targets=(piece.last,), together=False, both=None)]
    prover = Prover(program, Machine(program), limits, [Equal(Read(variable), Const(0)) for variable in carried], [*goals, *cut])
    prover.explore()
    questions = put_goals(prover, goals)
    leaving = None if piece.last is None else _Leaving(prover, piece.last, carried)
    asked = ask_goals(prover, goals, questions, lambda _done, _of: None)
    verdicts = {goal: _behind(verdict, plays) for goal, verdict in asked.items()}
    if leaving is None:
        return verdicts, []
    states = [_Start(dict(zip(piece.carried, values, strict=True)), _joined(play, plays)) for values, play in leaving.states()]
    return verdicts, states


def _behind(verdict: Verdict, plays: Mapping[str, Witness | None]) -> Verdict:
    return verdict if verdict.witness is None else replace(verdict, witness=_joined(verdict.witness, plays))


def _joined(play: Witness, plays: Mapping[str, Witness | None]) -> Witness:
    """A play of a piece behind the play that leads to it."""
    before = plays.get(play.entrance)
    return play if before is None else Witness(before.entrance, play.made, before)


class _Leaving:
    """Finds all states in which plays leave a piece, as far as they matter later, each with a play."""

    def __init__(self, prover: Prover, last: int, carried: Sequence[int]) -> None:
        terms, encoding = prover.encoding.terms, prover.encoding
        self._prover = prover
        self._there = prover.put(encoding.passing(last))
        self._values: list[dict[int, Question]] = []
        for variable in carried:
            number = encoding.final[variable]
            if number.high - number.low >= _MOST_VALUES:
                raise _TooMany
            values = range(number.low, number.high + 1)
            self._values.append({value: prover.put(terms.equal(number, terms.number(value))) for value in values})

    def states(self) -> list[tuple[tuple[int, ...], Witness]]:
        """The values of what is carried on, and a play that leaves with them."""
        found = []
        for state in self._from((), ()):
            found.append(state)
            if len(found) > _MOST_STATES:
                raise _TooMany
        return found

    def _from(self, values: tuple[int, ...], chosen: tuple[Question, ...]) -> Iterator[tuple[tuple[int, ...], Witness]]:
        complete = len(values) == len(self._values)
        verdict = self._prover.ask(self._there, *chosen, witness=complete)
        if verdict.verdict == NOT_DECIDED:
            raise _TooMany
        if verdict.verdict == UNREACHABLE:
            return
        if complete:
            assert verdict.witness is not None
            yield values, verdict.witness
            return
        for value, question in self._values[len(values)].items():
            yield from self._from((*values, value), (*chosen, question))

"""Which variables can matter to a question: those that guards read, and whatever flows into them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

from plainchant.meaning.kernel import (
    Branch,
    Cases,
    Choose,
    Cond,
    Exit,
    Goto,
    Num,
    Program,
    Range,
    Set,
    Stop,
    Truth,
    reads,
    successors,
)

TRUTH = Truth(True)


class Slice:
    """The variables that matter to the way of any play, or to some wanted expressions, and the blocks that do something about them.

    A branch whose two sides come together again without having done anything that matters (a question about something irrelevant, a seat
    that earns experience) decides nothing, and play is led past it. `goals` are blocks that count as doing something; with `arms` every
    printed condition counts as deciding something, because both its sides are asked about.
    """

    def __init__(self, program: Program, wanted: Iterable[Num | Cond] = (), goals: Iterable[int] = (), *, arms: bool = False) -> None:
        self._program = program
        self._arms = arms
        self._goals = frozenset(goals) | {s.start for s in program.sections} | {e.block for e in program.entrances}
        self._flows: dict[int, set[int]] = {}
        guards: list[tuple[int, tuple[int, ...]]] = []
        for number, block in enumerate(program.blocks):
            for assignment in _sets_of(block.exit, block.sets):
                self._flows.setdefault(assignment.variable, set()).update(reads(assignment.value))
            read = tuple(v for guard in guards_of(block.exit) for v in reads(guard))
            if read:
                guards.append((number, read))
        self._past: dict[int, int] = {}
        self.relevant: frozenset[int] = frozenset()
        self.is_narrow = False
        self._grow({v for expression in wanted for v in reads(expression)}, guards)

    def _grow(self, needed: set[int], guards: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """From what is wanted to all that matters: whatever decides something that matters, matters itself."""
        while True:
            self.relevant = self._closed(needed)
            self._past = {}
            found = {v for number, read in guards if self.decides(number) for v in read} - self.relevant
            if not found:
                return
            needed = set(self.relevant) | found

    def narrowed(self, wanted: Iterable[int]) -> Slice:
        """The same where only these variables are followed, and what flows into them; a guard that reads others may go either way.

        What cannot be then cannot be at all. What can be then need not be possible: that takes the whole slice to find out.
        """
        narrow = copy(self)
        narrow.relevant = self.closed(wanted)
        narrow.is_narrow = True
        narrow._past = {}
        return narrow

    def closed(self, wanted: Iterable[int]) -> frozenset[int]:
        """Those of these variables that matter, and what flows into them."""
        return self._closed(wanted) & self.relevant

    def follows(self, condition: Cond) -> bool:
        """Whether all that a guard reads is followed."""
        return not self.is_narrow or self.relevant.issuperset(reads(condition))

    def _closed(self, needed: Iterable[int]) -> frozenset[int]:
        closed: set[int] = set()
        waiting = list(needed)
        while waiting:
            variable = waiting.pop()
            if variable not in closed:
                closed.add(variable)
                waiting += self._flows.get(variable, ())
        return frozenset(closed)

    def decides(self, number: int) -> bool:
        """Whether the exit of a block leads to different things that matter."""
        exit_ = self._program.blocks[number].exit
        if isinstance(exit_, Branch):
            return bool(exit_.words and self._arms) or self.past(exit_.then) != self.past(exit_.otherwise)
        return not (isinstance(exit_, Choose) and self.only_asks(exit_))

    def only_asks(self, choice: Choose) -> bool:
        """Whether a choice only stores an answer that does not matter."""
        return (
            len({option.target for option in choice.options}) == 1
            and any(option.condition == Truth(True) for option in choice.options)
            and all(s.variable not in self.relevant for option in choice.options for s in option.sets)
        )

    def past(self, block: int) -> int:
        """The first block from here on that does something that matters.

        Without recursion, as a book can be as long as it likes: what a block depends on is worked out before it.
        """
        waiting = [] if block in self._past else [(block, False)]
        while waiting:
            one, ready = waiting.pop()
            if ready:
                following = self._through(one)
                if following is not None:
                    self._past[one] = self._past[following]
            elif one not in self._past:
                self._past[one] = one  # a circle that does nothing ends where it is entered
                waiting.append((one, True))
                waiting += [(target, False) for target in successors(self._program.blocks[one].exit)[:2]]
        return self._past[block]

    def _through(self, number: int) -> int | None:
        """Where a block that does nothing that matters leads; None if it does something."""
        block = self._program.blocks[number]
        if number in self._goals or any(s.variable in self.relevant for s in block.sets):
            return None
        match block.exit:
            case Goto(target):
                return target
            case Branch() if not self.decides(number):
                return block.exit.otherwise
            case Range(variable=variable, target=target) if variable not in self.relevant:
                return target
            case Choose() if self.only_asks(block.exit):
                return block.exit.options[0].target
        return None


def guards_of(exit_: Exit) -> list[Cond]:
    """The conditions by which an exit says where play goes."""
    match exit_:
        case Branch(condition=condition):
            return [condition]
        case Cases(cases=cases):
            return [case.condition for case in cases]
        case Choose(options=options):
            return [option.condition for option in options if option.condition != Truth(True)]
    return []


def _sets_of(exit_: Exit, sets: tuple[Set, ...]) -> tuple[Set, ...]:
    if isinstance(exit_, Choose):
        return sets + tuple(s for option in exit_.options for s in option.sets)
    return sets


Live = dict[int, frozenset[int]]
"""For each block, variables."""


def live_variables(
    program: Program, slice_: Slice, wanted: Cond = TRUTH, watched: int | None = None, order: Sequence[int] = ()
) -> tuple[Live, Live]:
    """For each block, the variables whose values on arrival, and at its end, can still matter to the way of play or to `wanted`.

    Backward data flow (Kildall 1973) over the relevant variables only. `wanted` matters where play stops, or at the block `watched`.
    The `order` of play, if it is known, lets most blocks be looked at once only.
    """
    kept = slice_.relevant
    goal = frozenset(reads(wanted)) & kept
    predecessors: dict[int, list[int]] = {}
    for number, block in enumerate(program.blocks):
        for target in successors(block.exit):
            predecessors.setdefault(target, []).append(number)
    before: Live = {}
    after: Live = {}
    waiting = [*range(len(program.blocks)), *order]
    queued = set(waiting)
    while waiting:
        number = waiting.pop()
        if number not in queued:
            continue
        queued.discard(number)
        after[number] = _live_after(program, number, before, kept, goal)
        live = _live_before(program, number, after[number], kept) | (goal if number == watched else frozenset())
        if live != before.get(number):
            before[number] = live
            for one in predecessors.get(number, ()):
                if one not in queued:
                    queued.add(one)
                    waiting.append(one)
    return before, after


def _live_after(
    program: Program, number: int, before: Live, kept: frozenset[int], goal: frozenset[int]
) -> frozenset[int]:  # fmt: skip
    exit_ = program.blocks[number].exit
    if isinstance(exit_, Stop):
        return goal
    if isinstance(exit_, Goto):
        return before.get(exit_.target, frozenset())
    live = {v for guard in guards_of(exit_) for v in reads(guard) if v in kept}
    for target in successors(exit_):
        live |= before.get(target, frozenset())
    if isinstance(exit_, Choose):
        live |= {v for option in exit_.options for s in option.sets if s.variable in kept for v in reads(s.value)}
    return frozenset(live)


def _live_before(program: Program, number: int, after: frozenset[int], kept: frozenset[int]) -> frozenset[int]:
    sets = [assignment for assignment in program.blocks[number].sets if assignment.variable in kept]
    if not sets:
        return after
    live = set(after)
    for assignment in reversed(sets):
        live.discard(assignment.variable)
        live |= set(reads(assignment.value)) & kept
    return frozenset(live)

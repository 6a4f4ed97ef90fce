"""The machine: a program made into functions, by running the one evaluator over functions of the state, or over Python source text.

Blocks become functions when they are first passed. For thousands of plays all of them are compiled from text together, which takes longer
and runs faster. A play rests at a block whose exit waits for somebody (`Choose`, `Range`, `Cases` with several that apply, `Stop`).
Everything between two rests is one call of `Machine.run`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from plainchant.meaning.domains import Functions, PythonText, Values
from plainchant.meaning.evaluate import carry_out, number, truth
from plainchant.meaning.kernel import (
    Branch,
    Cases,
    Choose,
    Cond,
    Const,
    Either,
    Entrance,
    Exit,
    Goto,
    Less,
    Num,
    Program,
    Range,
    Set,
    Truth,
    number_of,
    successors,
    sum_of,
)
from plainchant.records import Frozen

State = list[int]
"""The values of all variables, by number."""

_VALUES = Values()

_MOST_NESTED = 12
"""Branches that are compiled into one function; Python allows twenty times as many, but the text would grow."""


class Run(Frozen):
    """What happened up to the next rest: the block it rests at, and the blocks that were passed, in order."""

    block: int
    path: tuple[int, ...]


class Machine:
    """Executes one program. It holds no play: states are given and returned."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps = _Steps(program)
        self._options: dict[int, Callable[[State], tuple[int, ...]]] = {}
        self._takes: dict[int, list[Callable[[State], int]]] = {}

    # ------------------------------------------------------------ states

    def initial(self, entrance: Entrance) -> State:
        """The state at the beginning, before anything was carried out."""
        state = [variable.initial for variable in self.program.variables]
        for variable, value in carry_out(entrance.sets, state.__getitem__, _VALUES).items():
            state[variable] = value
        return state

    def run(self, state: State, block: int) -> Run:
        """Carry out blocks from `block` on, changing `state`, until somebody must decide."""
        path = []
        while block >= 0:
            path.append(block)
            block = self.steps[block](state)
        return Run(~block, tuple(path))

    def step(self, state: State, block: int) -> int:
        """Carry out one block, changing `state`; the block that follows, or the complement (~) of the block where it rests."""
        return self.steps[block](state)

    def run_fast(self, state: State, block: int) -> int:
        """The same without remembering the way; returns the block at which it rests."""
        steps = self._fast
        while block >= 0:
            block = steps[block](state)
        return ~block

    def options(self, state: State, block: int) -> tuple[int, ...]:
        """What may be decided at a rest: the positions of the open options (of `Choose` and `Cases`), or numbers (of `Range`)."""
        if block not in self._options:
            self._options[block] = _open_options(self.program.blocks[block].exit)
        return self._options[block](state)

    def weights(self, state: State, block: int) -> tuple[int, ...]:
        """How likely each of the open options of a rest is where chance decides, compared with the others."""
        exit_ = self.program.blocks[block].exit
        open_ = self.options(state, block)
        if not isinstance(exit_, Choose):
            return (1,) * len(open_)
        return tuple(number(exit_.options[option].weight, state.__getitem__, _VALUES) for option in open_)

    def take(self, state: State, block: int, decided: int) -> int:
        """Make a decision that is open at a rest: its assignments are made; the block that follows is returned."""
        exit_ = self.program.blocks[block].exit
        if isinstance(exit_, Range):
            state[exit_.variable] = decided
            return exit_.target
        if block not in self._takes:
            self._takes[block] = _taking(exit_)
        return self._takes[block][decided](state)

    # ------------------------------------------------------------ compilation

    @cached_property
    def _fast(self) -> list[Callable[[State], int]]:
        """One function for each block that more than one way leads to; the others are written into those before them."""
        alone = self._single_arrivals
        texts = []
        for i in range(len(self.program.blocks)):
            lines = ["    raise AssertionError"] if i in alone else self._block_lines(i, 1, alone)
            texts.append(f"def f{i}(s):\n{_text(lines)}")
        return _compiled(texts)

    @cached_property
    def _single_arrivals(self) -> frozenset[int]:
        """Blocks that are reached from exactly one branch or plain end, and not by a choice."""
        arrivals: dict[int, int] = {}
        for section in self.program.sections:
            arrivals[section.start] = 2
        for entrance in self.program.entrances:
            arrivals[entrance.block] = 2
        for block in self.program.blocks:
            weight = 1 if isinstance(block.exit, Goto | Branch) else 2
            for target in successors(block.exit):
                arrivals[target] = arrivals.get(target, 0) + weight
        inlined = {target for target, count in arrivals.items() if count == 1}
        return frozenset(inlined - self._too_deep(inlined))

    def _too_deep(self, inlined: set[int]) -> set[int]:
        """Blocks where a long run of inlined branches is cut."""
        cut: set[int] = set()
        for start in range(len(self.program.blocks)):
            if start in inlined:
                continue
            stack = [(start, 0)]
            while stack:
                block, depth = stack.pop()
                for target in successors(self.program.blocks[block].exit):
                    if target in inlined and isinstance(self.program.blocks[block].exit, Goto | Branch):
                        deeper = 0 if depth >= _MOST_NESTED else depth + 1
                        if deeper == 0:
                            cut.add(target)
                        stack.append((target, deeper))
        return cut

    def _block_lines(self, number_: int, depth: int, inline: frozenset[int]) -> list[str]:
        block = self.program.blocks[number_]
        pad = "    " * depth
        lines = [pad + line for line in _assignments(block.sets)]
        return lines + self._ways(_following(number_, block.exit), depth, inline)

    def _ways(self, following: Num, depth: int, inline: frozenset[int]) -> list[str]:
        """Lines that return what follows, or (where that is to be written in its place) carry it out."""
        pad = "    " * depth
        match following:
            case Either(condition, then, otherwise):
                return [f"{pad}if {_condition(condition)}:", *self._ways(then, depth + 1, inline), *self._ways(otherwise, depth, inline)]
            case Const(target) if target in inline:
                return self._block_lines(target, depth, inline)
        domain = PythonText()
        return [f"{pad}return {number(following, domain.read, domain)}"]


class _Steps(dict[int, Callable[[State], int]]):
    """The function of each block alone, as `Machine.step` tells, made when the block is first passed."""

    def __init__(self, program: Program) -> None:
        self._blocks = program.blocks

    def __missing__(self, block: int) -> Callable[[State], int]:
        passed = self._blocks[block]
        self[block] = made = _doing(passed.sets, _following(block, passed.exit))
        return made


def _following(number_: int, exit_: Exit) -> Num:
    """What a step from a block leads to: the block that follows, or (where somebody must decide) its own complement.

    Of several cases exactly one must apply, which is followed. None: the hole. Several: a rest, the reader must say which. There may be
    thousands of them, so what follows is a sum (to the hole, as much as leads from there to the case), which is not nested as deep.
    """
    match exit_:
        case Goto(target):
            return Const(target)
        case Branch(condition=condition, then=then, otherwise=otherwise):
            return Either(condition, Const(then), Const(otherwise))
        case Cases(cases=cases, hole=hole):
            applying = number_of(tuple(case.condition for case in cases))
            from_the_hole = (Either(case.condition, Const(case.target - hole), Const(0)) for case in cases)
            return Either(Less(Const(1), applying), Const(~number_), sum_of((Const(hole), *from_the_hole)))
    return Const(~number_)


def _conditions_of(exit_: Exit) -> tuple[Cond, ...]:
    match exit_:
        case Choose(options=options):
            return tuple(option.condition for option in options)
        case Cases(cases=cases):
            return tuple(case.condition for case in cases)
    return ()


def _taking(exit_: Exit) -> list[Callable[[State], int]]:
    """For each option of a rest, the function that makes its assignments and returns the block that follows."""
    return [_doing(sets, Const(target)) for sets, target in _ways_of(exit_)]


def _ways_of(exit_: Exit) -> list[tuple[tuple[Set, ...], int]]:
    match exit_:
        case Choose(options=options):
            return [(option.sets, option.target) for option in options]
        case Cases(cases=cases):
            return [((), case.target) for case in cases]
    return []


def _open_options(exit_: Exit) -> Callable[[State], tuple[int, ...]]:
    conditions = _conditions_of(exit_)
    if all(condition == Truth(True) for condition in conditions):
        everything = tuple(range(exit_.low, exit_.high + 1)) if isinstance(exit_, Range) else tuple(range(len(conditions)))
        return lambda _state: everything
    domain = Functions()
    holding = [truth(condition, domain.read, domain) for condition in conditions]
    return lambda state: tuple([i for i, holds in enumerate(holding) if holds(state)])


def _doing(sets: Iterable[Set], following: Num) -> Callable[[State], int]:
    """The function that makes assignments, in their order, and returns what follows."""
    domain = Functions()
    carry_out(sets, domain.read, domain)
    made, result = domain.made, number(following, domain.read, domain)
    if not made:
        return result

    def done(state: State) -> int:
        for variable, value in made:
            state[variable] = value(state)
        return result(state)

    return done


def _condition(condition: Cond) -> str:
    domain = PythonText()
    return truth(condition, domain.read, domain)


def _assignments(sets: Iterable[Set]) -> list[str]:
    domain = PythonText()
    carry_out(sets, domain.read, domain)
    return domain.lines


def _text(lines: list[str]) -> str:
    return "\n".join(lines)


def _compiled(texts: Iterable[str]) -> list[Callable[[State], int]]:
    """Functions f0, f1, … from their source texts, which this module alone writes."""
    source = "\n".join(texts)
    space: dict[str, Callable[[State], int]] = {}
    exec(compile(source, "<compiled rules>", "exec"), {"__builtins__": {"AssertionError": AssertionError}}, space)  # noqa: S102
    return [space[f"f{i}"] for i in range(len(space))]

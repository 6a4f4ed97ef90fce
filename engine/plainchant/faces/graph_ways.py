"""The ways out of a section, each with the printed choice or condition on which it depends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from plainchant.meaning.kernel import Branch, Cases, Choose, Exit, Goto, Program, Range, Stop, successors
from plainchant.records import Frozen
from plainchant.text.place import Cite


class Label(Frozen):
    """A printed choice or condition, told apart by `choice`: `key` are its words as the prover names them, `asked` what is decided."""

    key: str
    asked: str
    choice: bool
    cites: tuple[Cite, ...]

    @property
    def shown(self) -> str:
        """The words as people read them: a choice in quotation marks, a condition without its first word."""
        if self.choice:
            return f"“{self.key}”"
        words = re.sub(r"^(otherwise when|when|if) ", "", self.key)
        return "".join(_said(piece) for piece in re.split(r'("(?:\\.|[^"\\])*")', words))

    @property
    def whole(self) -> str:
        """The same with what is being decided."""
        words = self.shown if self.choice else self.key
        return f"{words} ({self.asked})" if self.asked else words


def _said(piece: str) -> str:
    """A piece of a condition as people write it: printed words, or names and signs of the language."""
    if piece.startswith('"'):
        return "“" + re.sub(r"\\(.)", r"\1", piece[1:-1]) + "”"
    for sign, written in (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("_", " ")):
        piece = piece.replace(sign, written)
    return piece


class Way(Frozen):
    """One way out of a section: to another section (`back`: into its midst, where an excursion left it), or to a stop."""

    labels: tuple[Label, ...]
    cites: tuple[Cite, ...]
    section: int | None = None
    back: bool = False
    stop: Stop | None = None


class _Arm(Frozen):
    """One side of a decision, between two blocks."""

    block: int
    target: int
    label: Label | None


def ways_out(program: Program) -> list[tuple[Way, ...]]:
    """For each section the ways out of it, in the order of its text."""
    starts = {section.start for section in program.sections}
    back = excursions(program)
    own: list[list[int]] = [[] for _ in program.sections]
    for number, block in enumerate(program.blocks):
        own[block.section].append(number)
    found = []
    for number, section in enumerate(program.sections):
        coming_back = {program.sections[other].start for away, other in back if away == number}
        found.append(tuple(_ways(program, _in_order(program, section.start, own[number], starts), starts, coming_back)))
    return found


def excursions(program: Program) -> set[tuple[int, int]]:
    """Pairs of sections where play comes back from the second into the midst of the first."""
    starts = {section.start for section in program.sections}
    return {
        (program.blocks[target].section, block.section)
        for block in program.blocks
        for target in successors(block.exit)
        if target not in starts and program.blocks[target].section != block.section
    }


def _ways(program: Program, inside: Collection[int], starts: set[int], coming_back: set[int]) -> Iterator[Way]:
    decides = _Decisions(program, inside, starts, coming_back)
    for block in inside:
        exit_ = program.blocks[block].exit
        if isinstance(exit_, Stop):
            yield Way(decides.labels(block) if exit_.kind == "end" else (), exit_.cites, stop=exit_)
        for arm in _arms(block, exit_):
            if arm.target not in inside or arm.target in starts:
                labels = (arm.label,) if arm.label else decides.labels(block)
                cites = decides.last_told(block) or tuple(dict.fromkeys(cite for label in labels for cite in label.cites))
                yield Way(labels, cites, program.blocks[arm.target].section, arm.target not in starts)


def _in_order(program: Program, start: int, own: list[int], starts: set[int]) -> dict[int, None]:
    """The blocks of a section in the order of its text, from its start and from where an excursion comes back."""
    found: dict[int, None] = {}
    stack = [*reversed(own), start]
    while stack:
        block = stack.pop()
        if block not in found and program.blocks[block].section == program.blocks[start].section:
            found[block] = None
            stack += [t for t in reversed(successors(program.blocks[block].exit)) if t not in starts]
    return found


def _arms(block: int, exit_: Exit) -> Iterator[_Arm]:
    """The sides of an exit, with their printed words if they have some."""
    match exit_:
        case Goto(target) | Range(target=target):
            yield _Arm(block, target, None)
        case Branch(then=then, otherwise=otherwise, words=words, cites=cites):
            yield _Arm(block, then, Label(words, "", False, cites) if words else None)
            not_so = f"not {words.removeprefix('if ')}"
            yield _Arm(block, otherwise, Label("otherwise", not_so, False, cites) if words else None)
        case Cases(prompt=prompt, cases=cases):
            # The hole is left out: that a case is needed does not make what follows depend on it.
            for case in cases:
                yield _Arm(block, case.target, Label(case.words, prompt, False, case.cites))
        case Choose(chooser=chooser, prompt=prompt, options=options, variable=variable):
            for option in options:
                told = None if variable is not None else Label(option.words, prompt, chooser in ("players", "chance"), option.cites)
                yield _Arm(block, option.target, told)


class _Decisions:
    """On which sides of which decisions it depends whether a block is passed (control dependence: Ferrante, Ottenstein, Warren 1987)."""

    def __init__(self, program: Program, inside: Collection[int], starts: set[int], coming_back: set[int]) -> None:
        # Play that cannot go on is left out, so that what is printed behind an instruction does not depend on whether it can be obeyed;
        # so are excursions, which come back to what is printed behind them.
        def kept(target: int) -> bool:
            exit_ = program.blocks[target].exit
            stuck = isinstance(exit_, Stop) and exit_.kind != "end"
            return not stuck and not coming_back.intersection(successors(exit_))

        self._blocks = program.blocks
        self._starts = starts
        arms = {block: list(_arms(block, program.blocks[block].exit)) for block in inside}
        self._arms = {block: [arm for arm in out if kept(arm.target)] for block, out in arms.items()}
        self._left_out = {arm.target: arm.label for out in arms.values() for arm in out if arm.label and not kept(arm.target)}
        self._passed = self._surely_passed(list(inside))
        self._order = {block: i for i, block in enumerate(inside)}

    def labels(self, block: int) -> tuple[Label, ...]:
        """The nearest printed words on which it depends whether play passes this block."""
        if block in self._left_out:
            return (self._left_out[block],)
        found: dict[Label, None] = {}
        seen: set[int] = set()
        waiting = [block]
        while waiting:
            this = waiting.pop()
            seen.add(this)
            for arm in self._deciding(this):
                if arm.label is not None:
                    found[arm.label] = None
                elif arm.block not in seen:
                    waiting.append(arm.block)
        return tuple(found)

    def last_told(self, block: int) -> tuple[Cite, ...]:
        """Where the last statement before the block's exit is printed, if one stands there on every way."""
        before = block
        while not self._blocks[before].notes:
            arms = [arm for into in self._arms.values() for arm in into if arm.target == before]
            if len(arms) != 1 or arms[0].label is not None:
                return ()
            before = arms[0].block
        return self._blocks[before].notes[-1].cites

    def _deciding(self, block: int) -> Iterator[_Arm]:
        for arms in self._arms.values():
            for arm in arms:
                leads = arm.target not in self._starts and self._leads(arm.target, block)
                if leads and len(arms) > 1 and (arm.block == block or not self._leads(arm.block, block)):
                    yield arm

    def _leads(self, first: int, block: int) -> bool:
        """Whether play that is at the first block surely passes the other within the section."""
        return bool(self._passed.get(first, 0) >> self._order[block] & 1)

    def _surely_passed(self, blocks: list[int]) -> dict[int, int]:
        """For each block the set of blocks, as bits, that all play from it passes (post-dominators)."""
        everything = (1 << len(blocks)) - 1
        passed = dict.fromkeys(blocks, everything)
        changed = True
        while changed:
            changed = False
            for i in reversed(range(len(blocks))):
                following = everything if self._arms[blocks[i]] else 0
                for arm in self._arms[blocks[i]]:
                    # Whatever leads to the start of a section, were it this one's, leaves it.
                    following &= 0 if arm.target in self._starts else passed.get(arm.target, 0)
                new = following | 1 << i
                changed = changed or new != passed[blocks[i]]
                passed[blocks[i]] = new
        return passed

"""The same blocks and expressions with other numbers for their variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plainchant.meaning.kernel import (
    All,
    Block,
    Case,
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
    Option,
    Plus,
    Range,
    Read,
    Set,
    Some,
    Stop,
    Truth,
)
from plainchant.meaning.kernel import Branch as Fork
from plainchant.meaning.lowering.graph import renumbered
from plainchant.records import replace


class Renaming:
    """Other numbers for variables and blocks; what is assigned to a variable without one is left out."""

    def __init__(self, variables: Mapping[int, int], blocks: Mapping[int, int]) -> None:
        self._variables = variables
        self._blocks = dict(blocks)

    def block(self, block: Block) -> Block:
        """A block of the book as one with the other numbers, without its notes."""
        return Block(block.section, self.sets(block.sets), self._exit(renumbered(block.exit, self._blocks)))

    def sets(self, sets: Iterable[Set]) -> tuple[Set, ...]:
        """Assignments."""
        return tuple(Set(self._variables[s.variable], self._number(s.value), s.cites) for s in sets if s.variable in self._variables)

    def _exit(self, exit_: Exit) -> Exit:
        match exit_:
            case Fork():
                return replace(exit_, condition=self.condition(exit_.condition))
            case Cases():
                return replace(exit_, cases=tuple(Case(self.condition(c.condition), c.target, c.words, c.cites) for c in exit_.cases))
            case Choose(options=options, variable=variable):
                renamed = tuple(
                    Option(o.words, self.condition(o.condition), self.sets(o.sets), o.target, o.cites, self._number(o.weight))
                    for o in options
                )
                return replace(exit_, options=renamed, variable=None if variable is None else self._variables[variable])
            case Range():
                return replace(exit_, variable=self._variables[exit_.variable])
            case Stop():
                return replace(exit_, reads=())
        return exit_

    def _number(self, expression: Num) -> Num:
        match expression:
            case Const():
                return expression
            case Read(variable):
                return Read(self._variables[variable])
            case Plus(left, right):
                return Plus(self._number(left), self._number(right))
            case Minus(left, right):
                return Minus(self._number(left), self._number(right))
            case Either(condition, then, otherwise):
                return Either(self.condition(condition), self._number(then), self._number(otherwise))

    def condition(self, condition: Cond) -> Cond:
        """What is asked."""
        match condition:
            case Truth():
                return condition
            case Equal(left, right):
                return Equal(self._number(left), self._number(right))
            case Less(left, right):
                return Less(self._number(left), self._number(right))
            case All(items):
                return All(tuple(map(self.condition, items)))
            case Some(items):
                return Some(tuple(map(self.condition, items)))
            case Opposite(item):
                return Opposite(self.condition(item))

"""Where a statement or an expression is carried out."""

from __future__ import annotations

from plainchant.meaning.kernel import Num
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Kind
from plainchant.records import Frozen, field, replace


class Frame(Frozen):
    """Where a statement is carried out: its scope, which member each `that …` is, and the arguments of the rule."""

    scope: Scope
    positions: dict[str, int] = field(default_factory=dict)
    arguments: dict[str, Num] = field(default_factory=dict)

    def about(self, kind: Kind, position: int) -> Frame:
        return replace(self, scope=self.scope.about(kind), positions={**self.positions, kind.name: position})

"""How play gets from section to section and from part to part."""

from __future__ import annotations

from plainchant.meaning.kernel import Const, Equal, Goto, Read, Set, Stop
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.graph import Graph
from plainchant.meaning.symbols import Section
from plainchant.text.place import Cite


class Routes:
    """How play gets from section to section: each has its first block, and each scenario that can be played alone ends when left."""

    def __init__(self, graph: Graph, expressions: Expressions, starts: dict[str, int], alone: dict[str, int]) -> None:
        self.graph = graph
        self.expressions = expressions
        self.starts = starts
        self.alone = alone
        self.ways_back: dict[str, int] = {}

    def go(self, section: Section, part: str | None, cites: tuple[Cite, ...], *, leaving: bool = True) -> None:
        """Lead from a section of `part` to another; entering another part forgets that part's facts."""
        if section.part != part:
            if leaving and part in self.alone:
                self._end_of_standalone(part, self.alone[part], cites)
            for variable in self.expressions.variables.of_part(section.part or ""):
                initial = self.expressions.variables.all[variable].initial
                self.graph.set(Set(variable, Const(initial)))
        self.graph.close(Goto(self.starts[section.key]))

    def _end_of_standalone(self, part: str, number: int, cites: tuple[Cite, ...]) -> None:
        mode = self.expressions.variables.hidden("standalone", 0, len(self.alone))
        yes, no = self.graph.fork(Equal(Read(mode), Const(number)))
        self.graph.open = yes
        words = self.expressions.names.parts[part].words
        self.graph.close(Stop("end", f"the end of “{words}”, played alone", cites))
        self.graph.open = no

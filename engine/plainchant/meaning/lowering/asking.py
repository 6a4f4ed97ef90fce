"""Questions: what a rule reads of the table, of the reader or of the number of seats is asked when it is first read."""

from __future__ import annotations

from plainchant.meaning.kernel import (
    Choose,
    Cond,
    Const,
    Equal,
    Num,
    Option,
    Range,
    Read,
    Set,
    Stop,
    Truth,
    all_of,
    reads,
    some_of,
)
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.lowering.graph import Graph
from plainchant.meaning.resolve import Scope
from plainchant.meaning.symbols import Fact, Kind
from plainchant.meaning.variables import filled_question
from plainchant.text.place import Cite


class Asking:
    """Puts the questions into the graph; `known` are those that were surely asked on the way to the open block."""

    def __init__(self, graph: Graph, expressions: Expressions) -> None:
        self.graph = graph
        self.expressions = expressions
        self.variables = expressions.variables
        self.known: set[int] = set()

    def before(self, *read_next: Num | Cond) -> None:
        """Ask for everything that these expressions read."""
        for expression in read_next:
            for variable in reads(expression):
                if variable in self.variables.questions:
                    self.ask(variable)

    def seats(self, kind: Kind) -> None:
        """Ask how many seats of a group are taken."""
        if kind.is_group:
            self.ask(self.variables.number(kind))

    def ask(self, variable: int) -> None:
        """Ask for one variable, unless it is known."""
        if variable in self.known or self.graph.open is None:
            return
        question = self.variables.questions[variable]
        fact, position = question.fact, question.position
        unasked: Cond = Equal(Read(variable), Const(self.variables.all[variable].unknown))
        if isinstance(fact, Fact) and fact.index is not None and position is not None:
            self.seats(fact.index)
            unasked = all_of(self.expressions.members(fact.index)[position][1], unasked)
        if isinstance(fact, Fact) and fact.type.kind is not None:
            self.seats(fact.type.kind)
        yes, no = self.graph.fork(unasked)
        if self.graph.resume(yes):
            before = set(self.known)
            self._question(variable, fact, position, after := self.graph.new())
            self.known = before
            self.graph.resume(no)
            self.graph.start(after)
        self.known.add(variable)

    def _question(self, variable: int, fact: Fact | Kind, position: int | None, after: int) -> None:
        if isinstance(fact, Kind):
            low, high = fact.low or 0, fact.high or 0
            self.graph.close(Range("table", "the table", fact.question, fact.cites, variable, low, high, after))
            return
        prompt = filled_question(fact, position)
        decider = "the reader" if fact.chooser == "reading" else "the table"
        if fact.type.form == "number":
            self.graph.close(Range(fact.chooser, decider, prompt, fact.cites, variable, fact.type.low or 0, fact.type.high or 0, after))
            return
        options = self._options(variable, fact, position, after)
        self.choose(Choose(fact.chooser, decider, prompt, fact.cites, options, variable))

    def _options(self, variable: int, fact: Fact, position: int | None, after: int) -> tuple[Option, ...]:
        frame = Frame(Scope(self.expressions.names, fact.part))
        if fact.index is not None and position is not None:
            frame = frame.about(fact.index, position)
        if fact.type.kind is None:
            return tuple(
                Option(words, Truth(True), (Set(variable, Const(value)),), after, fact.cites)
                for value, words in ((1, "yes"), (0, "no"))
            )  # fmt: skip
        options = []
        for i, present in self.expressions.members(fact.type.kind):
            member = fact.type.kind.members[i]
            allowed = present
            if member.condition is not None:
                allowed = all_of(present, self.expressions.condition(member.condition, frame))
                self.before(allowed)
            options.append(Option(member.words, allowed, (Set(variable, Const(i)),), after, fact.cites))
        return tuple(options)

    def yes_or_no(self, chooser: str, decider: str, prompt: str, cites: tuple[Cite, ...]) -> tuple[int, int]:
        """Close the open block by a question that is answered by yes or no; the blocks for both."""
        yes, no = self.graph.new(), self.graph.new()
        options = (Option("yes", Truth(True), (), yes, cites), Option("no", Truth(True), (), no, cites))
        self.graph.close(Choose(chooser, decider, prompt, cites, options))
        return yes, no

    def choose(self, choice: Choose) -> None:
        """Close the open block by a choice; where every option is barred, by a hole."""
        any_option = some_of(*(option.condition for option in choice.options))
        self.before(any_option)
        yes, no = self.graph.fork(any_option)
        if self.graph.resume(no):
            about = f"{choice.prompt} (no answer is allowed)"
            self.graph.close(Stop("hole", about, choice.cites, reads=reads(any_option)))
        if self.graph.resume(yes):
            self.graph.close(choice)

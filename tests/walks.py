"""Plays that numbers decide: Hypothesis draws the numbers, the engine plays, and a test looks at what comes about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from plainchant.meaning.kernel import Choose, Range, Stop
from plainchant.play.machine import Machine, State
from plainchant.records import Changing


class Walker(Changing, dict=True):
    """A play of a machine from the block where it is, with values by name; what was decided is kept as prompts with answers."""

    machine: Machine
    state: State
    block: int

    def __post_init__(self) -> None:
        self.numbers = {variable.name: i for i, variable in enumerate(self.machine.program.variables)}
        self.decided: list[tuple[str, str]] = []
        self.rest()

    @classmethod
    def beginning(cls, machine: Machine, section: str = "", values: Mapping[str, int] | None = None) -> Walker:
        """A play from its beginning, or from a section, where some variables have other values than at first."""
        program = machine.program
        entrance = program.entrances[0]
        state = machine.initial(entrance)
        numbers = {variable.name: i for i, variable in enumerate(program.variables)}
        for name, value in (values or {}).items():
            state[numbers[name]] = value
        block = next(one.start for one in program.sections if one.words == section) if section else entrance.block
        return cls(machine, state, block)

    def rest(self) -> None:
        """Go on to where something must be decided."""
        self.block = self.machine.run(self.state, self.block).block

    def __getitem__(self, name: str) -> int:
        return self.state[self.numbers[name]]

    def starting_with(self, prefix: str) -> dict[str, int]:
        """The values of all variables whose names begin so, by the rest of their names."""
        return {name.removeprefix(prefix): self.state[i] for name, i in self.numbers.items() if name.startswith(prefix)}

    @property
    def stopped(self) -> str:
        """In which way play has stopped, and about what; empty if it goes on."""
        exit_ = self.machine.program.blocks[self.block].exit
        return f"{exit_.kind}: {exit_.about}" if isinstance(exit_, Stop) else ""

    @property
    def prompt(self) -> str:
        exit_ = self.machine.program.blocks[self.block].exit
        return exit_.prompt if isinstance(exit_, Choose | Range) else ""

    def decide(self, number: int) -> str:
        """Take one of the open options, whatever the number is; its words."""
        exit_ = self.machine.program.blocks[self.block].exit
        open_ = self.machine.options(self.state, self.block)
        option = open_[number % len(open_)]
        words = exit_.options[option].words if isinstance(exit_, Choose) else str(option)
        self.decided.append((self.prompt, words))
        self.block = self.machine.take(self.state, self.block, option)
        self.rest()
        return words

    def decide_by(self, words: str) -> None:
        """Take the open option of these words."""
        exit_ = self.machine.program.blocks[self.block].exit
        assert isinstance(exit_, Choose)
        open_ = [exit_.options[option].words for option in self.machine.options(self.state, self.block)]
        assert words in open_, open_
        self.decide(open_.index(words))

    def steps(self, numbers: Sequence[int], ends: Callable[[], bool]) -> Iterator[list[tuple[str, str]]]:
        """Decide by numbers, one after another; whenever `ends` says that a step is over: what was decided in it."""
        begun = len(self.decided)
        for number in numbers:
            if self.stopped or not self.machine.options(self.state, self.block):
                return
            self.decide(number)
            if self.stopped or ends():
                yield self.decided[begun:]
                begun = len(self.decided)

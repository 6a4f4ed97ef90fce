"""A moment of a play, as a value: where it rests, all values, and what may be decided; `advance` leads to the next."""

from __future__ import annotations

from collections.abc import Mapping

from plainchant.meaning.kernel import Cases, Choose, Entrance, Note, Program, Range, SectionInfo, Stop
from plainchant.meaning.words import plain
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine, State
from plainchant.records import Frozen
from plainchant.text.place import Cite


class Choice(Frozen):
    """Something that may be chosen now: its number in the list (from 1), its words, its citation.

    `step` is the moment that it belongs to. For a number that is named, `value` is that number and `number` is 0. Where chance decides,
    the choice is as likely as its weight says, compared with those of the others.
    """

    step: int
    number: int
    words: str
    cites: tuple[Cite, ...] = ()
    value: int | None = None
    weight: int = 1


class Question(Frozen):
    """What must be decided now, by whom (`chooser`: players, table, chance or reading), and what may be chosen.

    Where a number is named instead, `choices` is empty and low and high are its bounds.
    """

    step: int
    chooser: str
    decider: str
    prompt: str
    cites: tuple[Cite, ...]
    choices: tuple[Choice, ...]
    low: int = 0
    high: int = 0
    overlap: bool = False

    @property
    def wants_number(self) -> bool:
        return not self.choices

    def legal(self) -> str:
        """The legal choices in words."""
        if self.wants_number:
            return f"a number from {self.low} to {self.high}"
        return "; ".join(f"“{choice.words}”" for choice in self.choices)


class Ending(Frozen):
    """Why play stops: kind is end, hole, impossible, range or dead-end; `values` are what it depended on, in words."""

    kind: str
    about: str
    cites: tuple[Cite, ...]
    values: tuple[tuple[str, str], ...]


class Step(Frozen):
    """One decision and what followed from it: the statements carried out and the variables changed (name, before, after)."""

    section: SectionInfo
    chooser: str
    decider: str
    prompt: str
    choice: Choice
    cites: tuple[Cite, ...]
    notes: tuple[Note, ...]
    sections: tuple[SectionInfo, ...]
    changed: tuple[tuple[str, int, int], ...]


class Moment(Frozen):
    """A play at rest: `step` decisions were made, it waits at `block` with these values."""

    step: int
    block: int
    values: tuple[int, ...]
    chance: Chance | None


def begin(
    machine: Machine, entrance: Entrance, chance: Chance | None = None, readings: Mapping[int, int] | None = None
) -> tuple[Moment, tuple[Note, ...], tuple[SectionInfo, ...]]:  # fmt: skip
    """The first rest of a play, with the statements carried out and sections entered before it. `readings` presets variables."""
    state = machine.initial(entrance)
    for variable, value in (readings or {}).items():
        state[variable] = value
    run = machine.run(state, entrance.block)
    return Moment(0, run.block, tuple(state), chance), _notes(machine.program, run.path), _sections(machine.program, run.path)


def question(machine: Machine, moment: Moment) -> Question | None:
    """What must be decided at a moment; None if play has stopped."""
    exit_ = machine.program.blocks[moment.block].exit
    match exit_:
        case Range():
            return Question(
                moment.step, exit_.chooser, exit_.decider, exit_.prompt, exit_.cites, (), exit_.low, exit_.high
            )  # fmt: skip
        case Choose():
            state = list(moment.values)
            weighed = zip(machine.options(state, moment.block), machine.weights(state, moment.block), strict=True)
            choices = tuple(
                Choice(moment.step, n, exit_.options[i].words, exit_.options[i].cites, None, weight)
                for n, (i, weight) in enumerate(weighed, 1)
            )
            return Question(moment.step, exit_.chooser, exit_.decider, exit_.prompt, exit_.cites, choices)
        case Cases():
            open_ = machine.options(list(moment.values), moment.block)
            choices = tuple(Choice(moment.step, n, exit_.cases[i].words, exit_.cases[i].cites) for n, i in enumerate(open_, 1))
            prompt = f"{exit_.prompt}: more than one printed case applies; which is followed?"
            return Question(moment.step, "reading", "the reader", prompt, exit_.cites, choices, overlap=True)
    return None


def ending(machine: Machine, moment: Moment) -> Ending | None:
    """Why play stops at a moment; None if it goes on."""
    exit_ = machine.program.blocks[moment.block].exit
    if not isinstance(exit_, Stop):
        return None
    shown = []
    for number in exit_.reads:
        variable = machine.program.variables[number]
        shown.append((variable.words, variable.shown(moment.values[number])))
    return Ending(exit_.kind, exit_.about, exit_.cites, tuple(shown))


def find_choice(asked: Question, wanted: Choice | int | str) -> Choice | None:
    """The legal choice that is meant by a choice, its number in the list (or the number asked for), or its words."""
    if isinstance(wanted, Choice):
        # The step alone does not tell: after undo and another choice it counts the same for another question.
        if wanted.value is None or (wanted.step, wanted.cites) != (asked.step, asked.cites):
            return wanted if wanted in asked.choices else None
        wanted = wanted.value
    if asked.wants_number:
        value = _as_number(wanted)
        if value is None or not asked.low <= value <= asked.high:
            return None
        return Choice(asked.step, 0, str(value), asked.cites, value)
    if isinstance(wanted, str):
        named = [choice for choice in asked.choices if plain(choice.words) == plain(wanted)]
        if len(named) == 1:
            return named[0]
        wanted = _as_number(wanted) or 0
    return next((choice for choice in asked.choices if choice.number == wanted), None)


def _as_number(wanted: int | str) -> int | None:
    if isinstance(wanted, int):
        return wanted
    text = wanted.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def draw(asked: Question, chance: Chance) -> tuple[Choice, Chance]:
    """Let chance decide a question, each answer as likely as its weight says, numbers all alike."""
    if asked.wants_number:
        offset, chance = chance.below(asked.high - asked.low + 1)
        value = asked.low + offset
        return Choice(asked.step, 0, str(value), asked.cites, value), chance
    position, chance = chance.among([choice.weight for choice in asked.choices])
    return asked.choices[position], chance


def taken(machine: Machine, moment: Moment, choice: Choice) -> tuple[State, int]:
    """The values right after a legal choice was taken, and the block that follows."""
    state = list(moment.values)
    decided = machine.options(state, moment.block)[choice.number - 1] if choice.value is None else choice.value
    return state, machine.take(state, moment.block, decided)


def advance(machine: Machine, moment: Moment, choice: Choice, chance: Chance | None) -> tuple[Moment, Step]:
    """Take a legal choice of this moment: the next moment, and the step that led there. `chance` is the source after the choice."""
    program = machine.program
    asked = question(machine, moment)
    assert asked is not None
    state, target = taken(machine, moment, choice)
    run = machine.run(state, target)
    changed = tuple(
        (program.variables[i].name, old, new) for i, (old, new) in enumerate(zip(moment.values, state, strict=True)) if old != new
    )
    step = Step(
        program.sections[program.blocks[moment.block].section], asked.chooser, asked.decider, asked.prompt, choice,
        choice.cites or asked.cites, _notes(program, run.path), _sections(program, run.path), changed,
    )  # fmt: skip
    return Moment(moment.step + 1, run.block, tuple(state), chance), step


def _notes(program: Program, path: tuple[int, ...]) -> tuple[Note, ...]:
    """The statements carried out on the way; one that is carried out for several members in turn is told once."""
    notes = [note for block in path for note in program.blocks[block].notes]
    return tuple(note for i, note in enumerate(notes) if i == 0 or notes[i - 1] != note)


def _sections(program: Program, path: tuple[int, ...]) -> tuple[SectionInfo, ...]:
    """The sections that were entered on the way, in order."""
    starts = {section.start: section for section in program.sections}
    return tuple(starts[block] for block in path if block in starts)

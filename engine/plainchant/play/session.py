"""A session: one play that can be looked at, continued, undone, saved and resumed. The state is only changed by legal choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainchant.meaning.kernel import Entrance, Note, Program, SectionInfo, StandingRule
from plainchant.meaning.words import nearest_name, plain
from plainchant.play import views
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant.play.moment import (
    Choice,
    Ending,
    Moment,
    Question,
    Step,
    advance,
    begin,
    draw,
    ending,
    find_choice,
    question,
)
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem


class Start(Frozen):
    """How a play began: all that is needed to begin it again."""

    entrance: str
    seed: int | None
    readings: tuple[tuple[str, str], ...]


class Session:
    """One play of a book.

    Made by `Session.start`. With a seed, chance is drawn from it; without one, the table is asked. All views are of the present moment.
    """

    def __init__(self, machine: Machine, start: Start, entrance: Entrance, readings: Mapping[int, int]) -> None:
        self.machine = machine
        self.began = start
        chance = None if start.seed is None else Chance(start.seed)
        first, self.opening_notes, self.opening_sections = begin(machine, entrance, chance, readings)
        self._moments: list[Moment] = [first]
        self._steps: list[Step] = []
        self._undone: list[tuple[Moment, Step]] = []
        self._draw()

    @classmethod
    def start(
        cls, machine: Machine, entrance: str = "campaign", *, seed: int | None = None, readings: Mapping[str, str] | None = None
    ) -> tuple[Session | None, tuple[Diagnostic, ...]]:
        """Begin a play: at the campaign's beginning or a scenario's Standalone Mode, with readings of ambiguities chosen beforehand."""
        program = machine.program
        found = find_entrance(program, entrance)
        if found is None:
            known = [e.name for e in program.entrances] + [e.words for e in program.entrances]
            return None, (problem("PC508", name=entrance, nearest=nearest_name(entrance, known)),)
        preset, diagnostics = preset_readings(program, readings or {})
        if diagnostics:
            return None, diagnostics
        start = Start(found.name, seed, tuple(sorted((readings or {}).items())))
        return cls(machine, start, found, preset), ()

    # ------------------------------------------------------------ the present moment

    @property
    def program(self) -> Program:
        return self.machine.program

    @property
    def moment(self) -> Moment:
        return self._moments[-1]

    @property
    def question(self) -> Question | None:
        """What must be decided now, with the legal choices; None when play has stopped."""
        return question(self.machine, self.moment)

    @property
    def ending(self) -> Ending | None:
        """Why play has stopped; None while it goes on."""
        return ending(self.machine, self.moment)

    @property
    def section(self) -> SectionInfo:
        """The section that is being read."""
        return self.program.sections[self.program.blocks[self.moment.block].section]

    @property
    def history(self) -> tuple[Step, ...]:
        """The decisions made so far, each with what followed from it."""
        return tuple(self._steps)

    def log(self) -> tuple[views.LogLine, ...]:
        """What stands in the campaign log."""
        return views.campaign_log(self.program, self.moment.values)

    def bag(self, name: str | None = None) -> dict[str, int]:
        """The chaos bag (or another bag) as token words with counts."""
        return views.bag(self.program, self.moment.values, name)

    def seats(self) -> tuple[views.Seat, ...]:
        """Who is at the table."""
        return views.seats(self.program, self.moment.values)

    def state(self) -> dict[str, int]:
        """Every variable by name."""
        return views.state(self.program, self.moment.values)

    def standing_rules(self) -> tuple[StandingRule, ...]:
        """The rulings that stand while the present part is played."""
        return tuple(rule for rule in self.program.standing_rules if rule.part == self.section.part)

    def what_happens(self, event: str) -> StandingRule | None:
        """The standing rule of the present part about an event, by its words; None if nothing is printed about it."""
        return next((rule for rule in self.standing_rules() if plain(rule.event) == plain(event)), None)

    # ------------------------------------------------------------ going on

    def apply(self, choice: Choice | int | str) -> tuple[Step | None, tuple[Diagnostic, ...]]:
        """Take a choice (itself, its number in the list, or its printed words).

        A choice that is not legal, or that belongs to an earlier moment, is refused with the legal ones named; nothing changes then.
        """
        asked = self.question
        shown = choice.words if isinstance(choice, Choice) else str(choice)
        if asked is None:
            return None, (problem("PC502", choice=shown, legal="nothing, for play has stopped (undo goes back)"),)
        legal = find_choice(asked, choice)
        if legal is None:
            return None, (problem("PC502", choice=shown, legal=asked.legal()),)
        self._undone.clear()
        step = self._take(legal, self.moment.chance)
        self._draw()
        return step, ()

    def _take(self, choice: Choice, chance: Chance | None) -> Step:
        moment, step = advance(self.machine, self.moment, choice, chance)
        self._moments.append(moment)
        self._steps.append(step)
        return step

    def _draw(self) -> None:
        """Let the seed decide whatever chance must decide now."""
        while (asked := self.question) is not None and asked.chooser == "chance" and self.moment.chance is not None:
            choice, chance = draw(asked, self.moment.chance)
            self._take(choice, chance)

    # ------------------------------------------------------------ undo and redo

    def undo(self) -> tuple[Step, ...]:
        """Take back the last decision of a person, with what chance drew after it; the steps taken back, the last first.

        Among them may be draws of chance: what they revealed cannot be forgotten by those who saw it, and redo draws the same again.
        """
        taken: list[Step] = []
        while self._steps:
            step = self._steps.pop()
            self._undone.append((self._moments.pop(), step))
            taken.append(step)
            if step.chooser != "chance" or self.moment.chance is None:
                return tuple(taken)
        self._draw_back(taken)
        return ()

    def _draw_back(self, taken: list[Step]) -> None:
        """Only draws stood before: nothing of a person can be undone."""
        for _ in taken:
            moment, step = self._undone.pop()
            self._moments.append(moment)
            self._steps.append(step)

    def redo(self) -> tuple[Step, ...]:
        """Make again what was undone last; empty if there is nothing."""
        made: list[Step] = []
        while self._undone and (not made or (self._undone[-1][1].chooser == "chance" and self.moment.chance is not None)):
            moment, step = self._undone.pop()
            self._moments.append(moment)
            self._steps.append(step)
            made.append(step)
        return tuple(made)

    @property
    def undone(self) -> tuple[Step, ...]:
        """What redo would make again, the next first."""
        return tuple(step for _, step in reversed(self._undone))

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Every moment so far, from the first rest to the present one."""
        return tuple(self._moments)

    def notes_so_far(self) -> tuple[Note, ...]:
        """Every statement carried out so far, in order."""
        return self.opening_notes + tuple(note for step in self._steps for note in step.notes)


def find_entrance(program: Program, name: str) -> Entrance | None:
    """A way to begin by its identifier or printed words (of the Standalone Mode's heading, or of the scenario)."""
    parts = {section.part: section.part_words for section in program.sections}
    for entrance in program.entrances:
        words = (entrance.words, parts.get(entrance.name, entrance.name))
        if entrance.name == name or plain(name) in {plain(w) for w in words}:
            return entrance
    return None


def given_readings(pairs: Sequence[str]) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """Readings as a call gives them, NAME=ALTERNATIVE, each once."""
    readings: dict[str, str] = {}
    wrong = []
    for pair in pairs:
        name, given, alternative = (piece.strip() for piece in pair.partition("="))
        if not given:
            wrong.append(problem("PC507", why=f"“{pair}” is not NAME=ALTERNATIVE"))
        elif readings.setdefault(name, alternative) != alternative:
            wrong.append(problem("PC507", why=f"the reading “{name}” is given twice: “{readings[name]}” and “{alternative}”"))
    return readings, tuple(wrong)


def preset_readings(program: Program, readings: Mapping[str, str]) -> tuple[dict[int, int], tuple[Diagnostic, ...]]:
    """Readings by name (with or without their part) and alternative (its words or number from 1), as variables and values."""
    known = {v.name.rpartition(".")[2]: i for i, v in enumerate(program.variables) if v.role == "reading"}
    preset: dict[int, int] = {}
    diagnostics = []
    for name, alternative in readings.items():
        number = known.get(name.rpartition(".")[2])
        if number is None:
            diagnostics.append(problem("PC507", why=f"there is no reading “{name}”: {nearest_name(name, list(known))}"))
            continue
        variable = program.variables[number]
        places = [i for i, words in enumerate(variable.values) if plain(words) == plain(alternative) or str(i + 1) == alternative]
        if not places:
            choices = "; ".join(f"{i}: {words}" for i, words in enumerate(variable.values, 1))
            diagnostics.append(problem("PC507", why=f"the reading “{name}” has no alternative “{alternative}” ({choices})"))
            continue
        preset[number] = variable.low + places[0]
    return preset, tuple(diagnostics)

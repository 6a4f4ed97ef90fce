"""Books for the tests, compiled once, and a table that plays them by answering what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from plainchant.data import data_folder
from plainchant.meaning.kernel import Program
from plainchant.meaning.lower import compile_book
from plainchant.play.machine import Machine
from plainchant.play.moment import Question, Step
from plainchant.play.session import Session
from plainchant.text.place import Cite

Answer = str | int | tuple[str, ...]
"""Printed words, a number, or several of which the first that is legal is taken."""

DEFAULTS: Mapping[str, Answer] = {
    "Campaign Setup*must decide": "Standard",
    "How many investigators take part": 2,
    "What became of": ("remained until a resolution was reached", "resigned"),
    "Which tokens become keys": "those of the four that the chaos bag holds",
}
"""What tables answer that say nothing else about it."""


@cache
def machine(book: str) -> Machine:
    """A shipped book, ready to be played."""
    program, diagnostics = compile_book(data_folder("rules") / book)
    assert program is not None, [d.message for d in diagnostics]
    return Machine(program)


def compiled_text(folder: Path, text: str, name: str = "small.rules") -> Program:
    """The program of a book that is written into a file of this name."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None, [d.message for d in diagnostics]
    return program


class Table:
    """People at a table, who play a book (The Circle Undone, if no other is given) and answer by a list of patterns.

    The first pattern that fits a question answers it; it is searched in `part / section: question`, with `*` for anything.
    An answer may be a list, to be given one after another. What no pattern fits is answered by DEFAULTS, else by the lowest
    number, by “no” or “nobody” where that is offered, and by the first choice otherwise. A pattern that fits nothing fails the test.
    """

    def __init__(
        self,
        entrance: str = "campaign",
        *,
        of: Machine | None = None,
        seed: int | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        session, diagnostics = Session.start(of or machine("tcu"), entrance, seed=seed, readings=readings)
        assert session is not None, [d.message for d in diagnostics]
        self.session = session

    def play(
        self, answers: Mapping[str, Answer | list[Answer]] | None = None, *, until: str = "", if_asked: Mapping[str, Answer] | None = None
    ) -> Table:
        """Play until a question fits `until`, or until play stops. Patterns of `if_asked` need not fit anything."""
        given: dict[str, list[Answer]] = {}
        for pattern, answer in {**(answers or {}), **(if_asked or {})}.items():
            given[pattern] = list(answer) if isinstance(answer, list) else [answer]
        unused = set(answers or {})
        while (asked := self.session.question) is not None:
            if until and self._fits(asked, until):
                break
            fitting = next((pattern for pattern in given if self._fits(asked, pattern)), None)
            if fitting is None:
                self._give(asked, self._usual(asked))
                continue
            unused.discard(fitting)
            answers_left = given[fitting]
            self._give(asked, answers_left.pop(0) if len(answers_left) > 1 else answers_left[0])
        assert not until or asked is not None, f"{until!r} was never asked; play stopped: {self.session.ending}"
        assert not unused, f"never asked: {unused}"
        return self

    def _fits(self, asked: Question, pattern: str) -> bool:
        section = self.session.section
        return fnmatchcase(f"{section.part_words} / {section.words}: {asked.prompt}", f"*{pattern}*")

    def _usual(self, asked: Question) -> Answer:
        for pattern, answer in DEFAULTS.items():
            if self._fits(asked, pattern):
                return answer
        if asked.wants_number:
            return asked.low
        return next((choice.words for choice in asked.choices if choice.words in ("no", "nobody")), asked.choices[0].words)

    def _give(self, asked: Question, answer: Answer) -> None:
        wanted = answer if isinstance(answer, tuple) else (answer,)
        for one in wanted:
            step, _ = self.session.apply(one)
            if step is not None:
                return
        raise AssertionError(f"{answer!r} is no answer to “{asked.prompt}”; legal: {asked.legal()}")

    # ------------------------------------------------------------ what the tests look at

    @property
    def words(self) -> list[str]:
        """The choices that are open."""
        asked = self.session.question
        return [choice.words for choice in asked.choices] if asked else []

    @property
    def decider(self) -> str:
        """Who decides what is asked now."""
        asked = self.session.question
        return asked.decider if asked else ""

    @property
    def recorded(self) -> set[str]:
        """The words of what stands in the log and is not crossed off."""
        return {line.words for line in self.session.log() if not line.crossed_off}

    @property
    def crossed_off(self) -> set[str]:
        """The words of what stands in the log and is crossed off."""
        return {line.words for line in self.session.log() if line.crossed_off}

    @property
    def mementos(self) -> set[str]:
        """The mementos that are listed and not crossed off."""
        return {line.words for line in self.session.log() if line.title == "Mementos Discovered" and not line.crossed_off}

    @property
    def bag(self) -> dict[str, int]:
        return self.session.bag()

    @property
    def sections(self) -> list[str]:
        """The sections that were entered, in order, as `part / section`."""
        entered = self.session.opening_sections + tuple(section for step in self.session.history for section in step.sections)
        return [f"{section.part_words} / {section.words}" for section in entered]

    def entered(self, pattern: str) -> bool:
        """Whether a section that fits the pattern was entered."""
        return any(fnmatchcase(section, f"*{pattern}") for section in self.sections)

    @property
    def notes(self) -> list[str]:
        """The text of every statement carried out, in order."""
        return [note.text for note in self.session.notes_so_far()]

    def state(self, name: str) -> int:
        """One variable."""
        return self.session.state()[name]

    def seat(self, number: int) -> dict[str, str]:
        """The fields of the investigator with this number (from 1)."""
        return dict(self.session.seats()[number - 1].fields)

    def asked(self, pattern: str) -> list[Step]:
        """The steps whose question fits the pattern."""
        return [step for step in self.session.history if fnmatchcase(step.prompt, f"*{pattern}*")]

    @property
    def stopped(self) -> tuple[str, list[int]]:
        """Why play stopped, and the printed lines of it."""
        end = self.session.ending
        assert end is not None
        return end.kind, lines_of(end.cites)


def lines_of(cites: Sequence[Cite]) -> list[int]:
    """The printed lines of citations, in order."""
    return [line for cite in cites for low, high in cite.ranges for line in range(low, high + 1)]

"""A play on a page: what happened is told, what is asked is shown, and the people's commands are carried out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plainchant.faces.page import MARKS, Page
from plainchant.faces.wording import Words, bag_text, seat_text
from plainchant.meaning.kernel import CAMPAIGN, SectionInfo, StandingRule
from plainchant.meaning.words import nearest_name, plain
from plainchant.play import account, documents
from plainchant.play.moment import Ending, Question, Step
from plainchant.play.session import Session
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem

STOPS = {"hole": "PC601", "impossible": "PC602", "range": "PC603", "dead-end": "PC604"}
"""The code for each way in which play stops without an end."""

_ASKED = {
    "players": "Decision of {who}",
    "table": "Question to the table",
    "chance": "Chance decides; draw at the table",
    "reading": "Reading of the text, by {who}",
}
"""Who is asked, by the chooser of a question."""

_LAST_STEPS = 15


class Files(Frozen):
    """Where a play is kept: the saved game, the trace, and whether the trace holds the whole state of every step."""

    save: Path | None = None
    trace: Path | None = None
    whole_states: bool = False


_NOWHERE = Files()


class Game:
    """One session shown on a page. `going` turns false when the people quit."""

    def __init__(self, session: Session, page: Page, files: Files = _NOWHERE) -> None:
        self.session = session
        self.page = page
        self.files = files
        self.words = Words(session.program)
        self.going = True
        self.saved_at: object = None
        self._told = 0
        self._asked = -1
        self._at: SectionInfo | None = None

    # ------------------------------------------------------------ telling

    def open(self) -> None:
        """Say which book is played and how."""
        session = self.session
        self.page.say(session.program.title, "part")
        if session.began.entrance != CAMPAIGN:
            entrance = session.program.entrance(session.began.entrance)
            self.page.say(entrance.words if entrance else session.began.entrance, "section")
        if session.began.seed is not None:
            self.page.say(f"Chance is drawn from the seed {session.began.seed}.", "hint")
        for name, alternative in session.began.readings:
            self.page.say(f"Reading “{name}”: {alternative}", "hint")

    def tell_opening(self) -> None:
        """Tell what happened before the first question."""
        self._passages(account.of_opening(self.session), self.session.moments[0].values, ())

    def tell(self) -> None:
        """Tell the steps that were not told yet."""
        while self._told < len(self.session.history):
            self._told += 1
            step = self.session.history[self._told - 1]
            self._place(step.section)
            just_asked = step.choice.step == self._asked
            self.page.row("✓", _choice_text(step, with_question=not just_asked), self.words.cites(step.cites), "chosen")
            self._passages(account.of_step(self.session, self._told), self.session.moments[self._told].values, step.cites)

    def skip_telling(self) -> None:
        """Take everything up to now as told."""
        self._told = len(self.session.history)
        self._at = None

    def _passages(self, passages: tuple[account.Passage, ...], values: tuple[int, ...], cites: tuple[Any, ...]) -> None:
        for passage in passages:
            self._place(passage.section, anew=passage.entered)
            for line in self.words.lines(passage, values, cites):
                self.page.row(MARKS[line.sort], line.text, line.cites, line.sort)

    def _place(self, section: SectionInfo, *, anew: bool = False) -> None:
        """Head what follows with its part and section, unless they stand above already."""
        if section == self._at and not anew:
            return
        if self._at is None or section.part != self._at.part:
            self.page.part(section.part_words)
        else:
            self.page.gap()
        if section.words != section.part_words:
            self.page.section(section.words, self.words.cites(section.cites))
        self._at = section

    # ------------------------------------------------------------ asking

    def ask(self) -> None:
        """Show what must be decided now, or why play has stopped."""
        asked, end = self.session.question, self.session.ending
        self._place(self.session.section)
        if asked is not None:
            self._question(asked)
        elif end is not None:
            self._ending(end)

    def _question(self, asked: Question) -> None:
        self._asked = asked.step
        self.page.gap()
        self.page.row("▸", _ASKED[asked.chooser].format(who=asked.decider), self.words.cites(asked.cites), asked.chooser, indent=0)
        if plain(asked.prompt) != plain(f"{asked.decider} must decide"):
            self.page.row("", asked.prompt)
        if asked.wants_number:
            self.page.row("", f"(a number from {asked.low} to {asked.high})", style="hint")
        width = len(str(len(asked.choices)))
        for choice in asked.choices:
            cites = "" if choice.cites == asked.cites else self.words.cites(choice.cites)
            self.page.row(f"{choice.number:>{width}}", choice.words, cites, "number", indent=4, text_style="do")

    def _ending(self, end: Ending) -> None:
        if end.kind == "end":
            cites = self.words.cites(end.cites)
            self.page.panel("The end", [("", _capital(end.about) + (f" [{cites}]" if cites else ""))], "end")
            self.log()
            self.bag()
            self.seats()
            return
        found = problem(STOPS[end.kind], what=end.about)
        lines = [("what", found.message), ("where", self.words.section(self.session.section)), ("printed", self.words.cites(end.cites))]
        known: dict[str, list[str]] = {}
        for words, value in end.values:
            if value != "not asked":
                known.setdefault(words, []).append(value)
        told = [f"{words}{'' if words.endswith('?') else ':'} {', '.join(values)}" for words, values in known.items()]
        lines += [("" if number else "known", text) for number, text in enumerate(told)]
        lines += [("why", found.entry.cause), ("next", found.cure)]
        self.page.panel(f"{found.severity} {found.code} {found.entry.title}", [line for line in lines if line[1]], "error")

    # ------------------------------------------------------------ commands

    def obey(self, line: str) -> None:
        """Carry out a line of the people: a choice of the present question, or a command. An empty line shows the question again."""
        words = line.strip()
        asked = self.session.question
        if not words:
            self.ask()
            return
        if asked is not None and self.session.apply(_unquoted(words))[0] is not None:
            self._went_on()
            return
        name, _, rest = words.partition(" ")
        command = COMMANDS.get(_SHORT.get(name.casefold(), name.casefold()))
        if command is not None:
            command.run(self, rest.strip())
            return
        begun = [c for c in asked.choices if plain(c.words).startswith(plain(words))] if asked is not None else []
        if len(begun) == 1:
            self.session.apply(begun[0])
            self._went_on()
            return
        self._refuse(self.session.apply(words)[1])

    def _went_on(self) -> None:
        self.tell()
        self.ask()

    def _refuse(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        for found in diagnostics:
            self.page.say(f"{found.severity} {found.code} {found.message}: {found.cure}", "error")

    def log(self, _rest: str = "") -> None:
        """Show the campaign log."""
        self._title("Campaign log")
        lines = self.words.log(self.session.log())
        for text, crossed in lines:
            inner = text.lstrip()
            shown = f"{inner} (crossed off)" if crossed else inner
            self.page.row("", shown, style="crossed" if crossed else "log", indent=2 + len(text) - len(inner))
        if not lines:
            self.page.row("", "nothing is recorded yet", style="hint")

    def bag(self, _rest: str = "") -> None:
        """Show what the bags hold."""
        for bag in self.session.program.bags:
            self._title(_capital(bag.words))
            self.page.row("", bag_text(self.session.bag(bag.name)), style="bag")

    def seats(self, _rest: str = "") -> None:
        """Show who is at the table."""
        found = self.session.seats()
        if not self.session.program.groups:
            return
        self._title("At the table")
        for seat in found:
            self.page.row(f"{seat.words}:", seat_text(seat), style="keep")
        if not found:
            self.page.row("", "it was not asked yet how many take part", style="hint")

    def rules(self, _rest: str = "") -> None:
        """Show the standing rules of the present part."""
        self._title(f"Standing rules of {self.session.section.part_words}")
        for rule in self.session.standing_rules():
            self._rule(rule)
        if not self.session.standing_rules():
            self.page.row("", "none", style="hint")

    def _rule(self, rule: StandingRule) -> None:
        ruling = f"becomes “{rule.instead}”" if rule.instead else f"is {rule.ruling}"
        self.page.row("•", f"“{rule.event}” {ruling}", self.words.cites(rule.cites))

    def what(self, event: str) -> None:
        """Say what the standing rules say about an event."""
        known = [rule.event for rule in self.session.standing_rules()]
        found = self.session.what_happens(_unquoted(event))
        if found is None and event:
            inside = [rule for rule in self.session.standing_rules() if plain(event) in plain(rule.event)]
            found = inside[0] if len(inside) == 1 else None
        if found is not None:
            self._rule(found)
        else:
            self.page.say(f"No standing rule here is about “{event}” ({nearest_name(event, known)}).", "hint")

    def history(self, rest: str = "") -> None:
        """Show the decisions so far, the last ones or all."""
        steps = list(enumerate(self.session.history, 1))
        shown = steps if plain(rest) == "all" else steps[-_LAST_STEPS:]
        self._title("Decisions so far")
        at = ""
        for number, step in shown:
            section = self.words.section(step.section)
            if section != at:
                self.page.row("", section, style="hint")
            at = section
            self.page.row(f"{number:>3}", _choice_text(step), self.words.cites(step.cites), "do")
        if len(shown) < len(steps):
            self.page.row("", f"{len(steps) - len(shown)} before these: `history all`", style="hint")
        if not steps:
            self.page.row("", "none", style="hint")

    def undo(self, _rest: str = "") -> None:
        """Take back the last decision; what chance revealed stays known, and that is said."""
        taken = self.session.undo()
        if not taken:
            self.page.say("There is nothing to undo.", "hint")
            return
        for step in taken:
            self.page.row("↶", f"taken back: {_choice_text(step)}", style="hint")
        drawn = [step.choice.words for step in taken if step.chooser == "chance"]
        if drawn:
            shown = ", ".join(f"“{words}”" for words in reversed(drawn))
            self.page.say(f"What chance revealed ({shown}) stays known to those who saw it; the same is drawn again.", "chance")
        self.skip_telling()
        self.ask()

    def redo(self, _rest: str = "") -> None:
        """Make again what was taken back."""
        if not self.session.redo():
            self.page.say("There is nothing to redo.", "hint")
            return
        self._went_on()

    def save(self, rest: str = "") -> bool:
        """Save the play; whether it was saved."""
        path = Path(rest).expanduser() if rest else self.files.save
        if path is None:
            self.page.say("Say where to: save FILE", "hint")
            return False
        return self._keep(path, documents.saved(self.session), "Saved to")

    def trace(self, rest: str = "") -> bool:
        """Write the play as a trace; whether it was written."""
        path = Path(rest).expanduser() if rest else self.files.trace
        if path is None:
            self.page.say("Say where to: trace FILE", "hint")
            return False
        return self._keep(path, documents.trace(self.session, whole_states=self.files.whole_states), "The trace was written to")

    def _keep(self, path: Path, document: dict[str, Any], done: str) -> bool:
        found = not_ours(path) or documents.write_json(path, document)
        if found:
            self._refuse(found)
            return False
        self.page.say(f"{done} {path}", "hint")
        if document["schema"] == documents.SAVED:
            self.saved_at = self.session.moment
        return True

    def help(self, _rest: str = "") -> None:
        """List the commands."""
        self._title("Commands")
        self.page.row("", "a number of the list, or the printed words (or their beginning): choose")
        for name, command in COMMANDS.items():
            self.page.row("", f"{(name + ' ' + command.argument).strip():<14} {command.does}")

    def quit(self, _rest: str = "") -> None:
        """Leave."""
        self.going = False

    def _title(self, words: str) -> None:
        self.page.gap()
        self.page.section(words)

    # ------------------------------------------------------------ leaving

    def leave(self, *, asked_to_save: bool, remind: bool) -> bool:
        """Keep what the call asked for; false if a file could not be written. `remind`: say so if people lose what they did."""
        written = True
        if asked_to_save:
            written = self.save()
        elif remind and self.session.history and self.saved_at is not self.session.moment:
            told = "The play was not saved" if self.saved_at is None else "What came after that was not saved"
            self.page.say(f"{told} (save FILE, or --save FILE in the call).", "hint")
        return (self.files.trace is None or self.trace()) and written


class Command(Frozen):
    """A word of the prompt: what it does, what stands behind it, and what `help` says."""

    run: Callable[[Game, str], object]
    argument: str
    does: str


COMMANDS: dict[str, Command] = {
    "log": Command(Game.log, "", "the campaign log"),
    "bag": Command(Game.bag, "", "what the bag holds"),
    "seats": Command(Game.seats, "", "the people at the table"),
    "rules": Command(Game.rules, "", "the standing rules of this part"),
    "what": Command(Game.what, "EVENT", "what the standing rules say about an event"),
    "history": Command(Game.history, "[all]", "the decisions so far"),
    "undo": Command(Game.undo, "", "take back the last decision"),
    "redo": Command(Game.redo, "", "make it again"),
    "save": Command(Game.save, "FILE", "save the play"),
    "trace": Command(Game.trace, "FILE", "write the play as a trace"),
    "help": Command(Game.help, "", "this list"),
    "quit": Command(Game.quit, "", "leave (Ctrl-D does the same)"),
}
"""The words that the prompt knows, unless they are printed choices."""

_SHORT = {"people": "seats", "table": "seats", "q": "quit", "exit": "quit", "?": "help", "h": "help"}


def not_ours(path: Path) -> tuple[Diagnostic, ...]:
    """Why a file must not be written to: its folder is missing, or it exists and is no saved play or trace."""
    if os.path.isdir(path):
        return (problem("PC009", path=str(path), why="it is a folder"),)
    if not os.path.isdir(path.parent):
        return (problem("PC009", path=str(path), why="its folder does not exist"),)
    if os.path.exists(path) and path.stat().st_size and documents.read_document(path)[0] is None:
        return (problem("PC009", path=str(path), why="it exists, and is no saved play or trace"),)
    return ()


def _choice_text(step: Step, *, with_question: bool = True) -> str:
    """Who chose what; without the question where it stands just above, or is only that somebody must decide."""
    who = {"players": step.decider, "table": "the table", "chance": "chance", "reading": "the reading"}[step.chooser]
    asked = f"{step.prompt} " if with_question and step.chooser != "players" else ""
    return f"{who}: {asked}“{step.choice.words}”"


def _unquoted(words: str) -> str:
    return words[1:-1].strip() if len(words) > 1 and words[0] == words[-1] == '"' else words


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

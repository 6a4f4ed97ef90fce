"""What must hold of every play of every book, whatever is chosen: a watch over one machine that checks moments, steps and documents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

from plainchant.play import documents
from plainchant.play.machine import Machine
from plainchant.play.moment import Choice, Moment, Question, Step, taken
from plainchant.play.session import Session

Choose = Callable[[Question], Choice | int]
"""Takes one of the legal choices of a question."""

WRITES = ("record ", "cross off ", "list ", "a card may record ")
"""How statements begin that write the log."""

BAG_CHANGES = ("add ", "remove ", "the ")
"""How statements begin that bring tokens in or out; the last is `the … holds …`."""


class Watch:
    """Plays and checks. Every check raises AssertionError."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.program = machine.program
        self.bounds = [(v.unknown if v.asked else v.low, v.high) for v in self.program.variables]
        self.tokens = [(words, variable) for bag in self.program.bags for words, variable in bag.tokens]

    def play(self, session: Session, choose: Choose, *, saved_at: int, most: int = 500) -> None:
        """Play to a stop, checking each step; before decision `saved_at` and at the end also every document of the play."""
        self.sound(session.moment)
        stale: Choice | None = None
        for number in range(most):
            asked = session.question
            if asked is None:
                break
            if number == saved_at:
                self.documents(session)
            self.refuses(session, asked, stale)
            before = session.moment
            choice = choose(asked)
            self.runs_agree(session, asked, choice)
            self.step(session, choice)
            self.undone_and_redone(session, before)
            stale = asked.choices[0] if asked.choices else Choice(asked.step, 0, str(asked.low), asked.cites, asked.low)
        assert (session.ending is None) != (session.question is None)
        assert session.question is None, f"still going on after {most} decisions"
        self.refuses(session, None, stale)
        self.documents(session)

    def sound(self, moment: Moment) -> None:
        """Every value lies in its declared range (no bag holds less than nothing), or says that it was not asked yet."""
        for (low, high), variable, value in zip(self.bounds, self.program.variables, moment.values, strict=True):
            assert low <= value and (high is None or value <= high), f"{variable.name} is {value}"

    def step(self, session: Session, choice: Choice | int) -> None:
        """Take a choice; nothing is refused, and each step that follows (draws as well) is sound."""
        made = len(session.history)
        _, refused = session.apply(choice)
        assert refused == ()
        assert len(session.history) > made
        for number in range(made, len(session.history)):
            before, after = session.moments[number : number + 2]
            self.sound(after)
            self.told(before, session.history[number], after)

    def told(self, before: Moment, step: Step, after: Moment) -> None:
        """A step tells all that changed; only what is cited writes the log; moving tokens neither makes nor loses any."""
        old_new = {
            v.name: (old, new) for v, old, new in zip(self.program.variables, before.values, after.values, strict=True) if old != new
        }
        assert {name: (old, new) for name, old, new in step.changed} == old_new
        if any(name.startswith("log.") for name in old_new):
            writers = [note.cites for note in step.notes if note.text.startswith(WRITES) and note.cites]
            assert writers or step.choice.cites, f"nothing cited wrote {old_new}"
        if not any(note.text.startswith(BAG_CHANGES) for note in step.notes):
            assert self._total(before) == self._total(after)

    def _total(self, moment: Moment) -> Counter[str]:
        total: Counter[str] = Counter()
        for words, variable in self.tokens:
            total[words] += moment.values[variable]
        return total

    def runs_agree(self, session: Session, asked: Question, choice: Choice | int) -> None:
        """The run that remembers its way and the fast one come to rest at the same block with the same values."""
        named = choice if isinstance(choice, Choice) else Choice(asked.step, 0, str(choice), asked.cites, choice)
        state, target = taken(self.machine, session.moment, named)
        fast = list(state)
        run = self.machine.run(state, target)
        assert (self.machine.run_fast(fast, target), fast) == (run.block, state)

    def refuses(self, session: Session, asked: Question | None, stale: Choice | None) -> None:
        """What is not offered, or was offered at an earlier moment, is refused by PC502 and changes nothing."""
        wrong: list[Choice | int | str] = ["no such words", ""]
        if asked is None:
            wrong += [0, 1]
        elif asked.wants_number:
            wrong += [asked.low - 1, asked.high + 1]
        else:
            wrong += [0, len(asked.choices) + 1]
        if stale is not None:
            wrong.append(stale)
        before = (session.moment, session.history, session.undone)
        for one in wrong:
            step, refused = session.apply(one)
            assert step is None
            assert [diagnostic.code for diagnostic in refused] == ["PC502"]
        assert (session.moment, session.history, session.undone) == before

    def undone_and_redone(self, session: Session, before: Moment) -> None:
        """Undo leads to the moment before the last decision of a person, redo to the present one, with the same steps."""
        after, history = session.moment, session.history
        taken_back = session.undo()
        assert (session.moment, session.history) == (before, history[: len(history) - len(taken_back)])
        assert tuple(reversed(taken_back)) == history[len(session.history) :]
        assert session.redo() == tuple(reversed(taken_back))
        assert (session.moment, session.history) == (after, history)

    def documents(self, session: Session) -> None:
        """A saved game and a trace, once through JSON, lead to the same moment with the same history."""
        resumed, diagnostics = documents.resume(self.machine, json.loads(json.dumps(documents.saved(session))))
        assert diagnostics == ()
        assert resumed is not None
        assert (resumed.moment, resumed.history) == (session.moment, session.history)
        replayed, departure, _ = documents.replay(self.machine, json.loads(json.dumps(documents.trace(session))))
        assert departure is None
        assert replayed is not None
        assert replayed.moment == session.moment

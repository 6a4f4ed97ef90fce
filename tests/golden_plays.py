"""A play as a document for people: what the log, the bag and the seats hold at each part's start and at the end, what changed them,
and what people were told to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from books import Table
from plainchant.meaning.kernel import Program
from plainchant.play import account, views
from plainchant.play.documents import cites_words
from plainchant.play.machine import Machine
from plainchant.play.moment import Choice
from plainchant.play.session import Session
from plainchant.text.place import Cite

WRITTEN = ("log", "value", "bag", "keep")
"""What a document tells of: the printed log, the bags and what is kept beside them."""


def play_script(path: Path, entrance: str, of: Machine | None = None) -> Session:
    """Play by a script, one choice a line, with the question above it as a comment; every line must be legal.

    Raises AssertionError where the play departs from its script.
    """
    session = Table(entrance, of=of).session
    above = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            above = line.removeprefix("# ")
            continue
        asked = session.question
        assert asked is None or above == f"{asked.decider}: {asked.prompt}", f"{path.name}:{number - 1}: {asked.prompt} is asked here"
        _, refused = session.apply(line)
        assert not refused, f"{path.name}:{number}: {refused[0].message}"
    return session


def document(session: Session, title: str) -> str:
    """The whole document, as Markdown."""
    end = session.ending
    assert end is not None, "the script ends before the play does"
    lines = [f"# {title}", "", f"{len(session.history)} decisions. Play stopped: {end.kind} — {end.about}{_cited(session, end.cites)}."]
    if end.kind != "end":
        lines += ["", *(f"- {words.rstrip('?')}: {value}" for words, value in end.values)]
    lines += [*_parts(session), "", "## At the end", "", *_standing(session, session.moment.values)]
    return "\n".join(lines) + "\n"


def _parts(session: Session) -> Iterator[str]:
    """Each part when it is entered, and what happens in it."""
    program = session.program
    values = list(session.machine.initial(next(e for e in program.entrances if e.name == session.began.entrance)))
    part = ""
    for choice, passage in _passages(session):
        if passage.section.part != part:
            part = passage.section.part
            yield from ("", f"## {passage.section.part_words}", "", *_standing(session, values), "")
        if choice:
            yield choice
        told = False
        for deed in passage.deeds:
            for variable, (_, new) in deed.changes.items():
                values[variable] = new
            changed = [_change(program, i, old, new) for i, (old, new) in deed.changes.items() if program.variables[i].role in WRITTEN]
            if deed.note and (changed or deed.note.instruction):
                told = True
                what = f": {'; '.join(changed)}" if changed else ""
                yield f"- {passage.section.words}: {deed.note.text}{_cited(session, deed.note.cites)}{what}"
        if passage.entered and not told:
            yield f"- {passage.section.words}"
    assert tuple(values) == session.moment.values, "the account of the play does not lead to its end"


def _change(program: Program, number: int, old: int, new: int) -> str:
    """What a variable was and is; of a bag other than the book's first it is said which."""
    variable = program.variables[number]
    other = next((bag.words for bag in program.bags[1:] if number in dict(bag.tokens).values()), "")
    return f"{variable.words}{f' ({other})' if other else ''}: {variable.shown(old)} → {variable.shown(new)}"


def _passages(session: Session) -> Iterator[tuple[str, account.Passage]]:
    """Everything that happened, with the decision before it, in words."""
    yield from (("", passage) for passage in account.of_opening(session))
    for number, step in enumerate(session.history, 1):
        told = _told(session, step.choice, f"{step.decider}: {step.prompt}")
        passages = account.of_step(session, number)
        if not passages or passages[0].section != step.section:
            yield told, account.Passage(step.section, False, ())
            told = ""
        for passage in passages:
            yield told, passage
            told = ""


def _told(session: Session, choice: Choice, question: str) -> str:
    return f"- *{question}* **{choice.words}**{_cited(session, choice.cites)}"


def _standing(session: Session, values: Sequence[int]) -> Iterator[str]:
    """The campaign log, the bags and the seats."""
    program = session.program
    yield f"Campaign log: {'; '.join(_line(line) for line in views.campaign_log(program, values)) or 'empty'}."
    for bag in program.bags:
        held = views.bag(program, values, bag.name)
        if held or bag == program.bags[0]:
            tokens = ", ".join(token if count == 1 else f"{token} ×{count}" for token, count in held.items())
            yield f"\n{bag.words[0].upper()}{bag.words[1:]}: {tokens or 'empty'}."
    for seat in views.seats(program, values):
        fields = ", ".join(f"{label.replace(': ', ' ')} {value}" for label, value in seat.fields if value not in ("0", "no"))
        yield f"\n{seat.words}: {fields}."


def _line(line: views.LogLine) -> str:
    """A line of the log: what is crossed off is struck out, tally marks are counted."""
    words = line.words if line.number is None or str(line.number) in line.words else f"{line.words} ({line.number})"
    return f"~~{words}~~" if line.crossed_off else words


def _cited(session: Session, cites: Sequence[Cite]) -> str:
    words = cites_words(cites, session.program.source)
    return f" ({words})" if words else ""

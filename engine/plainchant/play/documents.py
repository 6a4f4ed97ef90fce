"""Plays as JSON: saved games and ITF traces, written, read again, and replayed against the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainchant import __version__
from plainchant.files import write_whole
from plainchant.meaning.kernel import Program
from plainchant.play import views
from plainchant.play.machine import Machine
from plainchant.play.moment import Choice, Question, Step
from plainchant.play.session import Session
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.place import Cite, cite_text

SAVED = "plainchant/play/1"
TRACE = "plainchant/trace/1"


class Departure(Frozen):
    """Where a replay departs from its document: the step (from 1), and why."""

    step: int
    why: str
    legal: str = ""


# ---------------------------------------------------------------- writing


def cites_json(cites: Sequence[Cite], source: str | None) -> list[dict[str, Any]]:
    """Citations as JSON: one object for each range."""
    return [{"source": cite.source or source, "from": low, "to": high} for cite in cites for low, high in cite.ranges]


def step_json(step: Step, source: str | None) -> dict[str, Any]:
    """A step in the compact form of traces and saved games."""
    choice: str | int = step.choice.words if step.choice.value is None else step.choice.value
    rules = [{"rule": note.text, "cites": cites_json(note.cites, source)} for note in step.notes]
    return {
        "section": f"{step.section.part_words} / {step.section.words}",
        "rule": step.prompt,
        "cites": cites_json(step.cites, source),
        "chooser": step.chooser,
        "decider": step.decider,
        "choice": choice,
        "number": step.choice.number,
        "changed": {name: [old, new] for name, old, new in step.changed},
        "carried_out": rules,
    }


def saved(session: Session) -> dict[str, Any]:
    """A play as a saved game: how it began, every choice (undone ones apart), and the state for comparison."""
    source = session.program.source
    return {
        "schema": SAVED,
        "plainchant": __version__,
        **_origin(session),
        "steps": [step_json(step, source) for step in session.history],
        "undone": [step_json(step, source) for step in session.undone],
        "section": f"{session.section.part_words} / {session.section.words}",
        "state": session.state(),
    }


def trace(session: Session, *, whole_states: bool = False) -> dict[str, Any]:
    """A play as a trace in the Informal Trace Format (ADR-015 of Apalache); the whole state in each step only on request."""
    program = session.program
    names = [variable.name for variable in program.variables] if whole_states else []
    states: list[dict[str, Any]] = []
    metas = [{"index": 0, "section": _first_section(session)}]
    metas += [{"index": i, **step_json(step, program.source)} for i, step in enumerate(session.history, 1)]
    for moment, meta in zip(session.moments, metas, strict=True):
        values = views.state(program, moment.values) if whole_states else {}
        states.append({"#meta": meta, **values})
    end = session.ending
    return {
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": f"A play of {program.title}",
        },
        "schema": TRACE,
        "plainchant": __version__,
        **_origin(session),
        "vars": names,
        "states": states,
        "steps": [step_json(step, program.source) for step in session.history],
        "ending": None if end is None else {"kind": end.kind, "about": end.about, "cites": cites_json(end.cites, program.source)},
    }


def _first_section(session: Session) -> str:
    first = session.history[0].section if session.history else session.section
    return f"{first.part_words} / {first.words}"


def _origin(session: Session) -> dict[str, Any]:
    began = session.began
    return {
        "book": session.program.book,
        "rules": session.program.digest,
        "entrance": began.entrance,
        "seed": began.seed,
        "readings": dict(began.readings),
    }


def write_json(path: Path, document: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """Write a document whole or not at all."""
    return write_text(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> tuple[Diagnostic, ...]:
    """Write a file whole or not at all."""
    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        return (problem("PC009", path=str(path), why=error.strerror or str(error)),)
    return ()


# ---------------------------------------------------------------- reading and replaying


def read_document(path: Path) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """A saved game or trace; None with the reason if the file is something else."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None, (problem("PC001", path=str(path)),)
    except UnicodeDecodeError:
        return None, (problem("PC503", path=str(path), why="it is not UTF-8 text"),)
    except OSError as error:
        return None, (problem("PC006", path=str(path), why=error.strerror or str(error)),)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        return None, (problem("PC503", path=str(path), why=f"it is no JSON ({error.msg} in line {error.lineno})"),)
    except RecursionError:
        return None, (problem("PC503", path=str(path), why="it is nested too deeply"),)
    except ValueError:  # Python reads no number of more than some thousand digits
        return None, (problem("PC503", path=str(path), why="a number in it is too large"),)
    why = _why_not(document)
    if why == "newer":
        return None, (problem("PC509", path=str(path), schema=document["schema"]),)
    if why:
        return None, (problem("PC503", path=str(path), why=why),)
    return document, ()


def other_book(path: Path, document: Mapping[str, Any] | None, program: Program) -> tuple[Diagnostic, ...]:
    """The complaint about a document of another book than the program's; nothing if it is one of this book (or none)."""
    if document is None or document["book"] == program.book:
        return ()
    return (problem("PC507", why=f"“{path}” is a play of “{document['book']}”, not of “{program.book}”"),)


def _why_not(document: Any) -> str:
    """Why a JSON document is no play (`newer` for an unknown schema version); empty if it is one."""
    if not isinstance(document, dict):
        return "it is no JSON object"
    schema = document.get("schema")
    if schema not in (SAVED, TRACE):
        newer = isinstance(schema, str) and schema.rpartition("/")[0] in ("plainchant/play", "plainchant/trace")
        return "newer" if newer else "it has no schema of a play"
    wanted: dict[str, type | tuple[type, ...]] = {"book": str, "entrance": str, "steps": list, "readings": dict}
    for key, kind in wanted.items():
        if not isinstance(document.get(key), kind):
            return f"“{key}” is missing or of the wrong kind"
    seed = document.get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        return "“seed” is no number"
    for number, step in enumerate(document["steps"], 1):
        if not isinstance(step, dict) or not isinstance(step.get("choice"), str | int) or isinstance(step.get("choice"), bool):
            return f"step {number} names no choice"
    if not all(isinstance(k, str) and isinstance(v, str) for k, v in document["readings"].items()):
        return "“readings” holds something else than words"
    return ""


def replay(machine: Machine, document: Mapping[str, Any]) -> tuple[Session | None, Departure | None, tuple[Diagnostic, ...]]:
    """Play a document again: the session as far as it got, and where it departs, if anywhere."""
    session, diagnostics = Session.start(
        machine, document["entrance"], seed=document.get("seed"), readings=document["readings"]
    )  # fmt: skip
    if session is None:
        return None, None, diagnostics
    for number, step in enumerate(document["steps"], 1):
        drawn = session.history[number - 1] if number <= len(session.history) else None
        departure = _next(session, number, step) if drawn is None else _compared(number, step, drawn)
        if departure is not None:
            return session, departure, ()
    return session, _compared_end(session, document), ()


def _next(session: Session, number: int, step: Mapping[str, Any]) -> Departure | None:
    asked = session.question
    if asked is None:
        end = session.ending
        return Departure(number, f"play has stopped before it: {end.about if end else ''}")
    made, refused = session.apply(_told_choice(asked, step))
    if made is None:
        return Departure(number, refused[0].message, asked.legal())
    return _compared(number, step, made)


def _told_choice(asked: Question, step: Mapping[str, Any]) -> Choice | str | int:
    """The choice that a step names: by its words; where several choices read alike, its number says which."""
    told: str | int = step["choice"]
    alike = [choice for choice in asked.choices if choice.words == told]
    return next((choice for choice in alike if choice.number == step.get("number")), told) if len(alike) > 1 else told


def _compared(number: int, told: Mapping[str, Any], made: Step) -> Departure | None:
    """Whether a step is as the document tells it, in what the document tells."""
    choice: str | int = made.choice.words if made.choice.value is None else made.choice.value
    if made.chooser == "chance" and told["choice"] != choice:
        return Departure(number, f"chance drew “{choice}”, the document says “{told['choice']}”")
    section = f"{made.section.part_words} / {made.section.words}"
    if told.get("section") not in (None, section):
        return Departure(number, f"play is at “{section}”, the document says “{told['section']}”")
    changed = {name: [old, new] for name, old, new in made.changed}
    if told.get("changed") not in (None, changed):
        return Departure(number, f"it changes {_difference(changed, told['changed'])}")
    return None


def _difference(made: Mapping[str, Any], told: Any) -> str:
    if not isinstance(told, dict):
        return "other things than the document says"
    names = sorted(set(made) ^ set(told) | {n for n in set(made) & set(told) if made[n] != told[n]})
    return "other things than the document says: " + ", ".join(names[:5])


def _compared_end(session: Session, document: Mapping[str, Any]) -> Departure | None:
    if "ending" in document:
        told_end, end = document["ending"], session.ending
        told_kind, kind = told_end.get("kind") if isinstance(told_end, dict) else None, None if end is None else end.kind
        if told_kind != kind:
            why = f"{_stop_words(kind)}, the document says: {_stop_words(told_kind)}"
            return Departure(len(document["steps"]), why)
    told = document.get("state")
    if isinstance(told, dict) and told != session.state():
        made = session.state()
        names = sorted(name for name in set(told) | set(made) if told.get(name) != made.get(name))
        return Departure(len(document["steps"]), f"the state is another one: {', '.join(names[:5])}")
    return None


def _stop_words(kind: str | None) -> str:
    return "play goes on" if kind is None else f"play stops ({kind})"


def resume(machine: Machine, document: Mapping[str, Any]) -> tuple[Session | None, tuple[Diagnostic, ...]]:
    """A session from a saved game, with what had been undone ready to be redone; refused if it departs under these rules."""
    session, departure, diagnostics = replay(machine, document)
    if session is None:
        return None, diagnostics
    if departure is not None:
        return None, (problem("PC504", step=departure.step, why=departure.why),)
    undone = document.get("undone")
    if isinstance(undone, list):
        _redoable(session, undone)
    return session, ()


def _redoable(session: Session, undone: list[Any]) -> None:
    """Make the undone choices and undo them again; those that do not fit any more are left out."""
    made = 0
    for step in undone:
        if not isinstance(step, dict) or not isinstance(step.get("choice"), str | int):
            break
        if step.get("chooser") == "chance" and session.moment.chance is not None:
            continue
        asked = session.question
        if asked is None or session.apply(_told_choice(asked, step))[0] is None:
            break
        made += 1
    for _ in range(made):
        session.undo()


def cites_words(cites: Sequence[Cite], source: str | None) -> str:
    """Citations for people: `tcu 118, 123`."""
    texts: list[str] = []
    before: str | None = None
    for cite in dict.fromkeys(cites):
        named = cite.source or source
        lines = cite_text(cite).rpartition(":")[2].lstrip("@")
        texts.append(lines if named == before or named is None else f"{named} {lines}")
        before = named
    return ", ".join(texts)

"""Scripts: a play decided beforehand, as a text file with one choice a line, or as a trace or saved game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plainchant.play import documents
from plainchant.play.session import Session
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, errors_in, problem
from plainchant.text.source import Source, read_source


class Script(Frozen):
    """Either the lines of a text (number and choice), or a document as `documents.read_document` gives it."""

    source: Source
    lines: tuple[tuple[int, str], ...] = ()
    document: Mapping[str, Any] | None = None


def read_script(path: Path) -> tuple[Script | None, tuple[Diagnostic, ...]]:
    """Read a script. Empty lines and lines that begin with # say nothing; a file that begins with { is a trace or saved game."""
    source, found = read_source(path)
    if errors_in(found):
        return None, found
    if source.text.lstrip().startswith("{"):
        document, found = documents.read_document(path)
        return (None, found) if document is None else (Script(source, document=document), ())
    lines = ((number, line.strip()) for number, line in enumerate(source.lines, 1))
    return Script(source, tuple((n, line) for n, line in lines if line and not line.startswith("#"))), ()


def follow(session: Session, script: Script) -> tuple[Diagnostic, ...]:
    """Make the choices of a text script, up to the first that the book does not offer there."""
    for step, (number, words) in enumerate(script.lines, 1):
        asked = session.question
        choice = words[1:-1] if len(words) > 1 and words[0] == words[-1] == '"' else words
        made, refused = session.apply(choice)
        if made is None:
            line = script.source.line(number)
            at = script.source.span(number, len(line) - len(line.lstrip()) + 1, len(words))
            legal = asked.legal() if asked is not None else ""
            return (departure(documents.Departure(step, refused[0].message, legal), at=at, source_line=line),)
    return ()


def departure(found: documents.Departure, **place: Any) -> Diagnostic:
    """The diagnostic of a script that departs, with the legal choices if there are any."""
    cure = "" if found.legal else "take out what follows; play has stopped before it"
    return problem("PC505", cure=cure, step=found.step, why=found.why, legal=found.legal, **place)

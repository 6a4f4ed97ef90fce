"""The printed texts themselves, where somebody has them: found in a folder, and compared with the tables of their lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from plainchant.meaning.coverage import SourceCoverage, ranges_text
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.printed import Change, changes, likeness, lines_of

_LEAST_LIKENESS = 0.2
"""A file that shares fewer lines with a table is another text."""

Printing = tuple[str, ...]


def read_printings(folder: Path) -> tuple[dict[str, Printing], tuple[Diagnostic, ...]]:
    """The lines of all text files of a folder, by the name of the file without its suffix."""
    if not os.path.isdir(folder):
        return {}, (problem("PC001", path=str(folder)),)
    found: dict[str, Printing] = {}
    wrong: list[Diagnostic] = []
    for path in sorted(folder.glob("*.txt")):
        try:
            found[path.stem] = tuple(lines_of(path.read_bytes().decode("utf-8")))
        except OSError as error:
            wrong.append(problem("PC006", path=str(path), why=error.strerror or "unknown reason"))
        except UnicodeDecodeError:
            wrong.append(problem("PC006", path=str(path), why="it is not UTF-8 text"))
    return found, tuple(wrong)


def printing_of(covered: SourceCoverage, printings: Mapping[str, Printing]) -> Printing | None:
    """The text of a source: the file that is called like it, else the one that holds most of its lines."""
    if covered.source in printings:
        return printings[covered.source]
    if covered.table is None or not printings:
        return None
    table = covered.table
    best = max(printings.values(), key=lambda lines: likeness(table, lines))
    return best if likeness(table, best) >= _LEAST_LIKENESS else None


def differences(covered: SourceCoverage, printing: Sequence[str]) -> tuple[Diagnostic, ...]:
    """What is printed otherwise than the table says, with the rules that cite those lines."""
    if covered.table is None:
        return ()
    return tuple(problem("PC809", message=_told(change, covered)) for change in changes(covered.table, printing))


def _told(change: Change, covered: SourceCoverage) -> str:
    lines = range(change.first, change.last + 1)
    rules = list(dict.fromkeys(rule for line in covered.lines if line.line in lines for rule in line.rules))
    named = ranges_text(lines) or "0"
    word = "line" if change.first == change.last else "lines"
    now = ranges_text(range(change.now[0], change.now[1] + 1))
    if change.sort == "new":
        return f"behind line {named} of {covered.source} new lines are printed ({now} now)"
    said = "no longer printed" if change.sort == "gone" else f"printed otherwise ({now} now)"
    verb = "is" if change.first == change.last else "are"
    cited = f"; cited by {', '.join(rules)}" if rules else ""
    return f"{word} {named} of {covered.source} {verb} {said}{cited}"

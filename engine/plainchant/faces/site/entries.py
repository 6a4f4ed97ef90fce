"""Which log entries exclude or imply each other at the end of a campaign, by their printed words."""

from __future__ import annotations

from plainchant.faces.site.md import bullets, link, said
from plainchant.faces.site.writer import Writer
from plainchant.records import Frozen


class Pairs(Frozen):
    """By the words of an entry's line: the lines that it excludes and implies; and of each line the entry's identifier."""

    excludes: dict[str, list[str]]
    implies: dict[str, list[str]]
    entries: dict[str, str]


def pairs_of(writer: Writer) -> Pairs:
    """The pairs of a book that has a matrix."""
    matrix, program = writer.book.matrix, writer.book.program
    pairs = Pairs({}, {}, {})
    for a, b in matrix.exclusive:
        pairs.excludes.setdefault(a.words, []).append(b.words)
        pairs.excludes.setdefault(b.words, []).append(a.words)
    for a, b in matrix.implies:
        pairs.implies.setdefault(a.words, []).append(b.words)
    if program is not None:
        for entry in program.log:
            for words, variable, _ in entry.lines:
                pairs.entries.setdefault(words, entry.name)
                pairs.entries.setdefault(program.variables[variable].words, entry.name)
    return pairs


def pairs_section(writer: Writer, here: str, entry: str) -> str:
    """What an entry excludes and implies, for its own page."""
    if writer.book.matrix is None:
        return ""
    pairs = pairs_of(writer)
    lines = []
    for words in dict.fromkeys(words for words, name in pairs.entries.items() if name == entry):
        for verb, found in (("excludes", pairs.excludes), ("implies", pairs.implies)):
            others = [writer.link(here, ("entry", pairs.entries.get(other, "")), said(other)) for other in found.get(words, [])]
            if others:
                lines.append(f"{said(words)} {verb} {', '.join(others)}")
    table = link(here, writer.page("matrix"), "the whole table")
    told = bullets(lines) if lines else "It excludes and implies no other entry."
    return f"## At the end of a campaign\n\n{told}\n\nSee {table}."

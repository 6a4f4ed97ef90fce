"""Reports: what a run found, as text with carets for people and as JSON for programs."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Any

from plainchant.faces.checking import CheckedBook, all_claims, all_diagnostics, counts_of
from plainchant.faces.proofs_text import reasons_json
from plainchant.play.documents import cites_json
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.place import NOWHERE, Span

if TYPE_CHECKING:
    from rich.console import Console

    from plainchant.faces.findings import ClaimVerdict, Finding

SCHEMA = "plainchant-check-1"
"""The version of the JSON report's shape."""

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "caret": "bold red",
    "dim": "dim",
    "cure": "green",
    "file": "bold",
}
_WIDEST_LINE = 160
"""Longer lines of a file are shown in part, around the place."""
_UNPRINTED = re.compile(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Control characters, and what is no character: halves of surrogate pairs (from file names that are not UTF-8), U+FFFE and U+FFFF."""


def open_console(stream: IO[str] | None = None) -> Console:
    """Where text goes: colours only on a terminal, and never if NO_COLOR is set; plain lines otherwise."""
    from rich.console import Console
    from rich.text import Text

    class Pipe(Console):
        """A console that leaves a closed pipe to the command line, which ends quietly."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

        def print(self, *objects: Any, **how: Any) -> None:
            """What is neither laid out nor coloured is written as it is: Rich would take forty times as long, and reports are long."""
            if not terminal and len(objects) == 1 and how.get("soft_wrap") and isinstance(objects[0], str | Text):
                line = Text(objects[0]).plain if isinstance(objects[0], str) else objects[0].plain
                if "\t" not in line:
                    self.file.write(f"{line}\n")
                    return
            super().print(*objects, **how)

    plain: dict[str, Any] = {"color_system": None} if os.environ.get("NO_COLOR") else {}
    made = Pipe(file=stream or sys.stdout, highlight=False, markup=False, emoji=False, **plain)
    terminal = made.is_terminal
    return made


# ---------------------------------------------------------------- text


def show_diagnostics(diagnostics: Iterable[Diagnostic], stream: IO[str] | None = None) -> None:
    """Show what is wrong with the input of a call, on standard error if nothing else is said."""
    console = open_console(stream or sys.stderr)
    _show_by_file(console, tuple(diagnostics))


def show_report(books: Sequence[CheckedBook], stream: IO[str] | None = None) -> None:
    """The report of a check: all that was found, grouped by file, and a summary."""
    console = open_console(stream)
    found = all_diagnostics(books)
    _show_by_file(console, found)
    for book in books:
        if book.findings:
            from plainchant.faces.findings_text import show_findings

            show_findings(console, book.findings, book.source)
        if book.proven and book.claims:
            from plainchant.faces.findings_text import show_claims

            show_claims(console, book.claims, book.source)
    if found or any(book.findings or (book.proven and book.claims) for book in books):
        console.print()
    for line in _summary(books):
        console.print(line, soft_wrap=True)


def _show_by_file(console: Console, diagnostics: Sequence[Diagnostic]) -> None:
    from rich.text import Text

    files = dict.fromkeys(diagnostic.at.file for diagnostic in diagnostics)
    for i, file in enumerate(files):
        if i:
            console.print()
        if file:
            console.print(Text(file, _STYLES["file"]), soft_wrap=True)
        for j, diagnostic in enumerate(d for d in diagnostics if d.at.file == file):
            if j or file:
                console.print()
            _show(console, diagnostic)


def _show(console: Console, diagnostic: Diagnostic) -> None:
    from rich.text import Text

    at, style = diagnostic.at, _STYLES[diagnostic.severity]
    place = "" if at == NOWHERE else f"line {at.line}, column {at.column}: "
    head = Text.assemble((place, "dim"), (f"{diagnostic.severity} {diagnostic.code} ", style), (diagnostic.entry.title, "bold"))
    console.print(head, soft_wrap=True)
    if diagnostic.source_line and at != NOWHERE:
        for line in _with_caret(diagnostic.source_line, at):
            console.print(line, soft_wrap=True)
    _labelled(console, "", diagnostic.message)
    _labelled(console, "why", diagnostic.entry.cause, "dim")
    if diagnostic.cure:
        _labelled(console, "cure", diagnostic.cure, _STYLES["cure"])
    for words, span in diagnostic.related:
        _labelled(console, "see", f"{words}: {span.file}, line {span.line}")


def _labelled(console: Console, label: str, words: str, style: str = "") -> None:
    """A line with a label before it; on a terminal, long ones are wrapped under themselves."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if not console.is_terminal:
        console.print(Text(f"  {label + ': ' if label else ''}{words}"), soft_wrap=True)
        return
    if not label:
        console.print(Padding(Text(words), (0, 0, 0, 2)))
        return
    grid = Table.grid(padding=(0, 1))
    grid.add_row(Text(f"  {label}:", style), Text(words, style))
    console.print(grid)


def _with_caret(line: str, at: Span) -> list[Any]:
    """The line of the file, and below it carets under the place."""
    from rich.cells import cell_len
    from rich.text import Text

    start, length = at.column - 1, max(1, at.end_column - at.column if at.end_line == at.line else len(line) - at.column + 1)
    if len(line) > _WIDEST_LINE:
        cut = max(0, min(start - _WIDEST_LINE // 3, len(line) - _WIDEST_LINE))
        line, start = line[cut : cut + _WIDEST_LINE], start - cut
    length = max(1, min(length, len(line) - start))
    margin, gap = f"{at.line:>6} │ ", " " * cell_len(line[:start])
    carets = "^" * max(1, cell_len(line[start : start + length]))
    return [
        Text.assemble((margin, "dim"), line.rstrip()),
        Text.assemble((" " * 6 + " │ ", "dim"), gap, (carets, _STYLES["caret"])),
    ]


def _summary(books: Sequence[CheckedBook]) -> list[str]:
    size = f"{_number(len(books), 'book')}, {_number(sum(book.files for book in books), 'file')}"
    found = counts_of(books)
    said = [_number(found[f"{word}s"], word) for word in ("error", "warning", "note") if found[f"{word}s"]]
    known = sum(1 for book in books for finding in book.findings if finding.acknowledged)
    if known:
        said.append(f"{known} of them known")
    lines = [f"{size}: {', '.join(said) or 'nothing found'}."]
    claims = Counter(claim.verdict for claim, _ in all_claims(books))
    if claims and any(book.proven for book in books):
        told = ", ".join(f"{claims[verdict]} {verdict}" for verdict in ("holds", "fails", "not decided") if claims[verdict])
        lines.append(f"{_number(sum(claims.values()), 'claim')}: {told}.")
    elif claims:
        lines.append(f"{_number(sum(claims.values()), 'claim')}: not decided, for nothing was proven.")
    return lines


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


# ---------------------------------------------------------------- programs


def safe_text(text: str) -> str:
    """Text that JSON and XML can carry: signs that stand for nothing printed become the replacement character."""
    return _UNPRINTED.sub("\N{REPLACEMENT CHARACTER}", text)


def json_report(books: Sequence[CheckedBook], seconds: float) -> dict[str, Any]:
    """The report of a check for programs; its shape is `schemas/check.schema.json`."""
    import plainchant

    found = all_diagnostics(books)
    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "books": [
            {"name": b.name, "files": b.files, "sections": b.sections, "rules": b.rules, "lines": b.lines} for b in books
        ],
        "findings": [_finding(d) for d in found] + [_proven(f, book.source) for book in books for f in book.findings],
        "claims": [_claim(claim, source) for claim, source in all_claims(books)],
        "summary": {**counts_of(books), "seconds": round(seconds, 3)},
    }  # fmt: skip


def _finding(diagnostic: Diagnostic) -> dict[str, Any]:
    entry = diagnostic.entry
    return {
        "code": entry.code, "kind": entry.kind, "severity": entry.severity, "title": entry.title, "message": diagnostic.message,
        "cause": entry.cause, "cure": diagnostic.cure, "at": _place(diagnostic.at), "cites": [], "witness": None, "because": [],
    }  # fmt: skip


def _proven(finding: Finding, source: str | None) -> dict[str, Any]:
    entry = finding.entry
    return {
        "code": entry.code, "kind": finding.kind, "severity": finding.severity, "title": entry.title, "message": finding.message,
        "cause": entry.cause, "cure": entry.cure, "at": _place(finding.at), "cites": cites_json(finding.cites, source), "witness": finding.witness,
        "because": reasons_json(finding.because, source), "about": finding.subject, "known": finding.acknowledged or None,
    }  # fmt: skip


def _claim(claim: ClaimVerdict, source: str | None) -> dict[str, Any]:
    return {
        "name": claim.name, "expression": claim.expression, "verdict": claim.verdict, "bound": claim.bound, "at": _place(claim.at),
        "cites": cites_json(claim.cites, source), "witness": claim.witness, "because": reasons_json(claim.because, source),
        "seconds": claim.seconds, "other": claim.other, "broken": claim.broken,
    }  # fmt: skip


def _place(at: Span) -> dict[str, Any] | None:
    return None if at == NOWHERE else {"file": at.file, "line": at.line, "column": at.column}

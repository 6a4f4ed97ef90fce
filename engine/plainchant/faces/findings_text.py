"""Findings and claims for people: each with its printed lines, a short play or the reason, the notes together at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from plainchant.faces.findings import ClaimVerdict, Finding, with_rounds
from plainchant.faces.proofs_text import broken_lines, reason_lines, witness_lines
from plainchant.play.documents import cites_words
from plainchant.text.place import NOWHERE

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_VERDICTS = {"holds": "green", "fails": "bold red", "not decided": "yellow"}


def show_findings(console: Console, findings: Sequence[Finding], source: str | None) -> None:
    """All findings of a book: first those that want a look, then the known ones, then notes of one kind together."""
    loud = [finding for finding in findings if finding.severity != "note"]
    known = [finding for finding in findings if finding.acknowledged]
    notes = [finding for finding in findings if finding.severity == "note" and not finding.acknowledged]
    for finding in loud:
        console.print()
        _show(console, finding, source)
    for finding in known:
        console.print()
        _show(console, finding, source)
    for title, lines in _notes(notes, source):
        console.print()
        console.print(title, style=_STYLES["note"])
        for line in lines:
            console.print(f"  {line}", soft_wrap=True)


def _show(console: Console, finding: Finding, source: str | None) -> None:
    from rich.text import Text

    entry, style = finding.entry, _STYLES[finding.severity]
    where = cites_words(finding.cites, source)
    place = "" if finding.at == NOWHERE else f"{finding.at.file}:{finding.at.line}  "
    word = "known" if finding.acknowledged else finding.severity
    console.print(Text.assemble((f"{word} {finding.code} ", style), (entry.title, "bold"), (f"  {where}", "dim")), soft_wrap=True)
    console.print(f"  {finding.message}", soft_wrap=True)
    if finding.acknowledged:
        console.print(f"  known: {finding.acknowledged}", style="dim", soft_wrap=True)
        return
    for line in reason_lines(finding.because, source):
        console.print(f"    {line}", soft_wrap=True)
    if finding.witness is not None:
        count = len(finding.witness["steps"])
        console.print(f"  a play that comes to it ({count} decision{'' if count == 1 else 's'}):", soft_wrap=True)
        for line in witness_lines(finding.witness):
            console.print(f"    {line}", style="dim", soft_wrap=True)
    console.print(f"  cure: {entry.cure}", style="green", soft_wrap=True)
    if place:
        console.print(f"  rule: {place.strip()}", style="dim", soft_wrap=True)


def _notes(notes: Iterable[Finding], source: str | None) -> Iterator[tuple[str, list[str]]]:
    by_code: dict[str, list[Finding]] = {}
    for note in notes:
        by_code.setdefault(note.code, []).append(note)
    for code, findings in sorted(by_code.items()):
        title = f"note {code} {findings[0].entry.title} ({len(findings)})"
        yield title, [f"{cites_words(f.cites, source)}: {f.message}" if f.cites else f.message for f in findings]


def show_claims(console: Console, claims: Sequence[ClaimVerdict], source: str | None) -> None:
    """Every claim with its verdict; the reason of those that hold in short, as the lines that make it so."""
    from rich.text import Text

    if not claims:
        return
    console.print()
    console.print("claims", style="bold")
    for claim in claims:
        lines = cites_words([cite for reason in claim.because for cite in reason.cites][:6], source)
        because = f"  by {lines}{' …' if len(claim.because) > 6 else ''}" if lines else ""
        console.print(
            Text.assemble(
                (f"  {claim.verdict:<12}", _VERDICTS[claim.verdict]),
                claim.name,
                (f": {with_rounds(claim.expression, claim.bound)}", "dim"),
                (because, "dim"),
            ),
            soft_wrap=True,
        )
        for line in broken_lines(claim):
            console.print(f"    {line}", style="dim", soft_wrap=True, markup=False)

"""What is proven of The Circle Undone, once for all tests."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from books import lines_of, machine
from plainchant.faces.findings import Because, ClaimVerdict, Finding
from plainchant_proofs.checking import Proof, prove


@cache
def proof() -> Proof:
    return prove(machine("tcu").program, cache=False)


def found(code: str, subject: str = "") -> list[Finding]:
    """The findings with a code, about one thing or about anything."""
    return [finding for finding in proof().findings if finding.code == code and subject in ("", finding.subject)]


def lines(findings: Iterable[Finding | ClaimVerdict | Because]) -> set[int]:
    """The printed lines that are cited."""
    return {line for finding in findings for line in lines_of(finding.cites)}

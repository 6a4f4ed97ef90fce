"""Findings and claims as plain data: what the prover reports and every output format shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plainchant.text.tree import NOWHERE, Cite, Span


@dataclass(frozen=True, slots=True)
class Because:
    """A printed line that is part of a reason, with what it does."""

    cites: tuple[Cite, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the book that its designer wants to know.

    `key` names it from run to run (kind and place); `witness` is a trace that the engine has replayed, or None; `because` are the printed
    lines of the reason in the order of play. An acknowledged finding is known and does not fail the run: `acknowledged` is its reason.
    """

    code: str
    key: str
    message: str
    at: Span = NOWHERE
    cites: tuple[Cite, ...] = ()
    witness: Mapping[str, Any] | None = field(default=None, compare=False)
    because: tuple[Because, ...] = ()
    acknowledged: str = ""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What became of a claim: holds, fails or not decided; `bound` is set where a loop was unrolled only so often."""

    name: str
    expression: str
    verdict: str
    bound: int | None
    at: Span
    cites: tuple[Cite, ...]
    witness: Mapping[str, Any] | None = field(default=None, compare=False)
    because: tuple[Because, ...] = ()
    seconds: float = field(default=0.0, compare=False)

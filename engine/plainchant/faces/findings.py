"""Findings and claims as plain data: what the prover reports and every output format shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainchant.records import Frozen, PartlyCompared
from plainchant.text.codes import CODES, Code
from plainchant.text.place import NOWHERE, Cite, Span

REACHABLE, UNREACHABLE, NOT_DECIDED = "reachable", "unreachable", "not decided"
"""The verdicts on what is asked: whether some play comes to it."""


def loops_followed(rounds: int | None) -> str:
    """To how many rounds of loops a verdict is bound, in words; nothing if it is not."""
    return "" if rounds is None else f"loops followed {rounds} times"


def with_rounds(text: str, rounds: int | None) -> str:
    """A text with the bound of its verdict, if it has one, behind it."""
    return text if rounds is None else f"{text} ({loops_followed(rounds)})"


class Because(Frozen):
    """A printed line that is part of a reason, with what it does."""

    cites: tuple[Cite, ...]
    text: str


class Finding(PartlyCompared):
    """Something about the book that its designer wants to know.

    `kind` and `subject` (a section's key, or the name of an entry, reading or claim) are what an acknowledgement names; `witness` is a
    trace that the engine has replayed, or None; `because` are the printed lines of the reason in the order of play. An acknowledged
    finding is known and does not fail the run: `acknowledged` is its reason.
    """

    APART = frozenset({"witness"})

    code: str
    kind: str
    subject: str
    message: str
    at: Span = NOWHERE
    cites: tuple[Cite, ...] = ()
    witness: Mapping[str, Any] | None = None
    because: tuple[Because, ...] = ()
    acknowledged: str = ""

    @property
    def entry(self) -> Code:
        """The registry's entry of this finding."""
        return CODES[self.code]

    @property
    def severity(self) -> str:
        """error, warning or note; a known finding is no more than a note."""
        return "note" if self.acknowledged else self.entry.severity


class ClaimVerdict(PartlyCompared):
    """What became of a claim: holds, fails or not decided; `bound` is set where a loop was unrolled only so often.

    `other` is a second play, for a claim that two plays break together. `broken` is a round that breaks the claim from a state that may be
    one that no play comes to: its section, the values `from` which it begins, and the `steps` that were decided.
    """

    APART = frozenset({"witness", "other", "seconds"})

    name: str
    expression: str
    verdict: str
    bound: int | None
    at: Span
    cites: tuple[Cite, ...]
    witness: Mapping[str, Any] | None = None
    because: tuple[Because, ...] = ()
    seconds: float = 0.0
    other: Mapping[str, Any] | None = None
    broken: Mapping[str, Any] | None = None

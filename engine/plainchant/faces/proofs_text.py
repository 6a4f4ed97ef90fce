"""Witnesses and reasons in the words of people, for every report that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plainchant.faces.findings import Because, ClaimVerdict
from plainchant.play.documents import cites_json, cites_words

_SHOWN_STEPS = 6
"""Decisions of a witness that a short report shows; the last ones tell most."""


def reason_lines(because: Sequence[Because], source: str | None) -> Iterator[str]:
    """Each printed line of a reason: where it stands, and what it does."""
    for reason in because:
        where = cites_words(reason.cites, source)
        yield f"{where}: {reason.text}" if where else reason.text


def reasons_json(because: Sequence[Because], source: str | None) -> list[dict[str, Any]]:
    """A reason as JSON: one object for each range of printed lines; a rule without a citation counts as well, and has no lines."""
    nowhere: list[dict[str, Any]] = [{"source": None, "from": None, "to": None}]
    return [{**cite, "text": reason.text} for reason in because for cite in cites_json(reason.cites, source) or nowhere]


def witness_lines(witness: Mapping[str, Any], *, whole: bool = False) -> Iterator[str]:
    """The decisions of a play, one a line; a short report shows the last ones and says how many stand before."""
    steps = witness["steps"]
    first = 0 if whole else max(0, len(steps) - _SHOWN_STEPS)
    if first:
        yield f"… {first} decision{'s' if first > 1 else ''} before"
    section = ""
    for step in steps[first:]:
        if step["section"] != section:
            section = step["section"]
            yield f"{section}"
        yield f"  {_decision(step)}"
    ending = witness.get("ending")
    if ending:
        yield f"then: {_ended(ending)}"


def broken_lines(claim: ClaimVerdict) -> Iterator[str]:
    """What breaks a claim: a second play beside its witness, or a round from a state that may be one that no play comes to."""
    if claim.other is not None and claim.witness is not None:
        yield "these two plays decide alike, but for what is in question, and end otherwise:"
        for play in (claim.witness, claim.other):
            yield from (f"  {line}" for line in witness_lines(play))
    if claim.broken is not None:
        yield f"a round breaks it, from a state at “{claim.broken['section']}” that may be one that no play comes to:"
        yield "  " + "; ".join(f"{words}: {value}" for words, value in claim.broken["from"].items())
        yield "  then " + " → ".join(f"“{step}”" for step in claim.broken["steps"])


def _decision(step: Mapping[str, Any]) -> str:
    cites = ", ".join(_lines(cite) for cite in step["cites"][:3])
    where = f" ({cites})" if cites else ""
    return f"{step['rule']} → {step['choice']}{where}"


def _lines(cite: Mapping[str, Any]) -> str:
    lines = str(cite["from"]) if cite["from"] == cite["to"] else f"{cite['from']}-{cite['to']}"
    return f"{cite['source']} {lines}" if cite["source"] else lines


def _ended(ending: Mapping[str, Any]) -> str:
    kinds = {
        "end": "the end",
        "hole": "no printed case applies",
        "impossible": "this cannot be carried out",
        "dead-end": "the text leads nowhere",
        "range": "a number leaves its range",
    }
    return f"{kinds.get(ending['kind'], ending['kind'])}: {ending['about']}"

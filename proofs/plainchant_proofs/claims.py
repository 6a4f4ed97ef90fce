"""Claims: what a book's authors say must hold, each with its verdict and a play or the printed lines that make it so."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.faces.findings import Because, ClaimVerdict, Finding
from plainchant.meaning.kernel import CAMPAIGN, Claimed
from plainchant_proofs.explain import Explainer
from plainchant_proofs.prover import NOT_DECIDED, REACHABLE, UNREACHABLE, Prover, Question, Verdict
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.witness import Promise, sought


def put_claims(prover: Prover, claims: Sequence[Claimed]) -> list[Question]:
    """Announce the questions of all claims: at the end of campaigns, or on their arrival at a section."""
    questions = []
    for claim in claims:
        values = prover.encoding.final if claim.at is None else prover.encoding.at_block[prover.program.sections[claim.at].start]
        term = prover.encoding.condition(sought(claim), values)
        there = prover.encoding.ended() if claim.at is None else prover.arrival(prover.program.sections[claim.at].start)
        entrance = CAMPAIGN if any(e.name == CAMPAIGN for e in prover.program.entrances) else None
        questions.append(prover.put(prover.encoding.terms.all_of((term, there)), entrance))
    return questions


def judged(
    number: int, claim: Claimed, verdict: Verdict, because: tuple[Because, ...]
) -> tuple[ClaimVerdict, Promise | None]:  # fmt: skip
    """The claim's verdict in the words of people, and its witness: a claim that forbids holds if no play shows the forbidden case."""
    promise = None
    if verdict.verdict == REACHABLE and verdict.witness is not None:
        promise = Promise(verdict.witness, claim=number)
        word = "holds" if claim.kind == "possible" else "fails"
    elif verdict.verdict == NOT_DECIDED or verdict.bound is not None:
        word = NOT_DECIDED
    else:
        word = "fails" if claim.kind == "possible" else "holds"
    reason = because if verdict.verdict == UNREACHABLE else ()
    return ClaimVerdict(claim.name, claim.text, word, verdict.bound, claim.span, claim.cites, None, reason), promise


def claim_term(explainer: Explainer, claim: Claimed, arrival: Term | None, entrance: str | None = CAMPAIGN) -> int:
    """Announce to the explainer why a claim's sought case is impossible."""
    encoding = explainer.encoding
    values = encoding.final if claim.at is None else encoding.at_block[explainer.program.sections[claim.at].start]
    there = encoding.ended() if arrival is None else arrival
    entrance = entrance if entrance in encoding.entrances else None
    return explainer.put(encoding.condition(sought(claim), values), (there,), entrance)


def failed_claims(claims: Sequence[ClaimVerdict]) -> list[Finding]:
    """A claim that does not hold is a finding."""
    return [
        Finding(
            "PC761",
            "claim",
            claim.name,
            f"the claim “{claim.name}” fails: {claim.expression}",
            claim.at,
            claim.cites,
            claim.witness,
            claim.because,
        )
        for claim in claims
        if claim.verdict == "fails"
    ]

"""Claims: what a book's authors say must hold, each with its verdict and a play or the printed lines that make it so."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.faces.findings import Because, ClaimVerdict, Finding
from plainchant.meaning.kernel import CAMPAIGN, Claimed, Program
from plainchant_proofs.explain import Explainer
from plainchant_proofs.prover import NOT_DECIDED, REACHABLE, UNREACHABLE, Prover, Question, Verdict
from plainchant_proofs.witness import Promise, shown_by, sought


def put_claims(prover: Prover, claims: Sequence[Claimed]) -> list[Question]:
    """Announce the questions of all claims: at the end of campaigns, or on their arrival at a section."""
    questions = []
    for claim in claims:
        shows = shown_by(prover.program, claim)
        entrance = CAMPAIGN if any(e.name == CAMPAIGN for e in prover.program.entrances) else None
        questions.append(prover.put(prover.encoding.meeting(sought(claim), shows.at), entrance))
    return questions


def judged(
    program: Program, claim: Claimed, verdict: Verdict, because: tuple[Because, ...]
) -> tuple[ClaimVerdict, Promise | None]:  # fmt: skip
    """The claim's verdict in the words of people, and its witness: a claim that forbids holds if no play shows the forbidden case."""
    promise = None
    if verdict.verdict == REACHABLE and verdict.witness is not None:
        promise = Promise(verdict.witness, shown_by(program, claim))
        word = "holds" if claim.kind == "possible" else "fails"
    elif verdict.verdict == NOT_DECIDED or verdict.bound is not None:
        word = NOT_DECIDED
    else:
        word = "fails" if claim.kind == "possible" else "holds"
    reason = because if verdict.verdict == UNREACHABLE else ()
    return ClaimVerdict(claim.name, claim.text, word, verdict.bound, claim.span, claim.cites, None, reason), promise


def claim_term(explainer: Explainer, claim: Claimed, entrance: str | None = CAMPAIGN) -> int:
    """Announce to the explainer why a claim's sought case is impossible."""
    encoding = explainer.encoding
    entrance = entrance if entrance in encoding.entrances else None
    return explainer.put(encoding.meeting(sought(claim), shown_by(explainer.program, claim).at), (), entrance)


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

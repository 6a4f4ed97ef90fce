"""Claims: what a book's authors say must hold, each with its verdict and a play or the printed lines that make it so."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.faces.findings import NOT_DECIDED, REACHABLE, Because, ClaimVerdict, Finding
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import truth
from plainchant.meaning.kernel import Claimed, Program, reads
from plainchant_proofs.explain import Explainer
from plainchant_proofs.prover import Prover, Question, Verdict
from plainchant_proofs.witness import Promise, shown_by, sought


def put_claims(prover: Prover, claims: Sequence[Claimed]) -> list[Question]:
    """Announce the questions of all claims: at the end of campaigns, or on their arrival at a section."""
    encoding = prover.encoding
    return [prover.put(encoding.meeting(sought(claim), shown_by(prover.program, claim).at), encoding.campaign) for claim in claims]


def worked_out(claim: Claimed) -> ClaimVerdict | None:
    """The verdict on a claim about what is printed alone, which no play can change; None for one about plays.

    Its reason are the printed definitions that it compares.
    """
    if claim.bare or claim.at is not None or reads(claim.condition):
        return None
    true = truth(claim.condition, lambda variable: variable, Values())
    word = "holds" if true != (claim.kind == "never") else "fails"
    because = tuple(Because(cites, text) for text, cites in claim.rests_on)
    return ClaimVerdict(claim.name, claim.text, word, None, claim.span, claim.cites, None, because)


def about_plays(program: Program) -> list[Claimed]:
    """The claims on which plays decide."""
    return [claim for claim in program.claims if worked_out(claim) is None]


def promised(program: Program, claim: Claimed, verdict: Verdict) -> Promise | None:
    """The witness of a claim's verdict, and what it will show; None if it has none."""
    return None if verdict.verdict != REACHABLE or verdict.witness is None else Promise(verdict.witness, shown_by(program, claim))


def judged(
    program: Program, claim: Claimed, verdict: Verdict, because: tuple[Because, ...]
) -> tuple[ClaimVerdict, Promise | None]:  # fmt: skip
    """The claim's verdict in the words of people, and its witness: a claim that forbids holds if no play shows the forbidden case."""
    promise = promised(program, claim, verdict)
    if promise is not None:
        word = "holds" if claim.kind == "possible" else "fails"
    elif verdict.open:
        word = NOT_DECIDED
    else:
        word = "fails" if claim.kind == "possible" else "holds"
    return ClaimVerdict(claim.name, claim.text, word, verdict.bound, claim.span, claim.cites, None, because), promise


def claim_term(explainer: Explainer, claim: Claimed, entrance: str | None) -> Question:
    """Announce to the explainer why a claim's sought case is impossible in plays that begin so (None: however they begin)."""
    return explainer.put(explainer.encoding.meeting(sought(claim), shown_by(explainer.program, claim).at), entrance)


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

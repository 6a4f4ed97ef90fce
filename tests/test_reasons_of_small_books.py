"""Reasons of random small books: the lines that `check` and `ask` name are enough, none of them can be spared, and both name the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from hypothesis import given, note

from books import compiled_text
from explored import patient
from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Claimed, Program, reads
from plainchant.play.machine import Machine
from plainchant_proofs.asking import answer
from plainchant_proofs.checking import prove
from plainchant_proofs.claims import about_plays, claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import goals_of
from plainchant_proofs.prover import Limits, Outline, Prover, outlined
from plainchant_proofs.terms import FALSE
from proof_books import books


class Places:
    """The printed places of a book, each of which can be given up; whole, or following only what some claims and the log are about."""

    def __init__(self, program: Program, claims: Sequence[Claimed], outline: Outline) -> None:
        self.program = program
        self.explainer = Explainer(Prover(program, Machine(program), Limits(), tracked=True, outline=outline))
        entrance = self.explainer.encoding.campaign
        self.questions = {claim.name: claim_term(self.explainer, claim, entrance) for claim in claims}

    @cached_property
    def literals(self) -> dict[Because, str]:
        places = self.explainer.prover.places
        assert places is not None
        return {Because(place.cites, place.text): literal for place, literal in places.literals.items()}

    def refute(self, claim: Claimed, reason: Sequence[Because]) -> bool:
        """Whether these places alone refute what a claim is about; what no play comes to, whatever the places say, has none here."""
        question = self.questions[claim.name]
        if question.term is FALSE:
            return True
        assert question.entrance is not None
        fixed = [question.literal, self.explainer.encoding.entrances[question.entrance].name]
        return (
            self.explainer.prover.solver.check([*fixed, *(self.literals[one] for one in reason if one in self.literals)]).verdict == "unsat"
        )


@patient
@given(books())
def test_a_reason_is_enough_and_no_line_of_it_can_be_spared(tmp_path: Path, text: str) -> None:
    note(text)
    program = compiled_text(tmp_path, text)
    outline = outlined(program, Limits(), [claim.condition for claim in program.claims], goals_of(program))
    log = [number for number, variable in enumerate(program.variables) if variable.role in ("log", "value")]
    told = {verdict.name: verdict.because for verdict in prove(program, cache=False).claims}
    whole = Places(program, about_plays(program), outline)
    for claim in about_plays(program):
        reason = told[claim.name]
        if not reason:
            continue
        assert whole.refute(claim, reason)
        followed = outline.slice.narrowed([*log, *reads(claim.condition)])
        near = Places(program, [claim], Outline(outline.unrolled, followed))
        places = near if near.literals.keys() >= set(reason) and near.refute(claim, reason) else whole
        for one in reason:
            assert not places.refute(claim, [other for other in reason if other != one])
        if claim.kind != "always":  # for which the contrary would be asked
            assert answer(program, claim, always=False).because == reason

"""Reasons of random small books: what `check` and `ask` name is enough, by the whole encoding, and none of it can be spared."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, note

from books import compiled_text
from explored import patient
from plainchant.faces.findings import Because
from plainchant.meaning.kernel import Program
from plainchant.play.machine import Machine
from plainchant_proofs.asking import answer
from plainchant_proofs.checking import prove
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import goals_of
from plainchant_proofs.prover import Limits, Prover, Question
from proof_books import books


class Whole:
    """All printed places of a book, each of which can be given up."""

    def __init__(self, program: Program) -> None:
        wanted = [claim.condition for claim in program.claims]
        self.goals = {goal.key: goal for goal in goals_of(program)}
        self.explainer = Explainer(Prover(program, Machine(program), Limits(), wanted, list(self.goals.values()), tracked=True))
        self.claims = {claim.name: claim_term(self.explainer, claim, self.explainer.encoding.campaign) for claim in program.claims}

        places = self.explainer.prover.places
        assert places is not None
        self.places = {Because(place.cites, place.text): literal for place, literal in places.literals.items()}

    def refuted(self, question: Question, reason: tuple[Because, ...]) -> bool:
        """Whether these places alone refute it."""
        fixed = [question.literal, *([] if question.entrance is None else [self.explainer.encoding.entrances[question.entrance].name])]
        return self.explainer.prover.solver.check([*fixed, *(self.places[one] for one in reason)]).verdict == "unsat"


@patient
@given(books())
def test_a_reason_is_enough_and_no_line_of_it_can_be_spared(tmp_path: Path, text: str) -> None:
    note(text)
    program = compiled_text(tmp_path, text)
    whole = Whole(program)
    reasons = [(verdict.name, verdict.because) for verdict in prove(program, cache=False).claims]
    reasons += [(claim.name, answer(program, claim, always=False).because) for claim in program.claims if claim.kind != "always"]
    for name, reason in reasons:
        if reason and whole.places.keys() >= set(reason):  # else the order of the text is the reason
            assert whole.refuted(whole.claims[name], reason)
            for one in reason:
                assert not whole.refuted(whole.claims[name], tuple(other for other in reason if other != one))

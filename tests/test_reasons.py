"""Reasons: no line of one can be left out, and none depends on the solver."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from books import machine
from plainchant.faces.findings import Because
from plainchant_proofs.checking import prove
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import goals_of
from plainchant_proofs.prover import Limits, Prover, Question
from plainchant_proofs.smt import Answer, Solver
from proven import lines, proof


@cache
def explained() -> tuple[Explainer, dict[str, Question]]:
    """The claims that hold because their contrary cannot be, and the number of each question."""
    program = machine("tcu").program
    wanted = [claim.condition for claim in program.claims]
    explainer = Explainer(Prover(program, machine("tcu"), Limits(), wanted, goals_of(program), tracked=True))
    holding = {claim.name for claim in proof().claims if claim.because}
    return explainer, {claim.name: claim_term(explainer, claim, "campaign") for claim in program.claims if claim.name in holding}


def test_the_true_work_needs_loyalty_because_of_line_501() -> None:
    explainer, numbers = explained()
    reasons = explainer.why_not(numbers["the_true_work_is_done_by_the_loyal"])
    assert lines(reasons) == {501, 505}
    (restriction,) = [because for because in reasons if lines([because]) == {501}]
    assert restriction.text == "“Yes.” may be chosen only on its printed condition"


@pytest.mark.parametrize("name", ["one_fate", "one_end_of_the_spell", "one_josef", "liars_are_members", "the_signed_book_lulls", "one_end"])
def test_no_line_of_a_reason_can_be_left_out(name: str) -> None:
    """With all of them it is impossible, without any one of them the model has a play that shows it."""
    explainer, numbers = explained()
    places = _literals(explainer, explainer.why_not(numbers[name]))
    assert places
    solver, fixed = explainer.prover.solver, [numbers[name].literal, explainer.encoding.entrances["campaign"].name]
    assert solver.check([*fixed, *places]).verdict == "unsat"
    for place in places:
        assert solver.check([*fixed, *(other for other in places if other != place)]).verdict == "sat"


def _literals(explainer: Explainer, reasons: Sequence[Because]) -> list[str]:
    return [literal for place, literal in explainer.prover.places.literals.items() if Because(place.cites, place.text) in reasons]


@pytest.mark.parametrize("seed", range(3))
def test_reasons_do_not_depend_on_the_order_in_which_the_solver_is_told(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    explainer, numbers = explained()
    straight = {name: explainer.why_not(number) for name, number in numbers.items()}
    shuffle, check = Random(seed), Solver.check

    def shuffled(self: Solver, assumptions: Sequence[str]) -> Answer:
        mixed = list(assumptions)
        shuffle.shuffle(mixed)
        return check(self, mixed)

    monkeypatch.setattr(Solver, "check", shuffled)
    assert {name: explainer.why_not(number) for name, number in numbers.items()} == straight


def test_nothing_is_decided_with_hardly_any_work() -> None:
    limits = Limits(plays=1, width=1, rlimit=1)
    tired = prove(machine("tcu").program, limits, cache=False)
    undecided = {claim.name for claim in tired.claims if claim.verdict == "not decided"}
    assert undecided == {claim.name for claim in proof().claims} - {"members_hear_their_intro", "enemies_hear_their_intro"}, (
        "no way leads there"
    )
    assert [finding for finding in tired.findings if finding.code == "PC799"]
    negative = ("PC701", "PC702", "PC703", "PC704", "PC716", "PC731", "PC752")
    told = {(finding.code, finding.subject) for finding in tired.findings if finding.code in negative}
    assert told <= {(finding.code, finding.subject) for finding in proof().findings}
    assert not {code for code, _ in told} & {"PC716", "PC731"}

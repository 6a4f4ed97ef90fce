"""The solver takes in its script when it is asked, or in a thread of its own before; what it answers is the same."""

from __future__ import annotations

import pytest
import z3

from plainchant_proofs.smt import Answer, Solver

SCRIPT = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)(assert (=> a b))(assert (not (and b c)))"


def _begun(script: str) -> Solver:
    solver = Solver(script)
    solver.begin()
    return solver


def _ready(script: str) -> Solver:
    solver = Solver(script)
    solver.get_ready()
    return solver


@pytest.mark.parametrize("made", [Solver, _begun, _ready])
def test_what_is_answered_does_not_depend_on_when_the_script_is_taken_in(made: type[Solver]) -> None:
    solver = made(SCRIPT)
    assert solver.check(["a"]) == Answer("sat")
    assert (solver.is_true("b"), solver.is_true("c")) == (True, False)
    assert solver.check(["a", "c"]) == Answer("unsat", ("a", "c"))


@pytest.mark.parametrize("made", [Solver, _begun])
def test_what_is_wrong_with_a_script_is_told_to_whoever_asks(made: type[Solver]) -> None:
    solver = made("(declare-const a Bool")
    for _ in range(2):
        with pytest.raises(z3.Z3Exception, match="invalid"):
            solver.check([])

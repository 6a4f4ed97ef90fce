"""Terms of the prover are worth what values are, also where comparisons are pushed down chains of writes."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from enumeration import holds
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number, truth
from plainchant.meaning.kernel import Cond, Num
from plainchant_proofs.smt import Blank, Solver
from plainchant_proofs.terms import FALSE, TRUE, Printer, Terms, in_order
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.terms import Num as Number
from test_domains import conditions, states
from test_domains import numbers as expressions


def _worth(term: Term | Number, values: Mapping[str, int]) -> int:
    """What a term is worth if its variables have these values."""
    known: dict[int, int] = {}
    for node in in_order(term, ()):
        below = [known[id(argument)] for argument in node.arguments]
        match node.op:
            case "const":
                known[id(node)] = node.low  # type: ignore[union-attr]
            case "true" | "false":
                known[id(node)] = node.op == "true"
            case "var":
                known[id(node)] = values[node.name]
            case "plus":
                known[id(node)] = below[0] + below[1]
            case "minus":
                known[id(node)] = below[0] - below[1]
            case "either":
                known[id(node)] = below[1] if below[0] else below[2]
            case "equal":
                known[id(node)] = below[0] == below[1]
            case "less":
                known[id(node)] = below[0] < below[1]
            case "and":
                known[id(node)] = all(below)
            case "or":
                known[id(node)] = any(below)
            case "not":
                known[id(node)] = not below[0]
    return known[id(term)]


@given(expressions, conditions, states)
def test_terms_of_constants_are_what_values_are(expression: Num, condition: Cond, state: list[int]) -> None:
    terms = Terms()
    folded = number(expression, lambda v: terms.number(state[v]), terms)
    assert (folded.op, folded.low) == ("const", number(expression, state.__getitem__, Values()))
    assert truth(condition, lambda v: terms.number(state[v]), terms) is (TRUE if holds(condition, state) else FALSE)


@given(expressions, conditions, states)
def test_terms_of_variables_are_worth_what_values_are(expression: Num, condition: Cond, state: list[int]) -> None:
    """The terms themselves, and what the solver makes of their text, in which each number has just the bits that it needs."""
    terms = Terms()
    read = [terms.number_variable(f"v{i}", -3, 6) for i in range(len(state))]
    values = {f"v{i}": value for i, value in enumerate(state)}
    told, asked = number(expression, read.__getitem__, terms), truth(condition, read.__getitem__, terms)
    expected, met = number(expression, state.__getitem__, Values()), holds(condition, state)
    assert told.low <= expected <= told.high
    assert (_worth(told, values), _worth(asked, values)) == (expected, met)

    printer = Printer()
    here = terms.all_of(terms.equal(one, terms.number(value)) for one, value in zip(read, state, strict=True))
    wrong = terms.opposite(terms.equal(told, terms.number(expected)))
    for literal, term in (("holds", asked), ("fails", terms.opposite(asked)), ("wrong", wrong)):
        printer.declare(literal)
        printer.hold(literal, terms.all_of((here, term)))
    solver = Solver(printer.text)
    verdicts = {literal: solver.check([literal]).verdict for literal in ("holds", "fails", "wrong")}
    assert verdicts == {"holds": "sat" if met else "unsat", "fails": "unsat" if met else "sat", "wrong": "unsat"}


links = st.lists(st.tuples(st.integers(0, 5), st.integers(-2, 4)), max_size=30)
Links = list[tuple[int, int]]


@given(links, links, st.integers(-3, 5), st.lists(st.booleans(), min_size=6, max_size=6))
def test_comparisons_are_pushed_down_chains_of_writes(first: Links, second: Links, constant: int, flags: list[bool]) -> None:
    """A variable that was written up to thirty times is compared with a constant, or with another such one."""
    terms = Terms()
    guards = [terms.condition_variable(f"c{i}") for i in range(6)]
    values = {f"c{i}": int(flag) for i, flag in enumerate(flags)}

    def chain(written: Links) -> tuple[Number, int]:
        term, value = terms.number(0), 0
        for place, new in written:
            term, value = terms.either(guards[place], terms.number(new), term), new if flags[place] else value
        return term, value

    (left, one), (right, other) = chain(first), chain(second)
    limit = terms.number(constant)
    assert _worth(terms.equal(left, limit), values) == _worth(terms.equal(limit, left), values) == (one == constant)
    assert _worth(terms.less(left, limit), values) == (one < constant)
    assert _worth(terms.less(limit, left), values) == (constant < one)
    assert _worth(terms.equal(left, right), values) == (one == other)
    assert _worth(terms.less(left, right), values) == (one < other)


def test_a_solver_made_ahead_is_taken_once() -> None:
    """What is asked of one never shows in another."""
    blank = Blank()
    one = Solver("(declare-const a Bool)\n(assert a)\n", blank=blank)
    other = Solver("(declare-const a Bool)\n(assert (not a))\n", blank=blank)
    assert one.check([]).verdict == other.check([]).verdict == "sat"
    assert one.check(["a"]).verdict == "sat"
    assert other.check(["a"]).verdict == "unsat"

"""Whatever the prover says of a small book is what an explicit search finds that tries all plays; and the model admits every play."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from unittest.mock import patch

from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from books import machine
from enumeration import Everything, Node, TooLarge, holds
from plainchant.faces.findings import REACHABLE, UNREACHABLE
from plainchant.meaning.domains import Values
from plainchant.meaning.evaluate import number, truth
from plainchant.meaning.kernel import Cases, Claimed, Cond, Entrance, Num, Program, Range, Stop
from plainchant.meaning.lower import compile_book
from plainchant.meaning.modules import load
from plainchant.meaning.question import ask_book
from plainchant.play.documents import replay
from plainchant.play.machine import Machine
from plainchant_proofs import matrix as matrix_module
from plainchant_proofs.asking import answer, bound
from plainchant_proofs.checking import Proof, prove
from plainchant_proofs.ensuring import ensure
from plainchant_proofs.explore import Witness
from plainchant_proofs.findings import carried_out
from plainchant_proofs.goals import Goal, Target
from plainchant_proofs.prover import Limits, Prover
from plainchant_proofs.readings import endings
from plainchant_proofs.smt import Solver
from plainchant_proofs.standalone import shared_facts, standalones
from plainchant_proofs.terms import FALSE, TRUE, Printer, Terms, in_order
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.terms import Num as Number
from plainchant_proofs.topology import unrolled
from proof_books import books, numbers, questions
from test_domains import conditions, states
from test_domains import numbers as expressions

CAMPAIGN = "campaign"
FEW = Limits(plays=1, width=1)
"""Few plays look first, so that the solver has something to decide."""

patient = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture])


class Book:
    """A small book, compiled, with everything that its plays can come to."""

    def __init__(self, folder: Path, text: str) -> None:
        note(text)
        self.path = folder / "small.rules"
        self.path.write_text(text, encoding="utf-8")
        program, diagnostics = compile_book(self.path)
        assert program is not None, [d.message for d in diagnostics]
        self.program = program
        self.machine = Machine(program)
        try:
            self.all = {entrance.name: Everything(self.machine, entrance) for entrance in program.entrances}
        except TooLarge:
            assume(False)
        self.campaign = self.all[CAMPAIGN]

    # ------------------------------------------------------------ goals

    def reached(self, goal: Goal) -> bool:
        """Whether some play from any entrance does what the goal says."""
        return any(self._reached_in(everything, goal) for everything in self.all.values())

    def _reached_in(self, everything: Everything, goal: Goal) -> bool:
        if goal.both is not None:
            return bool(self.overlapping(everything, goal))
        if goal.together:
            first, second = goal.targets
            one, other = everything.arrivals(_block(first)), everything.arrivals(_block(second))
            return any(node in everything.after(one) for node in other) or any(node in everything.after(other) for node in one)
        return any(self.passing(everything, target) for target in goal.targets)

    @staticmethod
    def passing(everything: Everything, target: Target) -> list[Node]:
        return everything.arrivals(target) if isinstance(target, int) else everything.passes(*target)

    @staticmethod
    def overlapping(everything: Everything, goal: Goal) -> list[Node]:
        assert goal.both is not None
        block, i, j = goal.both
        exit_ = everything.machine.program.blocks[block].exit
        assert isinstance(exit_, Cases)
        guards = (exit_.cases[i].condition, exit_.cases[j].condition)
        return [node for node in everything.arrivals(block) if all(holds(guard, everything.inside[node]) for guard in guards)]

    # ------------------------------------------------------------ states

    def states(self, claim: Claimed) -> list[tuple[int, ...]]:
        """The states that a claim is about."""
        if claim.at is None:
            return self.campaign.finals()
        return [values for _, values in self.campaign.arrivals(self.program.sections[claim.at].start)]

    def ensured(self, claim: Claimed) -> bool:
        """Whether the players can force it."""
        start = None if claim.at is None else self.program.sections[claim.at].start

        def settled(node: Node) -> bool | None:
            if node[0] == start:
                return holds(claim.condition, node[1])
            stopped = self.campaign.stopped(node)
            if stopped:
                return start is None and stopped == "end" and holds(claim.condition, self.campaign.inside[node])
            return None

        return self.campaign.can_ensure(settled)


def _block(target: Target) -> int:
    return target if isinstance(target, int) else target[0]


# ---------------------------------------------------------------- witnesses, played again without the prover


def _followed(machine: Machine, witness: Witness) -> list[tuple[int, tuple[int, ...], int | None]]:
    """Each block that a witness passes, with the values on arrival and the decision that was made there."""
    entrance = machine.program.entrance(witness.entrance)
    assert entrance is not None
    state, block = machine.initial(entrance), entrance.block
    decisions = list(witness.decisions)
    passed: list[tuple[int, tuple[int, ...], int | None]] = []
    while True:
        arrival = tuple(state)
        following = machine.step(state, block)
        if following >= 0:
            passed.append((block, arrival, None))
            block = following
            continue
        exit_ = machine.program.blocks[block].exit
        if not decisions or isinstance(exit_, Stop):
            passed.append((block, arrival, None))
            assert not decisions, "a witness goes on after the play has stopped"
            return passed
        decided = decisions.pop(0)
        legal = machine.options(state, block)
        assert decided in legal
        passed.append((block, arrival, decided))
        block = machine.take(state, block, decided)


def _shows(book: Book, witness: Witness, goal: Goal) -> bool:
    """Whether a witness does what the goal says."""
    passed = _followed(book.machine, witness)
    everything = book.all[witness.entrance]
    if goal.both is not None:
        shown = set(book.overlapping(everything, goal))
        return any((block, values) in shown for block, values, _ in passed)
    blocks = [block for block, _, _ in passed]
    if goal.together:
        return all(_block(target) in blocks for target in goal.targets)
    ways = set(_ways(everything, passed))
    return any(target in ways or target in blocks for target in goal.targets)


def _ways(everything: Everything, passed: Sequence[tuple[int, tuple[int, ...], int | None]]) -> list[tuple[int, int]]:
    ways = []
    for (block, values, decided), (after, _, _) in pairwise(passed):
        taken = {way for way, (target, _) in everything.following[(block, values)] if target == after}
        ways += [(block, way) for way in taken if decided is None or isinstance(_exit(everything, block), Range) or way == decided]
    return ways


def _exit(everything: Everything, block: int) -> object:
    return everything.machine.program.blocks[block].exit


def _replays(machine: Machine, trace: object) -> bool:
    """Whether a trace, once through JSON, is a play of these rules."""
    session, departure, refused = replay(machine, json.loads(json.dumps(trace)))
    return session is not None and departure is None and refused == ()


# ---------------------------------------------------------------- verdicts of `prove`


def _verdicts_agree(book: Book, proof: Proof, loops: bool) -> None:
    for goal, verdict in proof.verdicts.items():
        assert verdict.verdict in (REACHABLE, UNREACHABLE), goal
        reached = book.reached(goal)
        if verdict.verdict == REACHABLE:
            assert reached, goal
            assert verdict.witness is not None
            assert _shows(book, verdict.witness, goal), goal
        else:
            assert not reached or (loops and verdict.bound is not None), goal
        assert loops or verdict.bound is None


def _findings_agree(book: Book, proof: Proof, loops: bool) -> None:
    """Each finding's trace is a play; an instruction that no campaign can carry out is one that none does."""
    for finding in proof.findings:
        assert finding.witness is None or _replays(book.machine, finding.witness), finding
    contradictions = {finding.at for finding in proof.findings if finding.code == "PC716"}
    for goal, verdict in proof.verdicts.items():
        if goal.kind == "impossible" and verdict.verdict == REACHABLE:
            never = not any(book.campaign.arrivals(block) for block in carried_out(book.program, goal))
            told = goal.span in contradictions
            assert told == never or (loops and never), goal


def _claims_agree(book: Book, proof: Proof, loops: bool) -> None:
    for claim, told in zip(book.program.claims, proof.claims, strict=True):
        states = book.states(claim)
        expected = {
            "never": not any(holds(claim.condition, values) for values in states),
            "always": all(holds(claim.condition, values) for values in states),
            "possible": any(holds(claim.condition, values) for values in states),
        }[claim.kind]
        if told.verdict == "not decided":
            assert loops and told.bound is not None
            continue
        assert told.verdict == ("holds" if expected else "fails"), claim.text
        shown = expected == (claim.kind == "possible")
        assert (told.witness is not None) == shown
        assert told.witness is None or _replays(book.machine, told.witness)


def _readings_agree(book: Book, proof: Proof) -> None:
    """What a finding says of a reading is what the states say: a goal depends on it if not every alternative can reach it."""
    program = book.program
    goals = [goal for goal in proof.verdicts if goal.kind in ("section", "entry")] + endings(program)
    found = {finding.subject: finding.code for finding in proof.findings if finding.code in ("PC751", "PC752")}
    for variable, declared in enumerate(program.variables):
        if declared.role != "reading":
            continue
        reached: dict[int, set[Goal]] = {}
        for value in range(declared.low, (declared.high or 0) + 1):
            stops = [
                node for node in book.campaign.following if book.campaign.stopped(node) and book.campaign.inside[node][variable] == value
            ]
            passed = {node[0] for node in book.campaign.before(stops)}
            taken = book.campaign.before(stops)
            reached[value] = {goal for goal in goals if any(_passed(book, target, taken, passed) for target in goal.targets)}
        differs = len({frozenset(one) for one in reached.values()}) > 1
        asked = declared.name.rpartition(".")[2]
        if asked in found:
            assert found[asked] == ("PC751" if differs else "PC752")
        else:
            assert not differs


def _passed(book: Book, target: Target, taken: set[Node], passed: set[int]) -> bool:
    if isinstance(target, int):
        return target in passed
    block, way = target
    return any(node[0] == block and any(w == way and after in taken for w, after in book.campaign.following[node]) for node in taken)


def _standalones_agree(book: Book, proof: Proof) -> None:
    found = {finding.subject for finding in proof.findings if finding.code == "PC731"}
    prover = Prover(book.program, book.machine, FEW, [claim.condition for claim in book.program.claims], list(proof.verdicts))
    for one in standalones(book.machine):
        facts = [(variable, value) for variable, value, _ in shared_facts(one.states)]
        alone = [values for _, values in book.all[one.entrance.name].arrivals(one.leads_to.start)]
        assert all(values[variable] == value for values in alone for variable, value in facts)
        relevant = {v for v, _ in facts if v in prover.encoding.final}
        there = book.campaign.arrivals(one.leads_to.start)
        possible = any(all(values[v] == value for v, value in facts if v in relevant) for _, values in there)
        assert (one.section.key in found) == (not possible)


# ---------------------------------------------------------------- terms


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


# ---------------------------------------------------------------- small books


@given(text=books())
@settings(patient, max_examples=200)
def test_every_verdict_about_a_small_book_is_what_its_plays_show(tmp_path: Path, text: str) -> None:
    book = Book(tmp_path, text)
    proof = prove(book.program, FEW, cache=False)
    _verdicts_agree(book, proof, loops=False)
    _findings_agree(book, proof, loops=False)
    _claims_agree(book, proof, loops=False)
    _readings_agree(book, proof)
    _standalones_agree(book, proof)


@given(text=books(loops=True))
@settings(patient, max_examples=100)
def test_nothing_is_claimed_about_loops_beyond_the_bound(tmp_path: Path, text: str) -> None:
    book = Book(tmp_path, text)
    proof = prove(book.program, Limits(plays=1, width=1, unroll=2), cache=False)
    _verdicts_agree(book, proof, loops=True)
    _findings_agree(book, proof, loops=True)
    _claims_agree(book, proof, loops=True)


# ---------------------------------------------------------------- answers of `ask`

sections = st.sampled_from([None, '"Tale 0"', '"Sequel" / "Sequel 0"'])


def _asked(book: Book, condition: str, at: str | None, measured: Sequence[str] = ()) -> tuple[Program, Claimed]:
    note(f"ask {condition} at {at} of {measured}")
    asked, diagnostics = ask_book(load(book.path)[0], condition, at, measured)
    assert asked is not None, [d.message for d in diagnostics]
    assert asked.program.blocks == book.program.blocks or asked.program.variables != book.program.variables
    return asked.program, asked.program.claims[-1]


def _again(book: Book, program: Program) -> Book:
    """The same book with a question in it (a question about `reached` adds variables)."""
    if program.blocks != book.program.blocks or program.variables != book.program.variables:
        book.program, book.machine = program, Machine(program)
        book.all = {entrance.name: Everything(book.machine, entrance) for entrance in program.entrances}
        book.campaign = book.all[CAMPAIGN]
    return book


@given(
    text=st.one_of(books(), books(loops=True)),
    condition=questions,
    at=sections,
    always=st.booleans(),
    measured=numbers,
    least=st.booleans(),
)
@settings(patient, max_examples=200)
def test_every_answer_about_a_small_book_is_what_its_plays_show(
    tmp_path: Path, text: str, condition: str, at: str | None, always: bool, measured: str, least: bool
) -> None:  # fmt: skip
    book = Book(tmp_path, text)
    program, claim = _asked(book, condition, at, [measured])
    _again(book, program)
    states = book.states(claim)
    met = [values for values in states if holds(claim.condition, values)]
    looped = unrolled(program, 2).bound is not None
    limits = Limits(unroll=2)

    told = answer(program, claim, always, limits=limits)
    true = ("fails" if len(met) < len(states) else "holds") if always else ("reachable" if met else "unreachable")
    assert told.answer == true or (looped and told.answer == "not decided")
    assert (told.witness is not None) == (told.answer in ("reachable", "fails"))
    assert told.witness is None or _replays(book.machine, told.witness)

    limit = bound(program, claim, least=least, limits=limits)
    values = [number(program.measures[0], state.__getitem__, Values()) for state in met]
    if limit.answer == "not decided":
        assert looped
    elif limit.bound is None:
        assert limit.value == ((min if least else max)(values) if values else None)
    else:
        assert limit.value in values
    assert limit.witness is None or _replays(book.machine, limit.witness)


@given(text=st.one_of(books(), books(loops=True)), condition=questions, at=sections)
@settings(patient, max_examples=150)
def test_the_players_can_ensure_what_an_explicit_game_says(tmp_path: Path, text: str, condition: str, at: str | None) -> None:
    book = Book(tmp_path, text)
    program, claim = _asked(book, condition, at)
    _again(book, program)
    told = ensure(program, claim)
    if told.answer == "not decided":
        assert unrolled(program, 2).bound is not None
        return
    assert told.answer == ("holds" if book.ensured(claim) else "fails")
    assert told.witness is not None
    session, departure, _ = replay(book.machine, json.loads(json.dumps(told.witness)))
    assert session is not None and departure is None
    if claim.at is None and session.ending is not None:
        good = session.ending.kind == "end" and holds(claim.condition, session.moment.values)
        assert good == (told.answer == "holds")


@given(text=books())
@settings(patient, max_examples=60)
def test_the_matrix_of_a_small_book_is_what_its_ends_show(tmp_path: Path, text: str) -> None:
    book = Book(tmp_path, text)
    with patch.object(matrix_module, "PLAYS", 2):  # so that the solver has something to decide
        table = matrix_module.matrix(book.machine, FEW)
    ends = book.campaign.finals()
    variables = [variable for entry in book.program.log for _, variable, _ in entry.lines]
    there = {variable: {i for i, values in enumerate(ends) if values[variable] == 1} for variable in variables}
    live = [variable for variable in variables if there[variable]]
    always = [variable for variable in live if len(there[variable]) == len(ends)]
    assert [line.variable for line in table.lines] == live
    assert [line.variable for line in table.always] == always
    pairs = [(a, b) for i, a in enumerate(live) for b in live[i + 1 :]]
    assert {(a.variable, b.variable) for a, b in table.exclusive} == {(a, b) for a, b in pairs if not there[a] & there[b]}
    implied = {(a, b) for a in live for b in live if a != b and b not in always and there[a] <= there[b]}
    assert {(a.variable, b.variable) for a, b in table.implies} == implied
    assert table.undecided == table.unsure == ()


# ---------------------------------------------------------------- every play of the engine is one of the model's


def _admitted(prover: Prover, machine: Machine, entrance: Entrance, choose: Callable[[Sequence[int]], int]) -> list[Term]:
    """A random play of the (unrolled) program, as the terms that say of the model that it is this one, to its last value."""
    encoding = prover.encoding
    terms = encoding.terms
    state, block = machine.initial(entrance), entrance.block
    said: list[Term] = [encoding.entrances[entrance.name]]
    while True:
        run = machine.run(state, block)
        said += [encoding.arrives[passed] for passed in run.path if prover.slice.past(passed) == passed]
        rest = run.block
        exit_ = machine.program.blocks[rest].exit
        if isinstance(exit_, Stop):
            said += [terms.equal(value, terms.number(state[variable])) for variable, value in encoding.final.items()]
            return said
        open_ = machine.options(state, rest)
        decided = choose(open_)
        if isinstance(exit_, Range) and rest in encoding.numbers:
            said.append(terms.equal(encoding.numbers[rest], terms.number(decided)))
        elif (rest, decided) in encoding.selected:
            said.append(encoding.selected[(rest, decided)])
        block = machine.take(state, rest, decided)


@given(text=st.one_of(books(), books(loops=True)), data=st.data())
@settings(patient, max_examples=150)
def test_the_model_admits_every_play_of_a_small_book(tmp_path: Path, text: str, data: st.DataObject) -> None:
    note(text)
    path = tmp_path / "small.rules"
    path.write_text(text, encoding="utf-8")
    program, _ = compile_book(path)
    assert program is not None
    prover = Prover(program, Machine(program), Limits(unroll=3), [claim.condition for claim in program.claims])
    cut = Machine(unrolled(program, 3).program)
    plays = [
        _admitted(prover, cut, data.draw(st.sampled_from(program.entrances)), lambda open_: data.draw(st.sampled_from(list(open_))))
        for _ in range(3)
    ]
    asked = [prover.put(prover.encoding.terms.all_of(said)) for said in plays]
    assert [prover.ask(question, witness=False).verdict for question in asked] == [REACHABLE] * 3


def test_the_model_admits_random_plays_of_the_campaign() -> None:
    played = machine("tcu")
    prover = Prover(played.program, played)
    chance = Random(1)
    entrances = [*played.program.entrances * 5, *[played.program.entrances[0]] * 30]
    plays = [_admitted(prover, played, entrance, chance.choice) for entrance in entrances]
    asked = [prover.put(prover.encoding.terms.all_of(said)) for said in plays]
    assert {prover.ask(question, witness=False).verdict for question in asked} == {REACHABLE}

"""Whatever the prover says of a small book is what an explicit search finds that tries all plays; and the model admits every play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from hypothesis import given, note, settings
from hypothesis import strategies as st

from books import compiled_text, machine
from enumeration import Everything, Node, holds
from explored import FEW, Book, block_of, patient, replays
from plainchant.faces.findings import REACHABLE, UNREACHABLE
from plainchant.meaning.kernel import Entrance, Range, Stop
from plainchant.play.machine import Machine
from plainchant_proofs.checking import Proof, prove
from plainchant_proofs.explore import Witness
from plainchant_proofs.findings import carried_out
from plainchant_proofs.goals import Goal, Target
from plainchant_proofs.prover import Limits, Prover
from plainchant_proofs.readings import endings
from plainchant_proofs.standalone import shared_facts, standalones
from plainchant_proofs.terms import Cond as Term
from plainchant_proofs.topology import unrolled
from proof_books import books

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
        return all(block_of(target) in blocks for target in goal.targets)
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
        assert finding.witness is None or replays(book.machine, finding.witness), finding
    contradictions = {finding.at for finding in proof.findings if finding.code == "PC716"}
    for goal, verdict in proof.verdicts.items():
        if goal.kind == "impossible" and verdict.verdict == REACHABLE:
            never = not any(book.campaign.arrivals(block) for block in carried_out(book.program, [goal])[goal].targets)
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
        assert told.witness is None or replays(book.machine, told.witness)


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


# ---------------------------------------------------------------- every play of the engine is one of the model's


def _admitted(prover: Prover, machine: Machine, entrance: Entrance, choose: Callable[[Sequence[int]], int]) -> list[Term]:
    """A random play of the (unrolled) program, as the terms that say of the model that it is this one, to its last value."""
    encoding = prover.encoding
    terms = encoding.terms
    state, block = machine.initial(entrance), entrance.block
    said: list[Term] = [encoding.entrances[entrance.name]]
    while True:
        run = machine.run(state, block)
        said += [encoding.arrives[passed] for passed in run.path if prover.known.slice.past(passed) == passed]
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
    program = compiled_text(tmp_path, text)
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

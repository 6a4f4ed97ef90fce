"""Readings: what can still happen under each alternative of an ambiguity, and what therefore depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plainchant.faces.findings import REACHABLE, Because, Finding
from plainchant.meaning.kernel import CAMPAIGN, Choose, Demand, Program, Stop, Truth, Variable, led_to, reads
from plainchant.records import Frozen
from plainchant.text.place import NOWHERE, Cite, Span
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Prover, Question, Verdict
from plainchant_proofs.settling import differing


class Outcomes(Frozen):
    """For one reading: that a campaign takes each alternative, and that it reaches each goal; and whether requirements depend on the answer.

    `before` are goals that play can only reach before it asks how to read: whichever alternative was taken, another could have been.
    """

    variable: int
    taken: Mapping[int, Question]
    goals: Mapping[Goal, Question]
    before: frozenset[Goal] = frozenset()
    requirements: Sequence[tuple[Demand, Question]] = ()


def endings(program: Program) -> list[Goal]:
    """The ends that the book prints, one goal for each label."""
    ends: dict[str, list[int]] = {}
    for number, block in enumerate(program.blocks):
        if isinstance(block.exit, Stop) and block.exit.kind == "end":
            ends.setdefault(block.exit.about, []).append(number)
    found = []
    for label, blocks in ends.items():
        stop = program.blocks[blocks[0]].exit
        assert isinstance(stop, Stop)
        section = program.sections[program.blocks[blocks[0]].section]
        found.append(Goal("end", f"end: {label}", label, section, stop.cites, stop.span, tuple(blocks)))
    return found


def put_readings(prover: Prover, goals: Sequence[Goal]) -> list[Outcomes]:
    """Announce, for each reading and alternative, whether each goal is still reached by a campaign that takes it."""
    if prover.encoding.campaign is None:
        return []
    found = []
    terms, final = prover.encoding.terms, prover.encoding.final
    asked = {goal: prover.put(prover.term(goal), CAMPAIGN) for goal in goals}
    for number, variable in enumerate(prover.program.variables):
        if variable.role == "reading":
            matters = number in final
            taken = {value: prover.put(terms.equal(final[number], terms.number(value)), CAMPAIGN) for value in _values(variable) if matters}
            before = _before(prover.program, number, goals)
            found.append(Outcomes(number, taken, asked if matters else {}, before, _put_requirements(prover, number)))
    return found


def _before(program: Program, variable: int, goals: Sequence[Goal]) -> frozenset[Goal]:
    """The goals that cannot be reached any more when a reading has been asked for."""
    asking = [block.exit for block in program.blocks if isinstance(block.exit, Choose) and block.exit.variable == variable]
    if any(option.condition != Truth(True) for exit_ in asking for option in exit_.options):
        return frozenset()
    later = led_to(program, (option.target for exit_ in asking for option in exit_.options))
    return frozenset(goal for goal in goals if all(isinstance(target, int) and target not in later for target in goal.targets))


def _put_requirements(prover: Prover, variable: int) -> list[tuple[Demand, Question]]:
    """Announce of each requirement that looks at a reading whether some position at an end fulfils it under one answer alone."""
    encoding, program = prover.encoding, prover.program
    found = []
    for demand in program.demands:
        read = reads(demand.met)
        if variable in read and all(one in encoding.final for one in read):
            found.append((demand, prover.put(encoding.meeting(differing(program, demand.met, variable), None), CAMPAIGN)))
    return found


def _values(variable: Variable) -> range:
    return range(variable.low, (variable.high or 0) + 1)


def depending(prover: Prover, outcomes: Sequence[Outcomes]) -> Iterator[Finding]:
    """One finding for each reading: what depends on it, or that nothing does."""
    for one in outcomes:
        variable = prover.program.variables[one.variable]
        reached: dict[Goal, list[int]] = {}
        undecided = False
        for goal, question in one.goals.items():
            before = goal in one.before
            by_value = {value: _reached(prover, one, value, goal, question, before=before) for value in _values(variable)}
            undecided |= any(verdict.open for verdict in by_value.values())
            values = [value for value, verdict in by_value.items() if verdict.verdict == REACHABLE]
            if values:
                reached[goal] = values
        verdicts = [(demand, prover.ask(question, witness=False)) for demand, question in one.requirements]
        undecided |= any(verdict.open for _, verdict in verdicts)
        required = [demand for demand, verdict in verdicts if verdict.verdict == REACHABLE]
        yield _finding(prover.program, one.variable, reached, undecided, required)


def _reached(prover: Prover, outcomes: Outcomes, value: int, goal: Goal, question: Question, *, before: bool) -> Verdict:
    """Whether a campaign that takes this alternative reaches the goal; each play that shows one shows many others."""
    alike = list(outcomes.taken) if before else [value]
    for one in alike:
        passed = prover.seen.by_reading.get((outcomes.variable, one), ())
        if any(isinstance(target, int) and target in passed for target in goal.targets):
            return Verdict(REACHABLE)
    return prover.ask(question, outcomes.taken[alike[0]])


def _finding(program: Program, number: int, reached: Mapping[Goal, list[int]], undecided: bool, required: Sequence[Demand]) -> Finding:
    variable = program.variables[number]
    cites, span = asked_at(program, number)
    because = []
    for value in _values(variable):
        lost = [goal for goal, values in reached.items() if value not in values]
        if lost:
            words = ", ".join(f"“{goal.words}”" for goal in lost[:6]) + (f" and {len(lost) - 6} more" if len(lost) > 6 else "")
            because.append(Because(cites, f"if it means “{variable.shown(value)}”, no campaign reaches {words}"))
    for words in dict.fromkeys(demand.words for demand in required):
        cards = ", ".join(demand.of for demand in required if demand.words == words)
        lines = next(demand.cites for demand in required if demand.words == words)
        because.append(Because(lines, f"“{words}” of {cards}: met in some position under one answer, and not under another"))
    name = variable.name.rpartition(".")[2]
    if undecided:
        message = f"what depends on this reading was not decided within the limits: {variable.words}"
        return Finding("PC799", "not-decided", name, message, span, cites)
    if because:
        message = f"what can happen depends on how the text is read: {variable.words}"
        return Finding("PC751", "reading", name, message, span, cites, None, tuple(because))
    return Finding("PC752", "reading", name, f"{_without_effect(span, reached)}: {variable.words}", span, cites)


def _without_effect(asked_at: Span, reached: Mapping[Goal, list[int]]) -> str:
    """In what way a reading makes no difference."""
    if asked_at == NOWHERE:
        return "no rule asks how this is read"
    if not reached:
        return "no printed condition depends on how this is read"
    return "nothing that can happen depends on how this is read"


def asked_at(program: Program, number: int) -> tuple[tuple[Cite, ...], Span]:
    """Where a reading is asked for: the printed lines, and the section; nothing if no rule asks."""
    for block in program.blocks:
        if isinstance(block.exit, Choose) and block.exit.variable == number:
            section = program.sections[block.section]
            return block.exit.cites, section.span
    return (), NOWHERE

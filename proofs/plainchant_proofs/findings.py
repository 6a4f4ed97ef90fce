"""Findings: what the verdicts mean to a rules designer, each with its place, printed lines, witness or reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from plainchant.faces.findings import REACHABLE, UNREACHABLE, Because, Finding, loops_followed
from plainchant.meaning.kernel import LogEntry, Program, SectionInfo, reads
from plainchant.records import Frozen, replace
from plainchant.text.place import NOWHERE, Cite, Span
from plainchant_proofs.explain import Leading, leading, why_no_way
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Verdict
from plainchant_proofs.slicing import guards_of
from plainchant_proofs.witness import Promise

Draft = tuple[Finding, Promise | None]
"""A finding, and the witness that it will show once the engine has played it."""

_UNREACHABLE_CODES = {"section": "PC701", "option": "PC702", "arm": "PC703", "entry": "PC704"}
_REACHABLE_CODES = {
    "hole": "PC711", "overlap": "PC712", "impossible": "PC713", "range": "PC714", "dead-end": "PC715", "twice": "PC741",
}  # fmt: skip


class Proven(Frozen, dict=True):
    """What the findings are made of: the verdict of each goal, which sections are never read, and what no campaign can carry out."""

    program: Program
    verdicts: Mapping[Goal, Verdict]
    never: frozenset[str]
    impossible_always: frozenset[Goal] = frozenset()

    @cached_property
    def leading(self) -> Leading:
        """What leads to each section."""
        return leading(self.program)

    def leads_to(self, section: SectionInfo) -> bool:
        """Whether another section leads there."""
        return any(one != section for one in self.leading[section.start])


def place(section: SectionInfo) -> str:
    """A section in the words of people."""
    return f"“{section.part_words} / {section.words}”"


def explained(goals: Sequence[Goal]) -> list[Goal]:
    """The goals that want a reason if no play reaches them."""
    return [goal for goal in goals if goal.kind in _UNREACHABLE_CODES]


def in_the_order_of_the_text(proven: Proven) -> dict[Goal, tuple[Because, ...]]:
    """Of the goals that want a reason, those to which the order of the text alone is one."""
    return {goal: _order_of_the_text(proven, goal) for goal in _unreachable_goals(proven)}


def from_goals(proven: Proven, reasons: Mapping[Goal, tuple[Because, ...]]) -> Iterator[Draft]:
    """Findings that are verdicts of goals, each with the witness that it promises; `reasons` for those that want one."""
    for goal, verdict in proven.verdicts.items():
        if verdict.open and not (goal in reasons and _in_no_text(proven, goal)):
            why = "was not decided within the limits" if verdict.bound is None else f"is not known ({loops_followed(verdict.bound)})"
            message = f"whether {_named(goal)} in {place(goal.section)} can be reached {why}"
            yield Finding("PC799", "not-decided", goal.section.key, message, goal.span, goal.cites), None
        elif goal in reasons:
            yield _unreachable(proven, goal, verdict, reasons[goal]), None
        elif verdict.verdict == REACHABLE and goal.kind in _REACHABLE_CODES:
            yield _reachable(proven, goal, verdict)


def _in_no_text(proven: Proven, goal: Goal) -> bool:
    """Whether nothing printed leads to a section or records an entry, however often play goes round."""
    return (goal.kind == "entry" and not goal.targets) or (goal.kind == "section" and not proven.leads_to(goal.section))


def _unreachable_goals(proven: Proven) -> Iterator[Goal]:
    """What no play reaches, and should; options and arms of sections that are never read need no finding of their own."""
    for goal, verdict in proven.verdicts.items():
        if verdict.verdict == UNREACHABLE and goal.kind in _UNREACHABLE_CODES:
            alone = goal.kind == "section" and goal.section.kind == "standalone"
            if not alone and not (goal.kind in ("option", "arm") and goal.section.key in proven.never):
                yield goal


def _named(goal: Goal) -> str:
    kinds = {"section": "the section", "option": "the choice", "arm": "the case", "entry": "the entry", "twice": "the instruction"}
    return f"{kinds.get(goal.kind, goal.kind)} “{goal.words}”"


def _unreachable(proven: Proven, goal: Goal, verdict: Verdict, because: tuple[Because, ...]) -> Finding:
    code = _UNREACHABLE_CODES[goal.kind]
    where = "" if goal.kind in ("section", "entry") else f" in {place(goal.section)}"
    words = place(goal.section) if goal.kind == "section" else _named(goal)
    what = {
        "section": "no play reaches", "option": "no play can take", "arm": "no play meets", "entry": "no play records",
    }[goal.kind]  # fmt: skip
    untriggered = goal.kind == "section" and not proven.leads_to(goal.section)
    message = f"nothing printed leads to {words}" if untriggered else f"{what} {words}{where}"
    if goal.kind == "entry" and not goal.targets:
        code, message = "PC723", f"nothing printed records {_named(goal)}"
    kind = "dangling-read" if code == "PC723" else "untriggered" if untriggered else "unreachable"
    subject = goal.key.split(".")[1] if goal.kind == "entry" else goal.section.key
    return Finding("PC721" if untriggered else code, kind, subject, message, goal.span, goal.cites, None, because)


def _order_of_the_text(proven: Proven, goal: Goal) -> tuple[Because, ...]:
    return why_no_way(proven.program, goal.section, proven.never, proven.leading) if goal.kind == "section" else ()


def _reachable(proven: Proven, goal: Goal, verdict: Verdict) -> Draft:
    assert verdict.witness is not None
    promise = Promise(verdict.witness, goal.shows)
    code = _REACHABLE_CODES[goal.kind]
    message = {
        "hole": f"no printed case covers what can be at {goal.words} in {place(goal.section)}",
        "overlap": f"in {place(goal.section)}, {goal.words} can apply at once, and the text does not say which is followed",
        "impossible": f"in {place(goal.section)} it can happen that this cannot be carried out: {goal.words}",
        "range": f"in {place(goal.section)} {goal.words} can leave its range",
        "dead-end": f"the text of {place(goal.section)} can be reached and leads nowhere",
        "twice": f"{place(goal.section)} says twice to {goal.words}, and one play meets both lines",
    }[goal.kind]
    if goal.kind == "impossible" and goal in proven.impossible_always:
        code, message = "PC716", f"in {place(goal.section)}, no campaign can carry this out: {goal.words}"
    kinds = {"impossible": "may-be-absent", "range": "out-of-range", "twice": "duplicate"}
    kind = "contradiction" if code == "PC716" else kinds.get(goal.kind, goal.kind)
    return Finding(code, kind, goal.section.key, message, goal.span, goal.cites), promise


def carried_out(program: Program, goals: Sequence[Goal]) -> dict[Goal, Goal]:
    """For each impossible instruction, that its statement is carried out all the same: the blocks in which it is."""
    blocks: dict[Span, list[int]] = {}
    for number, block in enumerate(program.blocks):
        for span in {note.span for note in block.notes}:
            blocks.setdefault(span, []).append(number)
    return {goal: replace(goal, targets=tuple(blocks.get(goal.span, ()))) for goal in goals if goal.kind == "impossible"}


# ---------------------------------------------------------------- static facts of the text


def untriggered(program: Program) -> Iterator[Finding]:
    """Resolutions for which the guide prints no trigger."""
    for section in program.sections:
        if section.by_a_card:
            message = f"the guide prints no trigger for {place(section)}; a card at the table must name it"
            yield Finding("PC722", "untriggered", section.key, message, section.span, section.cites)


def printed_order(program: Program) -> Iterator[Finding]:
    """Places where the text does not say how to go on."""
    told: set[int] = set()
    for block in program.blocks:
        section = program.sections[block.section]
        for note in block.notes:
            if note.form == "printed order" and block.section not in told:
                told.add(block.section)
                message = f"{place(section)} does not say how to go on; the next part in printed order follows"
                cites = note.cites or section.cites
                yield Finding("PC724", "printed-order", section.key, message, note.span, cites)


def _title(entry: LogEntry) -> str:
    """An entry in the printed words; one that there is for each of a kind by its first, and that there are others."""
    if entry.form == "list" or len(entry.lines) == 1:
        return f"“{entry.title}”"
    return f"“{entry.lines[0][0]}” (and so for each)"


def unread(program: Program) -> Iterator[Finding]:
    """Entries that are recorded and never asked about, and those that are asked about and only a card records."""
    read: set[int] = set()
    by_card: dict[int, bool] = {}
    at: dict[int, Span] = {}
    written: dict[int, tuple[Cite, ...]] = {}
    for block in program.blocks:
        for guard in guards_of(block.exit):
            read |= set(reads(guard))
        for assignment in block.sets:
            role = program.variables[assignment.variable].role
            read |= {v for v in reads(assignment.value) if v != assignment.variable}
            if role == "log":
                card = any(note.form == "card" for note in block.notes)
                at.setdefault(assignment.variable, block.notes[0].span if block.notes else NOWHERE)
                by_card[assignment.variable] = card and by_card.get(assignment.variable, True)
                written[assignment.variable] = written.get(assignment.variable, ()) + assignment.cites
    for entry in program.log:
        variables = [variable for _, variable, _ in entry.lines]
        numbers = [number for _, _, number in entry.lines if number is not None]
        cites = tuple(dict.fromkeys(cite for v in variables for cite in written.get(v, ())))
        asked = any(v in read for v in variables + numbers)
        recorded = any(v in written for v in variables)
        place = next((at[v] for v in variables if v in at), NOWHERE)
        if asked and recorded and all(by_card.get(v, True) for v in variables):
            message = f"the text asks about {_title(entry)}, but nothing printed in it records that; only a card may"
            yield Finding("PC723", "dangling-read", entry.name, message, place, cites)
        elif recorded and not asked:
            message = f"{_title(entry)} is recorded, but no printed condition asks about it"
            yield Finding("PC725", "never-read", entry.name, message, place, cites)

"""What to ask of a book without being asked: every section, option, case, entry, hole, overlap and stop, as goals."""

from __future__ import annotations

from collections.abc import Iterator

from plainchant.meaning.kernel import Branch, Cases, Choose, Cond, Const, Program, SectionInfo, Stop
from plainchant.records import Frozen
from plainchant.text.place import NOWHERE, Cite, Span

Target = int | tuple[int, int]
"""A block at which play arrives, or a way (block, number) by which it leaves one."""


class Shows(Frozen):
    """What a play must do to be a witness of something. Plain data.

    It must pass one of `targets` (with `together`: each of them); come to a block where `both` cases (block, case, case) apply at once; or
    meet a `condition`: on arrival at the block `at`, or, without one, where it stops at an end that the book prints.
    """

    targets: tuple[Target, ...] = ()
    together: bool = False
    both: tuple[int, int, int] | None = None
    condition: Cond | None = None
    at: int | None = None


class Goal(Frozen):
    """A question of reachability.

    It is reached where play passes any of `targets`. With `together`, it must pass all of them; with `both`, the two cases of an exit must
    apply at once (an overlap). kind: section, option, arm, entry, hole, impossible, range, dead-end, overlap, twice.
    """

    kind: str
    key: str
    words: str
    section: SectionInfo
    cites: tuple[Cite, ...]
    span: Span
    targets: tuple[Target, ...]
    together: bool = False
    both: tuple[int, int, int] | None = None

    def __hash__(self) -> int:
        return hash((self.kind, self.key, self.targets))  # the rest only says how it is told

    @property
    def shows(self) -> Shows:
        """What a play must do to reach it."""
        return Shows(self.targets, self.together, self.both)


def goals_of(program: Program) -> list[Goal]:
    """All goals of a book, in the order of its text."""
    return [*_sections(program), *_ways(program), *_entries(program), *_stops(program), *_twice(program)]


def _sections(program: Program) -> Iterator[Goal]:
    for section in program.sections:
        yield Goal("section", section.key, section.words, section, section.cites, section.span, (section.start,))


def _ways(program: Program) -> Iterator[Goal]:
    """The options of decisions and the arms of printed conditions; the copies of one arm (for each seat) are one goal."""
    ways: dict[tuple[str, str, str, tuple[Cite, ...]], list[Target]] = {}
    overlaps: list[Goal] = []
    for number, block in enumerate(program.blocks):
        section = program.sections[block.section]
        match block.exit:
            case Choose(chooser="players" | "chance", options=options):
                for i, option in enumerate(options):
                    ways.setdefault(("option", section.key, option.words, option.cites), []).append((number, i))
            case Cases(cases=cases, prompt=prompt):
                for i, case in enumerate(cases):
                    ways.setdefault(("arm", section.key, case.words, case.cites), []).append((number, i))
                    overlaps += _overlaps(number, i, block.exit, section, prompt)
            case Branch(words=words, cites=cites) if words:
                ways.setdefault(("arm", section.key, words, cites), []).append((number, 0))
    sections = {section.key: section for section in program.sections}
    for (kind, key, words, cites), targets in ways.items():
        yield Goal(kind, f"{key}: {words}", words, sections[key], cites, sections[key].span, tuple(targets))
    yield from overlaps


def _overlaps(block: int, i: int, exit_: Cases, section: SectionInfo, prompt: str) -> list[Goal]:
    goals = []
    for j in range(i):
        a, b = exit_.cases[j], exit_.cases[i]
        words = f"{prompt}: both “{a.words}” and “{b.words}”"
        key = f"{section.key}: {a.words} / {b.words}"
        goals.append(Goal("overlap", key, words, section, a.cites + b.cites, section.span, (block,), both=(block, j, i)))
    return goals


def _entries(program: Program) -> Iterator[Goal]:
    """Each line of the log: the blocks where it is recorded."""
    writers: dict[int, list[Target]] = {}
    cites: dict[int, tuple[Cite, ...]] = {}
    for number, block in enumerate(program.blocks):
        for assignment in block.sets:
            if program.variables[assignment.variable].role == "log" and assignment.value == Const(1):
                writers.setdefault(assignment.variable, []).append(number)
                cites[assignment.variable] = cites.get(assignment.variable, ()) + assignment.cites
        if isinstance(block.exit, Choose):
            for i, option in enumerate(block.exit.options):
                for assignment in option.sets:
                    if program.variables[assignment.variable].role == "log" and assignment.value == Const(1):
                        writers.setdefault(assignment.variable, []).append((number, i))
                        cites[assignment.variable] = cites.get(assignment.variable, ()) + option.cites
    for entry in program.log:
        if entry.form == "printed":
            continue
        for words, variable, _ in entry.lines:
            targets = tuple(writers.get(variable, ()))
            first = targets[0] if targets else program.entrances[0].block
            section = program.sections[program.blocks[first if isinstance(first, int) else first[0]].section]
            own = tuple(dict.fromkeys(cites.get(variable, ())))
            yield Goal("entry", program.variables[variable].name, words, section, own, section.span, targets)


def _stops(program: Program) -> Iterator[Goal]:
    """Holes, impossible instructions, numbers out of range and dead ends; the copies of one are one goal."""
    stops: dict[tuple[str, str, str, tuple[Cite, ...], Span], list[Target]] = {}
    for number, block in enumerate(program.blocks):
        if isinstance(block.exit, Stop) and block.exit.kind not in ("end", "bound"):
            section = program.sections[block.section]
            place = (block.exit.kind, section.key, block.exit.about, block.exit.cites, block.exit.span)
            stops.setdefault(place, []).append(number)
    sections = {section.key: section for section in program.sections}
    for (kind, key, about, cites, span), targets in stops.items():
        at = span if span != NOWHERE else sections[key].span
        yield Goal(kind, f"{key}: {about}", about, sections[key], cites, at, tuple(targets))


def _twice(program: Program) -> Iterator[Goal]:
    """Two instructions of one section that have people do the same thing with the same printed name."""
    seen: dict[tuple[int, str, str], list[tuple[int, tuple[Cite, ...], Span]]] = {}
    for number, block in enumerate(program.blocks):
        for note in block.notes:
            if note.instruction:
                place = f" at {note.instruction.place}" if note.instruction.place else ""
                for name in note.instruction.names:
                    what = (block.section, note.instruction.verb, f"{name}{place}")
                    seen.setdefault(what, []).append((number, note.cites, note.span))
    told: set[tuple[int, str, Span, Span]] = set()
    for (section_number, verb, name), places in seen.items():
        for i, (first, first_cites, first_span) in enumerate(places):
            for second, second_cites, second_span in places[i + 1 :]:
                if first_span != second_span and (section_number, verb, first_span, second_span) not in told:
                    told.add((section_number, verb, first_span, second_span))
                    section = program.sections[section_number]
                    words = f"{verb} “{name}”"
                    yield Goal(
                        "twice", f"{section.key}: {words}", words, section, first_cites + second_cites, second_span,
                        (first, second), together=True,
                    )  # fmt: skip

"""Many random plays: which endings they reach, with a seed or a trace for each, and which sections they never reach."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from plainchant.faces.game import STOPS
from plainchant.faces.page import Page
from plainchant.meaning.kernel import CAMPAIGN, Entrance, Program, SectionInfo, Stop
from plainchant.play import documents
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.play.walk import ENDLESS, Tracks, Walk, walk
from plainchant.records import Changing, Frozen
from plainchant.text.diagnostic import Diagnostic, errors_in, problem


class Wanted(Frozen):
    """What is to be played: how often, from which seed on, steered or not, where a trace of each ending goes; the call for one play."""

    plays: int
    seed: int
    steer: bool
    traces: Path | None
    call: str


class Result(Changing):
    """How often an ending was reached, and the first play that reached it."""

    first: Walk
    count: int = 0


def play_often(
    page: Page, machine: Machine, entrance: Entrance, readings: Mapping[str, str], preset: Mapping[int, int], wanted: Wanted
) -> tuple[bool, tuple[Diagnostic, ...]]:  # fmt: skip
    """Play many times and show what came of it; whether every play came to an end, and what could not be written."""
    tracks = Tracks()
    results: dict[int, Result] = {}
    made = 0
    try:
        for number in _counted(wanted.plays):
            walked = walk(machine, entrance, wanted.seed + number, preset, tracks, steer=wanted.steer)
            key = -1 if walked.kind == ENDLESS else walked.block
            results.setdefault(key, Result(walked)).count += 1
            made += 1
    except KeyboardInterrupt:
        page.say(f"Stopped after {made} of {wanted.plays} plays.", "hint")
    ordered = sorted(results.values(), key=lambda result: (-result.count, result.first.block))
    files, found = _write(machine, entrance, readings, ordered, wanted)
    _show(page, machine.program, ordered, made, wanted, files)
    _show_unreached(page, unreached(machine.program, entrance, tracks))
    return all(result.first.kind == "end" for result in ordered), found


def unreached(program: Program, entrance: Entrance, tracks: Tracks) -> list[SectionInfo]:
    """The sections that no play entered: of the whole book, or of the parts that Standalone Mode leads to.

    The Standalone Modes by which the plays did not begin are left out.
    """
    passed = {section.part for section in program.sections if tracks.passed[section.start]}
    return [
        section for section in program.sections
        if not tracks.passed[section.start]
        and (entrance.name == CAMPAIGN or section.part in passed)
        and (section.kind != "standalone" or section.part == entrance.name)
    ]  # fmt: skip


def _counted(plays: int) -> Iterator[int]:
    """The numbers of the plays, with a bar on the terminal that errors are shown on."""
    if not sys.stderr.isatty():
        yield from range(plays)
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(range(plays), "Playing", console=Console(stderr=True), transient=True)


def _show(page: Page, program: Program, results: list[Result], made: int, wanted: Wanted, files: dict[int, str]) -> None:
    page.say(program.title, "part")
    page.say(f"{made} random plays from the seed {wanted.seed}{', steered to what was chosen least' if wanted.steer else ''}")
    page.gap()
    heads = ["plays", "share", "trace" if files else "seed", "stops with", "at"]
    rows = []
    for result in results:
        first = result.first
        code = f" ({STOPS[first.kind]})" if first.kind in STOPS else ""
        witness = files.get(first.block) or ("" if wanted.steer else str(first.seed))
        share = f"{100 * result.count / made:.1f} %"
        rows.append([str(result.count), share, witness, f"{first.kind}{code}", f"{first.about} · {_where(program, first)}"])
    page.table(heads, rows, frozenset({0, 1, 2}))
    page.gap()
    if wanted.steer and not files:
        page.say("A steered play depends on those before it: --trace FOLDER keeps one of each kind.", "hint")
    elif not files:
        page.say(f"To see one of them: {wanted.call} --random --seed SEED", "hint")


def _where(program: Program, walked: Walk) -> str:
    """The section in which a play stopped, with the printed lines."""
    block = program.blocks[walked.block]
    section = program.sections[block.section]
    cites = documents.cites_words(block.exit.cites, program.source) if isinstance(block.exit, Stop) else ""
    words = section.part_words if section.part_words == section.words else f"{section.part_words} / {section.words}"
    return f"{words} [{cites}]" if cites else words


def _show_unreached(page: Page, sections: list[SectionInfo]) -> None:
    if not sections:
        page.say("Every section was reached.")
        return
    page.say(f"Never reached: {len(sections)} section{'' if len(sections) == 1 else 's'}")
    parts: dict[str, list[str]] = {}
    for section in sections:
        parts.setdefault(section.part_words, []).append(section.words)
    for part, words in parts.items():
        page.row("•", part if words == [part] else f"{part}: {', '.join(words)}")


def _write(
    machine: Machine, entrance: Entrance, readings: Mapping[str, str], results: list[Result], wanted: Wanted
) -> tuple[dict[int, str], tuple[Diagnostic, ...]]:  # fmt: skip
    """Write a trace of the first play of each ending; the files by the block where they end."""
    if wanted.traces is None:
        return {}, ()
    try:
        wanted.traces.mkdir(exist_ok=True)
    except OSError as error:
        return {}, (problem("PC009", path=str(wanted.traces), why=error.strerror or str(error)),)
    files = {}
    found: tuple[Diagnostic, ...] = ()
    for number, result in enumerate(results, 1):
        session = played(machine, entrance, result.first, readings)
        path = wanted.traces / f"{number:02}-{result.first.kind}.json"
        found += documents.write_json(path, documents.trace(session))
        files[result.first.block] = str(path)
    return ({}, found) if errors_in(found) else (files, found)


def played(machine: Machine, entrance: Entrance, walked: Walk, readings: Mapping[str, str]) -> Session:
    """The session in which a random play is made again."""
    session, _ = Session.start(machine, entrance.name, seed=walked.seed, readings=readings)
    assert session is not None
    for choice in walked.choices:
        session.apply(choice)
    return session

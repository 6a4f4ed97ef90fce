"""One scripted play for each way in which the campaign and its scenarios can end, and the document that it must give."""

from __future__ import annotations

from pathlib import Path

import pytest

from books import machine
from golden_plays import document, play_script
from plainchant.play.documents import read_document, replay, trace, write_json
from plainchant.play.session import Session

PLAYS = Path(__file__).parent / "plays"
SCRIPTS = sorted(PLAYS.glob("*/*.script"))


def _played(script: Path) -> Session:
    return play_script(script, "campaign" if script.parent.name == "campaign" else script.stem)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: f"{script.parent.name}-{script.stem}")
def test_a_scripted_play_gives_its_document(script: Path, reset_golden: bool) -> None:
    title = script.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    told = document(_played(script), title)
    golden = script.with_suffix(".md")
    if reset_golden:
        golden.write_text(told, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == told


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: f"{script.parent.name}-{script.stem}")
def test_the_trace_of_a_scripted_play_replays(script: Path, tmp_path: Path) -> None:
    session = _played(script)
    assert write_json(tmp_path / "trace.json", trace(session)) == ()
    read, diagnostics = read_document(tmp_path / "trace.json")
    assert diagnostics == ()
    assert read is not None
    again, departure, _ = replay(machine("tcu"), read)
    assert departure is None
    assert again is not None
    assert again.moment == session.moment


def test_every_end_of_the_campaign_has_its_play() -> None:
    """Each label of `the campaign is over` and each resolution of the last scenario, and every scenario alone."""
    program = machine("tcu").program
    played = [_played(script) for script in SCRIPTS]
    ends = {
        block.exit.about for block in program.blocks if getattr(block.exit, "kind", "") == "end" and "played alone" not in block.exit.about
    }
    reached = {session.ending.about for session in played if session.ending is not None}
    assert len(ends) > 4
    assert ends <= reached
    last = {section.words for section in program.sections if section.part == "before_the_black_throne" and section.kind == "resolution"}
    entered = {
        section.words
        for session in played
        for step in session.history
        for section in step.sections
        if section.part == "before_the_black_throne"
    }
    assert last <= entered
    assert {entrance.name for entrance in program.entrances} == {session.began.entrance for session in played}


def test_every_document_has_its_script() -> None:
    assert {golden.with_suffix(".script") for golden in PLAYS.glob("*/*.md")} == set(SCRIPTS)

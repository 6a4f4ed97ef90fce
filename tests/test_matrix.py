"""`plainchant matrix` on small books: what every campaign ends with, and what is not said about loops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plainchant.faces.command_line import main

BOOK = """\
campaign log
    left "they left"
    late "it was late"
    marks "marks on the wall": tally
scenario tale "A Tale"
    section "Road"
        record 1 tally marks next to marks
        the players decide
            "again": proceed to "AGAIN"
            "a rare way" only if value(marks) = 9: record left
            "the common way": record late
        the campaign is over: "the end"
    section "House"
        record late
        the campaign is over: "the end"
"""


def _matrix(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    path = folder / "small.rules"
    path.write_text(text, encoding="utf-8")
    status = main(["matrix", str(path), "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_without_a_loop_everything_is_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = _matrix(tmp_path, BOOK.replace("AGAIN", "House"), capsys)
    assert (status, told["entries"], told["always"]) == (0, ["it was late", "marks on the wall"], ["it was late", "marks on the wall"])
    status, told = _matrix(tmp_path, BOOK.replace("AGAIN", "House").replace("= 9", "= 1"), capsys)
    assert (status, told["always"], told["exclusive"]) == (0, ["marks on the wall"], [["they left", "it was late"]])


def test_what_a_loop_does_beyond_the_bound_is_not_denied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ninth round ends a campaign without lateness; fewer rounds are followed."""
    status, told = _matrix(tmp_path, BOOK.replace("AGAIN", "Road"), capsys)
    assert (status, told["always"], told["exclusive"], told["implies"]) == (3, [], [], [])
    assert ["they left", "it was late"] in told["undecided"]
    assert "they left" in told["entries"]
    assert "they left" in told["unsure"], "the rounds that were followed do not show it"


def test_a_single_line_that_only_a_later_round_records_is_not_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """\
campaign log
    left "they left"
keep rounds: 0 to 20 = 0
scenario tale "A Tale"
    section "Road"
        increase rounds by 1
        if rounds = 15: record left
        the players decide
            "again" only if rounds < 20: proceed to "Road"
            "enough": the campaign is over: "the end"
"""
    status, told = _matrix(tmp_path, text, capsys)
    assert (status, told["undecided"], told["unsure"]) == (3, [], ["they left"])


def test_a_terminal_without_the_signs_loses_none(tmp_path: Path) -> None:
    """Programs read the same, whatever the encoding of the output is."""
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("AGAIN", "House").replace("it was late", "it was “late”"), encoding="utf-8")
    call = [sys.executable, "-m", "plainchant", "matrix", str(path), "--format", "json"]
    done = subprocess.run(call, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
    assert "it was “late”" in json.loads(done.stdout)["entries"]

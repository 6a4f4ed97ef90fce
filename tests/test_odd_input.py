"""Input that nobody means: names that no file can have, numbers beyond all measure, other people's saved plays, rules without citations."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from plainchant.faces.command_line import main
from plainchant.meaning.modules import shown_path
from plainchant_proofs import pool

LONG = "long" * 100
BOOK = """\
book small "A small book"
    printed in small, 99 lines
    begins with tale
campaign log
    arrived "they arrived"
keep strength: 0 to 3 = 1
scenario tale "A Tale"
    section "Road"
        the players decide
            "go" only if strength = 2: record arrived
            "stay"
        the campaign is over: "the end"
claim nobody: never arrived CITE
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("CITE", ""), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        "check LONG", "check --book LONG", "fmt LONG", "fmt --check LONG", "graph LONG", "graph BOOK --no-prove -o LONG.svg",
        "graph BOOK --no-prove -o LONG/a.svg", "play LONG", "play BOOK --resume LONG", "play BOOK --script LONG",
        "play BOOK --random --save LONG", "play BOOK --random --save LONG/a", "play BOOK --random --trace LONG",
        "play BOOK --random --plays 1 --trace LONG", "replay LONG", "ask LONG yes", "ask BOOK yes --from LONG", "matrix LONG",
        "explain arrived --book LONG",
    ],
)  # fmt: skip
def test_a_name_that_no_file_can_have(words: str, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.replace("LONG", LONG).replace("BOOK", small).split()) == 2
    told = "".join(capsys.readouterr())
    assert "error PC" in told
    assert "PC900" not in told


def _refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    told = "".join(capsys.readouterr())
    assert "PC900" not in told
    return told


def test_a_number_that_python_does_not_read(tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "play.json"
    path.write_text(f'{{"schema": "plainchant/play/1", "seed": {"9" * 5000}}}', encoding="utf-8")
    for words in (("play", small, "--resume", str(path)), ("replay", str(path)), ("ask", small, "yes", "--from", str(path))):
        assert "PC503" in _refused(capsys, *words)


def test_nobody_goes_on_from_a_play_of_another_book(tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "play.json"
    assert main(["play", small, "--random", "--save", str(path)]) == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "book": "other"}), encoding="utf-8")
    capsys.readouterr()
    for words in (("play", small, "--resume", str(path)), ("ask", small, "yes", "--from", str(path))):
        assert "is a play of “other”, not of “small”" in " ".join(_refused(capsys, *words).split())


def _report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main([*words, "--format", "json"])
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_reasons_count_without_citations(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    reason = {"source": None, "from": None, "to": None, "text": "“go” may be chosen only on its printed condition"}
    report = _report(capsys, "check", small)
    jsonschema.validate(report, json.loads((files("plainchant") / "schemas" / "check.schema.json").read_text(encoding="utf-8")))
    assert [f["because"] for f in report["findings"] if f["code"] == "PC702"] == [[reason]]
    assert report["claims"][0]["because"] == [reason]
    told = _report(capsys, "ask", small, "arrived", "--what-would-change")
    assert (told["because"], told["change"]) == ([reason], [reason])


def test_the_citations_of_claims_name_the_source_of_their_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("CITE", "@7").replace("only if strength = 2:", "only if strength = 2: ").replace(
        "record arrived", "record arrived @8"), encoding="utf-8")  # fmt: skip
    claim = _report(capsys, "check", str(path))["claims"][0]
    assert claim["cites"] == [{"source": "small", "from": 7, "to": 7}]
    assert {one["source"] for one in claim["because"]} <= {"small", None}


def test_no_more_processes_than_there_are_goals(small: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """More jobs than goals would leave some with nothing to decide."""
    asked: list[int] = []

    class Counted(pool.ProcessPoolExecutor):
        def __init__(self, jobs: int, **options: Any) -> None:
            asked.append(jobs)
            super().__init__(jobs, **options)

    monkeypatch.setattr(pool, "ProcessPoolExecutor", Counted)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    alone = _report(capsys, "check", small, "--no-cache")
    shared = _report(capsys, "check", small, "--no-cache", "--jobs", "99999")
    assert asked == [2]
    assert [f["message"] for f in shared["findings"]] == [f["message"] for f in alone["findings"]]


def test_a_path_is_shown_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "real" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "link").symlink_to(deep)
    monkeypatch.chdir(tmp_path)
    for way in ("real/deep", "link", "link/../deep", str(deep), "real/../link"):
        assert shown_path(Path(way, "woods.rules")) == "real/deep/woods.rules"
    assert shown_path(Path()) == "."
    monkeypatch.chdir(deep)
    assert shown_path(Path("woods.rules")) == "woods.rules"
    assert [shown_path(Path(way)) for way in ("..", "../other.rules")] == ["..", "../other.rules"]

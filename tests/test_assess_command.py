"""`plainchant assess`: what it tells people and programs, and how it refuses a wrong call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import plainchant
from plainchant.data import data_folder
from plainchant.faces.command_line import main

SCHEMA = json.loads((Path(plainchant.__file__).parent / "schemas" / "assess.schema.json").read_text(encoding="utf-8"))
SMALL = Path(__file__).parent / "bad" / "assess" / "small.rules"
POSITION = data_folder("rules") / "chants" / "sample" / "position.json"


def told(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["assess", *words]) == status
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(told(capsys, *words, "--format", "json", status=status))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def written(folder: Path, facts: object, **more: object) -> str:
    path = folder / "position.json"
    path.write_text(json.dumps({"schema": "plainchant/position/1", "facts": facts, **more}), encoding="utf-8")
    return str(path)


def test_text_and_json_tell_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "chants/sample", str(POSITION))
    document = as_json(capsys, "chants/sample", str(POSITION))
    verdicts = [f"{card['words']}: {card['verdict']}" for card in document["cards"]]
    assert verdicts == [line for line in text.splitlines() if not line.startswith(" ")]
    assert len(verdicts) == 12


def test_each_requirement_says_by_how_much(capsys: pytest.CaptureFixture[str]) -> None:
    (card,) = as_json(capsys, "chants/sample", str(POSITION), "--card", "ithaqua")["cards"]
    (reading,) = card["readings"]
    found = {one["name"]: (one["verdict"], one["by"], one["cites"][0]["from"]) for one in reading["requirements"]}
    assert found == {"enough_sacrifices": ("holds", 0, 208), "exact_cult": ("fails", 4, 209), "powerful_cult": ("fails", 4, 211)}


def test_what_is_not_told_is_asked_for_and_the_status_is_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    position = written(tmp_path, {"place": {"hand": ["Yig"]}})
    text = told(capsys, str(SMALL), position, "--card", "Cthulhu", status=3)
    assert text.splitlines() == [
        "Cthulhu: not decided",
        "  not decided  Power of invocation  6 to 13, needed at least 10  (small 11)",
        "  not told: Where is Lavinia?",
        "  not told: Where is Nadezha?",
    ]


def test_a_reading_may_be_settled_in_the_position(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = json.loads(POSITION.read_text(encoding="utf-8"))
    for answer, verdict in (("own_and_bonus", "holds"), ("with the 2 points alone", "fails")):
        position = written(tmp_path, document["facts"], readings={"city_cultist": answer})
        (card,) = as_json(capsys, "chants/sample", position, "--card", "hastur")["cards"]
        assert (card["verdict"], card["depends_on"]) == (verdict, [])


def test_a_saved_play_is_a_position(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "play.txt"
    script.write_text("hand\nhand\n", encoding="utf-8")
    main(["play", str(SMALL), "--script", str(script), "--save", str(tmp_path / "play.json")])
    capsys.readouterr()
    cards = {card["name"]: card["verdict"] for card in as_json(capsys, str(SMALL), str(tmp_path / "play.json"), status=3)["cards"]}
    assert cards == {"cthulhu": "not decided", "dagon": "fails"}


def test_what_any_position_can_do_is_proven(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("z3")
    document = as_json(capsys, str(SMALL), "--least", "power_in_hand")
    cards = {card["name"]: card for card in document["cards"]}
    assert {name: card["verdict"] for name, card in cards.items()} == {"cthulhu": "can be fulfilled", "dagon": "cannot be fulfilled"}
    assert cards["cthulhu"]["least"] == [{"number": "power_in_hand", "value": 10}]
    assert [one["name"] for one in cards["dagon"]["core"]] == ["extended"]
    assert cards["cthulhu"]["witness"]["steps"]


def test_a_core_is_told_with_its_printed_lines(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("z3")
    text = told(capsys, str(SMALL), "--card", "Dagon")
    assert text.splitlines() == [
        "Dagon: cannot be fulfilled",
        "  these requirements together exclude each other:",
        "    Extended cult: from_there >= from_cities  (small 12)",
    ]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["tcu"], "PC507"),
        (["nothing"], "PC501"),
        ([str(SMALL), "none.json"], "PC001"),
        ([str(SMALL), "--card", "Hastur"], "PC201"),
        ([str(SMALL), "--given", "nobody"], "PC201"),
        ([str(SMALL), "--given", "power_in_hand"], "PC301"),
        ([str(SMALL), "--least", "yes"], "PC301"),
        ([str(SMALL), str(POSITION), "--least", "power_in_hand"], "PC507"),
        ([str(SMALL), str(POSITION)], "PC510"),
    ],
)
def test_a_wrong_call_is_refused(capsys: pytest.CaptureFixture[str], words: list[str], code: str) -> None:
    pytest.importorskip("z3")
    assert main(["assess", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, code in err, "Traceback" in err) == ("", True, False)

"""Companions of a shipped book: other modules that transcribe its lines, found whatever they look like and however the book is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from plainchant.data import data_folder
from plainchant.meaning import modules
from plainchant.meaning.compiled import compiled
from plainchant.meaning.modules import load


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all that is shipped, taken for what is."""
    folder = tmp_path / "rules"
    shutil.copytree(data_folder("rules"), folder)
    monkeypatch.setattr(modules, "data_folder", lambda name: tmp_path / name)
    monkeypatch.setenv("PLAINCHANT_CACHE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    return folder


def _codes(path: Path) -> list[str]:
    return sorted(diagnostic.code for diagnostic in compiled(path).diagnostics)


def test_only_those_that_name_the_source_are_read(rules: Path) -> None:
    found = load(rules / "tcu")[0].companions
    assert {module.name for module in found} == {"incursions", "failed_tests", "keys", "random_locations", "replaced_locations"}


@pytest.mark.parametrize("name", ["aa.rules", "zz.rules"])
def test_every_file_of_a_folder_without_a_book_counts(rules: Path, name: str) -> None:
    """`not transcribed` names lines that somebody does transcribe, wherever in the folder that stands."""
    assert "PC811" not in _codes(rules / "tcu")
    (rules / "tfa" / name).write_text('kinds colour "colour" @tcu:664\n    red "Red" @tcu:665\n', encoding="utf-8")
    assert "PC811" in _codes(rules / "tcu")


@pytest.mark.parametrize("name", ["tfa", "tic"])
def test_a_companion_that_changes_is_noticed_however_the_book_is_named(rules: Path, name: str) -> None:
    first = {path: _codes(path) for path in (Path("rules") / name, rules / name, Path("rules") / "tcu" / ".." / name)}
    for file in (rules / "situations").glob("*.rules"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f"@{name}:", "@tcu:").replace(f"printed in {name},", "printed in tcu,"), encoding="utf-8")
    for path, before in first.items():
        assert _codes(path) != before, path

"""The parser's tables: those that were shipped or kept make the same parser as the grammar does, and none ever stands in the way."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from lark import Lark, Token, Tree

from plainchant.data import data_folder
from plainchant.text import parser as module
from plainchant.text.parser import tables_name, worked_out, write_tables

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = sorted(data_folder("rules").rglob("*.rules"))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of its own without tables: its folder with the grammar; there is a store beside it."""
    folder = tmp_path / "grammar"
    folder.mkdir()
    shutil.copy(data_folder("grammar") / "rules.lark", folder)
    monkeypatch.setattr(module, "data_folder", lambda _: folder)
    monkeypatch.setenv("PLAINCHANT_CACHE", str(tmp_path / "store"))
    return folder


def _anew() -> Lark:
    """The parser of a process that begins."""
    return module.parser.__wrapped__()


@pytest.fixture
def fails_if_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> Any:
        pytest.fail("the tables were worked out again")

    monkeypatch.setattr(module, "worked_out", never)


@pytest.mark.usefixtures("fails_if_worked_out")
def test_shipped_tables_are_read_and_nothing_is_kept(installed: Path, tmp_path: Path) -> None:
    write_tables(worked_out(), installed)
    assert _anew().parse("use arkham\n\n").children
    assert not list((tmp_path / "store").glob("*.tables"))


def test_without_shipped_tables_the_first_run_keeps_its_own(installed: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    _anew()
    assert [path.name for path in (tmp_path / "store").iterdir()] == [tables_name()]
    assert [path.name for path in installed.iterdir()] == ["rules.lark"]
    request.getfixturevalue("fails_if_worked_out")
    assert _anew().parse("use arkham\n\n").children


def test_tables_of_another_grammar_are_not_read(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tables(worked_out(), installed)
    before = tables_name()
    grammar = module._grammar()
    monkeypatch.setattr(module, "_grammar", lambda: grammar + "\n// one more line\n")
    assert tables_name() != before
    made: list[bool] = []
    monkeypatch.setattr(module, "worked_out", lambda: made.append(True) or worked_out())
    _anew()
    assert made


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x80\x05N.", b"\x80\x05}."])
def test_damaged_tables_do_not_stand_in_the_way(installed: Path, content: bytes) -> None:
    (installed / tables_name()).write_bytes(content)
    assert _anew().parse("use arkham\n\n").children


def test_tables_that_were_put_under_the_name_of_others_are_not_read(installed: Path) -> None:
    """Whoever parses with them might never come to an end."""
    with (installed / tables_name()).open("wb") as file:
        Lark('start: "a"+', parser="lalr").save(file)
    assert _anew().parse("use arkham\n\n").children


def test_tables_cut_off_do_not_stand_in_the_way(installed: Path) -> None:
    path = write_tables(worked_out(), installed)
    path.write_bytes(path.read_bytes()[:-100])
    assert _anew().parse("use arkham\n\n").children


def test_where_nothing_is_to_be_kept_nothing_is(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINCHANT_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    _anew()
    assert not list(tmp_path.rglob("*.tables"))


def _places(tree: Tree[Token]) -> list[object]:
    """Where everything in a tree stands."""
    metas = [(one.meta.line, one.meta.column, one.meta.end_line, one.meta.end_column) for one in tree.iter_subtrees() if not one.meta.empty]
    tokens = [(token.line, token.column, token.end_column) for token in tree.scan_values(lambda one: isinstance(one, Token))]
    return [*metas, *tokens]


def test_both_parsers_read_all_shipped_rules_alike(installed: Path) -> None:
    """Down to the places, which errors are told by."""
    write_tables(worked_out(), installed)
    read, made = _anew(), worked_out()
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8") + "\n"
        assert read.parse(text) == made.parse(text), path
        assert _places(read.parse(text)) == _places(made.parse(text)), path


# ---------------------------------------------------------------- the hook of the build


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The hook, without hatchling, which is there only while something is built."""
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    monkeypatch.setattr(sys, "path", [*sys.path])
    space: dict[str, Any] = {}
    source = ROOT / "grammar" / "build_tables.py"
    exec(compile(source.read_text(encoding="utf-8"), str(source), "exec"), space)
    return space["BuildTables"]


def _built(hook: Any, root: Path) -> list[str]:
    """Let the hook do its work for a checkout; what it warned of."""
    one = hook()
    told: list[str] = []
    one.root = str(root)
    one.app = SimpleNamespace(display_warning=told.append)
    one.initialize("standard", {})
    return told


def test_the_build_writes_the_tables_and_only_those(hook: Any, installed: Path) -> None:
    (installed / "rules-0123456789abcdef.tables").write_bytes(b"of an earlier grammar")
    assert _built(hook, installed.parent) == []
    assert sorted(path.name for path in installed.iterdir()) == sorted(["rules.lark", tables_name()])
    assert _anew().parse("use arkham\n\n").children


def test_a_second_build_is_the_same(hook: Any, installed: Path) -> None:
    _built(hook, installed.parent)
    first = (installed / tables_name()).read_bytes()
    _built(hook, installed.parent)
    assert (installed / tables_name()).read_bytes() == first


def test_a_checkout_that_cannot_be_written_to_is_built_without(hook: Any, installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(made: Lark, folder: Path) -> Path:
        raise OSError("read-only")

    monkeypatch.setattr(module, "write_tables", refused)
    assert len(_built(hook, installed.parent)) == 1

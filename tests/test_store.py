"""The store: what is kept is read as it was written, and what is damaged, or something else, counts as absent."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from books import machine
from plainchant import store
from plainchant.data import data_folder
from plainchant.meaning.compiled import compiled, digest_of, ground_of
from plainchant.meaning.kernel import Stop
from plainchant.meaning.lower import compile_book
from plainchant.meaning.modules import load, shipped_books
from plainchant.text.diagnostic import errors_in
from plainchant.text.place import NOWHERE
from plainchant.text.tree import Name

SOUND = 'scenario woods "The Woods"\n    section "Intro"\n        the campaign is over: "end"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own."""
    monkeypatch.setenv("PLAINCHANT_CACHE", str(tmp_path / "store"))
    return tmp_path / "store"


def test_a_program_comes_back_as_it_was(folder: Path) -> None:
    program = machine("tcu").program
    store.keep("one", "key", program)
    again = store.kept("one", "key")
    assert again == program
    assert again.lookup == program.lookup
    assert {type(block.exit) for block in again.blocks} == {type(block.exit) for block in program.blocks}


def test_records_with_named_fields_and_without_fields_come_back(folder: Path) -> None:
    name = Name("woods", True, span=NOWHERE)
    store.keep("one", "key", (name, NOWHERE, Name))
    assert store.kept("one", "key") == (name, NOWHERE, Name)
    assert store.kept("one", "key")[0].span == NOWHERE


@pytest.mark.parametrize("cut", [0, 1, 20])
def test_what_is_damaged_is_absent(folder: Path, cut: int) -> None:
    store.keep("one", "key", machine("tcu").program)
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-cut] if cut else b"garbage")
    assert store.kept("one", "key") is None


def test_a_book_is_made_anew_where_the_store_holds_something_else(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "woods.rules"
    path.write_text(SOUND, encoding="utf-8")
    first, ground = compiled(path), ground_of(path)[0]
    assert first.program is not None and ground is not None
    for file in folder.iterdir():
        key = file.stem.split("-", 1)
        store.keep(key[0], key[1], "something else")
    assert compiled(path) == first
    again = ground_of(path)[0]
    assert again is not None and again.program == ground.program


def test_another_text_is_another_book(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "woods.rules"
    path.write_text(SOUND, encoding="utf-8")
    before = compiled(path)
    path.write_text(SOUND.replace("end", "other end"), encoding="utf-8")
    after = compiled(path)
    assert before.program != after.program
    assert before.digest != after.digest


def test_the_book_for_questions_is_the_book(folder: Path) -> None:
    path = data_folder("rules") / "tcu"
    program, _ = compile_book(path)
    for _ in ("made", "kept"):
        ground, diagnostics = ground_of(path)
        assert ground is not None and not errors_in(diagnostics)
        assert ground.program == program


def test_books_that_speak_of_the_same_files_are_kept_apart(folder: Path) -> None:
    """A book with a table of its printed lines depends on all shipped rules; it must not be taken for another that does so, too."""
    for _ in range(2):
        told = {name: compiled(path).name for name, path in shipped_books().items() if name in ("tcu", "chants", "seal")}
        assert told == {"tcu": "tcu", "chants": "chants", "seal": "seal"}


@pytest.mark.parametrize("name", ["tcu", "seal"])
def test_a_book_made_beside_is_the_book(folder: Path, name: str) -> None:
    done: list[int] = []
    beside = compiled(shipped_books()[name], lambda: done.append(os.getpid()))
    for file in folder.iterdir():
        file.unlink()
    here = compiled(shipped_books()[name])
    assert beside == here
    assert beside.digest == here.digest != ""
    assert done == [os.getpid()]


def test_nothing_is_done_meanwhile_where_a_book_is_known(folder: Path) -> None:
    first = compiled(shipped_books()["seal"])
    again = compiled(shipped_books()["seal"], lambda: pytest.fail("there was nothing to wait for"))
    assert again == first
    assert again.digest == first.digest


def test_the_digest_is_one_of_the_program(folder: Path) -> None:
    path = shipped_books()["seal"]
    program, _ = compile_book(path)
    assert program is not None
    assert compiled(path).digest == digest_of(program)


def test_a_book_whose_program_is_damaged_is_made_anew(folder: Path) -> None:
    path = shipped_books()["seal"]
    first = compiled(path)
    (file,) = folder.glob("book-*")
    head, program = pickle.loads(file.read_bytes())
    file.write_bytes(pickle.dumps((head, program[:-20])))
    assert compiled(path) == first
    assert pickle.loads(file.read_bytes())[1] == program


@pytest.mark.parametrize("inside", [None, 3, "a program", ()])
def test_a_book_whose_program_is_something_else_is_made_anew(folder: Path, inside: object) -> None:
    path = shipped_books()["seal"]
    first = compiled(path)
    (file,) = folder.glob("book-*")
    head, _ = pickle.loads(file.read_bytes())
    file.write_bytes(pickle.dumps((head, pickle.dumps(inside))))
    assert compiled(path) == first


@pytest.mark.parametrize("made", ["book", "ground"])
def test_a_text_that_changes_while_it_is_read_is_not_kept_for_what_it_was(
    made: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "woods.rules"
    path.write_text(SOUND, encoding="utf-8")
    read = load

    def changed(one: Path) -> object:
        path.write_text(SOUND.replace("end", "other end"), encoding="utf-8")
        return read(one)

    monkeypatch.setattr("plainchant.meaning.compiled.load", changed)
    _titles(made, path)
    monkeypatch.undo()
    monkeypatch.setenv("PLAINCHANT_CACHE", str(folder))
    path.write_text(SOUND, encoding="utf-8")
    assert _titles(made, path) == {"end"}


def _titles(made: str, path: Path) -> set[str]:
    """The words of all ends of a book."""
    ground, _ = ground_of(path)
    program = compiled(path).program if made == "book" else None if ground is None else ground.program
    assert program is not None
    return {block.exit.about for block in program.blocks if isinstance(block.exit, Stop) and block.exit.kind == "end"}

"""Modules: a folder with a book line is one module, any other file is one of its own; `use` brings in further ones."""

from __future__ import annotations

import os
import os.path  # says no to a path that the system refuses, where pathlib raises
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from plainchant.data import data_folder
from plainchant.meaning.words import nearest_name
from plainchant.records import Frozen, field, replace
from plainchant.text.diagnostic import Diagnostic, errors_in, in_reading_order, problem
from plainchant.text.parse import parse_all
from plainchant.text.printed import SUFFIX as TABLE_SUFFIX
from plainchant.text.printed import LineTable, read_table
from plainchant.text.source import Source, read_source

if TYPE_CHECKING:
    from plainchant.text.tree import Book, File, Use

SUFFIX = ".rules"

_BOOK = re.compile(rb"(?m)^book ")


class Module(Frozen):
    """Parsed files that share their names, and the tables of the printed lines that lie beside them."""

    name: str
    files: tuple[File, ...]
    sources: tuple[Source, ...]
    tables: tuple[LineTable, ...] = ()

    @property
    def book(self) -> Book | None:
        from plainchant.text.tree import Book

        return next((item for file in self.files for item in file.items if isinstance(item, Book)), None)


class Library(Frozen, dict=True):
    """A module with all that it uses, the used ones first; `main` is the last.

    `shipped` says that it is one of those that come with plainchant.
    """

    modules: tuple[Module, ...] = field(default=())
    shipped: bool = False

    @property
    def main(self) -> Module:
        return self.modules[-1]

    @cached_property
    def companions(self) -> tuple[Module, ...]:
        """Other shipped modules that name the sources of a shipped book and may transcribe their lines (situations of a game, say).

        They share no names with it. They are read when somebody looks at them; what is wrong with their text is told where they are checked
        themselves.
        """
        sources = [table.source for table in self.main.tables] if self.shipped else []
        return _naming(sources, {source.name for module in self.modules for source in module.sources}) if sources else ()

    @property
    def sources(self) -> dict[str, Source]:
        return {source.name: source for module in self.modules for source in module.sources}


def shipped_books() -> dict[str, Path]:
    """The books that come with plainchant, by name: games, each in a folder, and situations, each in a file.

    A book that lies in the folder of another is named with it: `chants/sample`.
    """
    rules = data_folder("rules")
    books = {book.parent.relative_to(rules).as_posix(): book.parent for book in sorted(rules.rglob(f"book{SUFFIX}"))}
    return books | {file.stem: file for file in sorted((rules / "situations").glob(f"*{SUFFIX}"))}


def shipped_modules() -> dict[str, Path]:
    """All that is shipped, by name: each folder that is a module, and each file of the other folders, which is one of its own."""
    found: dict[str, Path] = {}
    for folder in sorted(data_folder("rules").iterdir()):
        if (folder / f"book{SUFFIX}").is_file() or any(folder.glob(f"*{TABLE_SUFFIX}")):
            found[folder.name] = folder
        elif folder.is_dir():
            found |= {file.stem: file for file in sorted(folder.glob(f"*{SUFFIX}"))}
    return found


def printed_modules() -> dict[str, Path]:
    """The shipped folders of which the printed lines are counted, by name: those with a book, and those with a table of lines alone."""
    rules = data_folder("rules")
    folders = [folder for folder in sorted(rules.iterdir()) if folder.is_dir()]
    return {folder.name: folder for folder in folders if (folder / f"book{SUFFIX}").is_file() or any(folder.glob(f"*{TABLE_SUFFIX}"))}


def find_book(name: str) -> tuple[Path | None, tuple[Diagnostic, ...]]:
    """Where a book lies, by its shipped name or its path; None with the reason if there is none."""
    books = shipped_books()
    if name in books or os.path.exists(name):  # Path.exists would raise for a name that is too long
        return books.get(name) or Path(name), ()
    return None, (problem("PC501", name=name, nearest=nearest_name(name, list(books))),)


def books_in(folder: Path) -> list[Path]:
    """The books of a folder with rules: itself, or each of its files that has a book line of its own, where none is the folder's."""
    if (folder / f"book{SUFFIX}").is_file():
        return [folder]
    return [file for file in sorted(folder.glob(f"*{SUFFIX}")) if file.is_file() and _BOOK.search(file.read_bytes())] or [folder]


def module_folder(path: Path) -> Path:
    """The folder of the module that a path belongs to, or the path itself if it is a module of its own."""
    if os.path.isfile(path) and (path.parent / f"book{SUFFIX}").is_file():
        return path.parent
    return path


def load(path: Path) -> tuple[Library, tuple[Diagnostic, ...]]:
    """Load a module and all that it uses. Nothing is raised: an unreadable module is an empty one with diagnostics."""
    if "\0" in str(path):
        return Library((Module(path.stem, (), ()),)), (problem("PC006", path=str(path), why="no path holds a null sign"),)
    loader = _Loader()
    folder = module_folder(path)
    loader.load(folder, ())
    return Library(tuple(loader.done.values()), is_shipped(folder)), in_reading_order(loader.found)


def is_shipped(path: Path) -> bool:
    """Whether a module is one of those that come with plainchant, however its path is written."""
    return path.resolve().is_relative_to(data_folder("rules").resolve())


def _naming(sources: Sequence[str], known: set[str]) -> tuple[Module, ...]:
    """The shipped modules that name one of these sources, apart from those whose files are known."""
    # Whoever cites a source names it somewhere; to parse all that is shipped would take longer than to parse the book.
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sources))})\b".encode())
    loader, found = _Loader(), []
    for path in shipped_modules().values():
        files = rules_files(path)
        if not any(shown_path(file) in known for file in files) and any(named.search(file.read_bytes()) for file in files):
            found.append(loader.read(path))
    return tuple(found)


def rules_files(path: Path) -> list[Path]:
    """The files of the module at `path`: those of its folder, or itself."""
    return sorted(path.glob(f"*{SUFFIX}")) if os.path.isdir(path) else [path]


class _Loader:
    """Collects modules in the order of their use."""

    def __init__(self) -> None:
        self.done: dict[Path, Module] = {}
        self.found: list[Diagnostic] = []

    def load(self, path: Path, chain: tuple[Path, ...]) -> None:
        key = path.resolve()
        if key in self.done:
            return
        module, uses = self._read(path)
        for use, source in uses:
            self._follow(use, source, path, (*chain, key))
        self.done[key] = module

    def read(self, path: Path) -> Module:
        """A module alone, without what it uses."""
        return self._read(path)[0]

    def _read(self, path: Path) -> tuple[Module, list[tuple[Use, Source]]]:
        from plainchant.text.tree import Use

        read = [read_source(file_path, shown_path(file_path)) for file_path in self._files(path)]
        self.found += (diagnostic for _, diagnostics in read for diagnostic in diagnostics)
        sound = [source for source, diagnostics in read if not errors_in(diagnostics)]
        files, uses = [], []
        for source, (file, diagnostics) in zip(sound, parse_all(sound), strict=True):
            self.found += diagnostics
            files.append(file)
            if not file.items and not diagnostics:
                self.found.append(problem("PC008", source.span(1, 1)))
            uses += [(item, source) for item in file.items if isinstance(item, Use)]
        module = Module(path.stem, tuple(files), tuple(source for source, _ in read))
        return replace(module, tables=tuple(self._tables(path, module.book))), uses

    def _tables(self, path: Path, book: Book | None) -> Iterator[LineTable]:
        for file in table_files(path, [name.text for name, _ in book.sources] if book else []):
            table, diagnostics = read_table(file, shown_path(file))
            self.found += diagnostics
            if table is not None:
                yield table

    def _files(self, path: Path) -> list[Path]:
        files = rules_files(path)
        if not files:
            self.found.append(problem("PC002", path=shown_path(path)))
        elif os.path.isfile(path) and path.suffix != SUFFIX:
            self.found.append(problem("PC002", path=shown_path(path)))
            return []
        return files

    def _follow(self, use: Use, source: Source, path: Path, chain: tuple[Path, ...]) -> None:
        folder = find_module(use.module, path)
        line = source.line(use.span.line)
        if folder is None:
            nearest = nearest_name(use.module, known_modules(path))
            self.found.append(problem("PC203", use.span, source_line=line, name=use.module, nearest=nearest))
        elif folder.resolve() in chain:
            circle = [*chain[chain.index(folder.resolve()) :], folder.resolve()]
            self.found.append(problem("PC204", use.span, source_line=line, circle=" → ".join(p.stem for p in circle)))
        else:
            self.load(folder, chain)


def table_files(path: Path, sources: Sequence[str] = ()) -> list[Path]:
    """The tables of printed lines of a module: all in its folder; of a single file those of its sources that lie beside it."""
    if os.path.isdir(path):
        return sorted(path.glob(f"*{TABLE_SUFFIX}"))
    named = [path.parent / f"{source}{TABLE_SUFFIX}" for source in sources]
    return [file for file in named if os.path.isfile(file)]


def find_module(name: str, beside: Path) -> Path | None:
    """The folder or file that `use name` means in the module `beside`: a neighbour of it, or a shipped one."""
    relative = Path(*name.split("."))
    for parent in (beside.parent, data_folder("rules")):
        if any((parent / relative).glob(f"*{SUFFIX}")):
            return parent / relative
        if (parent / relative).with_suffix(SUFFIX).is_file():
            return (parent / relative).with_suffix(SUFFIX)
    return None


def known_modules(beside: Path) -> list[str]:
    """Names that `use` could mean there."""
    names = set()
    for parent in (beside.parent, data_folder("rules")):
        names |= {p.stem for p in parent.iterdir() if p != beside and ((p.is_dir() and any(p.glob(f"*{SUFFIX}"))) or p.suffix == SUFFIX)}
    return sorted(names)


@lru_cache
def _resolved(folder: Path) -> Path:
    """A folder without links; asked about each of its files."""
    return folder.resolve()


def shown_path(path: Path) -> str:
    """The path as people see it: from the working folder, or from the shipped folders, never longer than need be."""
    here = Path.cwd()
    resolved = path.resolve() if path.name in ("", "..") else _resolved(here / path.parent) / path.name
    for base in (here, data_folder("rules").parent):
        if resolved.is_relative_to(base):
            return resolved.relative_to(base).as_posix()
    return str(path)

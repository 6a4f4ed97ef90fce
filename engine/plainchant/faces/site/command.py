"""`plainchant site`: the pages of the rules-reference site, in Markdown, for MkDocs."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import plainchant
from plainchant.data import data_folder
from plainchant.faces.calls import FINDINGS, NOTHING_FOUND, refuse
from plainchant.faces.progress import progress_of
from plainchant.faces.site.book import Book, gathered
from plainchant.faces.site.md import esc, link, table
from plainchant.faces.site.pages_book import OWN_PAGES, book_pages
from plainchant.faces.site.pages_rules import rule_pages
from plainchant.faces.site.reference import reference_pages
from plainchant.faces.site.writer import Writer
from plainchant.files import write_whole
from plainchant.meaning.coverage import STATES
from plainchant.meaning.modules import find_book, module_folder, shipped_modules
from plainchant.text.diagnostic import Diagnostic, problem

MANIFEST = "site.json"
"""What every page is, for the check behind the build."""

OUTPUT = Path("build") / "docs"
BOOKS_HERE = "<!-- the books -->"
_MARK = "plainchant-site"
_ASSETS = ("plainchant.css", "plainchant.js")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument(
        "books", metavar="BOOK", nargs="*", help="a shipped book's name, or the path of a book (nothing: all that is shipped)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=Path,
        default=OUTPUT,
        help=f"the folder for the pages, which is emptied first ({OUTPUT.as_posix()})",
    )
    parser.add_argument("--no-prove", action="store_true", help="write without verdicts; nothing is proven")
    parser.add_argument("--prove-all", action="store_true", help="prove the situations as well, which takes a minute more when done first")


def run(args: argparse.Namespace) -> int:
    """Write the pages; 1 if a book has errors (its pages are missing then), 2 if the call is wrong."""
    paths, wrong = _paths(args.books)
    wrong = wrong or _unfit(args.output)
    if wrong:
        return refuse(wrong)
    books: list[Book] = []
    found: list[Diagnostic] = []
    with progress_of("books") as progress:
        for number, (name, path) in enumerate(paths.items()):
            progress(number, len(paths))
            # Situations ask hard questions of few rules; they are proven here only if somebody wants it, or nothing has to be done for it.
            prove = not args.no_prove and (args.prove_all or bool(args.books) or path.is_dir())
            book, errors = gathered(name, path, prove=prove, if_known=not args.no_prove)
            found += errors
            books += [book] if book is not None else []
    if found:
        refuse(found)
    pages = dict(site_pages(books))
    try:
        _write(args.output, pages, books)
    except OSError as error:
        return refuse((problem("PC009", path=str(error.filename or args.output), why=error.strerror or str(error)),))
    print(f"written: {len(pages)} pages to {args.output}")
    return FINDINGS if found else NOTHING_FOUND


def _paths(names: list[str]) -> tuple[dict[str, Path], tuple[Diagnostic, ...]]:
    """The books to write about, by the names of their folders of pages."""
    known = shipped_modules()
    if not names:
        return known, ()
    paths: dict[str, Path] = {}
    for name in names:
        path, wrong = (known[name], ()) if name in known else find_book(name)
        if path is None:
            return {}, wrong
        paths[module_folder(path).resolve().stem] = path
    return paths, ()


def _unfit(output: Path) -> tuple[Diagnostic, ...]:
    """Why a folder cannot be emptied and filled: it holds something that this command did not write."""
    if os.path.isdir(output) and any(output.iterdir()) and not (output / MANIFEST).is_file():
        cure = "name a new or empty folder, or one that an earlier run has written"
        return (problem("PC009", path=str(output), why="it holds other files, and would be emptied", cure=cure),)
    if os.path.exists(output) and not os.path.isdir(output):
        return (problem("PC009", path=str(output), why="it is no folder"),)
    return ()


# ---------------------------------------------------------------- pages


def site_pages(books: list[Book]) -> Iterator[tuple[str, str]]:
    """All pages: paths below the folder, and Markdown. A page of the documentation may be replaced by one that is worked out."""
    yield from _documentation(books)
    yield from reference_pages()
    known = {book.name: book for book in books}
    for book in books:
        writer = Writer(book, known)
        yield from book_pages(writer)
        yield from rule_pages(writer)


def _documentation(books: list[Book]) -> Iterator[tuple[str, str]]:
    """The pages that people have written; the start page gets the list of the books."""
    folder = data_folder("docs")
    for file in sorted(folder.rglob("*.md")):
        name = file.relative_to(folder).as_posix()
        yield name, file.read_text(encoding="utf-8").replace(BOOKS_HERE, _books(books))


def _books(books: list[Book]) -> str:
    rows = []
    for book in books:
        total: Counter[str] = Counter()
        for covered in book.coverage:
            total.update(covered.counts)
        sections = sum(1 for one in book.declared.values() if one.key[0] == "section")
        states = [str(total[state]) if total else "" for state in STATES]
        rows.append((link("index.md", f"books/{book.name}/index.md", esc(book.title)), str(sections) if sections else "", *states))
    return table(("Book", "Sections", *(f"Lines {state}" for state in STATES)), rows)


# ---------------------------------------------------------------- writing


def _write(output: Path, pages: Mapping[str, str], books: list[Book]) -> None:
    """Raises OSError."""
    if output.is_dir():
        shutil.rmtree(output)
    assets = output / "assets"
    assets.mkdir(parents=True)
    for name in _ASSETS:
        shutil.copyfile(Path(__file__).parent / "assets" / name, assets / name)
    for name, text in pages.items():
        file = output / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    manifest = {
        "schema": f"{_MARK}-1", "plainchant": plainchant.__version__, "pages": sorted(pages),
        "books": {book.name: _contents(book, pages) for book in books},
    }  # fmt: skip
    write_whole(output / MANIFEST, json.dumps(manifest, indent=1).encode())


def _contents(book: Book, pages: Mapping[str, str]) -> dict[str, object]:
    """What the template shows beside each page of a book: its own pages, and its parts with their sections."""
    writer = Writer(book, {})
    own = [(title, writer.page(name)) for name, title in OWN_PAGES.items() if writer.page(name) in pages]
    parts = [
        {
            "name": part.name.text, "title": part.words, "page": writer.path(("part", part.name.text)),
            "sections": [(d.words, writer.path(d.key)) for d in book.declared.values() if d.part == part.name.text and d.key[0] == "section"],
        }
        for part in book.parts
    ]  # fmt: skip
    return {"title": book.title, "page": writer.page("index"), "pages": own, "parts": parts}

"""A book made ready once: its program, what was said of its text, and how large it is, kept in the store for the next run."""

from __future__ import annotations

import operator
import os
import pickle
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from plainchant import store
from plainchant.beside import beside
from plainchant.meaning.kernel import Program
from plainchant.meaning.modules import (
    Library,
    find_module,
    is_shipped,
    load,
    module_folder,
    rules_files,
    shipped_modules,
    shown_path,
    table_files,
)
from plainchant.records import Frozen, replace
from plainchant.text.diagnostic import Diagnostic, errors_in, in_reading_order
from plainchant.text.place import Cite, Span

if TYPE_CHECKING:
    from plainchant.meaning.ground import Ground

_USE = re.compile(rb"(?m)^use +([a-z][a-z0-9_.]*)")


class ClaimText(Frozen):
    """A claim as it stands in the rules."""

    name: str
    expression: str
    span: Span
    cites: tuple[Cite, ...]


class Compiled(Frozen):
    """A book, or module: its program (None if its text has errors), the diagnostics, its claims and its size.

    `rules` counts the statements that are carried out, `lines` those of its own files. `digest` is one of the whole program, under which
    its verdicts are kept.
    """

    name: str
    source: str | None
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    claims: tuple[ClaimText, ...]
    files: int
    sections: int
    rules: int
    lines: int
    digest: str = ""


def compiled(path: Path, meanwhile: Callable[[], object] | None = None) -> Compiled:
    """The book at `path`, from the store if neither its files nor the program have changed.

    If there is something to be done `meanwhile`, a book that is not in the store is made ready in a process beside.
    """
    key = _key(path)
    if key is not None:
        found = _read(store.kept("book", key))
        if found is not None:
            return found
    answer: Callable[[Callable[[], Any]], Any] = operator.call
    with beside(answer, here=meanwhile is None) as other:
        other.post(partial(_written, path))
        other.post(partial(_key, path))
        if meanwhile is not None:
            meanwhile()
        data = other.answer()
        made = _read(pickle.loads(data))  # noqa: S301 - written by this very process, or its copy
        assert made is not None
        if key is not None and not errors_in(made.diagnostics) and key == other.answer():  # nobody has changed it meanwhile
            store.keep_written("book", key, data)
    return made


def _written(path: Path) -> bytes:
    """The book at `path`, made ready and written as the store keeps it: the program apart, because its digest is one of what is written."""
    made = _compile(path)
    program = store.written(made.program)
    digest = "" if made.program is None else store.key_of(program)
    return store.written((replace(made, program=None, digest=digest), program))


def _read(kept: object) -> Compiled | None:
    """A book as it was written; None if it is something else."""
    match kept:
        case (Compiled() as made, bytes(data)):
            try:
                program = pickle.loads(data)  # noqa: S301 - our own folder
            except Exception:
                return None  # damaged: all the same to the caller
            return replace(made, program=program) if isinstance(program, Program if made.digest else NoneType) else None
    return None


def ground_of(path: Path) -> tuple[Ground | None, tuple[Diagnostic, ...]]:
    """The book at `path` as questions about it need it, from the store if that can be; none with what is wrong with its text."""
    key = _key(path)
    from plainchant.meaning.ground import Ground

    kept = None if key is None else store.kept("ground", key)
    if isinstance(kept, Ground):
        return kept, ()
    from plainchant.meaning.lower import lowered

    made, diagnostics = lowered(*load(path))
    if made is not None and key is not None and key == _key(path):
        store.keep("ground", key, made)
    return made, diagnostics


def _compile(path: Path) -> Compiled:
    # What reads and lowers a text is loaded only when it is needed: most runs find the book in the store.
    from plainchant.meaning.flow import walk
    from plainchant.meaning.lower import compile_library
    from plainchant.text import tree as t

    library, found = load(path)
    program, found = compile_library(library, found)
    main = library.main
    items = [item for file in main.files for item in file.items]
    sections = [item for part in items if isinstance(part, t.Part) for item in part.items if isinstance(item, t.Section)]
    bodies = [item.body for item in items if isinstance(item, t.Rule | t.Verb)] + [section.body for section in sections]
    return Compiled(
        main.book.name.text if main.book else main.name,
        main.book.sources[0][0].text if main.book and main.book.sources else None,
        program,
        in_reading_order(found),
        tuple(_claims(library)),
        len(main.sources),
        len(sections),
        sum(1 for body in bodies for _ in walk(body)),
        sum(_line_count(source.text) for source in main.sources),
    )


def digest_of(program: Program) -> str:
    """A digest of all that is executed, asked or shown of a program that was just made.

    What comes from the store may be written otherwise though it is equal; its digest is kept with it.
    """
    return store.key_of(store.written(program))


def _claims(library: Library) -> Iterator[ClaimText]:
    from plainchant.text import tree as t
    from plainchant.text.expression_text import expression_text

    for module in library.modules:
        own = module.book.sources[0][0].text if module.book and module.book.sources else None
        items = [item for file in module.files for item in file.items]
        inner = [item for part in items if isinstance(part, t.Part) for item in part.items]
        for claim in (*items, *inner):
            if isinstance(claim, t.Claim):
                cites = tuple(t.Cite(cite.source or own, cite.ranges) for cite in claim.cites)
                yield ClaimText(claim.name.text, f"{claim.kind} {expression_text(claim.expression)}", claim.span, cites)


def _line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _key(path: Path) -> str | None:
    """The name of the book's entry: all files of its module and of those that it uses, as they are shown, and the code that reads them."""
    path = module_folder(path)
    # Which of these modules is the book itself is part of the key: books with tables of lines share all their files.
    pieces: list[str | bytes] = [store.code_digest("plainchant.text", "plainchant.meaning"), shown_path(path)]
    seen: set[Path] = set()
    # A book with a table of its printed lines speaks of all shipped rules that cite them.
    waiting = [path, *(shipped_modules().values() if table_files(path) and is_shipped(path) else ())]
    try:
        while waiting:
            module = waiting.pop()
            if module.resolve() in seen:
                continue
            seen.add(module.resolve())
            folder = os.path.isdir(module)
            # A single file says only inside of which tables it speaks, so all that lie beside it count.
            for table in table_files(module if folder else module.parent):
                pieces += [shown_path(table), table.read_bytes()]
            for file in rules_files(module):
                data = file.read_bytes()
                pieces += [shown_path(file), data]
                for name in _USE.findall(data):
                    used = find_module(name.decode("ascii"), module)
                    if used is None:
                        return None
                    waiting.append(used)
    except OSError:
        return None
    return store.key_of(*pieces)

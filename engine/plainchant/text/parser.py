"""The parser: Lark with the grammar that is shipped, its tables from the installation, from an earlier run, or worked out anew.

To work them out takes 0.25 s, to read them a tenth of that, so an installation ships them (`grammar/build_tables.py` makes them), and what
has none keeps them in the user's cache folder. They are named by the grammar and Lark's version: none is ever read that does not fit.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from plainchant.data import data_folder
from plainchant.files import write_whole
from plainchant.store import store_folder

if TYPE_CHECKING:
    from lark import Lark

TABLES_SUFFIX = ".tables"


@cache
def parser() -> Lark:
    """The one parser of this process; it is stateless."""
    name = tables_name()
    kept = store_folder()
    for folder in (data_folder("grammar"), kept):
        found = None if folder is None else _read(folder / name)
        if found is not None:
            return found
    made = worked_out()
    if kept is not None:
        with contextlib.suppress(OSError):
            write_tables(made, kept)
    return made


def worked_out() -> Lark:
    """The parser, from the grammar alone."""
    from lark import Lark

    from plainchant.text.blocks import Blocks

    return Lark(_grammar(), parser="lalr", lexer="contextual", postlex=Blocks(), propagate_positions=True, maybe_placeholders=True)


def tables_name() -> str:
    """The name of the file that holds the tables of this grammar, as this version of Lark writes them."""
    import lark

    key = hashlib.sha256(f"{lark.__version__}\n{_grammar()}".encode()).hexdigest()[:16]
    return f"rules-{key}{TABLES_SUFFIX}"


def write_tables(made: Lark, folder: Path) -> Path:
    """Write a parser's tables into a folder. Raises OSError if that cannot be done."""
    written = io.BytesIO()
    written.write(_headed())
    made.save(written)
    path = folder / tables_name()
    write_whole(path, written.getvalue())
    return path


def _read(path: Path) -> Lark | None:
    """The parser whose tables lie there; None if there are none, or none that can be read."""
    from lark import Lark

    try:
        with path.open("rb") as file:
            if file.readline() != _headed():
                return None
            found: Lark = Lark.load(file)
            return found
    except Exception:
        return None  # absent, cut off, or written by something else: tables must never stand in the way


def _headed() -> bytes:
    """The first line of a file with tables: whatever it is called, it is known by that."""
    return f"{tables_name()}\n".encode()


@cache
def _grammar() -> str:
    return (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")

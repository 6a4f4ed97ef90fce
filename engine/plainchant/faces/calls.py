"""What the commands share: exit statuses, the refusal of a call, the book that is named, types of arguments, JSON on standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plainchant.meaning.compiled import Compiled
    from plainchant.play.machine import Machine
    from plainchant.text.diagnostic import Diagnostic

NOTHING_FOUND, FINDINGS, WRONG_CALL, NOT_DECIDED = 0, 1, 2, 3


def refuse(diagnostics: Iterable[Diagnostic]) -> int:
    """Show what is wrong with the input; the exit status for it."""
    from plainchant.faces.report import show_diagnostics

    show_diagnostics(diagnostics)
    return WRONG_CALL


def book_of(book: str) -> tuple[Compiled | None, tuple[Diagnostic, ...]]:
    """A book by its shipped name or its path; None if there is none, or something is wrong with its text."""
    from plainchant.meaning.compiled import compiled
    from plainchant.meaning.modules import find_book

    path, found = find_book(book)
    if path is None:
        return None, found
    ready = compiled(path)
    return (None if ready.program is None else ready), ready.diagnostics


def machine_of(book: str) -> tuple[Machine | None, tuple[Diagnostic, ...]]:
    """The same, ready to be played."""
    from plainchant.play.machine import Machine

    ready, found = book_of(book)
    return (None if ready is None or ready.program is None else Machine(ready.program)), found


def count(word: str) -> int:
    """A type for arguments that take a number from 1 on."""
    if word.isascii() and word.isdigit() and 0 < len(word) < 12 and int(word) > 0:
        return int(word)
    raise argparse.ArgumentTypeError(f"“{word}” is no number from 1 on")


def one_of(*known: str) -> Callable[[str], str]:
    """A type for arguments that take one of some words."""

    def chosen(word: str) -> str:
        if word in known:
            return word
        from plainchant.meaning.words import nearest_name

        raise argparse.ArgumentTypeError(f"“{word}” is none of {', '.join(known)}; {nearest_name(word, known)}")

    return chosen


def print_json(report: object) -> None:
    """A report for programs, whatever the encoding of the output: signs that it may lack are escaped."""
    import json

    encoding: str = getattr(sys.stdout, "encoding", None) or ""
    utf_8 = encoding.lower().replace("-", "") == "utf8"
    json.dump(report, sys.stdout, ensure_ascii=not utf_8, indent=2)
    sys.stdout.write("\n")

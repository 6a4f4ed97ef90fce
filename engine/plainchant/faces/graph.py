"""`plainchant graph`: a book's sections and the ways between them as a drawing (SVG), or for other programs (DOT, JSON)."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from plainchant.faces.calls import NOTHING_FOUND, book_of, refuse
from plainchant.faces.checking import Goal, Verdict, installed_prover
from plainchant.faces.drawing import svg_of
from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE
from plainchant.faces.graph_export import dot_of, text_of_json
from plainchant.faces.graph_model import graph_of
from plainchant.meaning.kernel import Program
from plainchant.play.documents import write_text
from plainchant.text.diagnostic import Diagnostic, problem

_SUFFIXES = (".svg", ".dot", ".json")
_KINDS = ("section", "option", "arm", "hole", "impossible", "range", "dead-end")
_WORST_FIRST = (UNREACHABLE, NOT_DECIDED, REACHABLE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("book", metavar="BOOK", help="a shipped book's name, or the path of a book")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="the file to write: .svg, .dot or .json (nothing: DOT on standard output)"
    )
    parser.add_argument("--no-prove", action="store_true", help="draw without verdicts; nothing is proven")
    parser.add_argument(
        "--href", metavar="PATTERN", default="#{key}", help="where a section's box links to, with {key} for its key (default: #{key})"
    )


def run(args: argparse.Namespace) -> int:
    """Draw; 0 if that was done, 2 if the book or the call is wrong."""
    found = _conflicts(args)
    if found:
        return refuse(found)
    book, found = book_of(args.book)
    if book is None or book.program is None:
        return refuse(found)
    verdicts = None if args.no_prove else verdicts_of(book.program, book.digest)
    if verdicts is None and not args.no_prove:
        print("Drawn without verdicts: the prover's solver is not installed (pip install z3-solver).", file=sys.stderr)
    graph = graph_of(book.program, verdicts)
    suffix = ".dot" if args.output is None else args.output.suffix.lower()
    text = svg_of(graph, args.href) if suffix == ".svg" else dot_of(graph) if suffix == ".dot" else text_of_json(graph)
    found = _write(args.output, text)
    return refuse(found) if found else NOTHING_FOUND


def _write(output: Path | None, text: str) -> tuple[Diagnostic, ...]:
    if output is not None:
        return write_text(output, text)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as Graphviz reads it, whatever the terminal's encoding lacks
    sys.stdout.write(text)
    return ()


def verdicts_of(program: Program, digest: str) -> dict[str, str] | None:
    """The verdicts on sections, choices and stops by their keys; None if no prover is installed.

    Of a choice that is printed twice in one section, the best verdict counts.
    """
    prover = installed_prover()
    if prover is None:
        return None
    return best_verdicts(prover(program, digest=digest).verdicts) if program.entrances else {}


def best_verdicts(verdicts: Mapping[Goal, Verdict]) -> dict[str, str]:
    """The verdicts on sections, choices and stops by their keys; of several under one key, the best counts."""
    found: dict[str, str] = {}
    for goal, verdict in verdicts.items():
        if goal.kind in _KINDS:
            found[goal.key] = max(verdict.verdict, found.get(goal.key, UNREACHABLE), key=_WORST_FIRST.index)
    return found


def _conflicts(args: argparse.Namespace) -> tuple[Diagnostic, ...]:
    """What is wrong with the words of the call, told before anything is proven for nothing."""
    found = []
    path: Path | None = args.output
    if path is not None and path.suffix.lower() not in _SUFFIXES:
        why = f"“{path.name}” does not say by its suffix what to write"
        found.append(problem("PC507", why=why, cure=f"end its name in {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}"))
    elif path is not None and os.path.isdir(path):
        found.append(problem("PC009", path=str(path), why="it is a folder"))
    elif path is not None and not os.path.isdir(path.parent):
        found.append(problem("PC009", path=str(path), why="its folder does not exist"))
    if "{key}" not in args.href:
        why = f"“{args.href}” would link every section to the same place"
        found.append(problem("PC507", why=why, cure="write {key} where the section's key belongs"))
    return tuple(found)

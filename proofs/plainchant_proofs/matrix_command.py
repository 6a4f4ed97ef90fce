"""`plainchant matrix`: which log entries exclude or imply each other at the end of the campaign."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import plainchant
from plainchant.faces.calls import NOT_DECIDED, NOTHING_FOUND, machine_of, print_json, refuse
from plainchant.faces.report import open_console
from plainchant_proofs.matrix import Line, Matrix, matrix

SCHEMA = "plainchant-matrix-1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `matrix` takes."""
    parser.add_argument("book", metavar="BOOK", help="a shipped book's name, or the folder or file of one")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people (text, the default) or for programs")


def run(args: argparse.Namespace) -> int:
    """Show the table; exit status 3 if something in it was not decided."""
    machine, diagnostics = machine_of(args.book)
    if machine is None:
        return refuse(diagnostics)
    table = matrix(machine)
    if args.format == "json":
        print_json(_json(table))
    else:
        _show(table)
    return NOT_DECIDED if table.undecided or table.unsure else NOTHING_FOUND


def _show(table: Matrix) -> None:
    console = open_console()
    console.print("At the end of every campaign that comes to an end", style="bold")
    for line in table.always:
        console.print(f"  “{line.words}” stands in the log", soft_wrap=True)
    _pairs(table, table.exclusive, "excludes", both_ways=True)
    _pairs(table, table.implies, "implies", both_ways=False)
    if table.unsure:
        console.print()
        console.print("It was not decided whether some campaign, or every campaign, ends with", style="yellow")
        for line in table.unsure:
            console.print(f"  “{line.words}”", soft_wrap=True)
    if table.undecided:
        console.print(f"{len(table.undecided)} pairs were not decided within the limits.", style="yellow")


def _pairs(table: Matrix, pairs: Iterable[tuple[Line, Line]], verb: str, *, both_ways: bool) -> None:
    console = open_console()
    others: dict[Line, list[Line]] = {}
    for a, b in pairs:
        others.setdefault(a, []).append(b)
        if both_ways:
            others.setdefault(b, []).append(a)
    for line in table.lines:
        if line in others:
            console.print()
            console.print(f"“{line.words}” {verb}", style="bold", soft_wrap=True)
            for other in others[line]:
                console.print(f"  “{other.words}”", soft_wrap=True)


def _json(table: Matrix) -> dict[str, object]:
    def pairs(found: Iterable[tuple[Line, Line]]) -> list[list[str]]:
        return [[a.words, b.words] for a, b in found]

    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "entries": [line.words for line in table.lines],
        "always": [line.words for line in table.always],
        "exclusive": pairs(table.exclusive),
        "implies": pairs(table.implies),
        "undecided": pairs(table.undecided),
        "unsure": [line.words for line in table.unsure],
    }

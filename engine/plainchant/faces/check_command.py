"""`plainchant check`: the call, and its exit status."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from plainchant.faces.calls import FINDINGS, NOT_DECIDED, NOTHING_FOUND, WRONG_CALL, count, one_of, print_json, refuse
from plainchant.faces.checking import CheckedBook, InstalledProver, all_claims, all_diagnostics, check_paths, counts_of, installed_prover
from plainchant.faces.progress import progress_of
from plainchant.meaning.modules import find_book, shipped_books


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="a book's folder, a rules file, or a shipped book's name (nothing: all shipped books)"
    )
    parser.add_argument("--book", metavar="NAME", help="a shipped book")
    parser.add_argument("--no-prove", action="store_true", help="look at the text only; nothing is proven")
    parser.add_argument("--no-cache", action="store_true", help="prove everything anew, whatever earlier runs have kept")
    parser.add_argument(
        "--jobs", type=count, default=None, metavar="N", help="prove on so many processes (by itself: on two, where that helps)"
    )
    parser.add_argument("--rlimit", type=count, default=None, metavar="N", help="units of work for each question of the solver")
    formats = ("text", "json", "sarif", "junit")
    parser.add_argument(
        "--format", type=one_of(*formats), default="text", metavar="|".join(formats),
        help="for people (text, the default), for programs, for code scanning (SARIF 2.1.0), or as test cases (JUnit XML)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Check; 0 if nothing was found, 1 for errors and warnings, 2 if the input cannot be read, 3 if something was not decided."""
    began = time.perf_counter()
    books = shipped_books()
    paths = [books[path] if path in books and not os.path.exists(path) else Path(path) for path in args.paths]
    if args.book is not None:
        path, wrong = find_book(args.book)
        if path is None:
            return refuse(wrong)
        paths.append(path)
    with progress_of("proving") as progress:
        prover = None if args.no_prove else installed_prover(cache=not args.no_cache, jobs=args.jobs, rlimit=args.rlimit, progress=progress)
        meanwhile = partial(_get_ready, prover) if prover is not None and args.jobs is None else None
        checked = check_paths(paths or books.values(), prover, meanwhile)
    status = _status(checked)
    _tell(checked, args.format, time.perf_counter() - began, status)
    return status


def _get_ready(prover: InstalledProver) -> None:
    """Load what is needed behind the texts: the prover, and what draws the report."""
    prover.get_ready()
    for name in ("plainchant.faces.report", "plainchant.faces.findings_text", "rich.console", "rich.table"):
        importlib.import_module(name)


def _tell(checked: Sequence[CheckedBook], form: str, seconds: float, status: int) -> None:
    from plainchant.faces.report import json_report, show_report

    if form == "json":
        print_json(json_report(checked, seconds))
    elif form == "sarif":
        from plainchant.faces.sarif import sarif_report

        print_json(sarif_report(checked, status=status, understood=status != WRONG_CALL))
    elif form == "junit":
        from plainchant.faces.junit import junit_report

        sys.stdout.write(junit_report(checked, seconds))
    else:
        show_report(checked)


def _status(checked: Sequence[CheckedBook]) -> int:
    if any(diagnostic.code in ("PC001", "PC002", "PC003", "PC006") for diagnostic in all_diagnostics(checked)):
        return WRONG_CALL
    total = counts_of(checked)
    if total["errors"] or total["warnings"]:
        return FINDINGS
    undecided = any(finding.kind == "not-decided" for book in checked for finding in book.findings)
    undecided |= any(claim.verdict == "not decided" for claim, _ in all_claims(checked))
    return NOT_DECIDED if undecided else NOTHING_FOUND

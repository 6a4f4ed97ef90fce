"""What `check` finds in a book: how large it is, what is wrong with its text, and which claims stand in it."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from plainchant.faces.findings import ClaimVerdict, Finding
from plainchant.meaning.compiled import compiled
from plainchant.meaning.kernel import Program
from plainchant.meaning.modules import SUFFIX, books_in, module_folder
from plainchant.text.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class CheckedBook:
    """A book, or module, with its size: `rules` counts the statements that are carried out, `lines` those of its files."""

    name: str
    files: int
    sections: int
    rules: int
    lines: int
    diagnostics: tuple[Diagnostic, ...]
    findings: tuple[Finding, ...]
    claims: tuple[ClaimVerdict, ...]
    proven: bool
    source: str | None


class Goal(Protocol):
    """What is asked of a book without being asked: its kind (section, option, arm, hole, …), and the key by which it is known."""

    @property
    def kind(self) -> str: ...
    @property
    def key(self) -> str: ...


class Verdict(Protocol):
    """reachable, unreachable or not decided."""

    @property
    def verdict(self) -> str: ...


class Proof(Protocol):
    """What a prover says of a book."""

    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def claims(self) -> tuple[ClaimVerdict, ...]: ...
    @property
    def verdicts(self) -> Mapping[Goal, Verdict]: ...


class Prover(Protocol):
    """Proves a program; its digest is worked out if it is not at hand."""

    def __call__(self, program: Program, *, digest: str = "") -> Proof: ...


def installed_prover(**options: object) -> Prover | None:
    """The prover that is installed beside the engine, with these options; None without one (the engine itself never needs it)."""
    try:
        module = importlib.import_module("plainchant_proofs.checking")
    except ImportError:
        return None
    prove: Prover = partial(module.prove, **options)
    return prove


def check_paths(paths: Iterable[Path], prover: Prover | None = None) -> tuple[CheckedBook, ...]:
    """Check the book of each path once; a folder that holds no rules itself stands for the books in it."""
    modules = dict.fromkeys(module_folder(path) for given in paths for path in _books_below(given))
    return tuple({path.resolve(): check_book(path, prover) for path in modules}.values())


def check_book(path: Path, prover: Prover | None = None) -> CheckedBook:
    """Load, resolve and check one book, or single file; prove it, if there is a prover and nothing is wrong with the text."""
    book = compiled(path)
    proof = prover(book.program, digest=book.digest) if prover is not None and book.program is not None and book.program.entrances else None
    unproven = tuple(ClaimVerdict(c.name, c.expression, "not decided", None, c.span, c.cites) for c in book.claims)
    return CheckedBook(
        book.name, book.files, book.sections, book.rules, book.lines, book.diagnostics, proof.findings if proof else (),
        proof.claims if proof else unproven, proof is not None, book.source,
    )  # fmt: skip


def _books_below(path: Path) -> list[Path]:
    if not os.path.isdir(path):
        return [path]
    if any(path.glob(f"*{SUFFIX}")):
        return books_in(path)
    folders = sorted({file.parent for file in path.rglob(f"*{SUFFIX}")})
    return [book for folder in folders for book in books_in(folder)] or [path]

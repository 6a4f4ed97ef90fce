"""What `check` finds in a book: how large it is, what is wrong with its text, and which claims stand in it."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from plainchant.faces.findings import ClaimVerdict, Finding
from plainchant.meaning.compiled import compiled
from plainchant.meaning.kernel import Program
from plainchant.meaning.modules import SUFFIX, books_in, module_folder
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic


class CheckedBook(Frozen):
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


class InstalledProver:
    """The prover that is installed beside the engine, with options of its own; loaded when it is needed, or ahead, as that takes a while."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self._options = options
        self._blank: object = None
        self._last: Proof | None = None

    def __call__(self, program: Program, *, digest: str = "") -> Proof:
        """The proof; it stays with the prover until the next is wanted."""
        self._last = None
        prove = importlib.import_module("plainchant_proofs.checking").prove
        proof: Proof = prove(program, digest=digest, blank=self._blank, **self._options)
        self._last = proof
        return proof

    def get_ready(self) -> None:
        """Load all that proves, and make its solver. It is not needed where the verdicts are in the store."""
        with contextlib.suppress(ImportError):
            self._blank = importlib.import_module("plainchant_proofs.proving").Blank()


@lru_cache(maxsize=1)
def installed_prover(**options: object) -> InstalledProver | None:
    """The prover with these options; None where it is not installed (the engine itself never needs it).

    The last one is kept, and with it what it has proven last: to take that apart takes a while, and mostly the process ends before.
    """
    return InstalledProver(options) if find_spec("plainchant_proofs") is not None else None


def check_paths(
    paths: Iterable[Path], prover: Prover | None = None, meanwhile: Callable[[], object] | None = None
) -> tuple[CheckedBook, ...]:
    """Check the book of each path once; a folder that holds no rules itself stands for the books in it.

    If there is something to be done `meanwhile`, books are made ready in a process beside.
    """
    modules = dict.fromkeys(module_folder(path) for given in paths for path in _books_below(given))
    return tuple({path.resolve(): check_book(path, prover, meanwhile) for path in modules}.values())


def check_book(path: Path, prover: Prover | None = None, meanwhile: Callable[[], object] | None = None) -> CheckedBook:
    """Load, resolve and check one book, or single file; prove it, if there is a prover and nothing is wrong with the text."""
    book = compiled(path, meanwhile)
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


# ---------------------------------------------------------------- of all books together


def all_diagnostics(books: Iterable[CheckedBook]) -> tuple[Diagnostic, ...]:
    """What was found in several books; what they share is told once."""
    return tuple(dict.fromkeys(diagnostic for book in books for diagnostic in book.diagnostics))


def all_claims(books: Iterable[CheckedBook]) -> tuple[tuple[ClaimVerdict, str | None], ...]:
    """The claims of several books, each with the source that its citations mean; those of a module that they share once."""
    return tuple({(claim.at, claim.name): (claim, book.source) for book in books for claim in book.claims}.values())


def counts(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many errors, warnings and notes there are."""
    found = Counter(diagnostic.severity for diagnostic in diagnostics)
    return {"errors": found["error"], "warnings": found["warning"], "notes": found["note"]}


def counts_of(books: Sequence[CheckedBook]) -> dict[str, int]:
    """How many errors, warnings and notes there are in texts and proofs together; a known finding counts as a note."""
    total = Counter(counts(all_diagnostics(books)))
    for book in books:
        total.update(f"{finding.severity}s" for finding in book.findings)
    return {word: total[word] for word in ("errors", "warnings", "notes")}

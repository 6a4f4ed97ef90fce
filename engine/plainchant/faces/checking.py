"""What `check` finds in a book: how large it is, what is wrong with its text, and which claims stand in it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plainchant.faces.findings import ClaimVerdict, Finding
from plainchant.meaning.flow import walk
from plainchant.meaning.kernel import Program
from plainchant.meaning.lower import compile_library
from plainchant.meaning.modules import SUFFIX, Library, load, module_folder
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic, in_reading_order
from plainchant.text.expression_text import expression_text


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


class Proof(Protocol):
    """What a prover says of a book."""

    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def claims(self) -> tuple[ClaimVerdict, ...]: ...


Prover = Callable[[Program], Proof]


def installed_prover() -> Prover | None:
    """The prover that is installed beside the engine; None without one (the engine itself never needs it)."""
    try:
        module = importlib.import_module("plainchant_proofs.checking")
    except ImportError:
        return None
    prove: Prover = module.prove
    return prove


def check_paths(paths: Iterable[Path], prover: Prover | None = None) -> tuple[CheckedBook, ...]:
    """Check the book of each path once; a folder that holds no rules itself stands for the books in it."""
    modules = dict.fromkeys(module_folder(path) for given in paths for path in _books_below(given))
    return tuple({path.resolve(): check_book(path, prover) for path in modules}.values())


def check_book(path: Path, prover: Prover | None = None) -> CheckedBook:
    """Load, resolve and check one book, or single file; prove it, if there is a prover and nothing is wrong with the text."""
    library, found = load(path)
    program, found = compile_library(library, found)
    proof = prover(program) if prover is not None and program is not None and program.entrances else None
    items = [item for file in library.main.files for item in file.items]
    sections = [item for part in items if isinstance(part, t.Part) for item in part.items if isinstance(item, t.Section)]
    bodies = [item.body for item in items if isinstance(item, t.Rule | t.Verb)] + [section.body for section in sections]
    return CheckedBook(
        library.main.book.name.text if library.main.book else library.main.name,
        len(library.main.sources),
        len(sections),
        sum(1 for body in bodies for _ in walk(body)),
        sum(_line_count(source.text) for source in library.main.sources),
        in_reading_order(found),
        proof.findings if proof else (),
        proof.claims if proof else tuple(_claims(library)),
        proof is not None,
        library.main.book.sources[0][0].text if library.main.book and library.main.book.sources else None,
    )


def _books_below(path: Path) -> list[Path]:
    if not path.is_dir() or any(path.glob(f"*{SUFFIX}")):
        return [path]
    return [folder for folder in sorted(path.iterdir()) if folder.is_dir() and any(folder.glob(f"*{SUFFIX}"))] or [path]


def _line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _claims(library: Library) -> Iterator[ClaimVerdict]:
    """The claims of a book; what is not proven is not decided."""
    for module in library.modules:
        own = module.book.sources[0][0].text if module.book and module.book.sources else None
        items = [item for file in module.files for item in file.items]
        inner = [item for part in items if isinstance(part, t.Part) for item in part.items]
        for claim in (*items, *inner):
            if isinstance(claim, t.Claim):
                cites = tuple(t.Cite(cite.source or own, cite.ranges) for cite in claim.cites)
                expression = f"{claim.kind} {expression_text(claim.expression)}"
                yield ClaimVerdict(claim.name.text, expression, "not decided", None, claim.span, cites)

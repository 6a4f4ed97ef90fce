"""All that the pages of a book are made of, worked out once: tree and names, verdicts, the matrix, printed lines, who uses what."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from plainchant.faces.checking import installed_prover
from plainchant.faces.declared import Declared, Key, Use, declared, uses
from plainchant.faces.findings import ClaimVerdict, Finding
from plainchant.faces.graph import best_verdicts
from plainchant.faces.graph_model import BookGraph, graph_of
from plainchant.meaning.collect import collect
from plainchant.meaning.compiled import Compiled, compiled
from plainchant.meaning.coverage import SourceCoverage, coverage_of
from plainchant.meaning.kernel import Program
from plainchant.meaning.modules import Library, load
from plainchant.meaning.names import Names
from plainchant.records import Frozen
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic, errors_in


class Book(Frozen, dict=True):
    """A book (or a folder that has only a table of printed lines so far). `name` is that of its folder of pages."""

    name: str
    library: Library
    names: Names
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    findings: tuple[Finding, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    verdicts: Mapping[str, str] | None = None
    matrix: Any = None

    @property
    def title(self) -> str:
        return self.names.book.title if self.names.book else self.name

    @property
    def source(self) -> str | None:
        """The source of citations that name none."""
        return self.names.source

    @cached_property
    def declared(self) -> dict[Key, Declared]:
        """All declared things; of two under one key (which no sound book has) the first."""
        found: dict[Key, Declared] = {}
        for one in declared(self.library):
            found.setdefault(one.key, one)
        return found

    @cached_property
    def uses(self) -> dict[Key, list[Use]]:
        """Who uses each declared thing."""
        found: dict[Key, list[Use]] = {}
        for use in uses(self.library, self.names):
            found.setdefault(use.target, []).append(use)
        return found

    @cached_property
    def used_by(self) -> dict[Key, list[Use]]:
        """What each place uses."""
        found: dict[Key, list[Use]] = {}
        for use in (use for targets in self.uses.values() for use in targets):
            found.setdefault(use.place, []).append(use)
        return found

    @cached_property
    def coverage(self) -> tuple[SourceCoverage, ...]:
        """What became of the printed lines of its sources; of those only whose table it has, so that each is told in one place."""
        return tuple(covered for covered in coverage_of(self.library) if covered.table is not None)

    @cached_property
    def graph(self) -> BookGraph | None:
        """The sections and the ways between them; None of a book without sections."""
        return graph_of(self.program, self.verdicts) if self.program is not None and self.program.sections else None

    @property
    def parts(self) -> list[t.Part]:
        """The parts in the order of play, then those that stand in none."""
        known = [d.node for d in self.declared.values() if isinstance(d.node, t.Part)]
        order = [part.name for part in self.names.order]
        return sorted(known, key=lambda part: order.index(part.name.text) if part.name.text in order else len(order))

    def text_of(self, node: t.Node) -> str:
        """The lines of a rules file where something is declared, indented from the margin."""
        source = self.library.sources[node.span.file]
        lines = list(source.lines[node.span.line - 1 : node.span.end_line])
        if len(lines) > 1 and node.span.end_column <= len(lines[-1]) - len(lines[-1].lstrip()) + 1:
            lines.pop()
        while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
            lines.pop()
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        return "\n".join(line[margin:].rstrip() for line in lines)


def gathered(name: str, path: Path, *, prove: bool = True, if_known: bool = False) -> tuple[Book | None, tuple[Diagnostic, ...]]:
    """Everything about a book, with one run of the prover; None with the errors of its text.

    A book that is not to be proven has its verdicts all the same `if_known` is asked for and an earlier run has kept them.
    """
    library, found = load(path)
    errors = tuple(one for one in found if one.severity == "error")
    if errors:
        return None, errors
    names, _ = collect(library)
    if library.main.book is None:
        return Book(name, library, names, None, found) if library.main.tables else None, ()
    ready = compiled(path)
    if ready.program is None or errors_in(ready.diagnostics):
        return None, tuple(one for one in ready.diagnostics if one.severity == "error")
    book = Book(name, library, names, ready.program, ready.diagnostics, claims=_unproven(ready.claims))
    wanted = prove or (if_known and _proven_before(ready))
    prover = installed_prover() if wanted and ready.program.entrances else None
    if prover is None:
        return book, ()
    proof = prover(ready.program, digest=ready.digest)
    return Book(
        name, library, names, ready.program, ready.diagnostics, proof.findings, proof.claims, best_verdicts(proof.verdicts),
        _matrix(ready.program),
    ), ()  # fmt: skip


def _proven_before(ready: Compiled) -> bool:
    try:
        module = importlib.import_module("plainchant_proofs.checking")
    except ImportError:
        return False
    return bool(module.proven_before(ready.digest))


def _unproven(claims: Any) -> tuple[ClaimVerdict, ...]:
    return tuple(ClaimVerdict(c.name, c.expression, "not decided", None, c.span, c.cites) for c in claims)


def _matrix(program: Program) -> Any:
    """The table of entries that exclude or imply each other, by the prover, which the engine knows by name alone."""
    from plainchant.play.machine import Machine

    return importlib.import_module("plainchant_proofs.matrix").matrix(Machine(program)) if program.log else None

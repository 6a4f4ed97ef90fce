"""Complaints of one stage, collected with the line of the file for the caret."""

from __future__ import annotations

from typing import Any

from plainchant.text.diagnostic import Diagnostic, in_reading_order, problem
from plainchant.text.place import Span
from plainchant.text.source import Source


class Reporter:
    """Collects diagnostics of one stage, each with the line of its file for the caret."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self._sources = sources
        self.found: list[Diagnostic] = []

    def __call__(self, code: str, at: Span, *, cure: str = "", **values: Any) -> None:
        source = self._sources.get(at.file)
        line = source.line(at.line) if source else ""
        self.found.append(problem(code, at, cure=cure, source_line=line, **values))

    def result(self) -> tuple[Diagnostic, ...]:
        return in_reading_order(self.found)

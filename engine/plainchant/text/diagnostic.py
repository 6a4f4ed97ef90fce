"""A diagnostic: what is wrong, where, why, and how to mend it; plain data, never raised."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.records import Frozen
from plainchant.text.codes import CODES, Code
from plainchant.text.place import NOWHERE, Span


class Diagnostic(Frozen):
    """One finding about the text or the call.

    `code` is a key of the registry (`PC…`); `at` is NOWHERE when no file is concerned; `cure` says what to do, with the
    names of this very case; `source_line` is the line of the file for the caret, empty when there is none.
    """

    code: str
    message: str
    at: Span = NOWHERE
    cure: str = ""
    source_line: str = ""
    related: tuple[tuple[str, Span], ...] = ()

    @property
    def entry(self) -> Code:
        """The registry's entry of this code."""
        return CODES[self.code]

    @property
    def severity(self) -> str:
        return self.entry.severity


def problem(code: str, at: Span = NOWHERE, *, cure: str = "", source_line: str = "",
            related: tuple[tuple[str, Span], ...] = (), **values: object) -> Diagnostic:  # fmt: skip
    """A diagnostic with the registry's message, its blanks filled by `values`."""
    entry = CODES[code]
    return Diagnostic(code, entry.message.format(**values), at, cure or entry.cure.format(**values), source_line, related)


def errors_in(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error (and not only a warning or a note)."""
    return any(d.severity == "error" for d in diagnostics)


def in_reading_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file, line, column and code, without repetitions."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=lambda d: (d.at.file, d.at.line, d.at.column, d.code, d.message)))

"""The table of a source's printed lines: of each line its class and a digest of its text, and none of the text itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.place import Span

SUFFIX = ".lines"

RULE, BLANK = "rule", "blank"

WAIVED_CLASSES = {
    "heading": "a heading; what it governs stands below it",
    "narrative": "the story, or a note that it was left out",
    "artwork": "a picture, diagram or icon",
    "photograph": "a picture of a card or another component, and what stands on that",
    "example": "an example of a rule that is printed elsewhere",
    "reference": "points to another place, or repeats it: contents, indexes, lists of components",
    "remark": "a note of the publisher or transcriber about the text, and no part of the rules",
    "advice": "a recommendation that binds nobody",
}
"""What a line may be waived as: the words behind `waive`."""

CLASSES = (RULE, BLANK, *WAIVED_CLASSES)

_ROW = re.compile(rf"([1-9][0-9]{{0,8}}) ({'|'.join(CLASSES)}) ([0-9a-f]{{10}})")


class Printed(Frozen):
    """A printed line: its class, and the digest of its text."""

    line_class: str
    digest: str


class LineTable(Frozen):
    """All printed lines of a source, the first at 0; `file` is where the table stands."""

    source: str
    lines: tuple[Printed, ...]
    file: str = ""

    def class_of(self, line: int) -> str:
        """The class of a line, counted from 1; a line that the table does not have counts as a rule."""
        return self.lines[line - 1].line_class if 0 < line <= len(self.lines) else RULE


class Change(Frozen):
    """A difference between the table and a printing: the lines `first` to `last` of the table stand there otherwise.

    sort: changed, gone, or new (then new lines stand behind line `first`, and `last` is the same). `now` are the lines of the printing.
    """

    sort: str
    first: int
    last: int
    now: tuple[int, int]


def lines_of(text: str) -> list[str]:
    """The lines of a printed text. The last one counts also where no newline ends it; an empty one behind the last newline does not."""
    lines = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def digest_of(line: str) -> str:
    """A short digest of a line; enough to notice that it was changed."""
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:10]


# ---------------------------------------------------------------- the file


def table_text(table: LineTable) -> str:
    """The table as a file."""
    head = (
        f"# {table.source}: each printed line, its class, and a digest of its text. The classes may be corrected by hand; for the rest,\n"
    )
    head += "# `plainchant coverage --sources FOLDER --write` brings the table up to date.\n"
    return head + "".join(f"{number} {line.line_class} {line.digest}\n" for number, line in enumerate(table.lines, 1))


def read_table(path: Path, shown: str) -> tuple[LineTable | None, tuple[Diagnostic, ...]]:
    """Read a table; None with the reason if it cannot be used."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return None, (problem("PC006", path=shown, why=error.strerror or "unknown reason"),)
    except UnicodeDecodeError as error:
        return None, (problem("PC003", Span(shown, 1, 1, 1, 2), byte=error.start + 1, value=error.object[error.start]),)
    return table_from_text(text, path.stem, shown)


def table_from_text(text: str, source: str, shown: str) -> tuple[LineTable | None, tuple[Diagnostic, ...]]:
    """The table that a file holds; None with the first line that is wrong."""
    lines: list[Printed] = []
    for number, row in enumerate(lines_of(text), 1):
        if not row.strip() or row.startswith("#"):
            continue
        match = _ROW.fullmatch(row.rstrip())
        if match is None or int(match[1]) != len(lines) + 1:
            at = Span(shown, number, 1, number, max(2, len(row) + 1))
            return None, (problem("PC807", at, source_line=row, expected=f"{len(lines) + 1} rule 0123456789"),)
        lines.append(Printed(match[2], match[3]))
    return LineTable(source, tuple(lines), shown), ()


# ---------------------------------------------------------------- a table and a printing


def changes(table: LineTable, printing: Sequence[str]) -> tuple[Change, ...]:
    """Where a printing differs from the table, in the order of the lines."""
    before, after = [line.digest for line in table.lines], [digest_of(line) for line in printing]
    return tuple(_changes(SequenceMatcher(None, before, after, autojunk=False)))


def _changes(matcher: SequenceMatcher[str]) -> Iterator[Change]:
    for sort, low, high, new_low, new_high in matcher.get_opcodes():
        now = (new_low + 1, new_high)
        if sort == "replace":
            yield Change("changed", low + 1, high, now)
        elif sort == "delete":
            yield Change("gone", low + 1, high, now)
        elif sort == "insert":
            yield Change("new", low, low, now)


def likeness(table: LineTable, printing: Sequence[str]) -> float:
    """How much of a table a printing holds, between 0 and 1; by this the file of a source is found, whatever it is called."""
    known = {line.digest for line in table.lines if line.line_class != BLANK}
    return len(known & {digest_of(line) for line in printing}) / len(known) if known else 0.0


def brought_up_to_date(table: LineTable | None, source: str, printing: Sequence[str]) -> LineTable:
    """The table of a printing. Lines that stood in the old table keep their class; a new one is a rule until somebody says otherwise."""
    fresh = [Printed(RULE if line.strip() else BLANK, digest_of(line)) for line in printing]
    if table is None:
        return LineTable(source, tuple(fresh))
    before, after = [line.digest for line in table.lines], [line.digest for line in fresh]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for low, new_low, size in matcher.get_matching_blocks():
        fresh[new_low : new_low + size] = table.lines[low : low + size]
    return LineTable(source, tuple(fresh), table.file)

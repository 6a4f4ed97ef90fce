"""`plainchant fmt`: files into the canonical layout, each replaced at once or left untouched."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from plainchant.faces.calls import FINDINGS, NOTHING_FOUND, refuse
from plainchant.files import write_whole
from plainchant.meaning.modules import SUFFIX, shown_path
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, errors_in, problem
from plainchant.text.format import format_file
from plainchant.text.parse import parse
from plainchant.text.source import Source, read_source
from plainchant.text.tree import File


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a rules file, or a folder with rules files in it")
    parser.add_argument("--check", action="store_true", help="write nothing; say which files would change")


def run(args: argparse.Namespace) -> int:
    """Format; 1 if with `--check` some file would change, 2 if some file has errors or cannot be written."""
    result = format_paths([Path(path) for path in args.paths], check=args.check)
    for path in result.changed:
        print(f"{'would change' if args.check else 'changed'}: {shown_path(path)}")
    if result.diagnostics:
        status = refuse(result.diagnostics)
        if errors_in(result.diagnostics):
            return status
    return FINDINGS if args.check and result.changed else NOTHING_FOUND


class FormatResult(Frozen):
    """Which files were (or with `check` would be) rewritten, which have the layout already, and what is wrong with the others."""

    changed: tuple[Path, ...]
    unchanged: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]


def format_paths(paths: Sequence[Path], *, check: bool) -> FormatResult:
    """Bring rules files into the canonical layout; folders are searched for `*.rules`, also those below.

    A file with errors is left as it is, and its diagnostics are in the result. With `check` nothing is written. Raises nothing.
    """
    changed: list[Path] = []
    unchanged: list[Path] = []
    diagnostics: list[Diagnostic] = []
    for path, found in _rules_files(paths):
        text, problems = (None, found) if found else _formatted(path)
        if text is not None:
            differs, problems = _put(path, text, check)
            if not problems:
                (changed if differs else unchanged).append(path)
        diagnostics += problems
    return FormatResult(tuple(changed), tuple(unchanged), tuple(diagnostics))


def _rules_files(paths: Iterable[Path]) -> Iterator[tuple[Path, tuple[Diagnostic, ...]]]:
    """Each file once, in the order of the call, with what is wrong with the path itself."""
    seen: set[Path] = set()
    for path in paths:
        if os.path.isdir(path):
            files = sorted(file for file in path.rglob(f"*{SUFFIX}") if file.is_file())
            problems = () if files else (problem("PC002", path=shown_path(path)),)
        else:
            files = [path]
            problems = (problem("PC002", path=shown_path(path)),) if os.path.exists(path) and path.suffix != SUFFIX else ()
        for file in files or [path]:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file, problems


def _formatted(path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The file's text in the canonical layout; None if it has errors, or if the new text would not say the same."""
    source, found = read_source(path, shown_path(path))
    if errors_in(found):
        return None, found
    file, found = parse(source)
    if errors_in(found):
        return None, found
    text = format_file(file)
    again, found = parse(Source(source.name, text))
    if found or again.items != file.items or _comments(again) != _comments(file):
        why = "the formatted text would not say the same, so the file was left as it is"
        return None, (problem("PC900", source.span(1, 1), source_line=source.line(1), why=why),)
    return text, ()


def _comments(file: File) -> Counter[str]:
    return Counter(comment.text for comment in file.comments)


def _put(path: Path, text: str, check: bool) -> tuple[bool, tuple[Diagnostic, ...]]:
    """Whether the file differs from the text, which is written unless `check`."""
    data = text.encode("utf-8")
    try:
        differs = path.read_bytes() != data
        if differs and not check:
            write_whole(path, data)
    except OSError as error:
        return False, (problem("PC009", path=shown_path(path), why=error.strerror or "unknown reason"),)
    return differs, ()

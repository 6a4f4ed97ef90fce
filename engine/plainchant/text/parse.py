"""From text to tree: Lark's LALR parser, run again without each line that it could not take, so that one run finds all errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainchant.data import data_folder
from plainchant.text.diagnostic import Diagnostic, errors_in, in_reading_order
from plainchant.text.source import Source
from plainchant.text.tree import Comment, File

if TYPE_CHECKING:
    from lark import Lark, Tree

MAX_ERRORS = 25
"""Syntax errors reported for one file."""

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(#.*)')


def parse(source: Source) -> tuple[File, tuple[Diagnostic, ...]]:
    """Parse a file. On errors the tree holds what could be understood, with every error of the file beside it."""
    tree, diagnostics = _parse_with_recovery(source)
    from plainchant.text.build import Builder

    file: File = Builder(source.name).transform(tree)
    return replace(file, comments=tuple(_comments(source))), diagnostics


def _parse_with_recovery(source: Source) -> tuple[Tree[Any], tuple[Diagnostic, ...]]:
    from lark import UnexpectedInput

    from plainchant.text.mistakes import diagnose

    parser = _parser(_cache_file())
    lines = list(source.lines)
    found: list[Diagnostic] = []
    while True:
        try:
            return parser.parse("\n".join(lines) + "\n"), in_reading_order(found)
        except UnexpectedInput as error:
            diagnostic, line = diagnose(error, source, lines)
            found.append(diagnostic)
            if len(found) >= MAX_ERRORS or not _blank(lines, line):
                return parser.parse("\n"), in_reading_order(found)


def _blank(lines: list[str], number: int) -> bool:
    """Blank a line with the block below it, and each header above that is left without a block; whether anything was blanked."""
    index = number - 1
    if not 0 <= index < len(lines) or not lines[index].strip():
        return False
    indent = _indent(lines[index])
    lines[index] = ""
    below = index + 1
    while below < len(lines) and (not _counts(lines[below]) or _indent(lines[below]) > indent):
        lines[below] = "" if _counts(lines[below]) else lines[below]
        below += 1
    header = _previous(lines, index)
    if header is not None and _indent(lines[header]) < indent:
        follower = next((line for line in lines[index + 1 :] if _counts(line)), "")
        if not follower or _indent(follower) <= _indent(lines[header]):
            _blank(lines, header + 1)
    return True


def _previous(lines: list[str], index: int) -> int | None:
    return next((i for i in range(index - 1, -1, -1) if _counts(lines[i])), None)


def _counts(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and not bare.startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _comments(source: Source) -> Iterator[Comment]:
    for number, line in enumerate(source.lines, 1):
        if "#" not in line:
            continue
        for match in _COMMENT.finditer(line):
            if match.group(1) is not None:
                own_line = not line[: match.start(1)].strip()
                span = source.span(number, match.start(1) + 1, len(match.group(1)))
                yield Comment(match.group(1).rstrip(), own_line, span=span)
                break


def usable(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Whether a source without such diagnostics may be parsed at all."""
    return not errors_in(diagnostics)


# ---------------------------------------------------------------- the parser itself


def _cache_file() -> str | None:
    """Where Lark may keep its tables; None if there is no place for it."""
    import hashlib

    import lark
    from platformdirs import user_cache_path

    key = hashlib.sha256(_grammar().encode() + lark.__version__.encode()).hexdigest()[:16]
    try:
        folder: Path = user_cache_path("plainchant", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / f"grammar-{key}.lark")


@cache
def _grammar() -> str:
    return (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")


@cache
def _parser(cache_file: str | None) -> Lark:
    """The one parser of this process; it is stateless, and building it costs 0.3 s without the cache."""
    from lark import Lark

    def build(use_cache: str | bool) -> Lark:
        return Lark(
            _grammar(), parser="lalr", lexer="contextual", postlex=_blocks(), propagate_positions=True,
            maybe_placeholders=True, cache=use_cache,
        )  # fmt: skip

    if cache_file is None:
        return build(False)
    return _first_that_works(lambda: build(cache_file), lambda: build(False))


def _first_that_works(cached: Callable[[], Lark], fresh: Callable[[], Lark]) -> Lark:
    """A cache that cannot be read or written must never stand in the way."""
    try:
        return cached()
    except OSError:
        return fresh()


def _blocks() -> Any:
    from lark.indenter import Indenter

    class Blocks(Indenter):
        """Turns the indentation behind line ends into block tokens; brackets do not continue a line."""

        NL_type = "_NEWLINE"
        OPEN_PAREN_types: list[str] = []  # noqa: RUF012 - the base class declares it so
        CLOSE_PAREN_types: list[str] = []  # noqa: RUF012
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 4

    return Blocks()

"""From text to tree: Lark's LALR parser with the grammar that is shipped, and the comments beside the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainchant.data import data_folder
from plainchant.text.diagnostic import Diagnostic, in_reading_order
from plainchant.text.source import Source

if TYPE_CHECKING:
    from lark import Lark, Tree

    from plainchant.text.tree import Comment, File

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(#.*)')


def parse(source: Source) -> tuple[File, tuple[Diagnostic, ...]]:
    """Parse a file. On errors the tree holds the declarations that are free of them, with every error of the file beside it."""
    from lark import UnexpectedInput
    from lark.indenter import DedentError

    parser = _parser(_cache_file())
    try:
        return _file(parser.parse(source.text + "\n"), source), ()
    except (UnexpectedInput, DedentError):
        pass
    from plainchant.text.recovery import recover

    recovered = recover(source, parser.parse)
    file = _file(parser.parse(recovered.text + "\n"), source)
    sound = (item for item in file.items if recovered.mended.isdisjoint(range(item.span.line, item.span.end_line + 1)))
    return replace(file, items=tuple(sound)), in_reading_order(recovered.diagnostics)


def _file(tree: Tree[Any], source: Source) -> File:
    from plainchant.text.build import Builder

    file: File = Builder(source.name).build(tree)
    return replace(file, comments=tuple(_comments(source)))


def _comments(source: Source) -> Iterator[Comment]:
    from plainchant.text.tree import Comment

    for number, line in enumerate(source.lines, 1):
        if "#" not in line:
            continue
        for match in _COMMENT.finditer(line):
            if match.group(1) is not None:
                own_line = not line[: match.start(1)].strip()
                span = source.span(number, match.start(1) + 1, len(match.group(1)))
                yield Comment(match.group(1).rstrip(), own_line, span=span)
                break


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
        OPEN_PAREN_types: list[str] = []
        CLOSE_PAREN_types: list[str] = []
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 4

    return Blocks()

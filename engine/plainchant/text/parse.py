"""From text to tree: what the parser reads, built into records, and the comments beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from plainchant.beside import beside
from plainchant.records import replace
from plainchant.text.diagnostic import Diagnostic, in_reading_order
from plainchant.text.parser import parser
from plainchant.text.source import Source

if TYPE_CHECKING:
    from lark import Tree

    from plainchant.text.tree import Comment, File

_MUCH = 30_000
"""Characters of text that take as long to read as a process beside takes to begin, several times over."""
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(#.*)')


def parse(source: Source) -> tuple[File, tuple[Diagnostic, ...]]:
    """Parse a file. On errors the tree holds the declarations that are free of them, with every error of the file beside it."""
    from lark import UnexpectedInput
    from lark.indenter import DedentError

    read = parser().parse
    try:
        return _file(read(source.text + "\n"), source), ()
    except (UnexpectedInput, DedentError):
        pass
    from plainchant.text.recovery import recover

    recovered = recover(source, read)
    file = _file(read(recovered.text + "\n"), source)
    sound = (item for item in file.items if recovered.mended.isdisjoint(range(item.span.line, item.span.end_line + 1)))
    return replace(file, items=tuple(sound)), in_reading_order(recovered.diagnostics)


def parse_all(sources: Sequence[Source]) -> list[tuple[File, tuple[Diagnostic, ...]]]:
    """Parse files. Of a long book, half is read in a process beside."""
    sizes = list(accumulate(len(source.text) for source in sources))
    half = sum(size <= sizes[-1] / 2 for size in sizes) if sizes and sizes[-1] > _MUCH else len(sources)
    parser()  # before there are two of this process, so that its tables are read once
    with beside(_parse_each, here=half == len(sources)) as other:
        other.post(sources[half:])
        return [*_parse_each(sources[:half]), *other.answer()]


def _parse_each(sources: Sequence[Source]) -> list[tuple[File, tuple[Diagnostic, ...]]]:
    return [parse(source) for source in sources]


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

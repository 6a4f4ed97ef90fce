"""From text to tree: what the parser reads, built into records, and the comments beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from plainchant.frozen import replace
from plainchant.text.diagnostic import Diagnostic, in_reading_order
from plainchant.text.parser import parser
from plainchant.text.source import Source

if TYPE_CHECKING:
    from lark import Tree

    from plainchant.text.tree import Comment, File

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

"""Lines and blocks as the eye sees them: indentation, comments, what stands above and below a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|#.*')
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')


def without_comment(line: str) -> str:
    return _COMMENT.sub(lambda m: m.group(1) or "", line)


def without_words(line: str) -> str:
    """The line with dots instead of its printed words, and without its comment."""
    return _STRING.sub(lambda m: "·" * len(m.group()), without_comment(line))


def says_something(line: str) -> bool:
    """Whether the line is more than a comment."""
    bare = line.lstrip(" ")
    return bool(bare) and not bare.startswith("#")


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def indented(line: str, by: int) -> str:
    """The line moved to the right (or, with a negative number, to the left)."""
    return " " * max(0, indent_of(line) + by) + line.lstrip(" ")


def line_above(lines: Sequence[str], index: int) -> int | None:
    """The index of the nearest line above that says something."""
    return next((i for i in range(index - 1, -1, -1) if says_something(lines[i])), None)


def line_below(lines: Sequence[str], index: int) -> int | None:
    """The index of the nearest line below that says something."""
    return next((i for i in range(index + 1, len(lines)) if says_something(lines[i])), None)


def block_end(lines: Sequence[str], index: int, indent: int | None = None) -> int:
    """One past the last line of the block below line `index` (of a line with that indentation)."""
    indent = indent_of(lines[index]) if indent is None else indent
    end = index + 1
    for i in range(index + 1, len(lines)):
        if says_something(lines[i]):
            if indent_of(lines[i]) <= indent:
                break
            end = i + 1
    return end


def headers_above(lines: Sequence[str], index: int, indent: int) -> list[str]:
    """The headers of the blocks in which a line with that indentation stands, outermost first."""
    found: list[str] = []
    for i in range(index - 1, -1, -1):
        if indent == 0:
            break
        if says_something(lines[i]) and indent_of(lines[i]) < indent:
            indent = indent_of(lines[i])
            found.append(lines[i])
    return found[::-1]


def open_columns(lines: Sequence[str], index: int) -> list[int]:
    """The columns of the blocks that are open at the end of the line above `index`."""
    above = line_above(lines, index)
    if above is None:
        return [0]
    return [*(indent_of(line) for line in headers_above(lines, above, indent_of(lines[above]))), indent_of(lines[above])]

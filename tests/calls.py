"""Calls of the command line from within the tests: what they print, and their exit status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

BOOK = str(Path(__file__).parent / "bad" / "play" / "small.rules")

WHERE = "The First Part / Crossing"
STOPS = {
    "PC601": (
        ["2", "1", "Open the doors", "3"],
        ["error PC601 Hole in the rules", "check “the doors”", WHERE, "How many doors are open? 3"],
    ),
    "PC602": (["2", "1", "Cross off the way"], ["error PC602 Instruction cannot be carried out", "cross off “you lost your way”", WHERE]),
    "PC603": (["2", "1", "Earn", "2"], ["error PC603 Number out of its range", "“points”", WHERE]),
    "PC604": (["2", "1", "Open the doors", "2"], ["error PC604 The text leads nowhere", "“Crossing”", WHERE]),
}
"""For each code of a stop, how play comes to it in that book."""

Call = Callable[..., "Result"]


class Result:
    """What a call printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


def in_order(text: str, *wanted: str) -> None:
    """Assert that the texts stand one after the other."""
    place = 0
    for words in wanted:
        found = text.find(words, place)
        assert found >= 0, f"{words!r} is missing after {text[max(0, place - 200) : place]!r} in:\n{text}"
        place = found + len(words)

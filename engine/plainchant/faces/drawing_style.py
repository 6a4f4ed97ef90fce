"""How a drawing looks: its colours in light and dark, and the room that words need in fonts that nobody knows beforehand."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from plainchant.text.place import Cite

TITLE_SIZE, NODE_SIZE, LABEL_SIZE, SMALL_SIZE = 22.0, 12.0, 10.5, 9.5

STYLE = """
.plainchant-graph { font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; }
.plainchant-graph text { fill: #1c2733; }
.plainchant-graph .ground { fill: #ffffff; }
.plainchant-graph .title { font-size: 22px; font-weight: 600; }
.plainchant-graph .small { font-size: 9.5px; fill: #55606c; }
.plainchant-graph > .small { font-size: 12px; }
.plainchant-graph .legend text { font-size: 10.5px; }
.plainchant-graph .band rect { fill: #ffffff; }
.plainchant-graph .band.odd rect { fill: #f3f5f8; }
.plainchant-graph .band text { font-size: 14px; font-weight: 600; }
.plainchant-graph .node text { text-anchor: middle; }
.plainchant-graph .node rect, .plainchant-graph .node polygon { stroke-width: 1.4; fill: #ffffff; stroke: #5d6874; }
.plainchant-graph .node:focus rect, .plainchant-graph .node:hover rect, .plainchant-graph .node:target rect,
.plainchant-graph .node:focus polygon, .plainchant-graph .node:hover polygon { stroke-width: 3.2; }
.plainchant-graph .mark { fill: none; stroke: #1c2733; stroke-width: 1.8; }
.plainchant-graph .mark.full { stroke: none; fill: #ffffff; }
.plainchant-graph .section.reachable rect { fill: #e2effa; stroke: #1f6cab; }
.plainchant-graph .section.unreachable rect { fill: #ececec; stroke: #6b6b6b; stroke-dasharray: 5 3; }
.plainchant-graph .section.unreachable text { fill: #4f4f4f; }
.plainchant-graph .section.not-decided rect { fill: #fff3c9; stroke: #8f6a00; stroke-dasharray: 1.6 2.6; stroke-width: 2; }
.plainchant-graph .start rect { fill: #26323f; stroke: #26323f; }
.plainchant-graph .start text { fill: #ffffff; }
.plainchant-graph .end rect { stroke: #26323f; }
.plainchant-graph .hole.reachable polygon { fill: #b3261e; stroke: #7c120c; }
.plainchant-graph .hole.reachable text { fill: #ffffff; }
.plainchant-graph .hole.reachable .mark { stroke: #ffffff; }
.plainchant-graph .stop.reachable polygon { fill: #fbdcd8; stroke: #b3261e; stroke-width: 2; }
.plainchant-graph .hole.not-decided polygon, .plainchant-graph .stop.not-decided polygon {
  fill: #fff3c9; stroke: #8f6a00; stroke-dasharray: 1.6 2.6; stroke-width: 2; }
.plainchant-graph .edge path { fill: none; stroke: #5b6b7b; stroke-width: 1.3; }
.plainchant-graph .head path { fill: #5b6b7b; }
.plainchant-graph .edge.excursion path, .plainchant-graph .edge.return path { stroke-dasharray: 7 4; stroke: #7a3e9d; stroke-width: 1.6; }
.plainchant-graph .head.excursion path, .plainchant-graph .head.return path { fill: #7a3e9d; }
.plainchant-graph .edge.never path { stroke-dasharray: 2 4; stroke: #8a8a8a; }
.plainchant-graph .head.never path { fill: #8a8a8a; }
.plainchant-graph .edge.stop path { stroke: #b3261e; }
.plainchant-graph .head.stop path { fill: #b3261e; }
.plainchant-graph .edge.alone path { stroke: #a3adb8; }
.plainchant-graph .head.alone path { fill: #a3adb8; }
.plainchant-graph .edge rect { fill: #ffffff; stroke: #c9d1d9; stroke-width: 0.8; }
.plainchant-graph .edge text { font-size: 10.5px; text-anchor: middle; }
.plainchant-graph .edge path.hit.hit { stroke: none; stroke-dasharray: none; stroke-width: 9; pointer-events: stroke; }
.plainchant-graph .edge:hover path:not(.hit) { stroke-width: 3.2; }
.plainchant-graph .edge:hover rect { stroke-width: 2; stroke: #5b6b7b; }
@media screen and (prefers-color-scheme: dark) {
.plainchant-graph text { fill: #e4e9ee; }
.plainchant-graph .ground, .plainchant-graph .band rect { fill: #12161a; }
.plainchant-graph .small { fill: #a9b4bf; }
.plainchant-graph .band.odd rect { fill: #1a2026; }
.plainchant-graph .node rect, .plainchant-graph .node polygon { fill: #20272e; stroke: #97a3af; }
.plainchant-graph .mark { stroke: #e4e9ee; }
.plainchant-graph .mark.full { stroke: none; fill: #12161a; }
.plainchant-graph .section.reachable rect { fill: #17344d; stroke: #69b1ec; }
.plainchant-graph .section.unreachable rect { fill: #2a2a2a; stroke: #9a9a9a; }
.plainchant-graph .section.unreachable text { fill: #bdbdbd; }
.plainchant-graph .section.not-decided rect { fill: #3d3310; stroke: #e2bd45; }
.plainchant-graph .start rect { fill: #dde4ea; stroke: #dde4ea; }
.plainchant-graph .start text { fill: #12161a; }
.plainchant-graph .end rect { stroke: #dde4ea; }
.plainchant-graph .hole.reachable polygon { fill: #ff8a75; stroke: #ffd0c7; }
.plainchant-graph .hole.reachable text { fill: #2b0703; }
.plainchant-graph .hole.reachable .mark { stroke: #2b0703; }
.plainchant-graph .stop.reachable polygon { fill: #4b1c17; stroke: #ff8a75; }
.plainchant-graph .hole.not-decided polygon, .plainchant-graph .stop.not-decided polygon { fill: #3d3310; stroke: #e2bd45; }
.plainchant-graph .edge path { stroke: #8b9aa8; }
.plainchant-graph .head path { fill: #8b9aa8; }
.plainchant-graph .edge.excursion path, .plainchant-graph .edge.return path { stroke: #cf9bea; }
.plainchant-graph .head.excursion path, .plainchant-graph .head.return path { fill: #cf9bea; }
.plainchant-graph .edge.never path { stroke: #777f86; }
.plainchant-graph .head.never path { fill: #777f86; }
.plainchant-graph .edge.stop path { stroke: #ff8a75; }
.plainchant-graph .head.stop path { fill: #ff8a75; }
.plainchant-graph .edge.alone path { stroke: #566370; }
.plainchant-graph .head.alone path { fill: #566370; }
.plainchant-graph .edge rect { fill: #12161a; stroke: #414c57; }
}
"""
"""Plain colours twice instead of variables, which not every program that shows SVG knows.

Blue, yellow and red differ for the colour-blind too.
"""

_NARROW, _WIDE = "ijl.,:;'|!I ’‘()[]-·fr1t", "mwMW@%—…"


def width_of(text: str, size: float) -> float:
    """The width of words, rather too wide than too narrow, whichever sans-serif font is there."""
    return size * sum(_em(sign) for sign in text)


def _em(sign: str) -> float:
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    if sign in _NARROW:
        return 0.4
    if sign in _WIDE:
        return 0.98
    return 0.72 if sign.isupper() else 0.63


def in_lines(text: str, room: float, size: float, most: int) -> list[str]:
    """The words in so many lines at most, each within the room; what is too long ends with an ellipsis."""
    lines = [""]
    for word in text.split():
        for piece in _pieces(word, room, size):
            longer = f"{lines[-1]} {piece}".strip()
            if width_of(longer, size) <= room:
                lines[-1] = longer
            else:
                lines.append(piece)
    lines = [line for line in lines if line] or [""]
    if len(lines) > most:
        lines = [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), room, size)]
    return lines


def shortened(text: str, room: float, size: float) -> str:
    """The beginning of a text that fits into the room, with an ellipsis if it is not the whole."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _pieces(word: str, room: float, size: float) -> list[str]:
    """A word, cut where it is wider than the room."""
    pieces = [""]
    for sign in word:
        if pieces[-1] and width_of(pieces[-1] + sign, size) > room:
            pieces.append("")
        pieces[-1] += sign
    return pieces


def lines_told(cites: Sequence[Cite]) -> str:
    """Where something is printed, in words: `line 12`, `lines 12–14, 20`; nothing if nowhere."""
    ranges = list(dict.fromkeys((c.source, low, high) for c in cites for low, high in c.ranges))
    if not ranges:
        return ""
    told = [f"{source}: " * bool(source) + (f"{low}" if low == high else f"{low}–{high}") for source, low, high in ranges]
    many = len(ranges) > 1 or ranges[0][1] != ranges[0][2]
    return f"{'lines' if many else 'line'} {', '.join(told)}"

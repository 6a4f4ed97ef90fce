"""Where a play is shown: on a terminal laid out and coloured with rich, otherwise the same words line by line."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from plainchant.faces.report import open_console

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""

STYLES = {
    "part": "bold magenta", "section": "bold", "cite": "dim", "do": "", "log": "green", "bag": "yellow", "keep": "cyan", "flow": "dim",
    "players": "bold cyan", "table": "bold yellow", "chance": "bold magenta", "reading": "bold blue", "number": "bold",
    "chosen": "bold green",
    "error": "bold red", "end": "bold green", "crossed": "dim strike", "hint": "dim",
}  # fmt: skip
"""How each sort of line looks; the words alone say what it is."""

MARKS = {"do": "•", "log": "✎", "bag": "◆", "keep": "=", "flow": "→"}


class Page:
    """Writes lines, headings and panels.

    On a terminal `laid_out` is true: long lines are wrapped under themselves, citations stand at the right.
    """

    def __init__(self, stream: IO[str] | None = None) -> None:
        self.console = open_console(stream)
        self.laid_out = self.console.is_terminal

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    def _put(self, thing: RenderableType, style: str = "") -> None:
        self.console.print(thing, style=STYLES.get(style, ""), width=self.width if self.laid_out else None, soft_wrap=not self.laid_out)

    def gap(self) -> None:
        self.console.print()

    def part(self, words: str) -> None:
        """The heading of a part of the book."""
        self.gap()
        if self.laid_out:
            from rich.rule import Rule
            from rich.text import Text

            self._put(Rule(Text(words, STYLES["part"]), characters="━", style=STYLES["part"]))
        else:
            self._put(f"== {words} ==")

    def section(self, words: str, cites: str = "") -> None:
        """The heading of a section."""
        if self.laid_out:
            self._grid("", words, cites, "section", 0)
        else:
            self._put(_with(f"-- {words}", cites))

    def row(self, mark: str, text: str, cites: str = "", style: str = "", *, indent: int = 2, text_style: str = "") -> None:
        """A line with a mark before it and a citation behind it."""
        if self.laid_out:
            self._grid(mark, text, cites, style, indent, text_style or style)
        else:
            self._put(" " * indent + (f"{mark} " if mark else "") + _with(text, cites))

    def say(self, text: str, style: str = "") -> None:
        """A line, or several."""
        self._put(text, style)

    def panel(self, title: str, lines: list[tuple[str, str]], style: str) -> None:
        """Something that must not be overlooked: a title, and labelled lines (or lines without a label)."""
        self.gap()
        if not self.laid_out:
            self._put(f"** {title} **")
            for label, text in lines:
                self._put(f"   {label}: {text}" if label else f"   {text}")
            return
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column()
        for label, text in lines:
            grid.add_row(label, text)
        body: RenderableType = grid if any(label for label, _ in lines) else Text("\n".join(text for _, text in lines))
        self._put(Panel(body, title=Text(title, STYLES[style]), title_align="left", border_style=STYLES[style]))

    def table(self, heads: list[str], rows: list[list[str]], right: frozenset[int] = frozenset()) -> None:
        """A table; the columns in `right` hold numbers, the last one holds longer words."""
        if not self.laid_out:
            widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads) - 1)]
            for cells in [heads, *rows]:
                padded = [c.rjust(w) if place in right else c.ljust(w) for place, (c, w) in enumerate(zip(cells, widths, strict=False))]
                self._put("  ".join([*padded, cells[-1]]))
            return
        from rich.table import Table

        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, head in enumerate(heads):
            table.add_column(head, justify="right" if place in right else "left", no_wrap=place < len(heads) - 1)
        for cells in rows:
            table.add_row(*cells)
        self._put(table)

    def _grid(self, mark: str, text: str, cites: str, style: str, indent: int, text_style: str = "") -> None:
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(expand=True, padding=(0, 1, 0, 0))
        if mark:
            grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        grid.add_column(justify="right", no_wrap=len(cites) <= self.width // 3)
        cells = [Text(text, STYLES.get(text_style or style, text_style)), Text(cites, STYLES["cite"])]
        grid.add_row(*([Text(mark, STYLES.get(style, style))] if mark else []), *cells)
        self._put(Padding(grid, (0, 0, 0, indent)))


def _with(text: str, cites: str) -> str:
    return f"{text} [{cites}]" if cites else text

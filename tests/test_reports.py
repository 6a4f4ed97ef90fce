"""Reports for people: what is piped is what Rich would write, though not by way of it."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from plainchant.faces.report import open_console


def _written(console: type[Console] | None, what: object, **how: object) -> str:
    stream = io.StringIO()
    made = open_console(stream) if console is None else console(file=stream, highlight=False, markup=False, emoji=False)
    made.print(what, **how)
    return stream.getvalue()


@settings(deadline=None)
@given(st.text(), st.booleans(), st.booleans())
@example("a\tb", False, True)
@example("[bold]:smile:\x1b[0m\a 🐉", True, True)
def test_a_piped_line_is_what_rich_would_write(line: str, styled: bool, soft: bool) -> None:
    what = Text(line, "bold red") if styled else line
    assert _written(None, what, soft_wrap=soft) == _written(Console, what, soft_wrap=soft)


def test_a_piped_line_is_as_long_as_it_is() -> None:
    assert _written(None, "word " * 100, soft_wrap=True) == "word " * 100 + "\n"


def test_who_forces_colours_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in _written(None, Text("line", "red"), soft_wrap=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in _written(None, Text("line", "red"), soft_wrap=True)

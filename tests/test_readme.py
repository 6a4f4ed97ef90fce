"""What a newcomer reads: the calls in README and docs do what is shown there, and the examples are rules that exist."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainchant.data import data_folder
from plainchant.faces.command_line import COMMANDS, main
from plainchant.meaning.lower import compile_book
from plainchant.meaning.lowering.statements import WAYS
from plainchant.records import Frozen
from plainchant.text import tree as t
from plainchant.text.parse import parse
from plainchant.text.source import Source

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LEFT_OUT = "…"
MADE_UP = "# made up"

_BLOCK = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$")
_STATUS = re.compile(r"\[exit status (\d+)\]")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Call(Frozen):
    """A call as a page shows it: its words, the lines of its output (some may be left out), and its exit status."""

    page: str
    words: str
    shown: tuple[str, ...]
    status: int


def blocks(path: Path, language: str) -> list[str]:
    return [text for kind, text in _BLOCK.findall(path.read_text(encoding="utf-8")) if kind == language]


def calls() -> list[Call]:
    found = []
    for path in PAGES:
        if path.name == "tutorial.md":
            continue  # its calls build on each other: test_tutorial.py
        for block in blocks(path, "console"):
            for call in block.removeprefix("$ ").split("\n$ "):
                words, *shown = call.rstrip("\n").split("\n")
                status = _STATUS.fullmatch(shown[-1]) if shown else None
                if status is not None:
                    shown.pop()
                found.append(Call(path.relative_to(ROOT).as_posix(), words, tuple(shown), int(status.group(1)) if status else 0))
    return found


def agrees(shown: tuple[str, ...], output: str) -> bool:
    """Whether an output is as it is shown; a line with … stands for any number of lines."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == LEFT_OUT else re.escape(line.rstrip()) + "\n" for line in shown)
    lines = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch(pattern, lines) is not None


@pytest.mark.parametrize(
    ("shown", "output", "expected"),
    [
        (("a", "b"), "a\nb\n", True),
        (("a",), "a\nb\n", False),
        (("b",), "a\nb\n", False),
        (("a", "…"), "a\nb\n", True),
        (("…", "b"), "a\nb\n", True),
        (("…", "a"), "a\nb\n", False),
        (("a", "…", "c"), "a\nb\nc\n", True),
        (("a", "…", "b", "d"), "a\nb\nc\nd\n", False),
        ((), "", True),
        ((), "a\n", False),
    ],
)
def test_shown_lines_are_compared_in_their_order(shown: tuple[str, ...], output: str, expected: bool) -> None:
    assert agrees(shown, output) is expected


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a checkout, in which calls may write."""
    folder = tmp_path_factory.mktemp("place")
    shutil.copytree(data_folder("rules"), folder / "rules")
    shutil.copytree(ROOT / "tests" / "plays", folder / "tests" / "plays")
    (folder / "my_book").mkdir()
    (folder / "my_book" / "book.rules").write_text(first_book(), encoding="utf-8")
    return folder


def first_book() -> str:
    """The small book that a how-to page shows."""
    return next(text for text in blocks(ROOT / "docs" / "how-to" / "write-a-book.md", "rules") if "\nbook " in f"\n{text}")


@pytest.mark.parametrize("call", calls(), ids=lambda call: f"{call.page}: {call.words}")
def test_a_call_does_what_its_page_shows(
    call: Call, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    program, *words = shlex.split(call.words)
    assert program == "plainchant"
    status = main(words)
    told = capsys.readouterr()
    assert agrees(call.shown, told.out or told.err), told
    assert status == call.status, told


def test_every_command_is_shown() -> None:
    shown = {shlex.split(call.words)[1] for call in calls() if call.page == "README.md"}
    assert {command.name for command in COMMANDS} <= shown


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    text = _BLOCK.sub("", path.read_text(encoding="utf-8"))
    broken = [link for link in _LINK.findall(text) if ":" not in link and not (path.parent / link).exists()]
    assert broken == []


def test_names_of_files_in_backticks_exist() -> None:
    """CONTRIBUTING says where things are; a file that was moved must be moved there too."""
    text = _BLOCK.sub("", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    named = re.findall(r"`((?:engine|proofs|grammar|rules|tests|docs|\.ci)/[\w./-]*)`", text)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []


# ---------------------------------------------------------------- the language page

LANGUAGE = ROOT / "docs" / "language.md"
_DECLARED = (
    "ability", "acknowledge", "bag", "book", "campaign", "claim", "define", "event", "every", "fact", "group", "keep", "keyword", "kinds",
    "members", "not", "reading", "requirement", "rule", "scenario", "situation", "use", "verb", "waive",
)  # fmt: skip
_SECTION = 'scenario around "Around"\n    section "A"\n'
_AROUND = {
    "throughout": ('scenario around "Around"\n', 4),
    "when": (f'{_SECTION}        check "B"\n', 12),
    **dict.fromkeys(_DECLARED, ("", 0)),
}
"""What stands around an example by its first word, and how far it is indented then; a section, if nothing is said."""


def parsed(example: str) -> t.File | None:
    """The tree of an example; None if it is not understood."""
    first = example.removeprefix(MADE_UP).split()[0]
    header, indent = _AROUND.get(first, (_SECTION, 8))
    file, diagnostics = parse(Source("example.rules", header + textwrap.indent(example, " " * indent)))
    return None if diagnostics else file


def squeezed(line: str) -> str:
    return " ".join(line.split())


def shipped_lines() -> set[str]:
    return {squeezed(line) for path in data_folder("rules").rglob("*.rules") for line in path.read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize("example", blocks(LANGUAGE, "rules"), ids=lambda example: example.splitlines()[0][:40])
def test_an_example_is_understood_and_stands_in_shipped_rules(example: str) -> None:
    assert parsed(example) is not None
    if not example.startswith(MADE_UP):
        known = shipped_lines()
        assert [line for line in example.splitlines() if line and squeezed(line) not in known] == []


def nodes(value: Any) -> Iterator[type]:
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, t.Node):
        yield type(value)
        for part in t.children(value, cites=True):
            yield from nodes(part)


def test_every_form_of_the_language_has_an_example() -> None:
    shown = {kind for example in blocks(LANGUAGE, "rules") for kind in nodes(parsed(example))}
    wanted = {kind for kind in vars(t).values() if isinstance(kind, type) and issubclass(kind, t.Expr | t.Declaration)}
    assert (set(WAYS) | wanted) - {t.Expr, t.Declaration} <= shown


def test_the_first_book_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "book.rules"
    path.write_text(first_book(), encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None
    assert diagnostics == ()

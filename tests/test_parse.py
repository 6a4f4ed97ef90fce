"""Files are parsed alike, whether one after the other or half of them in a process beside."""

from __future__ import annotations

import pytest

from plainchant.data import data_folder
from plainchant.text import parse as module
from plainchant.text.parse import parse, parse_all
from plainchant.text.source import Source

BOOK = [Source(file.name, file.read_text(encoding="utf-8")) for file in sorted((data_folder("rules") / "tcu").glob("*.rules"))]


def _everything(read: object) -> str:
    """Trees and diagnostics with all places, which make no difference to equality."""
    match read:
        case tuple() | list():
            return f"({', '.join(map(_everything, read))})"
        case object(__struct_fields__=names):
            return f"{type(read).__name__}({', '.join(f'{name}={_everything(getattr(read, name))}' for name in names)})"
    return repr(read)


@pytest.mark.parametrize("much", [0, module._MUCH, 10**9])
@pytest.mark.parametrize("number", [0, 1, 2, len(BOOK)])
def test_it_makes_no_difference_where_a_file_is_read(number: int, much: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MUCH", much)
    sources = BOOK[-number:] if number else []
    assert _everything(parse_all(sources)) == _everything([parse(source) for source in sources])


@pytest.mark.parametrize("wrong", [0, len(BOOK) - 1])
def test_what_is_wrong_is_told_wherever_the_file_is_read(wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MUCH", 0)
    sources = [Source(source.name, "recrod\n") if i == wrong else source for i, source in enumerate(BOOK)]
    read = parse_all(sources)
    assert [[diagnostic.code for diagnostic in found] for _, found in read] == [["PC101"] if i == wrong else [] for i in range(len(BOOK))]
    assert _everything(read) == _everything([parse(source) for source in sources])

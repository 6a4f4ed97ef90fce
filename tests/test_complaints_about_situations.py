"""What the checker says of mistakes in the forms of situations: events, draws, costs, what may only be moved, and rules within themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainchant.meaning.lower import compile_book
from plainchant.text.parse import parse
from plainchant.text.source import Source

HEAD = """\
kinds token "token"
    skull   "skull"
    tablet  "tablet"

kinds place "place"
    hall  "hall"

bag pot of token "the pot"
bag box of token "the box"
bag shelf of token "the shelf"
every token is in exactly one of pot, box

keep x: 0 to 5
keep tokens: list of token
event it_rains(on: token) "it rains"
{more}
situation woods "The Woods"
    section "Setup"
        the pot holds skull, tablet
        {statement}
        the situation ends: "end"
"""


def _codes(folder: Path, statement: str, more: str = "") -> list[str]:
    path = folder / "small.rules"
    path.write_text(HEAD.format(statement=statement.replace("\n", "\n        "), more=more), encoding="utf-8")
    return [diagnostic.code for diagnostic in compile_book(path)[1]]


@pytest.mark.parametrize(
    ("statement", "codes"),
    [
        ("it happens that it_rains(skull)", []),
        ("it happens that it_snows(skull)", ["PC201"]),
        ("it happens that it_rains", ["PC306"]),
        ("it happens that it_rains(skull, skull)", ["PC306"]),
        ("it happens that it_rains(hall)", ["PC301"]),
        ("it happens that it_rains(that token)", ["PC210"]),
        ("draw a token from pot\n    move 1 that token from pot to box", []),
        ("draw a token from tokens\n    nothing happens", ["PC301"]),
        ("draw a place from pot\n    nothing happens", ["PC301"]),
        ("draw a token from pit\n    nothing happens", ["PC201"]),
        ("draw a token from pot\n    if that place is hall: nothing happens", ["PC210"]),
        ("move 1 that token from pot to box", ["PC210"]),
        ("as a cost, move 1 skull from pot to box", ["PC412"]),
        ("only if x = 1", ["PC412"]),
        ("move each place from pot to box", ["PC301", "PC301"]),
    ],
)
def test_a_statement_is_complained_of(tmp_path: Path, statement: str, codes: list[str]) -> None:
    assert _codes(tmp_path, statement) == codes


@pytest.mark.parametrize(
    "statement",
    [
        "add 1 skull token to pot",
        "remove 1 skull from box",
        "move 1 skull from pot to shelf",
        "move 1 skull from shelf to pot",
        "move each token from box to shelf",
        "move each token from shelf to box",
    ],
)
def test_what_is_always_in_one_of_some_places_is_neither_made_nor_destroyed(tmp_path: Path, statement: str) -> None:
    assert "PC315" in _codes(tmp_path, statement)


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ('ability a "A"\n    each time it_snows, instead: nothing happens\n', ["PC201"]),
        ("rule r\n    do r\n", ["PC211"]),
        ("rule r, at most 2 times within itself\n    if x < 3: do r\n", []),
        ('ability a "A"\n    each time it_rains, before it\n        it happens that it_rains(skull)\n', ["PC211"]),
        ("rule r\n    only if x = 1\n    as a cost, decrease x by 1\n", []),
        ("rule r\n    as a cost, decrease x by 1\n    as a cost, decrease x by 1\n", ["PC413"]),
        ('claim c: independent of weather at "Setup"\n', ["PC201"]),
        ("every place is in exactly one of pot, box\n", ["PC201", "PC201"]),
    ],
)
def test_a_declaration_is_complained_of(tmp_path: Path, more: str, codes: list[str]) -> None:
    used = "do r" if more.startswith("rule r") else "it happens that it_rains(skull)"
    assert _codes(tmp_path, used, more) == codes


def test_a_bag_is_filled_where_the_situation_begins_and_nowhere_else(tmp_path: Path) -> None:
    """Its things may be elsewhere already; filled where it begins, no bag ever holds more than there are."""
    assert _codes(tmp_path, "do r", "rule r\n    the pot holds skull\n") == ["PC315"]
    path = tmp_path / "small.rules"
    path.write_text(HEAD.format(statement="nothing happens", more=""), encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None and not diagnostics
    assert next(v for v in program.variables if v.name == "bag.box.skull").high == 1


@pytest.mark.parametrize(
    "above", ["rule r\n    nothing happens\n", "rule r: nothing happens\n", 'verb token "is lost"\n    nothing happens\n']
)
@pytest.mark.parametrize("sort", ["keyword", "ability"])
def test_a_keyword_may_stand_behind_any_block(above: str, sort: str) -> None:
    file, found = parse(Source("small.rules", f'{above}{sort} wet "Wet"\n    each time it_rains, instead: nothing happens\n'))
    assert ([type(item).__name__ for item in file.items][1], found) == ("Keyword", ())

"""The count of printed lines: what is transcribed, waived or missing; tables, other printings, and the shipped books."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainchant
from plainchant.data import data_folder
from plainchant.faces.command_line import main
from plainchant.meaning.compiled import compiled
from plainchant.meaning.coverage import MISSING, TRANSCRIBED, WAIVED, coverage_of, ranges_of, ranges_text
from plainchant.meaning.modules import load, printed_modules, shipped_books
from plainchant.text.printed import (
    BLANK,
    CLASSES,
    RULE,
    LineTable,
    Printed,
    brought_up_to_date,
    changes,
    digest_of,
    lines_of,
    table_from_text,
    table_text,
)

SCHEMA = json.loads((Path(plainchant.__file__).parent / "schemas" / "coverage.schema.json").read_text(encoding="utf-8"))
LINES = {"tcu": 717, "tic": 254, "tfa": 117, "chants": 298}
TEXT = ["The Glade", "Draw a card.", "The tallest begins.", "The wind blows.", "", "The end."]
CLASSES_OF_TEXT = ["heading", "rule", "rule", "narrative", "blank", "rule"]
BOOK = """\
book glade "The Glade" @1
    printed in glade, 6 lines
    begins with "The Glade"

waive narrative because "the weather" @4
not transcribed because "nobody is tall" @3

scenario glade "The Glade" @1
    section "Intro" @1
        read "a" @2
        the campaign is over: "the end" @6
"""


def printed_texts() -> Path:
    """The folder of the printed texts: beside the checkout, or where PLAINCHANT_TEXTS says."""
    given_folder = os.environ.get("PLAINCHANT_TEXTS")
    folder = Path(given_folder) if given_folder else Path(__file__).resolve().parents[2] / "shared" / "seeds"
    if not folder.is_dir():
        pytest.skip("the printed texts are not part of the project, and are not there")
    return folder


def table(lines: list[str] = TEXT, classes: list[str] = CLASSES_OF_TEXT) -> LineTable:
    return LineTable("glade", tuple(Printed(c, digest_of(line)) for line, c in zip(lines, classes, strict=True)))


@pytest.fixture
def glade(tmp_path: Path) -> Path:
    """A small book with a table of its lines, and a folder beside it with its text."""
    folder = tmp_path / "glade"
    folder.mkdir()
    (folder / "book.rules").write_text(BOOK, encoding="utf-8")
    (folder / "glade.lines").write_text(table_text(table()), encoding="utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "scan.txt").write_text("\n".join(TEXT), encoding="utf-8")
    return folder


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, object]]]:
    """The JSON report of a call, which is as its schema says, with the exit status."""

    def of(*words: str) -> tuple[int, dict[str, object]]:
        status = main(["coverage", "--format", "json", *words])
        document = json.loads(capsys.readouterr().out)
        jsonschema.validate(document, SCHEMA)
        return status, document

    return of


# ---------------------------------------------------------------- lines and tables


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\nb", ["a", "b"]), ("a\nb\n", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\n\n", ["a", ""]), ("\ufeffa", ["a"]), ("", [])],
)
def test_the_last_line_counts_without_a_newline_as_well(text: str, expected: list[str]) -> None:
    assert lines_of(text) == expected


tables = st.lists(st.builds(Printed, st.sampled_from(CLASSES), st.text("0123456789abcdef", min_size=10, max_size=10))).map(
    lambda lines: LineTable("glade", tuple(lines))
)


@given(tables)
def test_a_table_comes_back_from_its_text(one: LineTable) -> None:
    again, diagnostics = table_from_text(table_text(one), "glade", "")
    assert again == one
    assert diagnostics == ()


@pytest.mark.parametrize(
    "row", ["2 rule 0123456789", "1 rules 0123456789", "1 rule 012345678", "x", "1 rule 0123456789 more", "01 rule 0123456789"]
)
def test_a_row_that_does_not_fit_is_told_with_its_place(row: str) -> None:
    found, (diagnostic,) = table_from_text(f"# a table\n\n{row}\n", "glade", "glade.lines")
    assert found is None
    assert (diagnostic.code, diagnostic.at.file, diagnostic.at.line) == ("PC807", "glade.lines", 3)


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_a_table_brought_up_to_date_is_that_of_the_new_printing(before: list[str], after: list[str]) -> None:
    old = brought_up_to_date(None, "glade", before)
    new = brought_up_to_date(old, "glade", after)
    assert changes(new, after) == ()
    assert [line.digest for line in new.lines] == [digest_of(line) for line in after]


def test_lines_that_stay_keep_their_class_and_new_ones_are_rules() -> None:
    new = brought_up_to_date(table(), "glade", [*TEXT[:3], "Nobody is there.", *TEXT[3:]])
    assert [line.line_class for line in new.lines] == ["heading", "rule", "rule", RULE, "narrative", BLANK, "rule"]


@given(st.sets(st.integers(1, 60)))
def test_ranges_hold_the_numbers_and_no_others(numbers: set[int]) -> None:
    ranges = ranges_of(numbers)
    assert {n for low, high in ranges for n in range(low, high + 1)} == numbers
    assert all(after[0] > before[1] + 1 for before, after in pairwise(ranges))
    assert ranges_text(numbers).count(",") == max(0, len(ranges) - 1)


# ---------------------------------------------------------------- a small book


def test_each_line_has_its_state(glade: Path) -> None:
    library, _ = load(glade)
    (covered,) = coverage_of(library)
    assert [line.state for line in covered.lines] == [TRANSCRIBED, TRANSCRIBED, MISSING, WAIVED, WAIVED, TRANSCRIBED]
    assert covered.lines[1].rules == ("glade.intro",)
    assert covered.lines[2].reason == "nobody is tall"
    assert covered.lines[3].reason == "the weather"
    assert covered.counts == {"lines": 6, "transcribed": 3, "waived": 2, "missing": 1}


@pytest.mark.parametrize("form", ["claim c: possible yes @3", 'acknowledge hole "The Glade" / "Intro" because "x" @3'])
def test_what_claims_and_acknowledgements_cite_is_not_transcribed(glade: Path, form: str) -> None:
    (glade / "more.rules").write_text(form + "\n", encoding="utf-8")
    (covered,) = coverage_of(load(glade)[0])
    assert covered.lines[2].state == MISSING


def test_a_book_without_a_table_has_as_many_lines_as_it_says(glade: Path, report: Callable[..., tuple[int, dict[str, object]]]) -> None:
    (glade / "glade.lines").unlink()
    status, document = report("--book", str(glade))
    assert document["summary"] == {"lines": 6, "transcribed": 3, "waived": 1, "missing": 2}
    assert status == 1, "line 5 is not known to be blank"


def test_what_the_rules_leave_out_on_purpose_does_not_fail_the_run(
    glade: Path, report: Callable[..., tuple[int, dict[str, object]]]
) -> None:
    status, document = report("--book", str(glade))
    assert status == 0
    assert document["summary"] == {"lines": 6, "transcribed": 3, "waived": 2, "missing": 1}
    (glade / "book.rules").write_text(BOOK.replace("not transcribed", "# not transcribed"), encoding="utf-8")
    assert report("--book", str(glade))[0] == 1


def test_the_text_is_found_by_its_lines_and_shown(glade: Path, report: Callable[..., tuple[int, dict[str, object]]]) -> None:
    status, document = report("--book", str(glade), "--sources", str(glade.parent / "texts"))
    assert status == 0
    assert document["changes"] == []
    assert [line["text"] for line in document["lines"]] == TEXT  # type: ignore[index, union-attr]


def test_another_printing_is_named_with_the_rules_that_cite_it(glade: Path, report: Callable[..., tuple[int, dict[str, object]]]) -> None:
    scan = glade.parent / "texts" / "scan.txt"
    scan.write_text("\n".join([TEXT[0], "Draw two cards.", *TEXT[2:5], "More.", TEXT[5]]), encoding="utf-8")
    status, document = report("--book", str(glade), "--sources", str(scan.parent))
    assert status == 1
    assert document["changes"] == [
        "line 2 of glade is printed otherwise (2 now); cited by glade.intro",
        "behind line 5 of glade new lines are printed (6 now)",
    ]


def test_write_makes_the_table_anew_also_of_a_damaged_one(glade: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = glade / "glade.lines"
    file.write_text("nothing\n", encoding="utf-8")
    (glade.parent / "texts" / "scan.txt").rename(glade.parent / "texts" / "glade.txt")
    assert main(["coverage", "--book", str(glade)]) == 2
    assert main(["coverage", "--book", str(glade), "--sources", str(glade.parent / "texts"), "--write"]) == 0
    assert "6 lines, 5 of them rules" in capsys.readouterr().out
    made, _ = table_from_text(file.read_text(encoding="utf-8"), "glade", "")
    assert made is not None
    assert [line.digest for line in made.lines] == [line.digest for line in table().lines]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--book", "nowhere"], "PC501"), (["--write"], "PC507"), (["--book", "tcu", "--sources", "nowhere"], "PC001"),
        (["--book", "glade", "--sources", "empty"], "PC810"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told(
    glade: Path, words: list[str], code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (glade.parent / "empty").mkdir()
    monkeypatch.chdir(glade.parent)
    assert main(["coverage", *words]) == 2
    assert f"error {code}" in capsys.readouterr().err


def test_a_text_that_is_not_utf_8_is_told(glade: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (glade.parent / "texts" / "scan.txt").write_bytes(b"\xff\xfe")
    assert main(["coverage", "--book", str(glade), "--sources", str(glade.parent / "texts")]) == 2
    assert "not UTF-8" in capsys.readouterr().err


def test_check_reads_a_changed_table_anew(glade: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The compiled book is kept; a table that was changed must not be overlooked."""
    assert main(["check", "--no-prove", str(glade)]) == 0
    (glade / "glade.lines").write_text(table_text(table([*TEXT, "More."], [*CLASSES_OF_TEXT, "rule"])), encoding="utf-8")
    assert main(["check", "--no-prove", str(glade)]) == 1
    assert "PC808" in capsys.readouterr().out


def test_a_huge_range_of_lines_fills_no_memory(glade: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (glade / "book.rules").write_text(BOOK.replace('"a" @2', '"a" @2-999999999'), encoding="utf-8")
    assert main(["check", "--no-prove", str(glade)]) == 1
    assert "PC403" in capsys.readouterr().out


# ---------------------------------------------------------------- the shipped books


def test_every_line_of_the_shipped_sources_is_accounted_for(report: Callable[..., tuple[int, dict[str, object]]]) -> None:
    status, document = report()
    assert status == 0, "each missing line is said to be missing"
    assert {book["name"]: book["lines"] for book in document["books"]} == LINES  # type: ignore[index, union-attr]
    for book in document["books"]:  # type: ignore[union-attr]
        assert book["lines"] == book["transcribed"] + book["waived"] + book["missing"]  # type: ignore[index]


@pytest.mark.parametrize("name", LINES)
def test_each_waived_line_is_of_the_class_of_the_table_and_no_rule(name: str) -> None:
    """`check` says so of books; folders that have only a table so far are looked at here."""
    (covered,) = coverage_of(load(data_folder("rules") / name)[0])
    assert all(line.line_class != RULE for line in covered.lines if line.state == WAIVED)
    assert {line.line for line in covered.lines if line.state == MISSING and not line.reason} == set()


CAMPAIGN_FLOW = (
    [(n, n) for n in range(41, 389) if n not in range(159, 166)] + [(n, n) for n in range(404, 569)] + [(n, n) for n in range(587, 654)]
)


def test_nothing_of_the_campaign_flow_is_missing() -> None:
    """All of The Circle Undone but the rules that it adds to the game: its additional rules, keys, breaches, and bonded cards."""
    (covered,) = coverage_of(load(data_folder("rules") / "tcu")[0])
    flow = {line for low, high in CAMPAIGN_FLOW for line in range(low, high + 1)}
    assert {line.line for line in covered.lines if line.state == MISSING} & flow == set()


@pytest.mark.parametrize("name", LINES)
def test_the_tables_fit_the_printed_texts(name: str, report: Callable[..., tuple[int, dict[str, object]]]) -> None:
    status, document = report("--book", name, "--sources", str(printed_texts()))
    assert status == 0
    assert document["changes"] == []
    assert document["summary"]["lines"] == LINES[name]  # type: ignore[index]


def test_lines_that_other_shipped_rules_transcribe_count_as_well() -> None:
    """A situation of the game is a module of its own; the book that it comes from need not use it."""
    library, _ = load(data_folder("rules") / "tcu")
    (covered,) = coverage_of(library)
    others = {rule.partition("/")[0] for line in covered.lines for rule in line.rules if "/" in rule}
    assert others == {module.name for module in library.companions} & others
    assert "incursions" in others


def test_books_with_tables_are_kept_apart() -> None:
    """They share all shipped files, but are not the same book."""
    names = [compiled(path).name for path in shipped_books().values()]
    assert len(set(names)) == len(names)
    assert [compiled(path).name for path in shipped_books().values()] == names


def test_only_a_shipped_book_has_companions(glade: Path) -> None:
    assert load(glade)[0].companions == ()


def test_the_tables_hold_no_text() -> None:
    for folder in printed_modules().values():
        for file in folder.glob("*.lines"):
            rows = [row for row in file.read_text(encoding="utf-8").splitlines() if not row.startswith("#")]
            assert all(len(row) <= len("99999 photograph 0123456789") for row in rows)

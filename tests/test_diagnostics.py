"""Each diagnostic has a sample, a place and a page; bad input of any sort gets diagnostics, and never an exception."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plainchant.data import data_folder
from plainchant.faces.catalogue import catalogue
from plainchant.faces.command_line import main
from plainchant.meaning.lower import compile_book
from plainchant.text.codes import CODES
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.parse import parse
from plainchant.text.recovery import MAX_ERRORS
from plainchant.text.source import Source
from samples import BAD, proven, samples, words_of

PROVOKED_BY_TESTS = {"PC009", "PC502", "PC900"}
"""Codes that need a file system or a program that is at fault, or somebody at the prompt: test_command_line.py and test_play.py."""


# ---------------------------------------------------------------- samples and pages


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name)
def test_the_sample_provokes_its_code_and_the_expected_report(
    sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reset_golden: bool
) -> None:
    if proven(sample):
        pytest.importorskip("z3")
    monkeypatch.chdir(BAD)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    words = words_of(sample)
    status = main(words)
    out, err = capsys.readouterr()
    transcript = f"$ plainchant {shlex.join(words)}\n{out}{err}[exit status {status}]\n"
    expected = sample.with_suffix(".expected")
    if reset_golden:
        expected.write_text(transcript, encoding="utf-8")
    found = set(re.findall(r"(?m)(?:error|warning|note) (PC\d{3}) ", transcript))
    assert sample.name[:5] in found
    assert found == {sample.name[:5]} or proven(sample), "what is proven of a book may be several things"
    assert transcript == expected.read_text(encoding="utf-8")


def test_every_expected_report_belongs_to_a_sample() -> None:
    assert {path.stem for path in BAD.glob("*.expected")} == {path.stem for path in samples()}


def test_no_code_lacks_a_sample() -> None:
    sampled = {path.name[:5] for path in samples()}
    assert sampled | PROVOKED_BY_TESTS == set(CODES)
    assert not sampled & PROVOKED_BY_TESTS, "take these out of the set: they have samples now"


def test_every_code_is_emitted_somewhere() -> None:
    root = data_folder("grammar").parent
    texts = [
        path.read_text(encoding="utf-8") for room in ("engine", "proofs") for path in (root / room).rglob("*.py") if path.name != "codes.py"
    ]
    if not texts:
        pytest.skip("the sources are not there")
    emitted = {code for text in texts for code in re.findall(r'"(PC\d{3})"', text)}
    assert set(CODES) <= emitted


def test_the_catalogue_is_up_to_date() -> None:
    page = data_folder("grammar").parent / "docs" / "reference" / "errors.md"
    if not page.parent.is_dir():
        pytest.skip("the documentation is not there")
    assert page.read_text(encoding="utf-8") == catalogue(), "python -m plainchant.faces.catalogue --write docs/reference/errors.md"


# ---------------------------------------------------------------- syntax errors

SECTION = 'scenario woods "The Woods"\n    section "Intro"\n'
MISTAKES = tomllib.loads((data_folder("grammar") / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]


def _found(text: str) -> tuple[Diagnostic, ...]:
    return parse(Source("woods.rules", text))[1]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake["text"].strip().split("\n")[0])
def test_a_broken_snippet_gets_its_code_at_its_place(mistake: dict[str, object]) -> None:
    lines = str(mistake["text"]).rstrip("\n").split("\n")
    inside = not mistake.get("top")
    text = SECTION + "".join(f"        {line}\n" for line in lines) + "        nothing happens\n" if inside else "\n".join(lines) + "\n"
    above, left = (2, 8) if inside else (0, 0)
    assert [f"{d.code} {d.at.line - above}:{d.at.column - left}" for d in _found(text)] == mistake["codes"]


def test_all_errors_of_one_scenario_are_found_in_one_run_and_nothing_else() -> None:
    text = """\
scenaro woods "The Woods"
    fact act 1 to 3 "Which act is it?"
    fact lead: investigator "Who is the lead investigator?"

    section "Intro"
        recrod "the spell was broken"
        if act == 2
            record you have accepted your fate
            read "more"
        check "the act"
            when act = 1: read "a
            wen act = 2
                proced to "Setup"
            otherwise: nothing happens
        skip to “Setup”

    resolution "Resolution 1" reached by a card
        the lead investigator decides
            "Stay"
            "Go" only act = 1: nothing happens
        add 2 tablet tokens the chaos bag
"""
    assert [(d.at.line, d.code) for d in _found(text)] == [
        (1, "PC112"), (2, "PC114"), (6, "PC112"), (7, "PC107"), (8, "PC108"), (11, "PC102"), (12, "PC112"), (13, "PC112"), (15, "PC110"),
        (17, "PC114"), (20, "PC112"), (21, "PC114"),
    ]  # fmt: skip


def test_a_file_reports_a_bounded_number_of_errors() -> None:
    assert len(_found("???\n" * 100)) == MAX_ERRORS


def test_declarations_free_of_errors_stay_in_the_tree() -> None:
    file, found = parse(Source("woods.rules", 'use arkham\nfact act: 1 too 3 "Which act?"\nkeep doom: 0 to 5\n'))
    assert [d.code for d in found] == ["PC112"]
    assert [type(item).__name__ for item in file.items] == ["Use", "Keep"]


SHIPPED = sorted(data_folder("rules").rglob("*.rules"))


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[list[str], dict[int, str]]:
    """The lines of a shipped file, and some of its lines damaged as people damage them; two in a row may hide each other."""
    lines = draw(st.sampled_from(SHIPPED)).read_text(encoding="utf-8").split("\n")
    candidates = [i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    chosen = draw(st.lists(st.sampled_from(candidates), min_size=1, max_size=5, unique=True))
    apart = [i for i in chosen if candidates[candidates.index(i) - 1] not in chosen]
    return lines, {i: draw(_damaged(lines[i])) for i in apart}


@st.composite
def _damaged(draw: st.DrawFn, line: str) -> str:
    words = line.split()
    place = draw(st.integers(0, len(words) - 1))
    change = draw(st.integers(0, 4))
    if change == 0:
        words[place] = words[place][1:]
    elif change == 1:
        words.insert(place, "???")
    elif change == 2:
        words[place] = words[place].capitalize()
    elif change == 3:
        words[place] = words[place].replace('"', "“")
    else:
        words.pop(place)
    return " " * (len(line) - len(line.lstrip())) + " ".join(words)


@settings(max_examples=60, derandomize=True)  # repairs are guesses: a stable sample, so that CI does not fail by chance
@given(damaged_files())
def test_each_damaged_line_is_reported_and_no_sound_line(file_and_damage: tuple[list[str], dict[int, str]]) -> None:
    lines, damage = file_and_damage
    fatal = {i for i, line in damage.items() if line.strip() and _found("\n".join([*lines[:i], line, *lines[i + 1 :]]))}
    text = "\n".join(damage[i] if i in fatal else line for i, line in enumerate(lines))
    assert {d.at.line - 1 for d in _found(text)} == fatal


# ---------------------------------------------------------------- abuse


def _codes(folder: Path, data: bytes | str, name: str = "woods.rules") -> list[str]:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return [d.code for d in compile_book(path)[1]]


SOUND = SECTION + '        read "the intro"\n        the campaign is over: "end"\n'

ABUSE: dict[str, tuple[bytes | str, list[str]]] = {
    "carriage returns and newlines": (SOUND.replace("\n", "\r\n"), []),
    "carriage returns alone": (SOUND.replace("\n", "\r"), []),
    "a byte order mark": (b"\xef\xbb\xbf" + SOUND.encode(), []),
    "no newline at the end": (SOUND.rstrip("\n"), []),
    "trailing spaces": (SOUND.replace("\n", "   \n"), []),
    "a tab": (SOUND.replace("        read", "\tread"), ["PC004"]),
    "not UTF-8": (SOUND.encode() + b"# \xff\n", ["PC003"]),
    "UTF-16": (SOUND.encode("utf-16"), ["PC003"]),
    "a null sign": (SOUND.replace("intro", "in\0tro"), ["PC007"]),
    "an escape sequence": (SOUND.replace("intro", "in\x1b[31mtro"), ["PC007"]),
    "nothing": ("", ["PC008"]),
    "comments only": ("# a\n   # b\n", ["PC008"]),
    "blank lines only": ("\n  \n\n", ["PC008"]),
    "a quote alone": ('"', ["PC102"]),
    "unbalanced quotes": (SOUND.replace('"the intro"', '"the "intro"'), ["PC102"]),
    "typographic quotes": (SOUND.replace('"the intro"', "“the intro”"), ["PC110"]),
    "10,000 nested brackets": (SECTION + f"        if {'(' * 10_000}a{')' * 10_000}: nothing happens\n", ["PC005"]),
    "10,000 nested blocks": (SECTION + "".join(f"{' ' * (3 + depth)}if a\n" for depth in range(10_000)), ["PC005"]),
    "10,000 nots": (SECTION + f"        if {'not ' * 10_000}a: nothing happens\n", ["PC005"]),
    "10,000 quantifiers": (SECTION + f"        if {'every thing has ' * 10_000}a: nothing happens\n", ["PC005"]),
    "a sum of 10,000 terms": (SECTION + f"        if {'1 + ' * 10_000}1 = 1: nothing happens\n", ["PC005"]),
    "a range of 23 digits": ('fact age: 0 to 99999999999999999999999 "How old?"\n', ["PC118"]),
    "a number of 5,000 digits": (f'fact age: 0 to {"9" * 5_000} "How old?"\n', ["PC118"]),
    "a citation of 5,000 digits": (SOUND.replace('intro"\n', f'intro" @{"9" * 5_000}\n'), ["PC118"]),
    "a group of a billion": ('group investigator of 1 to 999999999 "How many?"\n    age: number\n', ["PC302"]),
    "a rule in itself": ("rule dig\n    do dig\n", ["PC211"]),
    "a verb in a rule in the verb": (
        'kinds token "token"\n    skull  "skull"\nrule dig\n    for each token: that token digs\nverb token "digs"\n    do dig\n',
        ["PC211"],
    ),
    "definitions that double 60 times": (
        "fact a0: flag \"A?\"\n" + "".join(f"define a{n + 1} means a{n} or not a{n}\n" for n in range(60)), ["PC212"],
    ),
    "10,000 definitions, each by the next": (
        "".join(f"define a{n} means a{n + 1}\n" for n in range(10_000)) + 'fact a10000: flag "A?"\n', ["PC212"],
    ),
    "rules that double 40 times": (
        "rule r0\n    read \"a\"\n" + "".join(f"rule r{n + 1}\n    do r{n}\n    do r{n}\n" for n in range(40)), ["PC212"],
    ),
    "a billion choices": (
        SECTION + '        the investigators decide up to 999999999\n            "a"\n        go to "Intro"\n', ["PC212"],
    ),
    "a billion deals": (
        'group seat of 1 to 2 "How many?"\n    cards: number\n'
        + SECTION + '        deal 999999999 in player order to cards\n        go to "Intro"\n',
        ["PC212"],
    ),
    "duplicate names": ("keep doom: 0 to 5\nkeep doom: flag\n", ["PC202"]),
    "deep indentation of one line": (SOUND + " " * 5_000 + "nothing happens\n", ["PC106"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ABUSE)
def test_abused_input_gets_its_diagnostics(name: str, tmp_path: Path) -> None:
    data, codes = ABUSE[name]
    assert _codes(tmp_path, data) == codes


def test_a_line_of_a_megabyte(tmp_path: Path) -> None:
    assert _codes(tmp_path, SOUND.replace("the intro", "x" * 1_000_000)) == []
    assert _codes(tmp_path, SOUND.replace('"the intro"', "x " * 500_000)) == ["PC101"]


def test_10_000_conditions_side_by_side_are_fine(tmp_path: Path) -> None:
    facts = 'fact a: flag "A?"\n'
    assert _codes(tmp_path, facts + SOUND.replace('read "the intro"', f"if {' and '.join(['a'] * 10_000)}: nothing happens")) == []


def test_paths_that_lead_to_no_rules(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "notes.txt").write_text("notes")
    wrong = {
        "missing.rules": "PC001",
        "missing": "PC001",
        "empty": "PC002",
        "folder.rules": "PC002",
        "notes.txt": "PC002",
        "notes.txt/x.rules": "PC006",
    }
    assert {name: compile_book(tmp_path / name)[1][0].code for name in wrong} == wrong
    assert compile_book(tmp_path / ("x" * 5_000))[1][0].code == "PC006"
    assert compile_book(tmp_path / "null\0sign")[1][0].code == "PC006"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "woods.rules").write_text(SOUND)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert [d.message for d in compile_book(tmp_path / "woods.rules")[1]] == [
        f"“{tmp_path / 'woods.rules'}” cannot be read: Permission denied"
    ]


def test_modules_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "one.rules").write_text("use two\n")
    (tmp_path / "two.rules").write_text("use three\n")
    (tmp_path / "three.rules").write_text("use one\n")
    found = compile_book(tmp_path / "one.rules")[1]
    assert [(d.code, d.at.line) for d in found] == [("PC204", 1)]
    assert "one → two → three → one" in found[0].message


# ---------------------------------------------------------------- random input


def _compiles_or_complains(folder: Path, data: bytes) -> None:
    path = folder / "woods.rules"
    path.write_bytes(data)
    program, found = compile_book(path)
    assert (program is None) == any(d.severity == "error" for d in found)
    for diagnostic in found:
        assert diagnostic.message
        assert diagnostic.at.file in ("", path.name, str(path)) or "arkham" in diagnostic.at.file


anywhere = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


@anywhere
@given(st.binary(max_size=300))
@example(b"\\\n")
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    _compiles_or_complains(tmp_path, data)


PIECES = sorted({piece for path in SHIPPED for piece in re.findall(r'"[^"]*"|\w+|[^\w\s]|\n *', path.read_text(encoding="utf-8"))})


@anywhere
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_random_words_of_the_language(tmp_path: Path, words: list[str]) -> None:
    _compiles_or_complains(tmp_path, " ".join(words).encode())


@st.composite
def shuffled_files(draw: st.DrawFn) -> bytes:
    """A shipped file with some words or lines moved, lost or doubled."""
    text = draw(st.sampled_from(SHIPPED)).read_text(encoding="utf-8")
    pieces = re.split(r"(\s+)" if draw(st.booleans()) else r"(\n)", text)
    for _ in range(draw(st.integers(1, 6))):
        place, other = draw(st.integers(0, len(pieces) - 1)), draw(st.integers(0, len(pieces) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                pieces[place], pieces[other] = pieces[other], pieces[place]
            case 1:
                pieces[place] = ""
            case 2:
                pieces.insert(place, pieces[other])
            case 3:
                pieces[place] = pieces[place][::-1]
    return "".join(pieces).encode()


@anywhere
@given(shuffled_files())
def test_shipped_files_with_their_words_in_disorder(tmp_path: Path, data: bytes) -> None:
    _compiles_or_complains(tmp_path, data)

"""The formatter: what it writes means the same, is its own fixed point, and loses no comment."""

from __future__ import annotations

import re
import stat
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from plainchant.data import data_folder
from plainchant.faces import fmt
from plainchant.faces.fmt import format_paths
from plainchant.records import replace
from plainchant.text import tree as t
from plainchant.text.format import CITES_COLUMN, format_file
from plainchant.text.parse import parse
from plainchant.text.source import Source, read_source

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

SHIPPED = sorted(data_folder("rules").rglob("*.rules"))


def parsed(text: str) -> t.File:
    """The tree of a text without errors."""
    file, diagnostics = parse(Source("test.rules", text))
    assert not diagnostics, (diagnostics, text)
    return file


def formatted(text: str) -> str:
    return format_file(parsed(textwrap.dedent(text)))


def in_a_section(*statements: t.Statement) -> t.File:
    section = t.Section("section", "A", False, t.Body(statements))
    return t.File((t.Part("scenario", t.Name("p"), "P", (section,)),))


def node_classes(base: type) -> set[type]:
    """The classes of the tree that stand for a form of the language."""
    return {kind for kind in vars(t).values() if isinstance(kind, type) and issubclass(kind, base) and kind is not base}


def nodes_in(value: Any) -> Iterator[t.Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from nodes_in(item)
    elif isinstance(value, t.Node):
        yield value
        for part in t.children(value, cites=True):
            yield from nodes_in(part)


def comments_of(file: t.File) -> list[str]:
    return [comment.text for comment in file.comments]


# ---------------------------------------------------------------- trees

EXPRESSIONS = strategies.expressions_by_class()
STATEMENTS = strategies.statements_by_class()
DECLARATIONS = strategies.declarations_by_class()


def by_class(found: dict[type, Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("kind", list(found), ids=lambda kind: kind.__name__)


def test_the_strategies_make_every_class_of_node() -> None:
    assert set(EXPRESSIONS) == set(get_args(t.Expr))
    assert set(STATEMENTS) == node_classes(t.Statement)
    assert set(DECLARATIONS) | {t.Entry} == node_classes(t.Declaration)


@by_class(EXPRESSIONS)
@given(data=st.data())
@settings(relaxed, max_examples=60)
def test_expressions_come_back(kind: type, data: st.DataObject) -> None:
    expression = data.draw(EXPRESSIONS[kind])
    assert isinstance(expression, kind)
    file = t.File((t.Define(t.Name("x"), None, expression),))
    assert parsed(format_file(file)) == file


@by_class(STATEMENTS)
@given(data=st.data())
@settings(relaxed, max_examples=40)
def test_statements_come_back(kind: type, data: st.DataObject) -> None:
    statement = data.draw(STATEMENTS[kind])
    assert isinstance(statement, kind)
    file = in_a_section(statement, t.Nothing())
    text = format_file(file)
    again = parsed(text)
    assert again == file
    assert format_file(again) == text


@by_class(DECLARATIONS)
@given(data=st.data())
@settings(relaxed, max_examples=40)
def test_declarations_come_back(kind: type, data: st.DataObject) -> None:
    file = t.File((data.draw(DECLARATIONS[kind]), t.Use("x")))
    assert any(isinstance(node, kind) for node in nodes_in(file))
    text = format_file(file)
    again = parsed(text)
    assert again == file
    assert format_file(again) == text


@given(strategies.files())
@settings(relaxed, max_examples=60)
def test_files_come_back_and_formatting_twice_changes_nothing(file: t.File) -> None:
    text = format_file(file)
    again = parsed(text)
    assert again == file
    assert format_file(again) == text


def names_of_words() -> list[str]:
    """Names in which words of the language stand: each of them, and each two that stand side by side in one of its phrases."""
    grammar = (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")
    pairs = {"choose_a", "chooses_an"} | set(map("_".join, re.findall(r"(?=\b([a-z]+) \+([a-z]+))", grammar)))
    parts = sorted(strategies.language_words() | pairs)
    return [f"old_{part}_bag" for part in parts]


def uses_as_words(name: t.Name) -> Iterator[t.Statement]:
    """Statements in which the name, behind an article, is followed by whatever can follow a name."""
    nothing = t.Body((t.Nothing(),), inline=True)
    bag = strategies.with_article(t.Target(name))
    whose = strategies.with_article(t.Index(None, name))
    fate = t.Value(t.Name("fate"), whose)
    yield t.Holds(name, (t.Name("skull"),))
    yield t.Transfer((t.Thing(t.Number(3), t.Name("skull")),), bag, bag, True)
    yield t.Change("increase", bag, fate)
    yield t.Change("set", replace(bag, index=whose), fate)
    yield t.Record((t.EntryRef(t.Name("heretics"), whose),), fate, None)
    yield t.Record((t.EntryRef(t.Name("heretics"), whose),), None, t.Ref((t.Name("x"),)))
    yield t.Deal(fate, t.Name("woods"))
    yield t.Evenly(fate, t.Name("clues"), t.Name("person"))
    compared = t.Implies(t.Or((fate, t.Compare("=", fate, fate))), t.And((t.Compare("in", fate, t.Sum("-", fate, fate)), fate)))
    yield t.If(((compared, nothing),), None, ((),))


def test_no_word_of_the_language_breaks_a_name_that_is_written_as_words() -> None:
    for text in names_of_words():
        name = t.Name(text)
        fate = t.Value(t.Name("fate"), strategies.with_article(t.Index(None, name)))
        claim = t.Claim(t.Name("x"), "never", fate, t.Ref((t.Name("x"),)))
        file = t.File((*in_a_section(*uses_as_words(name)).items, claim))
        assert parsed(format_file(file)) == file


# ---------------------------------------------------------------- comments and blank lines


@st.composite
def disturbed(draw: Any) -> tuple[t.File, str]:
    """A tree, and its text with comments, blank lines and other indentation put in."""
    file = draw(strategies.files())
    step = draw(st.sampled_from([1, 2, 4, 7]))
    lines: list[str] = []
    remarks = strategies.words.map(lambda words: f"#{words}")
    above = st.lists(st.just("") | st.builds(lambda indent, remark: " " * indent + remark, st.integers(0, 30), remarks), max_size=3)
    for line in format_file(file).splitlines():
        lines += draw(above)
        bare = line.lstrip(" ")
        behind = draw(st.just("") | remarks.map(lambda remark: f"  {remark}")) if bare else ""
        lines.append(" " * (step * ((len(line) - len(bare)) // 4)) + bare + behind)
    return file, "\n".join(lines + draw(above)) + "\n"


@given(disturbed())
@settings(relaxed, max_examples=150)
def test_comments_survive_anywhere(made: tuple[t.File, str]) -> None:
    file, text = made
    source = parsed(text)
    assert source.items == file.items
    once = format_file(source)
    again = parsed(once)
    assert again.items == file.items
    assert comments_of(again) == comments_of(source)
    assert format_file(again) == once


def test_comments_keep_their_lines() -> None:
    text = """\
        # The file.
        kinds token "token"  # all of them
            skull  "skull"  # one
            # Between.
            tablet  "tablet"                                                                    @1  # two
            # At the end of the block.

        # Before the bag.
        bag chaos_bag of token "bag"
        book tcu "The Circle Undone"
            # Where it begins.
            begins with a
            # Above the order.
            order of play  # as printed
                a
                # At the end of the order.
            # At the end of the book.
        scenario a "A"
            # Before the first section.
            section "S"
                if x
                    nothing happens
                # Before otherwise.
                otherwise  # behind otherwise
                    # Within.
                    nothing happens
                    # At the end of otherwise.
                nothing happens
        # The end.
        """
    expected = """\
        # The file.
        kinds token "token"  # all of them
            skull   "skull"  # one
            # Between.
            tablet  "tablet"                                                                    @1  # two
            # At the end of the block.

        # Before the bag.
        bag chaos_bag of token "bag"

        book tcu "The Circle Undone"
            # Where it begins.
            begins with a
            # Above the order.
            order of play  # as printed
                a
                # At the end of the order.
            # At the end of the book.

        scenario a "A"

            # Before the first section.
            section "S"
                if x
                    nothing happens
                # Before otherwise.
                otherwise  # behind otherwise
                    # Within.
                    nothing happens
                    # At the end of otherwise.
                nothing happens
        # The end.
        """
    assert formatted(text) == textwrap.dedent(expected)


def test_blank_lines_are_kept_one_at_a_time_and_dropped_below_headers() -> None:
    text = """\


        keep a: flag
        keep b: flag


        keep c: flag
        rule d

            do e


            do f
        keep g: flag
        """
    expected = """\
        keep a: flag
        keep b: flag

        keep c: flag

        rule d
            do e

            do f

        keep g: flag
        """
    assert formatted(text) == textwrap.dedent(expected)


def test_sections_stand_apart_and_facts_may_stand_together() -> None:
    text = """\
        interlude a "A"
            fact b "B?"
                yes_it_is "yes"
                no_ "no"
            keep c: flag
            throughout
                "d" becomes "e"
            section "F"
                nothing happens
            resolution "G", reached by a card
                nothing happens
            keep h: flag
        """
    expected = """\
        interlude a "A"

            fact b "B?"
                yes_it_is  "yes"
                no_        "no"
            keep c: flag

            throughout
                "d" becomes "e"

            section "F"
                nothing happens

            resolution "G", reached by a card
                nothing happens

            keep h: flag
        """
    assert formatted(text) == textwrap.dedent(expected)


def test_an_empty_file_stays_empty() -> None:
    assert formatted("\n\n") == ""
    assert formatted("\n\n# only this\n\n\n") == "# only this\n"


# ---------------------------------------------------------------- the spelling


def test_citations_stand_in_one_column_and_two_spaces_behind_longer_lines() -> None:
    long = "x" * CITES_COLUMN
    lines = formatted(f'kinds a @1\n  b "b" @a:2-3,5-5 @7\n  c "{long}" @4').splitlines()
    assert [line.index("@") + 1 for line in lines[:2]] == [CITES_COLUMN, CITES_COLUMN]
    assert lines[1].endswith("@a:2-3,5 @7")
    assert lines[2].endswith(f'{long}"  @4')


SPELLINGS = [
    "add 1 skull token to the chaos bag",
    "add 2 skull, 1 tablet tokens to chaos_bag",
    "add 2 tower to the deck of that investigator",
    "move (x + 1) skull tokens from keys to the chaos bag as far as possible",
    "remove each of deck of the lead",
    "remove each of the set_of_cards",
    "increase experience of that investigator by 2",
    "set clues of gavriella to 6",
    "the chaos bag holds +1, 0, –1, –1, skull",
    "the lead of the_bag is driven insane",
    "each investigator, if fate is defeated, suffers 2 physical trauma",
    "if every investigator has fate = defeated: nothing happens",
    "if (how many investigator has fate = defeated) <= 3: nothing happens",
    "if how many investigator has count(skull) <= 3: nothing happens",
    "if (a and b) or c: nothing happens",
    "if a and (b or not c): nothing happens",
    "if a implies b and c: nothing happens",
    "if (a or b) implies c: nothing happens",
    "if departure is not resigned: nothing happens",
    "if puzzle_box in deck of that investigator: nothing happens",
    "if a - (b - c) != 0: nothing happens",
    'if reached("A" / "B"): nothing happens',
    'record 1 tally mark next to "the path winds before you"',
    'put into play "Azathoth" at "next to the agenda deck"',
    'search for 3 "Acolyte", "Wizard of the Order"',
]


@pytest.mark.parametrize("line", SPELLINGS)
def test_what_is_spelled_well_stays_as_it_is(line: str) -> None:
    text = f'scenario a "A"\n\n    section "S"\n        {line}\n'
    assert formatted(text) == text


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("add   1 skull tokens to   the chaos_bag", "add 1 skull token to the chaos bag"),
        ("if any investigator has fate is defeated: nothing happens", "if any investigator has fate = defeated: nothing happens"),
        ("if ((a)) and (b = c): nothing happens", "if a and b is c: nothing happens"),
        ('record 2 tally mark next to "a"', 'record 2 tally marks next to "a"'),
        ('proceed   to "\\S"', 'proceed to "S"'),
    ],
)
def test_what_could_be_spelled_better_is(line: str, better: str) -> None:
    head = 'scenario a "A"\n\n    section "S"\n        '
    assert formatted(head + line) == head + better + "\n"


@pytest.mark.parametrize(
    ("who", "verb"),
    [("investigators", "decide"), ("lead investigator", "decides"), ("boss", "decides"), ("genius", "decides"), ("as", "decide")],
)
def test_deciders_agree_with_their_verb(who: str, verb: str) -> None:
    for written in ("decide", "decides"):
        text = f'scenario a "A"\n\n    section "S"\n        the {who} {written}\n            "b"\n'
        assert formatted(text).splitlines()[3].strip() == f"the {who} {verb}"


# ---------------------------------------------------------------- the shipped rules


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_shipped_rules_mean_the_same_when_formatted(path: Path) -> None:
    source, _ = read_source(path)
    file = parsed(source.text)
    text = format_file(file)
    again = parsed(text)
    assert again.items == file.items
    assert comments_of(again) == comments_of(file)
    assert sorted(re.findall(r"@\S+", text)) == sorted(re.findall(r"@\S+", source.text))
    assert format_file(again) == text


def test_the_shipped_rules_have_the_canonical_layout() -> None:
    result = format_paths([data_folder("rules")], check=True)
    assert result.changed == ()
    assert result.diagnostics == ()
    assert set(result.unchanged) == set(SHIPPED)


# ---------------------------------------------------------------- files

UGLY = "keep   a : flag   @1\n"
TIDY = "keep a: flag".ljust(CITES_COLUMN - 1) + "@1\n"


def test_check_says_what_would_change_and_writes_nothing(tmp_path: Path) -> None:
    ugly, tidy = tmp_path / "ugly.rules", tmp_path / "tidy.rules"
    ugly.write_text(UGLY)
    tidy.write_text(TIDY)
    result = format_paths([tmp_path], check=True)
    assert result == fmt.FormatResult((ugly,), (tidy,), ())
    assert ugly.read_text() == UGLY


def test_folders_are_walked_and_each_file_is_written_once(tmp_path: Path) -> None:
    below = tmp_path / "book" / "below"
    below.mkdir(parents=True)
    file = below / "a.rules"
    file.write_text(UGLY)
    (below / "a.txt").write_text(UGLY)
    file.chmod(0o640)
    result = format_paths([file, tmp_path], check=False)
    assert result.changed == (file,)
    assert file.read_text() == TIDY
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert (below / "a.txt").read_text() == UGLY
    assert sorted(path.name for path in below.iterdir()) == ["a.rules", "a.txt"]
    assert format_paths([tmp_path], check=False) == fmt.FormatResult((), (file,), ())


def test_line_ends_and_byte_order_mark_are_normalised(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_bytes(b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode())
    assert format_paths([file], check=False).changed == (file,)
    assert file.read_bytes() == TIDY.encode()


def test_files_with_errors_are_left_as_they_are(tmp_path: Path) -> None:
    broken, tabbed, good = tmp_path / "broken.rules", tmp_path / "tabbed.rules", tmp_path / "good.rules"
    broken.write_text("keep a:\n" + UGLY)
    tabbed.write_text("rule a\n\tdo b\n")
    good.write_text(UGLY)
    before = broken.read_text(), tabbed.read_text()
    result = format_paths([broken, tabbed, good], check=False)
    assert result.changed == (good,)
    assert result.unchanged == ()
    assert {d.code for d in result.diagnostics if d.at.file.endswith("tabbed.rules")} == {"PC004"}
    assert any(d.at.file.endswith("broken.rules") and d.severity == "error" for d in result.diagnostics)
    assert (broken.read_text(), tabbed.read_text()) == before


def test_paths_that_hold_no_rules_are_reported(tmp_path: Path) -> None:
    other, empty = tmp_path / "a.txt", tmp_path / "empty"
    other.write_text(UGLY)
    empty.mkdir()
    result = format_paths([tmp_path / "absent.rules", other, empty], check=False)
    assert [d.code for d in result.diagnostics] == ["PC001", "PC002", "PC002"]
    assert result.changed == result.unchanged == ()
    assert other.read_text() == UGLY


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "a.rules", tmp_path / "b" / "link.rules"
    file.write_text(UGLY)
    link.parent.mkdir()
    link.symlink_to(file)
    assert format_paths([link], check=False).changed == (link,)
    assert link.is_symlink()
    assert file.read_text() == TIDY


def test_a_failed_write_leaves_the_file_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.rules"
    file.write_text(UGLY)

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fmt.os, "fsync", no_space)
    result = format_paths([file], check=False)
    assert [d.code for d in result.diagnostics] == ["PC009"]
    assert "No space left" in result.diagnostics[0].message
    assert result.changed == ()
    assert file.read_text() == UGLY
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("loss", ["keep b: flag\n", "keep a: flag @1\nkeep\n", TIDY.replace("a", "b")])
def test_a_fault_of_the_formatter_never_reaches_the_file(loss: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.rules"
    file.write_text(UGLY + "# kept\n")
    monkeypatch.setattr(fmt, "format_file", lambda _: loss)
    result = format_paths([file], check=False)
    assert [d.code for d in result.diagnostics] == ["PC900"]
    assert file.read_text() == UGLY + "# kept\n"


def test_a_tree_without_places_has_only_the_fixed_blank_lines() -> None:
    member = t.Member(t.Name("a"), "A")
    kinds = t.Kinds(t.Name("k"), None, (member, replace(member, name=t.Name("long"))))
    keep = t.Keep(t.Name("x"), None, t.Type("flag"), None)
    text = 'keep x: flag\nkeep x: flag\n\nkinds k\n    a     "A"\n    long  "A"\n\nkeep x: flag\n'
    assert format_file(t.File((keep, keep, kinds, keep))) == text

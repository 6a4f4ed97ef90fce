"""Rules in plain words, for the pages of the site: every form has some, nothing becomes markup, and shipped sections read as they should."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given

from plainchant.data import data_folder
from plainchant.faces.declared import Key
from plainchant.faces.site.md import esc
from plainchant.faces.site.plain import PlainExpressions
from plainchant.faces.site.plain_statements import PlainStatements, Said
from plainchant.meaning.collect import collect
from plainchant.meaning.modules import load
from plainchant.meaning.names import Names
from plainchant.meaning.resolve import Scope
from plainchant.text import tree as t
from strategies import expressions, statements

_TAG = re.compile(r"<[a-zA-Z/!]")


def unlinked(_key: Key, label: str) -> str:
    return label


def words_of(said: tuple[Said, ...], depth: int = 0) -> list[str]:
    """Sentences as a reader sees them, indented."""
    lines = []
    for one in said:
        lines.append("  " * depth + html.unescape(one.text))
        lines += words_of(one.below, depth + 1)
    return lines


@cache
def shipped(book: str) -> Names:
    return collect(load(data_folder("rules") / book)[0])[0]


def section(book: str, key: str) -> list[str]:
    names = shipped(book)
    found = next(s for part in names.parts.values() for s in part.sections if s.key == key)
    return words_of(PlainStatements(names, Scope(names, found.part), unlinked).body(found.body))


def condition(text: str) -> str:
    """An expression of The Circle Undone in plain words, as in its first scenario."""
    from plainchant.text.parse import parse
    from plainchant.text.source import Source

    file, _ = parse(Source("x", f"define x means {text}\n"))
    item = file.items[0]
    assert isinstance(item, t.Define)
    names = shipped("tcu")
    return html.unescape(PlainExpressions(names, Scope(names, "the_witching_hour"), unlinked).condition(item.meaning))


@given(statements())
def test_every_statement_has_words_and_none_becomes_markup(statement: t.Statement) -> None:
    names = Names({})
    said = PlainStatements(names, Scope(names, None), unlinked).statement(statement)
    waiting = [said]
    while waiting:
        one = waiting.pop()
        assert one.text.strip()
        assert not _TAG.search(one.text)
        waiting += one.below


@given(expressions())
def test_every_expression_has_words_and_none_becomes_markup(expression: t.Expr) -> None:
    names = Names({})
    plain = PlainExpressions(names, Scope(names, None), unlinked)
    for text in (plain.condition(expression), plain.value(expression)):
        assert text.strip()
        assert not _TAG.search(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"you have accepted your fate"', "“you have accepted your fate” stands in the log"),
        ("not accepted_fate", "“you have accepted your fate” does not stand in the log"),
        ("cards_available", "the table says yes to cards available"),
        ("act <= 3", "act is at most 3"),
        ("every investigator has departure = defeated", "for every investigator, departure is “was defeated”"),
        ("value(heretics) >= 2", "the number in “X heretics were unleashed unto Arkham” is at least 2"),
        ("size(mementos) < 4", "the number of things in “Mementos Discovered” is less than 4"),
        ("worn_crucifix in mementos", "“Worn Crucifix” is among “Mementos Discovered”"),
        ("crossed_off(profile of gavriella)", "“Gavriella Mizrah's profile” is crossed off"),
        ("count(skull) = 0", "the number of “skull” in the bag is 0"),
        ("exactly 1 of (spell_cast, yes)", "exactly 1 of these hold: “the witches' spell was cast” stands in the log; always"),
        ("spell_cast implies spell_broken", "if “the witches' spell was cast” stands in the log, then “the witches' spell was broken” stands in the log"),
        ('reached("Scenario I: The Witching Hour" / "Intro 2")', "play came to “Scenario I: The Witching Hour” / “Intro 2”"),
        ("difficulty is hard", "difficulty is “Hard”"),
    ],
)  # fmt: skip
def test_conditions_read_like_sentences(text: str, expected: str) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize(
    "key",
    [
        "the_witching_hour.intro_1", "the_witching_hour.resolution_3", "the_inner_circle.inner_circle_2", "campaign_setup.campaign_setup",
        "union_and_disillusion.resolution_8", "twist_of_fate.twist_of_fate_1", "disappearance_at_the_twilight_estate.campaign_setup_for_the_prologue",
    ],
)  # fmt: skip
def test_sections_read_as_they_did(key: str, reset_golden: bool) -> None:
    """Golden files: read the difference before you take it."""
    file = Path(__file__).parent / "plain" / f"{key}.txt"
    words = "\n".join(section("tcu", key)) + "\n"
    if reset_golden:
        file.parent.mkdir(exist_ok=True)
        file.write_text(words, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == words


def test_escaped_text_reads_the_same() -> None:
    text = "1. `a` *b* [c](d) <e> & f_g | {h} # \\"
    assert html.unescape(esc(text)) == text


# ---------------------------------------------------------------- the lexer


def test_every_shipped_file_is_understood_by_the_lexer() -> None:
    token = pytest.importorskip("pygments.token")
    from plainchant.faces.site.lexer import RulesLexer

    for path in data_folder("rules").rglob("*.rules"):
        found = list(RulesLexer().get_tokens(path.read_text(encoding="utf-8")))
        assert [value for kind, value in found if kind in token.Error] == []


def test_the_lexer_tells_words_printed_words_and_citations_apart() -> None:
    token = pytest.importorskip("pygments.token")
    from plainchant.faces.site.lexer import RulesLexer

    found = [
        (kind, value)
        for kind, value in RulesLexer().get_tokens('proceed to "Intro 2" # on\nproceeds @tcu:90-91\n')
        if value.strip()
    ]  # fmt: skip
    assert found == [
        (token.Keyword, "proceed to"), (token.String, '"Intro 2"'), (token.Comment.Single, "# on"), (token.Name, "proceeds"),
        (token.Name.Decorator, "@tcu:90-91"),
    ]  # fmt: skip


def test_pygments_knows_the_language_by_its_name() -> None:
    lexers = pytest.importorskip("pygments.lexers")
    assert lexers.get_lexer_by_name("rules").name == "Plainchant rules"
    assert lexers.get_lexer_for_filename("book.rules").name == "Plainchant rules"

"""A Pygments lexer for the rules language; its words are those of the grammar, so the two cannot drift apart."""

from __future__ import annotations

import re

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from plainchant.text.expected import all_spellings


def _words() -> str:
    """Every word and phrase of the language as one expression, the longest first."""
    phrases = sorted((phrase for phrase in all_spellings() if phrase[0].isalpha()), key=lambda phrase: (-len(phrase), phrase))
    spelt = "|".join(" +".join(re.escape(word) for word in phrase.split(" ")) for phrase in phrases)
    return f"(?:{spelt})(?![\\w-])"


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """Rules of Plainchant: `.rules` files, and blocks of code on the pages."""

    name = "Plainchant rules"
    aliases = ["rules", "plainchant"]
    filenames = ["*.rules"]
    url = ""
    version_added = ""

    tokens = {
        "root": [
            (r"\n", Whitespace),
            (r"[ \t]+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"@(?:[a-z][a-z0-9_]*:)?[0-9,\-]+", Name.Decorator),
            (r"[+\-−–]?[0-9]+", Number.Integer),
            (r"!=|<=|>=|<|>|=|\+|-", Operator),
            (_words(), Keyword),
            (r"[a-z][a-z0-9_]*", Name),
            (r"[(),:/.{}]", Punctuation),
            (r".", Name),
        ]
    }

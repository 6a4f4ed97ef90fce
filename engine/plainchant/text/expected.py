"""What may stand at a place, in words: from the grammar's terminals to the phrases of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from plainchant.data import data_folder

_TERMINAL = re.compile(r"^([_A-Z][_A-Z0-9]*)(?:\.\d+)?: *(.*)$", re.MULTILINE)
_NAMED = {
    "NAME": "a name", "NUMBER": "a number", "STRING": "printed words in quotes", "CITE": "a citation", "SIGNED": "a signed number",
    "DOTTED": "a module", "_NEWLINE": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}  # fmt: skip
"""Terminals that are no words of the language."""

_GROUPS = (
    (frozenset({"_RECORD", "_ADD", "JUMP"}), "a statement (proceed to, record, add, if, …)",
     ("_IF", "_CHECK", "_BY", "_SET", "_THE", "_THAT", "_EACH", "_DO", "_DEAL", "_LIST", "_MOVE", "_SKIP", "_FOR_EACH", "INSTRUCTION",
      "_CROSS_OFF", "_CROSS_OFF_EACH_OF", "_REMOVE", "_REMOVE_EACH_OF", "_INCREASE", "_DECREASE", "_AS_EVENLY_AS_POSSIBLE", "_ANY_ONE",
      "_AT_RANDOM", "_A_CARD_MAY_SEND_TO", "CONTINUE_IN_PRINTED_ORDER", "PLAY_THE_SCENARIO", "GO_ON_TO_THE_RESOLUTION", "GO_BACK",
      "_THE_CAMPAIGN_IS_OVER", "NOTHING_HAPPENS")),
    (frozenset({"_USE", "_KINDS", "PART_KIND"}), "a declaration (kinds, fact, define, scenario, …)",
     ("_BOOK", "_GROUP", "_BAG", "_CAMPAIGN_LOG", "_FACT", "_KEEP", "_READING", "_DEFINE", "_VERB", "_RULE", "_CLAIM", "_ACKNOWLEDGE", "_WAIVE",
      "_NOT_TRANSCRIBED", "_MEMBERS_OF", "_REQUIREMENT")),
    (frozenset({"SECTION_KIND", "_THROUGHOUT"}), "a block of the part (section, resolution, fact, keep, …)",
     ("_FACT", "_KEEP", "_READING", "_DEFINE", "_CLAIM")),
    (frozenset({"NAME", "NUMBER", "STRING", "_LPAR", "YES"}), "a name, number, or printed words in quotes",
     ("NO", "_THAT", "_NOT", "QUANTIFIER", "LIMIT", "_HOW_MANY", "_HOW_MANY_OF", "_THE_TOTAL_OF", "SIGNED")),
    (frozenset({"COMPARE", "IS", "_EQUALS"}), "a comparison (is, is not, =, <=, …)", ("IS_NOT", "IN", "_PLUS", "_MINUS")),
)  # fmt: skip
"""Terminals that always stand together, the words for all of them, and what else those words cover."""


_BELONGS = {
    "_WHEN": "`when` belongs below a `check \"…\"`", "_OTHERWISE_WHEN": "`otherwise when` belongs below a `check \"…\"`",
    "_OTHERWISE": "`otherwise` follows the block of an `if`, or the last `when` of a `check`",
    "_OTHERWISE_IF": "`otherwise if` follows the block of an `if`", "_ONLY_IF": "`only if` belongs to an option or alternative",
    "SECTION_KIND": "sections belong below a part (scenario, interlude, …), and are indented less than statements",
}  # fmt: skip
"""Words that stand only in certain places."""


def expectation(accepted: Iterable[str], found: str) -> str:
    """Where the terminal that was found belongs, and `here may stand: …`, the most telling first."""
    accepted = set(accepted)
    statements, _, further = _GROUPS[0]
    belongs = _BELONGS.get(found, "")
    if found in statements | set(further) and "_USE" in accepted:
        belongs = "statements belong below a section, a rule or a verb"
    return (f"{belongs}; " if belongs else "") + _here_may_stand(accepted)


def _here_may_stand(accepted: Iterable[str]) -> str:
    rest, words = set(accepted), []
    for together, phrase, further in _GROUPS:
        if together <= rest:
            words.append(phrase)
            rest -= together | set(further)
    ends = [_NAMED[terminal] for terminal in ("CITE", "_NEWLINE") if terminal in rest]
    words += sorted({_word(terminal) for terminal in rest - {"CITE", "_NEWLINE", "_DEDENT"}} - {""}) + ends
    if not words:
        return "see the page on the language"
    return "here may stand: " + ", ".join(words if len(words) <= 8 else [*words[:7], "…"])


def _word(terminal: str) -> str:
    if terminal in _NAMED:
        return _NAMED[terminal]
    known = phrases().get(terminal, ())[:4]
    return ", ".join(phrase if phrase[0].isalpha() else f"“{phrase}”" for phrase in known)


def spellings(accepted: Iterable[str]) -> list[str]:
    """The words and signs of the language among these terminals."""
    return sorted({phrase for terminal in accepted for phrase in phrases().get(terminal, ())})


@cache
def all_spellings() -> tuple[str, ...]:
    """Every word and sign of the language."""
    return tuple(spellings(phrases()))


@cache
def phrases() -> dict[str, tuple[str, ...]]:
    """For each terminal that is a word or sign of the language, how it may be spelt."""
    text = (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for terminal, definition in _TERMINAL.findall(text):
        literals = re.findall(r'"([^"]+)"', definition) if definition.startswith('"') else _from_pattern(definition)
        if literals and terminal not in _NAMED:
            found[terminal] = tuple(literals)
    return found


def _from_pattern(pattern: str) -> list[str]:
    """The phrases of a keyword's expression: alternatives in brackets, ` +` for a space, `s?` for a plural, `\\b` at the end."""
    body = re.sub(r"\(\?=.*$", "", pattern.strip("/")).replace(r"\b", "").replace(" +", " ")
    body = re.sub(r"(\w)\?", r"(\1|)", body)
    return [] if re.search(r"[\[\]*\\^]", body) else list(_expanded(body))


def _expanded(body: str) -> Iterator[str]:
    """Every phrase that a pattern of brackets and bars stands for."""
    depth, start = 0, 0
    for i, sign in enumerate(body):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            yield from _expanded(body[start:i])
            start = i + 1
    one = body[start:]
    before, bracket, rest = one.partition("(")
    if not bracket:
        yield one
        return
    close = next(i for i in range(len(rest)) if rest[: i + 1].count(")") == rest[: i + 1].count("(") + 1)
    for inner in _expanded(rest[:close]):
        for behind in _expanded(rest[close + 1 :]):
            yield before + inner + behind

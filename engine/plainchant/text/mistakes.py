"""What a syntax error means: from Lark's exception to the registry's code, with what was found, expected, and the cure."""

from __future__ import annotations

import difflib
import re
from functools import cache

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from plainchant.data import data_folder
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.source import Source

_TERMINAL = re.compile(r'^([_A-Z][_A-Z0-9]*)(?:\.\d+)?: *(.*)$', re.MULTILINE)
_WORDS = {
    "NAME": "a name", "NUMBER": "a number", "STRING": "printed words in quotes", "CITE": "a citation", "_NEWLINE": "the end of the line",
    "_INDENT": "an indented block", "_DEDENT": "the end of the block", "$END": "the end of the file", "SIGNED": "a signed number",
    "COMPARE": "a comparison", "DOTTED": "a module", "YES": "yes", "NO": "no", "IS_NOT": "is not", "BY_A_CARD": ", reached by a card",
    "LIMIT": "exactly, at most, at least", "QUANTIFIER": "every, any, no", "CLAIM_KIND": "never, always, possible",
    "PART_KIND": "scenario, interlude, prologue, epilogue", "SECTION_KIND": "section, resolution, no resolution, standalone",
    "JUMP": "proceed to", "INSTRUCTION": "gather, put into play, set aside, read",
}  # fmt: skip


def diagnose(error: UnexpectedInput, source: Source, lines: list[str]) -> tuple[Diagnostic, int]:
    """The diagnostic of a syntax error, and the line to leave out for the next attempt. `lines` are those of this attempt."""
    line, column = _place(error, lines)
    text = source.line(line)
    return _known_mistake(error, source, line, column, text) or _general(error, source, line, column, text)


def _place(error: UnexpectedInput, lines: list[str]) -> tuple[int, int]:
    """Line and column of the mistake, counted from 1; errors at a line's end point behind its last sign."""
    if isinstance(error, UnexpectedToken) and error.token.type in ("_NEWLINE", "$END"):
        number = error.token.line or len(lines)
        while number > 1 and not lines[number - 1].strip():
            number -= 1
        return number, len(_without_comment(lines[number - 1]).rstrip()) + 1
    line, column = error.line, error.column
    if not isinstance(line, int) or line < 1:
        line, column = len(lines), 1
    if isinstance(error, UnexpectedToken) and error.token.type == "_INDENT":
        return _next_line(lines, line)
    if isinstance(error, UnexpectedToken) and error.token.type == "_DEDENT":
        return _last_line(lines, line)
    return line, column if isinstance(column, int) and column > 0 else 1


def _next_line(lines: list[str], line: int) -> tuple[int, int]:
    """The first line at or behind `line` that says something and follows the line end which the token stands for."""
    number = line + 1
    while number <= len(lines) and not _says_something(lines[number - 1]):
        number += 1
    if number > len(lines):
        number = line
    return number, len(lines[number - 1]) - len(lines[number - 1].lstrip(" ")) + 1


def _last_line(lines: list[str], line: int) -> tuple[int, int]:
    number = min(line, len(lines))
    while number > 1 and not _says_something(lines[number - 1]):
        number -= 1
    return number, len(_without_comment(lines[number - 1]).rstrip()) + 1


def _says_something(line: str) -> bool:
    return bool(_without_comment(line).strip())


def _without_comment(line: str) -> str:
    return re.sub(r'("(?:\\.|[^"\\])*")|#.*', lambda m: m.group(1) or "", line)


def _known_mistake(error: UnexpectedInput, source: Source, line: int, column: int, text: str) -> Diagnostic | None:
    """The mistakes that people make often, each recognised by the line and the place."""
    rest = text[column - 1 :]
    before = _without_comment(text[: column - 1])
    at = source.span(line, column, max(1, len(re.match(r"\w*", rest).group()) if rest else 1))  # type: ignore[union-attr]
    found = error.token.type if isinstance(error, UnexpectedToken) else ""

    def known(code: str, span_column: int = column, length: int = 1, **values: object) -> Diagnostic:
        return problem(code, source.span(line, span_column, length), source_line=text, **values)

    if found == "_INDENT":
        return known("PC106")
    if rest.startswith('"') and not re.match(r'"(\\.|[^"\\])*"', rest):
        return known("PC102", length=len(rest.rstrip()))
    if rest[:1] in "“”„«":
        return known("PC110")
    if rest.startswith("@"):
        word = rest.split()[0]
        return known("PC109", length=len(word), found=word)
    if rest.startswith("==") or (before.endswith("=") and rest.startswith("=")):
        return known("PC107", column - 1 if before.endswith("=") else column, 2)
    opened = _open_bracket(text)
    if opened is not None and found in ("_NEWLINE", "CITE", "$END", "_COLON"):
        return known("PC111", opened + 1)
    if found in ("_NEWLINE", "$END", "_DEDENT"):
        return _at_line_end(error, source, line, column, text)
    misspelt = _misspelt(rest, before, error)
    if misspelt:
        word, nearest = misspelt
        return problem("PC112", source.span(line, column, len(word)), source_line=text, found=word, nearest=nearest)
    words = _bare_words(text, column, error)
    if words:
        start, phrase = words
        return problem("PC108", source.span(line, start + 1, len(phrase)), source_line=text, words=phrase)
    del at
    return None


def _at_line_end(error: UnexpectedInput, source: Source, line: int, column: int, text: str) -> Diagnostic:
    expected = _accepts(error)
    at = source.span(line, column)
    if expected and expected <= {"_INDENT"}:
        return problem("PC105", at, source_line=text, header=_without_comment(text).strip().split("@")[0].strip())
    return problem("PC113", at, source_line=text, expected=_expected(error))


def _open_bracket(text: str) -> int | None:
    bare = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: "·" * len(m.group()), text).split("#")[0]
    stack = []
    for index, sign in enumerate(bare):
        if sign == "(":
            stack.append(index)
        elif sign == ")" and stack:
            stack.pop()
    return stack[-1] if stack else None


def _misspelt(rest: str, before: str, error: UnexpectedInput) -> tuple[str, str] | None:
    """A word at the beginning of a line, or where only words of the language may stand, that is nearly one of them."""
    match = re.match(r"[A-Za-z]+", rest)
    if not match:
        return None
    word = match.group()
    starts = {phrase.split()[0]: phrase for terminal in _accepts(error) for phrase in _phrases().get(terminal, ())}
    if before.strip() and "NAME" in _accepts(error):
        return None
    near = difflib.get_close_matches(word.lower(), starts, 1, 0.7)
    if not near or near[0] == word:
        return None
    return word, near[0]


def _bare_words(text: str, column: int, error: UnexpectedInput) -> tuple[int, str] | None:
    """Two or more plain words where printed words are needed: where they begin, and the words."""
    verbs = r"(?:proceed to|skip to|go to|record|cross off|use|when|read|gather|set aside|put into play)"
    match = re.search(rf"\b{verbs}\s+(?=[A-Za-z])", text[: column + 1])
    if match is None and isinstance(error, UnexpectedToken) and error.token.type == "NAME":
        match = re.search(rf"\b{verbs}\s+(?=[A-Za-z])", text)
    if match is None:
        return None
    phrase = re.match(r"[^@#\":,()]+", text[match.end() :])
    if phrase is None or len(phrase.group().split()) < 2:
        return None
    return match.end(), phrase.group().rstrip()


def _general(error: UnexpectedInput, source: Source, line: int, column: int, text: str) -> Diagnostic:
    expected = _expected(error)
    if isinstance(error, UnexpectedCharacters):
        sign = text[column - 1 : column] or "?"
        return problem("PC103", source.span(line, column), source_line=text, found=f"“{sign}”", expected=expected)
    token = error.token if isinstance(error, UnexpectedToken) else Token("?", "")
    length = max(1, len(str(token).split("\n")[0]))
    found = f"“{str(token).strip()}”" if str(token).strip() else _WORDS.get(token.type, "this")
    return problem("PC101", source.span(line, column, length), source_line=text, found=found, expected=expected)


def misfit(error: DedentError, source: Source, lines: list[str]) -> tuple[Diagnostic, int]:
    """A line whose indentation matches no block around it."""
    columns = [0]
    for number, line in enumerate(lines, 1):
        if not _says_something(line):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent > columns[-1]:
            columns.append(indent)
            continue
        open_blocks = list(columns)
        while columns[-1] > indent:
            columns.pop()
        if columns[-1] != indent:
            expected = " or ".join(str(c) for c in open_blocks)
            at = source.span(number, indent + 1)
            return problem("PC104", at, source_line=source.line(number), found=indent, expected=expected), number
    raise error


def _accepts(error: UnexpectedInput) -> set[str]:
    """The terminals that the parser would take at the place of the error."""
    allowed = getattr(error, "accepts", None) or getattr(error, "allowed", None) or getattr(error, "expected", None) or set()
    return set(allowed)


def _expected(error: UnexpectedInput) -> str:
    words = sorted({_word(terminal) for terminal in _accepts(error)} - {""})
    if not words:
        return "see the page on the language"
    shown = words if len(words) <= 7 else [*words[:6], "…"]
    return "here may stand: " + ", ".join(shown)


def _word(terminal: str) -> str:
    if terminal in _WORDS:
        return _WORDS[terminal]
    phrases = _phrases().get(terminal, ())
    return phrases[0] if phrases else ""


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    """For each keyword terminal of the grammar, the phrases that it stands for."""
    text = (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for terminal, definition in _TERMINAL.findall(text):
        if terminal in _WORDS and terminal not in ("JUMP", "INSTRUCTION", "PART_KIND", "SECTION_KIND", "QUANTIFIER", "LIMIT"):
            continue
        literals = re.findall(r'"([^"]+)"', definition) if definition.startswith('"') else _from_pattern(definition)
        if literals:
            found[terminal] = tuple(literals)
    return found


def _from_pattern(pattern: str) -> list[str]:
    """The phrases of a keyword's regular expression: alternatives in one bracket, ` +` for a space, `\\b` at the end."""
    body = re.sub(r"\(\?=.*$", "", pattern.strip("/")).replace(r"\b", "").replace(" +", " ")
    if re.search(r"[\[\]*\\^]", body):
        return []
    match = re.fullmatch(r"\((.*)\)", body)
    inner = match.group(1) if match else body
    group = re.search(r"\(([^()]*)\)", inner)
    if group:
        return [inner[: group.start()] + word + inner[group.end() :] for word in group.group(1).split("|")]
    return [re.sub(r"(\w)\?", r"\1", word) for word in inner.split("|")]

"""A question that somebody asks about a book: its expressions parsed, checked and lowered with the book, errors in their own words."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.meaning.check_expressions import ExpressionChecker, check_section
from plainchant.meaning.ground import Ground, with_question
from plainchant.meaning.kernel import Program
from plainchant.meaning.reporter import Reporter
from plainchant.meaning.resolve import Scope
from plainchant.records import replace
from plainchant.text import tree as t
from plainchant.text.diagnostic import Diagnostic, errors_in, problem
from plainchant.text.parse import parse
from plainchant.text.place import Span
from plainchant.text.source import Source, unusable

ASKED = "asked"
"""The name of the claim that stands for the question in the lowered book."""

_BEFORE = "claim asked: possible "


def parse_expression(text: str, name: str) -> tuple[t.Expr | None, Source, tuple[Diagnostic, ...]]:
    """An expression given in a call; places in diagnostics are columns of its own text, in a source called `name`."""
    shown = " ".join(text.split("\n"))
    own = Source(name, shown)
    if not shown.strip():
        return (
            None,
            own,
            (problem("PC113", Span(name, 1, 1, 1, 2), source_line=shown or " ", expected="write a condition, for example a log entry"),),
        )
    if wrong := unusable(own):
        return None, own, wrong
    file, diagnostics = parse(Source(name, _BEFORE + shown))
    moved = tuple(_moved(diagnostic, own) for diagnostic in diagnostics)
    claims = [item for item in file.items if isinstance(item, t.Claim)]
    if errors_in(moved) or len(claims) != 1 or claims[0].at is not None or claims[0].cites:
        if not moved:
            moved = (
                problem("PC101", Span(name, 1, 1, 1, len(shown) + 1), source_line=shown, found="this", expected="write one condition"),
            )
        return None, own, moved
    return claims[0].expression, own, moved


def _moved(diagnostic: Diagnostic, own: Source) -> Diagnostic:
    """A diagnostic of the wrapped text as one of the expression alone."""
    return replace(diagnostic, at=_moved_span(diagnostic.at), source_line=own.line(1))


def _moved_span(span: Span) -> Span:
    column = max(1, span.column - len(_BEFORE))
    return Span(span.file, 1, column, 1, max(column + 1, span.end_column - len(_BEFORE)))


def ask_book(
    ground: Ground, condition: str, at: str | None = None, measured: Sequence[str] = ()
) -> tuple[Program | None, tuple[Diagnostic, ...]]:  # fmt: skip
    """The program of a lowered book with a question in it: its last claim is the asked condition, `measures` are the measured numbers.

    `condition` is asked at the end of the campaign, or on arrival at the section `at`; `measured` are number expressions.
    """
    reporter = Reporter({})
    diagnostics: list[Diagnostic] = []
    scope = Scope(ground.names, None)
    checker = ExpressionChecker(reporter)
    asked = _parsed(condition, "the question", diagnostics)
    if asked is not None:
        checker.condition(asked[0], scope)
        _take(reporter, asked[1], diagnostics)
    numbers = []
    for text in measured:
        number = _parsed(text, "the number", diagnostics)
        if number is not None:
            checker.number(number[0], scope)
            _take(reporter, number[1], diagnostics)
            numbers.append(number[0])
    place = None if at is None else _section(at, scope, diagnostics)
    if errors_in(diagnostics) or asked is None:
        return None, tuple(diagnostics)
    claim = t.Claim(t.Name(ASKED), "possible", asked[0], place)
    return with_question(ground, claim, numbers), ()


def _parsed(text: str, name: str, diagnostics: list[Diagnostic]) -> tuple[t.Expr, Source] | None:
    expression, source, found = parse_expression(text, name)
    diagnostics += found
    return None if expression is None else (expression, source)


def _take(reporter: Reporter, source: Source, diagnostics: list[Diagnostic]) -> None:
    diagnostics += [_moved(diagnostic, source) for diagnostic in reporter.found]
    reporter.found.clear()


def _section(text: str, scope: Scope, diagnostics: list[Diagnostic]) -> t.Ref | None:
    """The section that `--at` names: printed words (with the part before a slash) or identifiers (`part.section`)."""
    names = [_name(piece.strip()) for piece in text.split(" / ", 1)] if " / " in text else [_name(text.strip())]
    if len(names) == 1 and "." in names[0].text and not names[0].printed:
        part, _, section = names[0].text.partition(".")
        names = [t.Name(part), t.Name(section)]
    ref = t.Ref(tuple(names))
    if not scope.names.section(ref, None):
        ref = t.Ref(tuple(t.Name(name.text, True) for name in names))
    reporter = Reporter({})
    check_section(ref, scope, reporter)
    span = Span("the section", 1, 1, 1, len(text) + 1)
    diagnostics += [replace(diagnostic, at=span, source_line=text or " ") for diagnostic in reporter.found]
    return ref


def _name(text: str) -> t.Name:
    printed = len(text) > 1 and text[0] == '"' and text[-1] == '"'
    return t.Name(text[1:-1] if printed else text, printed)

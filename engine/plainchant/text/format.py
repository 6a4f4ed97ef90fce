"""The canonical layout of a rules file: from a tree with its comments to text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from plainchant.records import Frozen, replace
from plainchant.text import tree as t
from plainchant.text.declaration_text import attribute_text, choice_text, declaration_headline, field_text, trigger_text
from plainchant.text.expression_text import expression_text, ref_text
from plainchant.text.place import cite_text
from plainchant.text.statement_text import headline

INDENT = 4
"""Spaces for each level."""

CITES_COLUMN = 89
"""Where citations begin, counted from 1; behind longer lines they follow after two spaces."""


class _Row(Frozen):
    """A line to be written. `line` and `column` say where it stood, 0 if that is not known; `apart` wants a blank line above."""

    level: int
    text: str
    line: int = 0
    column: int = 0
    apart: bool = False
    comment: bool = False
    opens_part: bool = False


def format_file(file: t.File) -> str:
    """The text of a file in the canonical layout, with all its comments; parsed again it gives an equal tree.

    Places in the tree serve to find the lines that comments belong to and the blank lines to keep; a tree without places gets neither.
    """
    rows = _with_blocks_apart(_with_comments(list(_file_rows(file)), file.comments))
    return "".join(f"{line}\n" for line in _lines(rows))


# ---------------------------------------------------------------- the lines of declarations


def _row(level: int, text: str, cites: Sequence[t.Cite] = (), at: t.Span = t.NOWHERE, column: int | None = None) -> _Row:
    cited = " ".join(cite_text(cite) for cite in cites)
    indented = " " * (INDENT * level) + text
    if cited:
        indented = indented.ljust(max(CITES_COLUMN - 1, len(indented) + 2)) + cited
    return _Row(level, indented, at.line, at.column if column is None else column)


def _file_rows(file: t.File) -> Iterator[_Row]:
    """All lines. Declarations of several lines stand apart; those of one line may stand together."""
    after_block = False
    for number, item in enumerate(file.items):
        rows = list(_item_rows(item, 0))
        block = len(rows) > 1
        yield replace(rows[0], apart=number > 0 and (block or after_block))
        yield from rows[1:]
        after_block = block


def _part_rows(part: t.Part, level: int) -> Iterator[_Row]:
    after_section = True
    for item in part.items:
        rows = _item_rows(item, level)
        section = isinstance(item, t.Section | t.Throughout)
        yield replace(next(rows), apart=section or after_section)
        yield from rows
        after_section = section


def _item_rows(item: t.Declaration, level: int) -> Iterator[_Row]:
    head = _row(level, declaration_headline(item), item.cites, item.span)
    below = level + 1
    match item:
        case t.Verb(body=body) | t.Rule(body=body):
            yield from _governed(level, declaration_headline(item), body, item.cites, item.span)
        case t.Keyword(triggers=triggers):
            yield head
            for trigger in triggers:
                yield from _governed(below, trigger_text(trigger), trigger.body, trigger.cites, trigger.span)
        case t.Section(body=body):
            yield head
            yield from _statements(body.statements, below)
        case t.Part():
            yield replace(head, opens_part=True)
            yield from _part_rows(item, below)
        case t.Book():
            yield head
            yield from _book_rows(item, below)
        case t.Kinds(members=choices) | t.Members(members=choices) | t.Fact(alternatives=choices) | t.Reading(alternatives=choices):
            yield head
            for attribute in item.attributes if isinstance(item, t.Kinds) else ():
                yield _row(below, attribute_text(attribute), attribute.cites, attribute.span)
            width = max((len(choice.name.text) for choice in choices), default=0)
            yield from (_row(below, choice_text(choice, width), choice.cites, choice.span) for choice in choices)
        case t.Group(fields=fields):
            yield head
            yield from (_row(below, field_text(field), field.cites, field.span) for field in fields)
        case t.Log(entries=lines) | t.Throughout(rules=lines):
            yield head
            yield from (_row(below, declaration_headline(line), line.cites, line.span) for line in lines)
        case _:
            yield head


def _book_rows(book: t.Book, level: int) -> Iterator[_Row]:
    """The first lines are known by the places of what stands in them, not by the column in which they begin."""
    for name, lines in book.sources:
        yield _row(level, f"printed in {name.text}, {lines} lines", (), name.span, 0)
    if book.begins:
        yield _row(level, f"begins with {ref_text(book.begins)}", book.begins_cites, book.begins.span, 0)
    if book.order:
        yield _row(level, "order of play", book.order_cites, book.order_at)
        yield from (_row(level + 1, ref_text(part.ref), part.cites, part.span) for part in book.order)


# ---------------------------------------------------------------- the lines of statements


def _statements(statements: Iterable[t.Statement], level: int) -> Iterator[_Row]:
    for statement in statements:
        yield from _statement_rows(statement, level)


def _statement_rows(statement: t.Statement, level: int) -> Iterator[_Row]:
    match statement:
        case t.If():
            yield from _if_rows(statement, level)
        case t.ForEach(body=body) | t.Choose(body=body) | t.AnyOneMay(body=body) | t.Draw(body=body) | t.Happens(body=body):
            yield from _governed(level, headline(statement), body, statement.cites, statement.span)
        case t.Check(cases=arms) | t.By(arms=arms) | t.Decide(options=arms):
            yield _row(level, headline(statement), statement.cites, statement.span)
            for arm in arms:
                yield from _governed(level + 1, headline(arm), arm.body, arm.cites, arm.span)
        case _:
            yield _row(level, headline(statement), statement.cites, statement.span)


def _if_rows(statement: t.If, level: int) -> Iterator[_Row]:
    arms = [(f"if {expression_text(condition)}", body, condition.span) for condition, body in statement.arms]
    arms[1:] = [(f"otherwise {head}", body, at) for head, body, at in arms[1:]]
    if statement.otherwise:
        arms.append(("otherwise", statement.otherwise, statement.otherwise.span))
    cites = statement.arm_cites or (statement.cites,)
    for (head, body, at), arm_cites in zip(arms, cites + ((),) * (len(arms) - len(cites)), strict=True):
        yield from _governed(level, head, body, arm_cites, at, statement.span.column)


def _governed(level: int, head: str, body: t.Body | None, cites: Sequence[t.Cite], at: t.Span, column: int | None = None) -> Iterator[_Row]:
    """A header with what it governs: nothing, one statement behind a colon, or a block."""
    if body is not None and body.inline:
        statement = body.statements[0]
        yield _row(level, f"{head}: {headline(statement)}", statement.cites, at, column)
        return
    yield _row(level, head, cites, at, column)
    if body is not None:
        yield from _statements(body.statements, level + 1)


# ---------------------------------------------------------------- comments


def _with_comments(rows: list[_Row], comments: tuple[t.Comment, ...]) -> list[_Row]:
    """The lines with each comment behind its line, or on a line of its own before the line that follows it."""
    waiting = deque(comments)
    done: list[_Row] = []
    open_blocks: list[_Row] = []
    for row in rows:
        while waiting and waiting[0].span.line < row.line:
            done.append(_comment_row(waiting.popleft(), open_blocks, row.level))
        above = [block for block in open_blocks if block.level < row.level]
        open_blocks = [*above, row if row.column or not above else replace(row, column=above[-1].column + 1)]
        if waiting and not waiting[0].own_line and waiting[0].span.line == row.line:
            row = replace(row, text=f"{row.text}  {waiting.popleft().text}")
        done.append(row)
    return done + [_comment_row(comment, open_blocks, 0) for comment in waiting]


def _comment_row(comment: t.Comment, open_blocks: list[_Row], next_level: int) -> _Row:
    """A comment is indented like the line below it, or like the block that ends above it if it stood in a column of that."""
    column = comment.span.column
    levels = [block.level for block in open_blocks if block.level > next_level and 0 < block.column <= column]
    level = max(levels, default=next_level)
    return _Row(level, " " * (INDENT * level) + comment.text, comment.span.line, column, comment=True)


# ---------------------------------------------------------------- blank lines


def _with_blocks_apart(rows: list[_Row]) -> list[_Row]:
    """The wish for a blank line moves up over the comments that stand directly above."""
    done = list(rows)
    for index in range(len(done) - 1, 0, -1):
        row, above = done[index], done[index - 1]
        if row.apart and above.comment and above.level == row.level and not _gap(above, row):
            done[index - 1 : index + 1] = [replace(above, apart=True), replace(row, apart=False)]
    return done


def _lines(rows: list[_Row]) -> Iterator[str]:
    """The text of each line and the blank ones between: where they are wanted, and one where the source had any within a block."""
    above: _Row | None = None
    for row in rows:
        if above is not None:
            within = above.opens_part or above.level >= row.level
            if row.apart or (within and _gap(above, row)):
                yield ""
        yield row.text
        above = row


def _gap(above: _Row, row: _Row) -> bool:
    """Whether blank lines stood between two lines that follow each other."""
    return above.line > 0 and row.line - above.line > 1

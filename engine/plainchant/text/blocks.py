"""Indentation as Lark's lexer needs it: what stands further in is a block."""

from __future__ import annotations

from lark.indenter import Indenter


class Blocks(Indenter):
    """Turns the indentation behind line ends into block tokens; brackets do not continue a line."""

    NL_type = "_NEWLINE"
    OPEN_PAREN_types: list[str] = []
    CLOSE_PAREN_types: list[str] = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

"""The pages of the reference that come out of the program itself: error codes, commands, grammar, shapes of the JSON documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import plainchant
from plainchant.data import data_folder
from plainchant.faces.catalogue import FAMILIES
from plainchant.faces.command_line import COMMANDS, help_of
from plainchant.faces.samples import sample_of
from plainchant.faces.site.md import badge, bullets, code, esc, link, page, table
from plainchant.text.codes import CODES, Code

ERRORS = "reference/errors.md"


def reference_pages() -> Iterator[tuple[str, str]]:
    """Paths and Markdown."""
    yield ERRORS, _errors()
    for one in CODES.values():
        yield error_page(one.code), _error(one)
    yield "reference/commands.md", _commands()
    yield "reference/grammar.md", _grammar()
    yield "reference/schemas.md", _schemas()


def error_page(name: str) -> str:
    """The page of an error code."""
    return f"reference/errors/{name}.md"


# ---------------------------------------------------------------- error codes


def _errors() -> str:
    blocks = [
        "Every message has a code, a place, a cause and a cure. `plainchant explain CODE` shows the same on the terminal.",
    ]
    for family, codes in groupby(CODES.values(), key=lambda one: one.code[:3]):
        rows = [
            (link(ERRORS, error_page(one.code), one.code), esc(one.title), badge(one.severity, one.severity), f"`{one.kind}`")
            for one in codes
        ]
        blocks.append(f"## {FAMILIES[family]}\n\n" + table(("Code", "What", "Severity", "Kind"), rows))
    return page("Error codes", *blocks)


def _error(one: Code) -> str:
    here = error_page(one.code)
    sample = sample_of(one.code)
    blocks = [
        f"{badge(one.severity, one.severity)} `{one.kind}` · {link(here, ERRORS, 'all codes')}",
        "" if one.message == "{message}" else f"**It says:** {esc(one.says)}",
        f"**Why:** {esc(one.cause)}",
        "" if one.cure.startswith("{") else f"**Cure:** {esc(one.cure)}",
    ]
    if sample:
        blocks.append(f"## A sample\n\n{code(chr(10).join(sample.text), 'rules' if sample.name.endswith('.rules') else 'text')}")
        blocks.append(f"The report:\n\n{code(chr(10).join(sample.report), 'text')}")
    else:
        blocks.append("There is no sample: no file and no call can provoke it at will.")
    return page(f"{one.code} {one.title}", *blocks)


# ---------------------------------------------------------------- commands


def _commands() -> str:
    blocks = ["The report alone goes to standard output, everything else to standard error.\n\n" + _statuses()]
    for command in COMMANDS:
        blocks.append(f"## {command.name}\n\n{code(help_of(command), 'text')}")
    return page("Commands", *blocks)


def _statuses() -> str:
    return table(
        ("Exit status", "Meaning"),
        [("0", "nothing found"), ("1", "findings"), ("2", "the input or the call is wrong"), ("3", "not decided within the limits")],
    )


# ---------------------------------------------------------------- grammar and schemas


def _grammar() -> str:
    text = (data_folder("grammar") / "rules.lark").read_text(encoding="utf-8")
    return page(
        "Grammar",
        "The grammar of the rules language, as the parser reads it (Lark, LALR). What each form means is told in "
        "[the rules language](../language.md).",
        code(text, "text"),
    )


def _schemas() -> str:
    folder = Path(plainchant.__file__).parent / "schemas"
    blocks = [
        "Each JSON document has `schema` (the version of its shape) and `plainchant` (the version of the program). The schemas are in JSON "
        "Schema, draft 2020-12."
    ]
    for file in sorted(folder.glob("*.schema.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        name = file.name.partition(".")[0]
        blocks.append(f"## {name}\n\n{esc(schema.get('title', name))}.\n\n{bullets(_fields(schema))}")
        blocks.append(code(json.dumps(schema, indent=1, ensure_ascii=False), "json"))
    return page("JSON documents", *blocks)


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    for name, inner in schema.get("properties", {}).items():
        about = inner.get("description", "")
        kind = inner.get("type", inner.get("const", ""))
        yield f"`{name}`: {esc(str(kind))}" + (f", {esc(about)}" if about else "")

"""Markdown for the pages: text of a rulebook never becomes markup, links are relative, and badges tell by words as well as by colour."""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Iterable, Sequence

from plainchant.text.place import Cite

_MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_{}[]()<>&#+-!|\"'~^:=$@%/."} | {ord("\n"): " ", ord("\r"): " "}
"""Signs that Markdown, its extensions or HTML could take for markup; the rest stands for itself."""


def esc(text: str) -> str:
    """Text as it is, whatever it holds."""
    return text.translate(_MARKUP)


def sentence(text: str) -> str:
    """A message as a sentence: the first letter large, and a sign at the end."""
    return ended(text[:1].upper() + text[1:])


def ended(text: str) -> str:
    """Text with a sign at its end."""
    return esc(text) + ("" if text.endswith((".", "?", "!", "…")) else ".")


def attribute(text: str) -> str:
    """Text for the value of an HTML attribute in double quotes."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")


def said(words: str) -> str:
    """Printed words between typographic quotes."""
    return f"“{esc(words)}”"


def link(here: str, there: str, label: str, anchor: str = "") -> str:
    """A link between two pages (paths below the folder of the pages); the label is Markdown already."""
    path = posixpath.relpath(there, posixpath.dirname(here) or ".")
    return f"[{label}]({path}{f'#{anchor}' if anchor else ''})"


def badge(look: str, words: str) -> str:
    """A word in a coloured frame; `look` is its class."""
    return f'<span class="pc-badge pc-{look}">{attribute(words)}</span>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown on one line."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("\n", " ") or " " for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def bullets(items: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {item}" for item in items)


def code(text: str, language: str = "rules") -> str:
    """A block of code, whatever signs it holds."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def details(summary: str, body: str, anchor: str = "") -> str:
    """Something that unfolds; both are Markdown."""
    at = f' id="{anchor}"' if anchor else ""
    return f'<details markdown="1"{at}>\n<summary markdown="span">{summary}</summary>\n\n{body}\n\n</details>'


def lines_words(cites: Iterable[Cite]) -> list[tuple[str | None, int, int]]:
    """The printed lines of citations as ranges, by source."""
    by_source: dict[str | None, list[tuple[int, int]]] = {}
    for cite in cites:
        by_source.setdefault(cite.source, []).extend(cite.ranges)
    return [(source, low, high) for source, ranges in by_source.items() for low, high in _merged(ranges)]


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in the order of the lines; those that touch each other are one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def page(title: str, *blocks: str, crumbs: str = "", **meta: str) -> str:
    """A whole page; the title is plain text. `meta` is for the template: which book and part the page belongs to."""
    head = {"title": html.escape(title), **{name: value for name, value in meta.items() if value}}
    front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
    return (
        "\n\n".join([f"---\n{front}\n---", *([crumbs] if crumbs else []), f"# {esc(title)}", *(block for block in blocks if block)]) + "\n"
    )

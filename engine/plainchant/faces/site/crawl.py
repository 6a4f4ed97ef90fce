"""A look at a finished site: every link and anchor leads somewhere, nothing comes from the network, no page is missing or too large."""

from __future__ import annotations

import html
import json
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from plainchant.records import Frozen

LARGEST = 1_000_000
"""Bytes of a page."""

_ANY = re.compile(r"""\s(href|src|data|xlink:href|srcset|poster)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ID = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ELSEWHERE = re.compile(r"""url\(\s*['"]?(https?:|//)|@import""")


class Fault(Frozen):
    """Something wrong with a page."""

    page: str
    what: str


def faults_of(site: Path) -> list[Fault]:
    """All faults of a site that MkDocs has built."""
    pages = {file.relative_to(site).as_posix(): file.read_text(encoding="utf-8") for file in sorted(site.rglob("*.html"))}
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    anchors = {name: _anchors(text) for name, text in pages.items()}
    found = list(_missing(site, set(pages)))
    for name, text in pages.items():
        if len(text.encode()) > LARGEST:
            found.append(Fault(name, f"the page is larger than {LARGEST} bytes"))
        if name == "404.html":
            continue  # its links begin at the root of the site, wherever that is
        for attribute, target in _references(text):
            what = _broken(name, attribute, target, files, anchors)
            if what:
                found.append(Fault(name, what))
    for file in sorted(site.rglob("*.css")):
        if _ELSEWHERE.search(file.read_text(encoding="utf-8")):
            found.append(Fault(file.relative_to(site).as_posix(), "the style loads something from elsewhere"))
    return found


def _missing(site: Path, pages: set[str]) -> Iterator[Fault]:
    """Pages that `plainchant site` wrote and that are not there."""
    manifest = site / "site.json"
    if not manifest.is_file():
        yield Fault("site.json", "the list of pages is missing; run `plainchant site` first")
        return
    for name in json.loads(manifest.read_text(encoding="utf-8"))["pages"]:
        page = _built(name)
        if page not in pages:
            yield Fault(page, "the page is missing")


def _built(name: str) -> str:
    """Where MkDocs puts the page of a Markdown file."""
    stem = name.removesuffix(".md")
    folder, _, last = stem.rpartition("/")
    return posixpath.join(folder, "index.html") if last in ("index", "README") else posixpath.join(stem, "index.html")


def _anchors(text: str) -> set[str]:
    return {html.unescape(a or b) for tag in _TAG.findall(text) for a, b in _ID.findall(tag)}


def _references(text: str) -> Iterator[tuple[str, str]]:
    for tag in _TAG.findall(text):
        for attribute, a, b in _ANY.findall(tag):
            yield attribute, html.unescape(a or b)


def _broken(page: str, attribute: str, target: str, files: set[str], anchors: dict[str, set[str]]) -> str:
    """What is wrong with a reference; nothing if it is sound."""
    parts = urlsplit(target)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        loads = attribute != "href" or target.endswith((".css", ".js", ".woff2"))
        return f"{target} is loaded from the network" if loads else ""
    path = unquote(parts.path)
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if path.endswith("/") or there in (".", ""):
        there = posixpath.normpath(posixpath.join(there, "index.html"))
    if there.startswith("..") or there not in files:
        return f"the link to {target} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and there in anchors and anchor not in anchors[there]:
        return f"the link to {target} has no anchor “{anchor}” there"
    return ""


def told(faults: list[Fault], most: int = 30) -> str:
    """The faults as lines."""
    lines = [f"{fault.page}: {fault.what}" for fault in faults[:most]]
    return os.linesep.join([*lines, *([f"… and {len(faults) - most} more"] if len(faults) > most else [])])

"""What all pages of a book share: where each thing has its page, links, citations, badges, sentences, plays, findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plainchant.faces.declared import WHAT, Declared, Key, Use
from plainchant.faces.findings import NOT_DECIDED, REACHABLE, UNREACHABLE, Because, Finding
from plainchant.faces.site.book import Book
from plainchant.faces.site.md import badge, bullets, code, details, ended, esc, lines_words, link, page, said, sentence
from plainchant.faces.site.plain_statements import PlainStatements, Said
from plainchant.meaning.resolve import Scope
from plainchant.text.place import Cite

VERDICTS = {
    REACHABLE: ("reachable", "can be reached"), UNREACHABLE: ("unreachable", "cannot be reached"), NOT_DECIDED: ("open", "not decided"),
}  # fmt: skip
_NOT_PROVEN = ("open", "not proven")
_ENDINGS = {
    "end": "the end", "hole": "no printed case applies", "impossible": "this cannot be carried out", "dead-end": "the text leads nowhere",
    "range": "a number leaves its range",
}  # fmt: skip


class Writer:
    """Writes about one book; `books` are all that the site has, which its pages may lead to."""

    def __init__(self, book: Book, books: Mapping[str, Book]) -> None:
        self.book = book
        self.books = books
        self.sources = {covered.source: one.name for one in books.values() for covered in one.coverage}
        self._sections = {f"{s.part_words} / {s.words}": s.key for s in (book.program.sections if book.program else ())}

    # ------------------------------------------------------------ places

    def path(self, key: Key) -> str:
        """The page of a declared thing."""
        sort, name = key
        if sort == "claim":
            return f"books/{self.book.name}/claims.md"
        folder = {"part": "parts", "section": "sections"}.get(sort)
        return f"books/{self.book.name}/{f'{folder}/{name}' if folder else f'names/{sort}.{name}'}.md"

    def page(self, name: str) -> str:
        """One of the book's own pages: index, graph, glossary, …"""
        return f"books/{self.book.name}/{name}.md"

    def link(self, here: str, key: Key, label: str) -> str:
        """A link to a declared thing; the label alone if the book does not declare it."""
        if key not in self.book.declared:
            return label
        return link(here, self.path(key), label, anchor_of(key[1]) if key[0] == "claim" else "")

    def named(self, here: str, key: Key) -> str:
        """A declared thing by its words, as a link."""
        one = self.book.declared.get(key)
        return self.link(here, key, self.label(one) if one else esc(key[1]))

    def label(self, one: Declared) -> str:
        """The words of a declared thing; a section with its part."""
        if one.key[0] == "section":
            part = self.book.declared.get(("part", one.part or ""))
            return f"{esc(part.words)} / {esc(one.words)}" if part and part.words != one.words else esc(one.words)
        return said(one.words) if one.key[0] in ("entry", "event", "rule", "claim") else esc(one.words)

    def whole(self, here: str, title: str, way: Sequence[str], *blocks: str, part: str = "") -> str:
        """A page of this book: the way down to it (links, below the book itself), its title, and what stands on it."""
        home = link(here, "index.md", "Start")
        book = [] if here == self.page("index") else [link(here, self.page("index"), esc(self.book.title))]
        steps = " › ".join([home, *book, *way])
        crumbs = f'<nav class="pc-crumbs" aria-label="The way here" markdown="span">{steps}</nav>'
        return page(title, *blocks, crumbs=crumbs, book=self.book.name, part=part)

    # ------------------------------------------------------------ citations

    def cites(self, here: str, cites: Iterable[Cite]) -> str:
        """Citations as links to the printed lines."""
        return ", ".join(self._range(here, *one) for one in lines_words(cites))

    def printed(self, here: str, cites: Iterable[Cite]) -> str:
        """`Printed in lines …`, or nothing."""
        told = self.cites(here, cites)
        return f"Printed in {told}." if told else "Not printed in these words."

    def _range(self, here: str, source: str | None, low: int, high: int) -> str:
        numbers = f"line {low}" if low == high else f"lines {low}–{high}"
        named = source or self.book.source
        if named is None:
            return numbers
        label = numbers if named == self.book.source else f"{esc(named)} {numbers}"
        owner = self.sources.get(named)
        return link(here, f"books/{owner}/lines.md", label, f"{named}-{low}") if owner else label

    # ------------------------------------------------------------ badges

    def verdict(self, key: str) -> str:
        """The badge of a section or choice by its key."""
        if self.book.verdicts is None:
            return badge(*_NOT_PROVEN)
        return badge(*VERDICTS.get(self.book.verdicts.get(key, ""), _NOT_PROVEN))

    # ------------------------------------------------------------ sentences

    def statements(self, here: str, scope: Scope) -> PlainStatements:
        """Says statements of a place in words."""
        return PlainStatements(self.book.names, scope, lambda key, label: self.link(here, key, label))

    def sentences(self, here: str, said_: Sequence[Said], depth: int = 0, above: tuple[Cite, ...] = ()) -> str:
        """Sentences as a nested list, each with its printed lines (unless they are those of the sentence above it)."""
        lines = []
        for one in map(_joined, said_):
            cites = () if one.cites == above else one.cites
            lines.append(f"{'    ' * depth}- {one.text}{self.small(here, cites)}")
            if one.below:
                lines.append(self.sentences(here, one.below, depth + 1, one.cites or above))
        return "\n".join(lines)

    def small(self, here: str, cites: Iterable[Cite]) -> str:
        """Citations behind something, or nothing."""
        where = self.cites(here, cites)
        return f' <span class="pc-cite">{where}</span>' if where else ""

    def source_of(self, one: Declared) -> str:
        """How a thing stands in the rules."""
        at = one.node.span
        return f"## In the rules language\n\n{code(self.book.text_of(one.node))}\n\n{esc(at.file)}, line {at.line}"

    # ------------------------------------------------------------ uses

    def uses(self, here: str, uses: Iterable[Use], *, places: bool) -> str:
        """Uses by how: the places that use a thing, or (places=False) the things that a place uses."""
        by_how: dict[str, dict[Key, list[Cite]]] = {}
        for use in uses:
            by_how.setdefault(use.how, {}).setdefault(use.place if places else use.target, []).extend(use.cites)
        lines = []
        for how, found in sorted(by_how.items(), reverse=True):
            lines += [f"**{_HOW[how][0 if places else 1]}**", "", bullets(self._used(here, key, cites) for key, cites in found.items()), ""]
        return "\n".join(lines).rstrip()

    def _used(self, here: str, key: Key, cites: Sequence[Cite]) -> str:
        sort = "" if key[0] in ("section", "entry") else f" ({WHAT[key[0]]})"
        return f"{self.named(here, key)}{sort}{self.small(here, cites)}"

    # ------------------------------------------------------------ findings and plays

    def finding(self, here: str, one: Finding, about: str = "") -> str:
        """A finding with its reason and its play; `about` is what it is about, as a link, where the page does not say so."""
        look = "known" if one.acknowledged else one.severity
        code_page = link(here, f"reference/errors/{one.code}.md", one.code)
        where = self.cites(here, one.cites)
        blocks = [
            f"### {esc(one.entry.title)}" + (f": {about}" if about else ""),
            f"{badge(look, look)} {code_page}" + (f" · {where}" if where else ""),
            sentence(one.message),
        ]
        if one.acknowledged:
            blocks.append(f"Known: {ended(one.acknowledged)}")
        if one.because:
            blocks.append(f"Because of these printed lines together:\n\n{self.because(here, one.because)}")
        if one.witness is not None:
            blocks.append(self.play(here, one.witness))
        return "\n\n".join(blocks)

    def because(self, here: str, because: Iterable[Because]) -> str:
        """Each printed line of a reason."""
        return bullets(f"{self.cites(here, one.cites) or 'the rules'}: {esc(one.text)}" for one in because)

    def play(self, here: str, witness: Mapping[str, Any]) -> str:
        """A play that shows something, folded in."""
        steps = witness["steps"]
        lines: list[str] = []
        section = ""
        for number, step in enumerate(steps, 1):
            if step["section"] != section:
                section = step["section"]
                key = self._sections.get(section)
                title = self.link(here, ("section", key), esc(section)) if key else esc(section)
                lines += ["", f"**{title}**", ""]
            lines.append(f"{number}. {self._decision(here, step)}")
            lines.append("")
        ending = witness.get("ending")
        if ending:
            lines += ["", f"Then: {esc(_ENDINGS.get(ending['kind'], ending['kind']))} – {esc(ending['about'])}"]
        count = len(steps)
        return details(
            f"A play that shows it ({count} decision{'' if count == 1 else 's'})", "\n".join(lines).strip() or "Nothing is decided."
        )

    def _decision(self, here: str, step: Mapping[str, Any]) -> str:
        ranges = [Cite(cite["source"], ((cite["from"], cite["to"]),)) for cite in step["cites"][:3]]
        return f"{esc(str(step['rule']))} → **{esc(str(step['choice']))}**{self.small(here, ranges)}"


_HOW = {
    "written in": ("Who writes it", "It writes"), "read in": ("Who asks for it", "It asks for"), "led to from": ("Who leads there", "It leads to"),
    "used in": ("Where it is used", "It uses"), "reacted to by": ("What reacts to it", "It reacts to"),
}  # fmt: skip


def _joined(one: Said) -> Said:
    """A sentence with the only one below it on one line: `“Yes.”: proceed to “Resolution 2”.`"""
    if len(one.below) != 1 or one.below[0].below:
        return one
    inner = one.below[0]
    cites = tuple(dict.fromkeys((*one.cites, *inner.cites)))
    return Said(f"{one.text} {inner.text[:1].lower()}{inner.text[1:]}", cites)


def anchor_of(name: str) -> str:
    """A name as an anchor."""
    return "".join(sign if sign.isalnum() else "-" for sign in name)

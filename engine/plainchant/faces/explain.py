"""`plainchant explain`: what a code means, or what a name of a book is, where it is printed, and who reads and writes it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plainchant.faces.calls import NOTHING_FOUND, refuse
from plainchant.faces.declared import Declared, Key, declared, uses
from plainchant.faces.samples import sample_of
from plainchant.meaning.collect import collect
from plainchant.meaning.modules import Library, find_book, load, shipped_books
from plainchant.meaning.names import Names
from plainchant.meaning.words import identifier, nearest_name, plain
from plainchant.records import Frozen
from plainchant.text import tree as t
from plainchant.text.codes import CODES
from plainchant.text.diagnostic import Diagnostic, problem
from plainchant.text.layout import says_something
from plainchant.text.place import cite_text

_LONGEST = 40
"""Lines of a declaration that are shown."""

_WHAT = {
    t.Book: "the book", t.Kinds: "a kind", t.Group: "a group of people at the table", t.Bag: "a bag", t.Keep: "kept beside the log",
    t.Entry: "an entry of the campaign log", t.Fact: "a fact of the table", t.Reading: "an ambiguity of the text", t.Define: "a definition",
    t.Verb: "a verb", t.Rule: "a rule", t.Claim: "a claim", t.Event: "an event",
    t.Keyword: "a keyword or ability", t.Zones: "where things are", t.Member: "a member", t.Alternative: "an answer",
    t.Requirement: "a requirement", t.Attribute: "carried by each",
}  # fmt: skip


class _Named(Frozen):
    """Something that a book declares: by which names it is known, what it is, and in which part and declaration it stands."""

    names: tuple[str, ...]
    what: str
    node: t.Node
    part: t.Part | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("name", metavar="CODE|NAME", help="a code (PC…), or a name or printed words: a section, a log entry, a rule, …")
    parser.add_argument("--book", metavar="NAME", help="look the name up in this book (nothing: in all shipped books)")


def run(args: argparse.Namespace) -> int:
    """Explain; 2 if nothing is called so, or the book is wrong."""
    path, wrong = (None, ()) if args.book is None else find_book(args.book)
    if wrong:
        return refuse(wrong)
    lines, wrong = explain(args.name, list(shipped_books().values()) if path is None else [path])
    if wrong:
        return refuse(wrong)
    for line in lines:
        print(line)
    return NOTHING_FOUND


def explain(name: str, books: Sequence[Path]) -> tuple[list[str], tuple[Diagnostic, ...]]:
    """The explanation of a code or of a name in some books, line by line; or why there is none."""
    if re.fullmatch(r"(?i)pc\d+", name):
        return _code(name.upper())
    lines: list[str] = []
    known: list[str] = []
    found: set[t.Node] = set()
    for path in books:
        library, diagnostics = load(path)
        if not library.main.files:
            return [], diagnostics
        names, _ = collect(library)
        everything = [named for module in library.modules for file in module.files for named in _declared(file.items)]
        for named in everything:
            if _is_called(named, name, names) and named.node not in found:
                found.add(named.node)
                lines += ([""] if lines else []) + _about(named, library, names)
        known += [word for named in everything for word in named.names]
    if lines:
        return lines, ()
    return [], (problem("PC506", name=name, nearest=nearest_name(name, [*known, *CODES])),)


def _code(name: str) -> tuple[list[str], tuple[Diagnostic, ...]]:
    code = CODES.get(name)
    if code is None:
        return [], (problem("PC506", name=name, nearest=nearest_name(name, list(CODES))),)
    lines = [
        f"{code.code} {code.title} ({code.severity}, {code.kind})",
        "",
        *([] if code.message == "{message}" else [f"Says:  {code.says}"]),
        f"Why:   {code.cause}",
        f"Cure:  {code.cure}",
    ]
    sample = sample_of(name)
    if sample:
        lines += [
            "",
            "A sample:",
            *(f"    {line}".rstrip() for line in sample.text),
            "",
            *(f"    {line}".rstrip() for line in sample.report),
        ]
    return lines, ()


# ---------------------------------------------------------------- names


def _declared(items: Sequence[t.Item | t.PartItem], part: t.Part | None = None) -> Iterator[_Named]:
    """Everything that declarations give a name to."""
    for item in items:
        match item:
            case t.Part(name=name, words=words, kind=kind, items=inner):
                yield _Named((name.text, words), f"a part of the book ({kind})", item)
                yield from _declared(inner, item)
            case t.Section(words=words, kind=kind) if part is not None:
                yield _Named((identifier(words), words), f"a section of “{part.words}” ({kind})", item, part)
            case t.Log(entries=entries):
                for entry in entries:
                    yield _Named((entry.name.text, entry.words), _WHAT[t.Entry], entry)
            case t.Verb(pattern=pattern, kind=kind_name):
                yield _Named((pattern,), f"a verb of {kind_name.text}", item, part)
            case t.Use() | t.Throughout() | t.Acknowledge() | t.Waive() | t.NotTranscribed():
                continue
            case t.Members():
                yield from _members(item, part)
            case _:
                yield _Named(_names_of(item), _WHAT[type(item)], item, part)
                yield from _members(item, part)


def _names_of(item: t.Node) -> tuple[str, ...]:
    texts = [getattr(item, name, None) for name in ("words", "title", "question")]
    name = getattr(item, "name", None)
    return (*((name.text,) if isinstance(name, t.Name) else ()), *(text for text in texts if isinstance(text, str)))


def _members(item: t.Item | t.PartItem, part: t.Part | None) -> Iterator[_Named]:
    of = f" of {item.name.text}" if isinstance(item, t.Kinds | t.Fact | t.Reading | t.Group) else ""
    of = f" of {item.kind.text}" if isinstance(item, t.Members) else of
    for attribute in item.attributes if isinstance(item, t.Kinds) else ():
        yield _Named((attribute.name.text,), _WHAT[t.Attribute] + of, attribute, part)
    match item:
        case t.Kinds(members=members) | t.Members(members=members):
            for member in members:
                yield _Named((*_names_of(member), *((member.short,) if member.short else ())), _WHAT[t.Member] + of, member, part)
        case t.Fact(alternatives=alternatives) | t.Reading(alternatives=alternatives):
            for alternative in alternatives:
                yield _Named(_names_of(alternative), _WHAT[t.Alternative] + of, alternative, part)
        case t.Group(fields=fields):
            for field in fields:
                yield _Named(_names_of(field), "a field of each " + item.name.text, field, part)


def _is_called(named: _Named, name: str, names: Names) -> bool:
    owner, slash, last = name.rpartition("/")
    if slash:
        part = named.part
        return part is not None and _unquoted(owner) in (plain(part.words), part.name.text) and _matches(named, _unquoted(last))
    if isinstance(named.node, t.Entry) and any(entry.name == named.node.name.text for entry, _ in names.entries_printed(name)):
        return True
    return _matches(named, _unquoted(name))


def _unquoted(words: str) -> str:
    return plain(words).strip('"').strip()


def _matches(named: _Named, words: str) -> bool:
    return any(plain(one) == words for one in named.names)


# ---------------------------------------------------------------- what is told of a name


def _about(named: _Named, library: Library, names: Names) -> list[str]:
    span, node = named.node.span, named.node
    cites = getattr(node, "cites", ())
    printed = f", printed at {' '.join(cite_text(cite) for cite in cites)}" if cites else ""
    title = " ".join(dict.fromkeys((named.names[0], *(f"“{words}”" for words in named.names[1:] if words != named.names[0]))))
    lines = [f"{title}: {named.what}{printed}", f"{span.file}, line {span.line}:", ""]
    source = library.sources[span.file]
    text = list(source.lines[span.line - 1 : span.end_line])
    if len(text) > 1:
        text[-1] = text[-1][: span.end_column - 1]
    while len(text) > 1 and not says_something(text[-1]):
        text.pop()
    lines += [f"    {line}".rstrip() for line in text[:_LONGEST]] + (["    …"] if len(text) > _LONGEST else [])
    for label, places in _uses(named, library, names).items():
        lines += ["", f"{label}:", *(f"    {place}" for place in places)]
    return lines


def _uses(named: _Named, library: Library, names: Names) -> dict[str, list[str]]:
    """Where something is written, read, or led to; each section once."""
    known = {id(one.node): one for one in declared(library)}
    places = {one.key: one for one in known.values()}
    target = known.get(id(_led_to(named.node)))
    found: dict[str, dict[str, None]] = {}
    for use in uses(library, names):
        if target is not None and use.target == target.key and use.place in places:
            words = _place(places[use.place], places)
            found.setdefault(use.how, {}).setdefault(f"{words} ({use.at.file}, line {use.at.line})")
    return {how: list(lines) for how, lines in sorted(found.items(), reverse=True)}


def _led_to(node: t.Node) -> t.Node:
    """What is led to: of a part its first section."""
    return next((i for i in node.items if isinstance(i, t.Section)), node) if isinstance(node, t.Part) else node


def _place(one: Declared, places: Mapping[Key, Declared]) -> str:
    """A section with its part, anything else with what it is."""
    if isinstance(one.node, t.Section) and one.part is not None:
        return f"{places['part', one.part].words} / {one.words}"
    node = one.node
    names = _names_of(node)
    words = getattr(node, "pattern", names[0] if names else "")
    return f"{_WHAT.get(type(node), 'a declaration')} {words}".strip()

"""The pages of parts, sections and names: what each says in plain words, who leads there, who reads and writes what, its source."""

from __future__ import annotations

from collections.abc import Iterator

from plainchant.faces.declared import LED_TO, WHAT, Declared
from plainchant.faces.graph_model import Edge, is_stop
from plainchant.faces.site.entries import pairs_section
from plainchant.faces.site.md import badge, bullets, esc, link, said, table
from plainchant.faces.site.plain_statements import Said, triggers
from plainchant.faces.site.writer import Writer
from plainchant.faces.wording import quotes
from plainchant.meaning.names import Names
from plainchant.meaning.phrases import verb_parameters
from plainchant.meaning.resolve import Scope
from plainchant.text import tree as t
from plainchant.text.declaration_text import type_text

_FORMS = {
    "line": "a line that is recorded", "printed": "stands in the log from the start, and can be crossed off", "tally": "a line with tally marks",
    "list": "a checklist", "number": "a line with a number in it",
}  # fmt: skip
_RULINGS = {"ignored": "is ignored", "forbidden": "is forbidden"}
_EDGES = {
    "excursion": "a card may send there, and back",
    "return": "back from there",
    "start": "play begins there",
    "alone": "in Standalone Mode",
}


def rule_pages(writer: Writer) -> Iterator[tuple[str, str]]:
    """A page for each part, section and name: its path, and its Markdown."""
    for one in writer.book.declared.values():
        here = writer.path(one.key)
        match one.node:
            case t.Part() as part:
                yield here, _part(writer, here, one, part)
            case t.Section() as section:
                yield here, _section(writer, here, one, section)
            case t.Claim():
                continue
            case _:
                yield here, _name(writer, here, one)


# ---------------------------------------------------------------- parts


def _part(writer: Writer, here: str, one: Declared, part: t.Part) -> str:
    sections = [item for item in part.items if isinstance(item, t.Section)]
    keys = {id(d.node): d.key for d in writer.book.declared.values() if d.part == part.name.text}
    rows = [
        (
            writer.link(here, keys[id(section)], esc(section.words)), esc(_kind(section)), writer.verdict(keys[id(section)][1]),
            writer.cites(here, section.cites),
        )
        for section in sections
    ]  # fmt: skip
    standing = [_standing(rule) for item in part.items if isinstance(item, t.Throughout) for rule in item.rules]
    own = [d for d in writer.book.declared.values() if d.part == part.name.text and not isinstance(d.node, t.Section | t.Claim)]
    claims = [d for d in writer.book.declared.values() if d.part == part.name.text and isinstance(d.node, t.Claim)]
    return writer.whole(
        here,
        part.words,
        [],
        f"{badge('sort', part.kind)} {writer.printed(here, one.cites)}",
        _neighbours(writer, here, part),
        "## Sections\n\n" + table(("Section", "What it is", "Verdict", "Printed"), rows) if rows else "",
        "## Throughout this part\n\n" + writer.sentences(here, standing) if standing else "",
        "## What it asks and keeps\n\n" + bullets(_told(writer, here, d) for d in own) if own else "",
        "## Claims\n\n" + bullets(writer.named(here, d.key) for d in claims) if claims else "",
        part=part.name.text,
    )


def _neighbours(writer: Writer, here: str, part: t.Part) -> str:
    parts = writer.book.parts
    at = next(i for i, p in enumerate(parts) if p.name.text == part.name.text)
    steps = []
    if at:
        steps.append("Before it: " + link(here, writer.path(("part", parts[at - 1].name.text)), esc(parts[at - 1].words)))
    if at + 1 < len(parts):
        steps.append("After it: " + link(here, writer.path(("part", parts[at + 1].name.text)), esc(parts[at + 1].words)))
    return " · ".join(steps)


def _told(writer: Writer, here: str, one: Declared) -> str:
    return f"{writer.named(here, one.key)} ({WHAT[one.key[0]]})"


def _standing(rule: t.StandingRule) -> Said:
    told = f"becomes {said(rule.instead)}" if rule.instead is not None else _RULINGS.get(rule.ruling, esc(rule.ruling))
    return Said(f"{said(rule.event)} {told}.", rule.cites)


# ---------------------------------------------------------------- sections


def _kind(section: t.Section) -> str:
    told = {"no resolution": "read if no resolution was reached", "standalone": "Standalone Mode"}.get(section.kind, section.kind)
    return f"{told}, reached by a card" if section.by_a_card else told


def _section(writer: Writer, here: str, one: Declared, section: t.Section) -> str:
    part = writer.book.declared["part", one.part or ""]
    statements = writer.statements(here, Scope(writer.book.names, one.part))
    found = [f for f in writer.book.findings if f.subject == one.key[1]]
    uses = [use for use in writer.book.used_by.get(one.key, []) if use.how != LED_TO]
    return writer.whole(
        here,
        one.words,
        [writer.named(here, part.key)],
        f"{badge('sort', _kind(section))} {writer.verdict(one.key[1])} {writer.printed(here, one.cites)}",
        "## What it says\n\n" + writer.sentences(here, statements.body(section.body)),
        _ways(writer, here, one.key[1]),
        "## What it reads and writes\n\n" + writer.uses(here, uses, places=False) if uses else "",
        "## Findings\n\n" + "\n\n".join(writer.finding(here, f) for f in found) if found else "",
        writer.source_of(one),
        _turning(writer, here, one, part),
        part=one.part or "",
    )


def _ways(writer: Writer, here: str, key: str) -> str:
    """How play gets here, and where it goes on."""
    graph = writer.book.graph
    if graph is None:
        return ""
    nodes = {node.id: node for node in graph.nodes}

    def told(edge: Edge, end: str) -> str:
        node = nodes[end]
        words = {"start": "the beginning", "end": "the end"}.get(node.kind, "")
        if is_stop(node):
            words = f"play stops there ({node.kind})"
        label = writer.named(here, ("section", node.id)) if node.kind == "section" else f"{words}: {esc(node.words)}"
        choices = "; ".join(dict.fromkeys(esc(quotes(label.whole)) for label in edge.labels))
        how = ", ".join(filter(None, [_EDGES.get(edge.kind, ""), choices, "never taken" if edge.verdict else ""]))
        return label + (f": {how}" if how else "") + writer.small(here, edge.cites)

    into = [told(edge, edge.source) for edge in graph.edges if edge.target == key]
    out = [told(edge, edge.target) for edge in graph.edges if edge.source == key and nodes[edge.target].verdict != "unreachable"]
    blocks = ["## How play gets here", bullets(into) if into else "Nothing printed leads here."]
    if out:
        blocks += ["## Where it leads", bullets(out)]
    return "\n\n".join(blocks)


def _turning(writer: Writer, here: str, one: Declared, part: Declared) -> str:
    """The sections before and behind, as on the page."""
    sections = [d for d in writer.book.declared.values() if d.part == one.part and isinstance(d.node, t.Section)]
    at = sections.index(one)
    steps = [f"← {writer.link(here, sections[at - 1].key, esc(sections[at - 1].words))}"] if at else []
    steps.append(writer.link(here, part.key, esc(part.words)))
    if at + 1 < len(sections):
        steps.append(f"{writer.link(here, sections[at + 1].key, esc(sections[at + 1].words))} →")
    inner = " · ".join(steps)
    return f'<nav class="pc-turning" aria-label="Sections" markdown="span">{inner}</nav>'


# ---------------------------------------------------------------- names


def _name(writer: Writer, here: str, one: Declared) -> str:
    up = writer.named(here, ("part", one.part)) if one.part else link(here, writer.page("glossary"), "Glossary")
    known = [f for f in writer.book.findings if f.subject == one.key[1].rpartition(".")[2] and one.key[0] in ("entry", "reading")]
    uses = writer.book.uses.get(one.key, [])
    own = writer.book.used_by.get(one.key, [])
    return writer.whole(
        here,
        one.words,
        [up],
        f"{badge('sort', WHAT[one.key[0]])} {writer.printed(here, one.cites)}",
        _meaning(writer, here, one),
        "## Who uses it\n\n" + writer.uses(here, uses, places=True) if uses else "## Who uses it\n\nNo rule of this book.",
        "## What it reads and writes\n\n" + writer.uses(here, own, places=False) if own else "",
        pairs_section(writer, here, one.key[1]) if one.key[0] == "entry" else "",
        "## Findings\n\n" + "\n\n".join(writer.finding(here, f) for f in known) if known else "",
        writer.source_of(one),
        part=one.part or "",
    )


def _meaning(writer: Writer, here: str, one: Declared) -> str:
    """What a declaration says, in plain words."""
    names = writer.book.names
    statements = writer.statements(here, Scope(names, one.part))
    match one.node:
        case t.Entry(form=form, index=index, kind=kind):
            each = f" There is one for each {statements.expressions.kind(index)}." if index else ""
            of = f" of {statements.expressions.kind(kind)}s" if kind else ""
            return f"An entry of the campaign log: {_FORMS[form]}{of}.{each}"
        case t.Fact(question=question, type=type_, alternatives=alternatives, index=index):
            each = f" It is asked for each {statements.expressions.kind(index)}." if index else ""
            answers = f"The answer is {esc(type_text(type_))}." if type_ else "The answers:\n\n" + _alternatives(writer, here, alternatives)
            return f"The table is asked: {said(question)}{each} {answers}"
        case t.Reading(question=question, alternatives=alternatives):
            return f"The printed text can be read in several ways. {said(question)}\n\n" + _alternatives(writer, here, alternatives)
        case t.Kinds(members=members):
            return "These, and no others:\n\n" + writer.sentences(here, [Said(said(m.words), m.cites) for m in members])
        case t.Group(low=low, high=high, question=question):
            return f"From {low} to {high} people. The table is asked: {said(question)}"
        case t.Bag(words=words, kind=kind, index=index):
            each = f", one for each {statements.expressions.kind(index)}" if index else ""
            return f"{esc(words[:1].upper() + words[1:])}: it holds any number of each {statements.expressions.kind(kind)}{each}."
        case t.Keep(type=type_, index=index):
            each = f" There is one for each {statements.expressions.kind(index)}." if index else ""
            return f"The rules keep it beside the printed log: {esc(type_text(type_))}.{each}"
    return _meaning_of_rules(writer, here, one, names)


def _meaning_of_rules(writer: Writer, here: str, one: Declared, names: Names) -> str:
    scope = Scope(names, one.part)
    match one.node:
        case t.Define(meaning=meaning, index=index):
            kind = names.kind(index.text) if index else None
            expressions = writer.statements(here, scope.about(kind) if kind else scope).expressions
            flag = not isinstance(meaning, t.Number | t.Sum | t.HowMany | t.HowManyOf)
            return f"It means: {expressions.condition(meaning) if flag else expressions.value(meaning)}."
        case t.Requirement(kind=of, condition=applies, meaning=meaning):
            kind = names.kind(of.text)
            expressions = writer.statements(here, scope.about(kind) if kind else scope).expressions
            only = "" if applies is None else f", if {expressions.condition(applies)}"
            return f"What each {expressions.kind(of)} asks for{only}: {expressions.condition(meaning)}."
        case t.Verb(body=body) as verb:
            known = next((v for verbs in names.verbs.values() for v in verbs if v.span == verb.span), None)
            inner = Scope(names, None, parameters=verb_parameters(known)).about(known.kind) if known else scope
            return "What the sentence does:\n\n" + writer.sentences(here, writer.statements(here, inner).body(body))
        case t.Rule(name=name, body=body):
            rule = names.rules.get(name.text)
            inner = Scope(names, None, parameters={p.name: p for p in rule.parameters}) if rule else scope
            return "What it does:\n\n" + writer.sentences(here, writer.statements(here, inner).body(body))
        case t.Event(words=words):
            return f"Something that can happen: {said(words)}."
        case t.Keyword() as keyword:
            return "What it does, and when:\n\n" + writer.sentences(
                here, list(triggers(keyword, names, lambda key, label: writer.link(here, key, label)))
            )
    return ""


def _alternatives(writer: Writer, here: str, alternatives: tuple[t.Alternative, ...]) -> str:
    return writer.sentences(here, [Said(said(a.words), a.cites) for a in alternatives])

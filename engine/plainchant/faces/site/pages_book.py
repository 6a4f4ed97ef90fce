"""The pages about a whole book: overview, graph, glossary, the table of entries, findings, claims, open questions, printed lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from plainchant.faces.declared import LED_TO, REACTED, USED, WHAT, Declared
from plainchant.faces.drawing import svg_of
from plainchant.faces.findings import ClaimVerdict, Finding, with_rounds
from plainchant.faces.site.entries import pairs_of
from plainchant.faces.site.md import badge, bullets, ended, esc, link, said, sentence, table
from plainchant.faces.site.writer import Writer, anchor_of
from plainchant.meaning.coverage import MISSING, STATES, TRANSCRIBED, PrintedLine, SourceCoverage
from plainchant.text import tree as t
from plainchant.text.printed import WAIVED_CLASSES

_OPEN_KINDS = {
    "hole": "Cases that are not covered", "overlap": "Cases of which two apply", "printed-order": "Where the text does not say how to go on",
    "untriggered": "Texts to which nothing printed leads", "dead-end": "Texts that lead nowhere", "dangling-read": "Asked about, and recorded by nothing",
    "standalone-open": "What Standalone Modes leave open",
}  # fmt: skip
_CLAIMS = {"holds": "reachable", "fails": "error", "not decided": "open"}
_STATES = {"transcribed": "reachable", "waived": "sort", "missing": "warning"}


OWN_PAGES = {
    "graph": "Graph", "glossary": "Glossary", "matrix": "Entries", "findings": "Findings", "claims": "Claims", "open": "Open questions",
    "lines": "Printed lines",
}  # fmt: skip
"""The pages about a whole book besides its overview, with short titles."""


def book_pages(writer: Writer) -> Iterator[tuple[str, str]]:
    """The pages about the whole book: paths and Markdown."""
    book = writer.book
    pages = [("index", _index)]
    if book.names.book is not None:
        pages += [("glossary", _glossary), ("findings", _findings), ("claims", _claims), ("open", _open)]
    if book.graph is not None:
        pages.append(("graph", _graph))
    if book.matrix is not None:
        pages.append(("matrix", _matrix))
    if book.coverage:
        pages.append(("lines", _lines))
    for name, make in pages:
        here = writer.page(name)
        yield here, make(writer, here)


# ---------------------------------------------------------------- overview


def _index(writer: Writer, here: str) -> str:
    book = writer.book
    counts = [covered.counts for covered in book.coverage]
    told = (
        [_many(len(book.parts), "part"), _many(sum(1 for d in book.declared.values() if d.key[0] == "section"), "section")]
        if book.parts
        else []
    )
    told += [_many(sum(c["lines"] for c in counts), "printed line")] if counts else []
    return writer.whole(
        here,
        book.title,
        [],
        ", ".join(told) + "." if told else "",
        _shortcuts(writer, here),
        "## In the order of play\n\n" + table(("Part", "What it is", "Sections", "Findings", "Printed"), _part_rows(writer, here))
        if book.parts
        else "",
        "" if book.names.book else "No rules of this book are transcribed yet; only its printed lines are counted.",
    )


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _shortcuts(writer: Writer, here: str) -> str:
    book = writer.book
    is_book, proven = book.names.book is not None, book.verdicts is not None
    offered = [
        ("graph", "The campaign as a picture", "every section, and the ways between them, coloured by verdict", book.graph is not None),
        ("glossary", "Glossary and index", "every rule, keyword, entry and section, and what triggers it", is_book),
        ("matrix", "Which entries exclude or imply each other", "at the end of a campaign", book.matrix is not None),
        (
            "findings",
            "Findings",
            f"{len(book.findings)} of them, each with a play or the printed lines" if proven else "nothing was proven",
            is_book,
        ),
        ("claims", "Claims", f"{len(book.claims)}, and whether they hold" if proven else "nothing was proven", is_book),
        ("open", "Readings and open questions", "where the printed text can be read in several ways, or is silent", is_book),
        ("lines", "The printed lines", _counted(book.coverage), bool(book.coverage)),
    ]
    return bullets(f"{link(here, writer.page(name), title)}: {esc(about)}" for name, title, about, there in offered if there)


def _counted(coverage: Sequence[SourceCoverage]) -> str:
    total: Counter[str] = Counter()
    for covered in coverage:
        total.update(covered.counts)
    return ", ".join(f"{total[state]} {state}" for state in STATES)


def _part_rows(writer: Writer, here: str) -> Iterator[tuple[str, ...]]:
    book = writer.book
    for part in book.parts:
        keys = [d.key[1] for d in book.declared.values() if d.part == part.name.text and d.key[0] == "section"]
        found = [f for f in book.findings if (f.subject in keys and f.severity != "note") or (f.subject in keys and f.acknowledged)]
        yield (
            writer.link(here, ("part", part.name.text), esc(part.words)), esc(part.kind), str(len(keys)), str(len(found)) if found else "",
            writer.cites(here, part.cites),
        )  # fmt: skip


# ---------------------------------------------------------------- the graph


def _graph(writer: Writer, here: str) -> str:
    graph = writer.book.graph
    assert graph is not None
    svg = svg_of(graph, "../sections/{key}/")
    svg = re.sub(r"^<\?xml[^>]*>\s*", "", svg)
    svg = re.sub(r"\n\s*", "\n", svg).strip()
    svg = svg.replace('role="img"', 'role="group"', 1)  # its boxes are links, which a picture could not have
    # On a page that switches between light and dark, the picture follows the page and not the system.
    svg = svg.replace("@media screen and (prefers-color-scheme: dark) {", '[data-bs-theme="dark"] {')
    sections = [d for d in writer.book.declared.values() if d.key[0] == "section"]
    rows = [(writer.named(here, d.key), writer.verdict(d.key[1]), writer.cites(here, d.cites)) for d in sections]
    return writer.whole(
        here,
        "The campaign as a picture",
        [],
        "Each box is a section, and leads to its page. A reader without pictures finds the same in the table below it.",
        f'<div class="pc-graph" tabindex="0" role="region" aria-label="The graph; scroll to see all of it">\n{svg}\n</div>',
        "## The sections\n\n" + table(("Section", "Verdict", "Printed"), rows),
    )


# ---------------------------------------------------------------- glossary


def _glossary(writer: Writer, here: str) -> str:
    named = sorted(writer.book.declared.values(), key=lambda d: (_plain_first(d.words), d.key))
    letters: dict[str, list[Declared]] = {}
    for one in named:
        first = _plain_first(one.words)[:1].upper()
        letters.setdefault(first if first.isalpha() else "0–9", []).append(one)
    jump = " · ".join(f"[{letter}](#letter-{anchor_of(letter)})" for letter in letters)
    blocks = [
        f"## {letter} {{#letter-{anchor_of(letter)}}}\n\n"
        + table(("Name", "What it is", "Triggered or used by", "Printed"), _glossed(writer, here, found))
        for letter, found in letters.items()
    ]
    return writer.whole(here, "Glossary and index", [], jump, *blocks)


def _plain_first(words: str) -> str:
    return re.sub(r"^(the|a|an|x) ", "", words.casefold().lstrip("{“\"' "))


def _glossed(writer: Writer, here: str, found: Iterable[Declared]) -> Iterator[tuple[str, ...]]:
    for one in found:
        uses = writer.book.uses.get(one.key, [])
        how = {LED_TO} if one.key[0] == "section" else {USED, REACTED} if one.key[0] in ("rule", "verb", "event", "kind", "group") else None
        places = list(dict.fromkeys(use.place for use in uses if how is None or use.how in how))
        told = ", ".join(writer.named(here, place) for place in places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
        if isinstance(one.node, t.Keyword):
            events = dict.fromkeys(trigger.event.text for trigger in one.node.triggers)
            told = ", ".join(writer.named(here, ("event", event)) for event in events)
        yield writer.link(here, one.key, writer.label(one)), WHAT[one.key[0]], told, writer.cites(here, one.cites)


# ---------------------------------------------------------------- the matrix


def _matrix(writer: Writer, here: str) -> str:
    pairs = pairs_of(writer)
    matrix = writer.book.matrix
    entries = pairs.entries

    def entry(words: str) -> str:
        return writer.link(here, ("entry", entries[words]), said(words)) if words in entries else said(words)

    rows = [
        (
            entry(line.words),
            "<br>".join(map(entry, pairs.excludes.get(line.words, []))),
            "<br>".join(map(entry, pairs.implies.get(line.words, []))),
        )
        for line in matrix.lines
    ]
    live = {entries.get(line.words) for line in matrix.lines}
    left_out = [d for d in writer.book.declared.values() if d.key[0] == "entry" and d.key[1] not in live]
    always = [entry(line.words) for line in matrix.always]
    return writer.whole(
        here,
        "Which entries exclude or imply each other",
        [],
        "At the end of every campaign that comes to an end. An entry counts if it is recorded and not crossed off.",
        "Every campaign ends with: " + ", ".join(always) if always else "",
        f"{len(matrix.undecided)} pairs were not decided within the limits." if matrix.undecided else "",
        table(("This entry", "excludes", "implies"), rows),
        "## Entries that no campaign ends with\n\n" + bullets(writer.named(here, d.key) for d in left_out) if left_out else "",
    )


# ---------------------------------------------------------------- findings, claims, open questions


def _findings(writer: Writer, here: str) -> str:
    found = writer.book.findings
    loud = [f for f in found if f.severity != "note"]
    known = [f for f in found if f.acknowledged]
    notes = [f for f in found if f.severity == "note" and not f.acknowledged]
    blocks = []
    for title, some in (("To be mended", loud), ("Known faults of the printed text", known), ("Notes", notes)):
        if some:
            blocks.append(f"## {title}\n\n" + "\n\n".join(writer.finding(here, f, _about(writer, here, f)) for f in some))
    if not found:
        blocks.append("Nothing was found." if writer.book.verdicts is not None else "Nothing was proven.")
    return writer.whole(here, "Findings", [], _said_of(writer), *blocks)


def _said_of(writer: Writer) -> str:
    if writer.book.verdicts is None:
        return "The prover did not run, so nothing is said about what can happen."
    return "Found by the prover; each play has been played by the engine."


def _about(writer: Writer, here: str, finding: Finding) -> str:
    key = next(
        (k for k in (("section", finding.subject), ("entry", finding.subject), ("reading", finding.subject)) if k in writer.book.declared),
        None,
    )
    return writer.named(here, key) if key else ""


def _claims(writer: Writer, here: str) -> str:
    blocks = [_claim(writer, here, claim) for claim in writer.book.claims]
    return writer.whole(
        here,
        "Claims",
        [],
        "What the authors of the rules say must hold, and whether it does.", *(blocks or ["This book has no claims."]),
    )  # fmt: skip


def _claim(writer: Writer, here: str, claim: ClaimVerdict) -> str:
    where = writer.cites(here, claim.cites)
    blocks = [
        f"## {esc(claim.name.replace('_', ' '))} {{#{anchor_of(claim.name)}}}",
        f"{badge(_CLAIMS.get(claim.verdict, 'open'), claim.verdict)} {esc(with_rounds(claim.expression, claim.bound))}"
        + (f" · {where}" if where else ""),
    ]
    if claim.because:
        blocks.append(f"Because of these printed lines together:\n\n{writer.because(here, claim.because)}")
    if claim.witness is not None:
        blocks.append(writer.play(here, claim.witness))
    return "\n\n".join(blocks)


def _open(writer: Writer, here: str) -> str:
    book = writer.book
    blocks = []
    for one in (d for d in book.declared.values() if isinstance(d.node, t.Reading)):
        node = one.node
        assert isinstance(node, t.Reading)
        depends = [f for f in book.findings if f.kind == "reading" and f.subject == node.name.text]
        told = "\n\n".join(sentence(f.message) for f in depends)
        alternatives = bullets(said(a.words) for a in node.alternatives)
        blocks.append(f"### {writer.named(here, one.key)}\n\n{writer.printed(here, one.cites)}\n\n{alternatives}\n\n{told}")
    readings = "## Readings\n\n" + "\n\n".join(blocks) if blocks else "## Readings\n\nNo ambiguity of the text is known."
    others = []
    for kind, title in _OPEN_KINDS.items():
        found = [f for f in book.findings if f.kind == kind]
        if found:
            others.append(f"## {title}\n\n" + bullets(_question(writer, here, f) for f in found))
    return writer.whole(here, "Readings and open questions", [], readings, *others)


def _question(writer: Writer, here: str, finding: Finding) -> str:
    known = f" Known: {ended(finding.acknowledged)}" if finding.acknowledged else ""
    return f"{sentence(finding.message)}{known}{writer.small(here, finding.cites)}"


# ---------------------------------------------------------------- printed lines


def _lines(writer: Writer, here: str) -> str:
    blocks = [_source(writer, here, covered) for covered in writer.book.coverage]
    return writer.whole(
        here,
        "The printed lines",
        [],
        "Every line of the printed text, and what became of it. The text itself is not part of this site.",
        *blocks,
    )


def _source(writer: Writer, here: str, covered: SourceCoverage) -> str:
    counts = covered.counts
    numbers = table(("State", "Lines"), [("All", str(counts["lines"])), *((badge(_STATES[s], s), str(counts[s])) for s in STATES)])
    classes = Counter(line.line_class for line in covered.lines if line.state == MISSING)
    missing = (
        f"The missing ones by class: {', '.join(f'{number} × {word}' for word, number in classes.most_common())}."
        if classes
        else "Nothing is missing."
    )
    rows = [
        (
            f'<span id="{covered.source}-{line.line}">{line.line}</span>', badge(_STATES[line.state], line.state),
            f'<abbr title="{WAIVED_CLASSES.get(line.line_class, line.line_class)}">{line.line_class}</abbr>', _became(writer, here, line),
        )
        for line in covered.lines
    ]  # fmt: skip
    return f"## {esc(covered.source)}\n\n{numbers}\n\n{missing}\n\n" + table(("Line", "State", "Class", "By which rules, or why"), rows)


def _became(writer: Writer, here: str, line: PrintedLine) -> str:
    if line.state != TRANSCRIBED:
        return esc(line.reason) if line.reason else "nothing says why"
    return ", ".join(_rule(writer, here, rule) for rule in line.rules)


def _rule(writer: Writer, here: str, rule: str) -> str:
    """A rule by the name under which the count of lines knows it."""
    module, slash, name = rule.rpartition("/")
    if slash:
        other = writer.books.get(module)
        return f"{_rule(Writer(other, writer.books), here, name)} ({esc(other.title)})" if other else esc(rule)
    if rule == writer.book.name:
        return link(here, writer.page("index"), "the book")
    part = rule.removesuffix(".throughout")
    for key in (("section", rule), ("entry", rule), ("part", part), *((sort, rule) for sort in WHAT)):
        if key in writer.book.declared:
            label = writer.named(here, key)
            return f"{label} (throughout)" if part != rule and key[0] == "part" else label
    return esc(rule)

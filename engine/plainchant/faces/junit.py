"""The report of a check as JUnit XML: a suite for each book, a test case for each claim and each finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from xml.etree import ElementTree as ET

from plainchant.faces.checking import CheckedBook
from plainchant.faces.findings import ClaimVerdict, Finding, loops_followed
from plainchant.faces.proofs_text import reason_lines, witness_lines
from plainchant.faces.report import safe_text
from plainchant.play.documents import cites_words
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.place import NOWHERE, Span

_CLAIM = "PC761"
_LOUD = ("error", "warning")


class _Case(Frozen):
    """A test case: it fails with `wrong` (code, message, details), is skipped for the reason `skipped`, or passes."""

    name: str
    at: Span
    seconds: float = 0.0
    wrong: tuple[str, str, str] | None = None
    skipped: str = ""
    output: str = ""


def junit_report(books: Sequence[CheckedBook], seconds: float) -> str:
    """The whole document, in ASCII with character references, so that no encoding of the output can spoil it."""
    root = ET.Element("testsuites", name="plainchant check")
    told: set[Diagnostic | tuple[Span, str]] = set()
    for book in books:
        root.append(_suite(book, told))
    for word in ("tests", "failures", "errors", "skipped"):
        root.set(word, str(sum(int(suite.get(word, 0)) for suite in root)))
    root.set("time", f"{seconds:.3f}")
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"


def _suite(book: CheckedBook, told: set[Diagnostic | tuple[Span, str]]) -> ET.Element:
    cases = list(_cases(book, told)) or [_Case("nothing found", NOWHERE)]
    suite = ET.Element("testsuite", name=safe_text(book.name), tests=str(len(cases)))
    suite.set("failures", str(sum(case.wrong is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(bool(case.skipped) for case in cases)))
    suite.set("time", f"{sum(case.seconds for case in cases):.3f}")
    names: Counter[str] = Counter()
    for case in cases:
        name = " ".join(case.name.split())
        names[name] += 1
        suite.append(_element(case, book.name, name if names[name] == 1 else f"{name} ({names[name]})"))
    return suite


def _cases(book: CheckedBook, told: set[Diagnostic | tuple[Span, str]]) -> Iterator[_Case]:
    """What was found in the text, then what was proven; what books share is told once."""
    for diagnostic in book.diagnostics:
        if diagnostic not in told:
            told.add(diagnostic)
            yield _diagnosed(diagnostic)
    for finding in book.findings:
        if finding.code != _CLAIM:
            yield _proven(finding, book.source)
    failed = {finding.subject: finding for finding in book.findings if finding.code == _CLAIM}
    for claim in book.claims:
        if (claim.at, claim.name) not in told:
            told.add((claim.at, claim.name))
            yield _judged(claim, failed.get(claim.name), book.source)


def _diagnosed(diagnostic: Diagnostic) -> _Case:
    entry = diagnostic.entry
    details = [_place(diagnostic.at), diagnostic.source_line, f"why: {entry.cause}", f"cure: {diagnostic.cure}" if diagnostic.cure else ""]
    details += [f"see: {words}: {_place(span)}" for words, span in diagnostic.related]
    told = _lines(diagnostic.message, *details)
    if diagnostic.severity not in _LOUD:
        return _Case(f"{entry.code} {diagnostic.message}", diagnostic.at, output=told)
    return _Case(f"{entry.code} {diagnostic.message}", diagnostic.at, wrong=(entry.code, f"{entry.title}: {diagnostic.message}", told))


def _proven(finding: Finding, source: str | None) -> _Case:
    case = _Case(f"{finding.code} {finding.message}", finding.at, output=_shown(finding, source))
    return _with_outcome(case, finding, source)


def _judged(claim: ClaimVerdict, failed: Finding | None, source: str | None) -> _Case:
    output = _lines(f"{claim.verdict}: {claim.expression}", loops_followed(claim.bound), _shown(claim, source))
    case = _Case(f"claim {claim.name}", claim.at, claim.seconds, output=output)
    if failed is not None:
        return _with_outcome(case, failed, source)
    return case if claim.verdict == "holds" else _Case(case.name, case.at, case.seconds, skipped="not decided", output=output)


def _with_outcome(case: _Case, finding: Finding, source: str | None) -> _Case:
    """The case fails, unless the finding is known, or is only a note."""
    if finding.acknowledged:
        return _Case(case.name, case.at, case.seconds, skipped=f"known: {finding.acknowledged}", output=case.output)
    if finding.severity not in _LOUD:
        return case
    entry, where = finding.entry, cites_words(finding.cites, source)
    printed = f"printed: {where}" if where else ""
    details = _lines(finding.message, _place(finding.at), printed, f"why: {entry.cause}", f"cure: {entry.cure}")
    return _Case(case.name, case.at, case.seconds, (entry.code, f"{entry.title}: {finding.message}", details), output=case.output)


def _shown(proven: Finding | ClaimVerdict, source: str | None) -> str:
    """The reason and the whole play that comes to it."""
    play = ["a play that comes to it:", *witness_lines(proven.witness, whole=True)] if proven.witness is not None else []
    return _lines(*reason_lines(proven.because, source), *play)


def _lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _place(at: Span) -> str:
    return "" if at == NOWHERE else f"{at.file}, line {at.line}, column {at.column}"


# ---------------------------------------------------------------- XML


def _element(case: _Case, book: str, name: str) -> ET.Element:
    """The case as an element, under a name that no other case of its suite has: viewers tell cases apart by it."""
    group = "" if case.at == NOWHERE else f".{PurePath(case.at.file).stem}"
    element = ET.Element("testcase", classname=safe_text(book + group), name=safe_text(name), time=f"{case.seconds:.3f}")
    if case.at != NOWHERE:
        element.set("file", safe_text(case.at.file))
        element.set("line", str(case.at.line))
    if case.skipped:
        ET.SubElement(element, "skipped", message=safe_text(case.skipped))
    if case.wrong is not None:
        code, message, details = case.wrong
        ET.SubElement(element, "failure", message=safe_text(message), type=code).text = safe_text(details)
    if case.output:
        ET.SubElement(element, "system-out").text = safe_text(case.output)
    return element

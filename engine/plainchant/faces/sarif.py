"""The report of a check as SARIF 2.1.0, for editors, dashboards and code scanning."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import plainchant
from plainchant.faces.checking import CheckedBook, all_claims, all_diagnostics, counts_of
from plainchant.faces.findings import ClaimVerdict, Finding, with_rounds
from plainchant.faces.proofs_text import reason_lines
from plainchant.faces.report import safe_text
from plainchant.play.documents import cites_json
from plainchant.text.codes import CODES, Code
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.place import NOWHERE, Span

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "kindAndSubject/v1"
_CLAIM = "PC761"
_INDEX = {code: index for index, code in enumerate(CODES)}
_VERDICTS = {"holds": "pass", "not decided": "open"}


def sarif_report(books: Sequence[CheckedBook], *, status: int, understood: bool) -> dict[str, Any]:
    """The log of one run. `status` is its exit status; `understood` says whether all of the input could be read.

    Known findings are suppressed results, claims that hold are results of kind `pass`, undecided ones of kind `open`; what concerns
    no file is a notification about the call. The play that shows a finding is the property `witness`: its steps are decisions at the
    table, not places in a file, so that they make no code flow.
    """
    found = all_diagnostics(books)
    results = [_diagnosed(diagnostic) for diagnostic in found if diagnostic.at != NOWHERE]
    results += [_proven(finding, book.source) for book in books for finding in book.findings]
    results += [_judged(claim, source) for claim, source in all_claims(books) if claim.verdict in _VERDICTS]
    run = {
        "tool": {"driver": {
            "name": "plainchant", "version": plainchant.__version__, "semanticVersion": plainchant.__version__,
            "rules": [_rule(code) for code in CODES.values()],
        }},
        "invocations": [{
            "executionSuccessful": understood, "exitCode": status,
            "toolConfigurationNotifications": [_notification(diagnostic) for diagnostic in found if diagnostic.at == NOWHERE],
        }],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"books": [{"name": safe_text(book.name), "proven": book.proven} for book in books], "summary": counts_of(books)},
    }  # fmt: skip
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


# ---------------------------------------------------------------- rules


def _rule(code: Code) -> dict[str, Any]:
    cure = re.sub(r"\{\w+\}", "…", code.cure)
    return {
        "id": code.code,
        "shortDescription": {"text": _plain(code.title)},
        "fullDescription": {"text": _plain(code.cause)},
        "help": {"text": _plain(cure if cure.strip("… ") else code.cause)},
        "defaultConfiguration": {"level": code.severity},
        "properties": {"tags": [code.kind]},
    }


# ---------------------------------------------------------------- results


def _diagnosed(diagnostic: Diagnostic) -> dict[str, Any]:
    cure = [f"cure: {diagnostic.cure}"] if diagnostic.cure else []
    result = _result(diagnostic.code, [diagnostic.message, *cure], diagnostic.at, diagnostic.entry.kind, diagnostic.message)
    related = [{"message": {"text": _plain(words)}, **_location(span)} for words, span in diagnostic.related if span != NOWHERE]
    return {**result, "level": diagnostic.severity, "suppressions": [], **({"relatedLocations": related} if related else {})}


def _proven(finding: Finding, source: str | None) -> dict[str, Any]:
    lines = [finding.message, *reason_lines(finding.because, source)]
    known = [{"kind": "inSource", "status": "accepted", "justification": safe_text(finding.acknowledged)}]
    return {
        **_result(finding.code, lines, finding.at, finding.kind, finding.subject),
        "level": finding.severity,
        "suppressions": known if finding.acknowledged else [],
        "properties": {"about": finding.subject, "cites": cites_json(finding.cites, source), "witness": finding.witness},
    }


def _judged(claim: ClaimVerdict, source: str | None) -> dict[str, Any]:
    """A claim that holds, or of which nothing is known; one that fails is a finding already."""
    word = "holds" if claim.verdict == "holds" else "is not decided"
    lines = [f"the claim “{claim.name}” {word}: {with_rounds(claim.expression, claim.bound)}", *reason_lines(claim.because, source)]
    return {
        **_result(_CLAIM, lines, claim.at, "claim", claim.name),
        "kind": _VERDICTS[claim.verdict],
        "level": "none",
        "suppressions": [],
        "properties": {"about": claim.name, "cites": cites_json(claim.cites, source), "witness": claim.witness},
    }


def _result(code: str, lines: Sequence[str], at: Span, kind: str, subject: str) -> dict[str, Any]:
    """What all results have; the fingerprint stays the same when lines move."""
    digest = hashlib.sha256(f"{kind}\0{subject}".encode("utf-8", "replace")).hexdigest()[:32]
    return {
        "ruleId": code,
        "ruleIndex": _INDEX[code],
        "kind": "fail",
        "message": {"text": _plain("\n".join(lines))},
        "locations": [] if at == NOWHERE else [_location(at)],
        "partialFingerprints": {FINGERPRINT: digest},
    }


def _notification(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "associatedRule": {"id": diagnostic.code, "index": _INDEX[diagnostic.code]},
        "level": diagnostic.severity,
        "message": {"text": _plain("\n".join(filter(None, (diagnostic.message, diagnostic.cure))))},
    }


def _location(at: Span) -> dict[str, Any]:
    region = {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": file_uri(at.file)}, "region": region}}


def file_uri(file: str) -> str:
    """A URI relative to the working folder; an absolute one for files that do not lie in it."""
    path = PurePath(file)
    if path.is_absolute() or ".." in path.parts:
        return PurePath(os.path.abspath(file)).as_uri()
    return quote(os.fsencode(path.as_posix()))


def _plain(text: str) -> str:
    """A message string of SARIF: braces are doubled, and what looks like a link is none."""
    return safe_text(text).replace("{", "{{").replace("}", "}}").replace("](", "\\](")

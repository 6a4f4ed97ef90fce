"""Known findings: those that the rules acknowledge stay listed, and speak up only when they change or vanish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plainchant.faces.findings import Finding
from plainchant.meaning.kernel import Acknowledged, Program
from plainchant.records import replace
from plainchant.text.place import Cite


def with_acknowledged(findings: Sequence[Finding], program: Program) -> tuple[Finding, ...]:
    """The findings, those that are known marked with the reason; and new ones about acknowledgements that do not fit any more."""
    known = {(one.kind, one.subject): one for one in program.acknowledged}
    marked = [_marked(finding, known.get((finding.kind, finding.subject))) for finding in findings]
    return (*marked, *_misfits(findings, program))


def _marked(finding: Finding, known: Acknowledged | None) -> Finding:
    return finding if known is None else replace(finding, acknowledged=known.reason)


def _misfits(findings: Sequence[Finding], program: Program) -> Iterator[Finding]:
    undecided = any(finding.kind == "not-decided" for finding in findings)
    for known in program.acknowledged:
        about = [finding for finding in findings if (finding.kind, finding.subject) == (known.kind, known.subject)]
        if not about and undecided:
            continue  # what was not decided has not vanished
        if not about:
            message = f"a known finding is not found any more: {known.kind} of “{known.subject}” ({known.reason})"
            yield Finding("PC771", "acknowledged", f"{known.kind} {known.subject}", message, known.span, known.cites)
            continue
        now, then = _lines(cite for finding in about for cite in finding.cites), _lines(known.cites)
        if known.cites and now != then:
            message = (
                f"a known finding has changed: {known.kind} of “{known.subject}” is now about the lines {_shown(now)}, not {_shown(then)}"
            )
            yield Finding("PC772", "acknowledged", f"{known.kind} {known.subject}", message, known.span, known.cites)


def _lines(cites: Iterable[Cite]) -> frozenset[int]:
    return frozenset(line for cite in cites for low, high in cite.ranges for line in range(low, high + 1))


def _shown(lines: frozenset[int]) -> str:
    return ", ".join(str(line) for line in sorted(lines))

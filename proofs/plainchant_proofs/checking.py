"""`check`: everything that is proven of a book without being asked, from the store where that can be, each witness played anew."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from plainchant import store
from plainchant.faces.findings import ClaimVerdict, Finding
from plainchant.faces.progress import Progress
from plainchant.meaning.compiled import digest_of
from plainchant.meaning.kernel import Program
from plainchant.play.machine import Machine
from plainchant.records import Frozen, replace
from plainchant_proofs import findings as found
from plainchant_proofs.acknowledge import with_acknowledged
from plainchant_proofs.claims import failed_claims
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Verdict
from plainchant_proofs.smt import RLIMIT, Blank
from plainchant_proofs.version import solver_version
from plainchant_proofs.witness import Promise, fulfilled


class Proof(Frozen):
    """What was proven of a book, with the verdict of every goal (for drawings), and how long each part took (seconds).

    `means` is all that it was found out with. To take that apart takes as long as twenty answers of the solver, so whoever has the proof
    may keep it until there is time.
    """

    findings: tuple[Finding, ...]
    claims: tuple[ClaimVerdict, ...]
    verdicts: dict[Goal, Verdict]
    parts: dict[str, float]
    means: object = None


class Clock:
    """Seconds by part of the work."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, part: str) -> None:
        now = time.perf_counter()
        self.parts[part] = self.parts.get(part, 0.0) + now - self._last
        self._last = now


class Kept(Frozen):
    """What a run leaves for the next: everything but the traces, which the engine makes anew each time."""

    findings: tuple[found.Draft, ...]
    claims: tuple[tuple[ClaimVerdict, Promise | None], ...]
    verdicts: dict[Goal, Verdict]


Traces = Mapping[Promise, dict[str, object]]
"""Traces of witnesses that the engine has played in this run."""


def prove(
    program: Program, limits: Limits | None = None, progress: Progress = lambda _done, _of: None, *,
    cache: bool = True, jobs: int | None = None, rlimit: int | None = None, digest: str = "", blank: Blank | None = None,
) -> Proof:  # fmt: skip
    """Prove all that a designer asks before print: reachability, holes, overlaps, impossible instructions, Standalone Modes, readings, claims.

    Verdicts are kept under the program's `digest`, the limits, the solver's version and the prover's code; whether they come from there or not,
    every witness is played by the engine before it is shown (ReplayMismatch is raised if one does not do what it promises). `blank` is a
    solver that was made ahead.
    """
    clock = Clock()
    limits = limits or Limits(rlimit=rlimit or RLIMIT)
    machine = Machine(program)
    key = _key(digest or digest_of(program), limits) if cache else ""
    known = store.kept("proof", key) if cache else None
    traces: Traces = {}
    means: object = None
    if not isinstance(known, Kept):
        from plainchant_proofs.proving import proven  # only what is not known yet needs the prover

        known, traces, means = proven(program, machine, limits, progress, clock, jobs, blank)
        if cache:
            store.keep("proof", key, known)
    clock.lap("store")
    drafts = [replace(f, witness=traces.get(p) or fulfilled(machine, p)) if p else f for f, p in known.findings]
    claims = tuple(replace(c, witness=traces.get(p) or fulfilled(machine, p)) if p else c for c, p in known.claims)
    clock.lap("replay")
    findings = with_acknowledged([*drafts, *failed_claims(claims)], program)
    return Proof(tuple(_in_order(findings)), claims, known.verdicts, clock.parts, means)


def proven_before(digest: str) -> bool:
    """Whether the store holds the verdicts of a book with this digest, so that proving it now only replays its witnesses."""
    return isinstance(store.kept("proof", _key(digest, Limits())), Kept)


def _key(digest: str, limits: Limits) -> str:
    return store.key_of(
        digest, repr(limits), solver_version(), store.code_digest("plainchant.meaning", "plainchant.play", "plainchant_proofs")
    )


def _in_order(results: Sequence[Finding]) -> list[Finding]:
    """By the order of the book: the printed line, then the code."""
    return sorted(results, key=lambda f: (min((low for cite in f.cites for low, _ in cite.ranges), default=0), f.code, f.subject))

"""Mutation check: the shipped rules are changed in one place after the other, and it is seen by which means each change is noticed.

`python tests/mutations/run.py` runs it on all cores and tells the survivors; `--write` brings the page of the documentation up to date.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
for room in ("engine", "proofs", "tests"):
    sys.path.insert(0, str(HERE.parent.parent / room))

from golden_plays import document, play_script  # noqa: E402
from mutations.operators import OPERATORS, Mutant, mutants  # noqa: E402
from plainchant.data import data_folder  # noqa: E402
from plainchant.meaning.kernel import Program  # noqa: E402
from plainchant.meaning.lower import compile_book  # noqa: E402
from plainchant.play.machine import Machine  # noqa: E402
from plainchant.records import Frozen  # noqa: E402
from plainchant_proofs.checking import prove  # noqa: E402

EACH = 10
"""Mutants of each operator."""

PLAYS = HERE.parent / "plays"
PAGE = HERE.parent.parent / "docs" / "explanation" / "mutations.md"
SURVIVORS = HERE / "survivors.toml"
MEANS = ("text", "findings", "claims", "plays")
"""In the order in which people meet them: errors and warnings of the text, the prover's findings, the book's claims, the scripted plays."""


class Outcome(Frozen):
    """By which means a mutant was noticed; no means: it survived."""

    mutant: Mutant
    means: tuple[str, ...]


Proven = tuple[frozenset[tuple[str, str, frozenset[int]]], dict[str, str]]


def proven(program: Program) -> Proven:
    """The findings (what they are, what they are about, which lines) and the verdicts of the claims."""
    proof = prove(program, cache=False)
    findings = frozenset(
        (f.kind, f.subject, frozenset(n for cite in f.cites for low, high in cite.ranges for n in range(low, high + 1)))
        for f in proof.findings
        if f.kind != "acknowledged"
    )
    return findings, {claim.name: claim.verdict for claim in proof.claims}


def copied(file: str | None = None, text: str = "") -> tuple[Program | None, frozenset[str]]:
    """The program of a copy of the shipped rules, and the codes of what is said of its text; one of its files may have another text.

    A copy is told of lines that only other shipped rules cite, which the shipped book is not: so what is changed is compared with a copy.
    """
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "rules"
        shutil.copytree(data_folder("rules"), rules)
        if file is not None:
            (rules / "tcu" / file).write_text(text, encoding="utf-8")
        program, diagnostics = compile_book(rules / "tcu")
    return program, frozenset(diagnostic.code for diagnostic in diagnostics)


@cache
def unchanged() -> tuple[frozenset[str], Proven]:
    """What is said of the text as it is shipped, and what is proven of it."""
    program, said = copied()
    assert program is not None
    return said, proven(program)


def check(mutant: Mutant) -> Outcome:
    """Compile, prove and play a mutant."""
    program, now_said = copied(mutant.file, mutant.text)
    said, (findings, claims) = unchanged()
    if program is None:
        return Outcome(mutant, ("text",))
    means = ["text"] if now_said != said else []
    now_findings, now_claims = proven(program)
    means += ["findings"] if now_findings != findings else []
    means += ["claims"] if now_claims != claims else []
    means += ["plays"] if any(_departs(Machine(program), script) for script in sorted(PLAYS.glob("*/*.script"))) else []
    return Outcome(mutant, tuple(means))


def _departs(machine: Machine, script: Path) -> bool:
    """Whether a scripted play cannot be made, or gives another document."""
    title = script.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    try:
        session = play_script(script, "campaign" if script.parent.name == "campaign" else script.stem, machine)
        return document(session, title) != script.with_suffix(".md").read_text(encoding="utf-8")
    except AssertionError:
        return True


# ---------------------------------------------------------------- telling


def explained() -> dict[str, str]:
    """The survivors that are known, each with the reason why nothing notices it."""
    if not SURVIVORS.is_file():
        return {}
    return {one["name"]: one["why"] for one in tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]}


def page(outcomes: Sequence[Outcome]) -> str:
    """The page of the documentation."""
    total = len(outcomes)
    noticed = [outcome for outcome in outcomes if outcome.means]
    by = Counter(means for outcome in outcomes for means in outcome.means)
    alone = Counter(outcome.means[0] for outcome in outcomes if len(outcome.means) == 1)
    known = explained()
    told = {"text": "an error or a new warning of the text", "findings": "other findings", "claims": "another verdict of a claim",
            "plays": "a scripted play that departs, or gives another document"}  # fmt: skip
    lines = [
        "# Mutations", "",
        "How wrong may the rules be before somebody notices? `python tests/mutations/run.py` changes the shipped transcription in one place",
        "after the other, as a transcriber might get it wrong, and looks by which means each change shows. This page is written by it",
        "(`--write`); it is a sample, and no proof that other mistakes would show.", "",
        f"Of {total} changes {len(noticed)} were noticed ({_share(len(noticed), total)}).", "",
        "| noticed by | changes | by this alone |", "|---|---|---|",
        *(f"| {told[means]} | {by[means]} ({_share(by[means], total)}) | {alone[means]} |" for means in MEANS), "",
        "| change | made | noticed |", "|---|---|---|",
    ]  # fmt: skip
    for operator in OPERATORS:
        own = [outcome for outcome in outcomes if outcome.mutant.operator == operator]
        lines.append(f"| {operator} | {len(own)} | {sum(1 for outcome in own if outcome.means)} |")
    lines += ["", "## Survivors", ""]
    survivors = [outcome.mutant for outcome in outcomes if not outcome.means]
    if not survivors:
        lines.append("None.")
    for mutant in survivors:
        struck = f"becomes `{mutant.shown}`" if mutant.after else "is struck"
        why = known.get(mutant.name, "Not explained yet.")
        lines += [f"* `{mutant.file}`, {mutant.operator}: `{mutant.before}` {struck}. {why}"]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def main() -> int:
    """Run all mutants; exit status 1 if one survives without an explanation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=EACH, help="mutants of each operator")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    args = parser.parse_args()
    chosen = mutants(data_folder("rules") / "tcu", args.each)
    outcomes = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for number, outcome in enumerate(pool.map(check, chosen), 1):
            outcomes.append(outcome)
            shown = ", ".join(outcome.means) or "SURVIVES"
            print(f"{number}/{len(chosen)} {shown}: {outcome.mutant.file}:{outcome.mutant.line} {outcome.mutant.name}", flush=True)
    if args.write:
        PAGE.write_text(page(outcomes), encoding="utf-8")
    unexplained = [outcome.mutant for outcome in outcomes if not outcome.means and outcome.mutant.name not in explained()]
    print(f"{sum(1 for outcome in outcomes if outcome.means)} of {len(outcomes)} noticed, {len(unexplained)} survive unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

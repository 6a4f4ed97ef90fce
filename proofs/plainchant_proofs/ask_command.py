"""`plainchant ask`: the call, and the answer for people and for programs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import plainchant
from plainchant.faces import findings
from plainchant.faces.calls import FINDINGS, NOT_DECIDED, NOTHING_FOUND, count, print_json, refuse
from plainchant.faces.proofs_text import reason_lines, reasons_json, witness_lines
from plainchant.faces.report import open_console
from plainchant.meaning.compiled import ground_of
from plainchant.meaning.kernel import Program
from plainchant.meaning.modules import find_book
from plainchant.meaning.question import ask_book
from plainchant.play.documents import other_book, read_document, resume
from plainchant.play.machine import Machine
from plainchant.play.session import Session, given_readings, preset_readings
from plainchant.records import replace
from plainchant.text.diagnostic import Diagnostic, errors_in, problem
from plainchant_proofs.asking import Answer, From, answer, bound, continued
from plainchant_proofs.ensuring import ensure
from plainchant_proofs.prover import Limits
from plainchant_proofs.smt import RLIMIT

SCHEMA = "plainchant-ask-1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `ask` takes."""
    parser.add_argument("book", metavar="BOOK", help="a shipped book's name, or the folder or file of one")
    parser.add_argument("expression", metavar="EXPRESSION", help="a condition, in the words of the rules language")
    parser.add_argument("--at", metavar="SECTION", help="on arrival at this section, not at the end of the campaign")
    parser.add_argument("--from", dest="start", metavar="FILE", help="go on from a saved play")
    parser.add_argument(
        "--reading", action="append", default=[], metavar="NAME=ALTERNATIVE", help="take an ambiguity in one way only (may be given again)"
    )
    parser.add_argument("--always", action="store_true", help="must it hold in every play?")
    parser.add_argument("--minimise", metavar="NUMBER", help="the least value of this number where the condition holds")
    parser.add_argument("--maximise", metavar="NUMBER", help="the greatest")
    parser.add_argument("--players-can-ensure", action="store_true", help="can the players make sure of it, whatever the table says?")
    parser.add_argument("--what-would-change", action="store_true", help="if it cannot be: which printed conditions would have to give way")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people (text, the default) or for programs")
    parser.add_argument("--rlimit", type=count, default=RLIMIT, metavar="N", help="units of work for each question of the solver")


def run(args: argparse.Namespace) -> int:
    """Answer one question; exit status 0 if it was decided (1 if `--always` fails), 2 for a wrong call, 3 if it was not decided."""
    asked, diagnostics = _asked(args)
    if asked is None:
        return refuse(diagnostics)
    readings, diagnostics = given_readings(args.reading)
    preset, wrong = preset_readings(asked, readings)
    start, refused = (None, ()) if errors_in(diagnostics + wrong) else _start(args.start, asked, readings, preset)
    if errors_in(diagnostics + wrong + refused):
        return refuse(diagnostics + wrong + refused)
    asked = _with_readings(asked, preset)
    claim, limits = asked.claims[-1], Limits(rlimit=args.rlimit)
    if args.players_can_ensure:
        result = ensure(asked, claim, start)
    elif args.minimise is not None or args.maximise is not None:
        result = bound(asked, claim, least=args.minimise is not None, start=start, limits=limits)
    else:
        result = answer(asked, claim, args.always, start, limits, change=args.what_would_change)
    if start is None and result.witness is not None:
        result = replace(result, witness={**result.witness, "readings": readings})
    _tell(result, asked, args)
    if result.answer == findings.NOT_DECIDED:
        return NOT_DECIDED
    return FINDINGS if result.answer == "fails" else NOTHING_FOUND


def _asked(args: argparse.Namespace) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    measured = [text for text in (args.minimise, args.maximise) if text is not None]
    if len(measured) > 1:
        return None, (problem("PC507", why="--minimise and --maximise exclude each other"),)
    if args.always and measured:
        return None, (problem("PC507", why="--always asks for no bound"),)
    if args.players_can_ensure and (args.always or measured):
        return None, (problem("PC507", why="--players-can-ensure asks for no bound, and of what always holds it is true anyway"),)
    path, diagnostics = find_book(args.book)
    if path is None:
        return None, diagnostics
    ground, diagnostics = ground_of(path)
    if ground is None:
        return None, diagnostics
    return ask_book(ground, args.expression, args.at, measured)


def _with_readings(asked: Program, preset: Mapping[int, int]) -> Program:
    """The book with some ambiguities settled from the start."""
    variables = tuple(
        replace(variable, initial=preset[number]) if number in preset else variable for number, variable in enumerate(asked.variables)
    )
    return replace(asked, variables=variables)


def _start(
    path: str | None, asked: Program, readings: Mapping[str, str], preset: Mapping[int, int]
) -> tuple[From | None, tuple[Diagnostic, ...]]:  # fmt: skip
    """The saved play from which is asked on; readings that it has not asked for yet are settled in it from its beginning."""
    if path is None:
        return None, ()
    document, diagnostics = read_document(Path(path))
    diagnostics = diagnostics or other_book(Path(path), document, asked)
    if document is None or diagnostics:
        return None, diagnostics
    machine = Machine(asked)
    session, diagnostics = resume(machine, {**document, "state": None})
    if session is None:
        return None, diagnostics
    settled = {number for number in preset if session.moment.values[number] != asked.variables[number].unknown}
    wrong = tuple(_read_otherwise(session, number) for number in settled if session.moment.values[number] != preset[number])
    if wrong:
        return None, wrong
    if len(settled) < len(preset):
        open_ = {name: words for name, words in readings.items() if not settled & preset_readings(asked, {name: words})[0].keys()}
        choices = [{"choice": step["choice"], "number": step.get("number")} for step in document["steps"]]
        began = {name: value for name, value in document.items() if name not in ("state", "ending", "undone")}
        session, diagnostics = resume(machine, {**began, "steps": choices, "readings": {**document["readings"], **open_}})
    return (None, diagnostics) if session is None else (continued(asked, session), ())


def _read_otherwise(session: Session, number: int) -> Diagnostic:
    variable = session.program.variables[number]
    taken = variable.shown(session.moment.values[number])
    return problem("PC507", why=f"the saved play has settled the reading “{variable.words}” already: “{taken}”")


# ---------------------------------------------------------------- telling


def _tell(result: Answer, asked: Program, args: argparse.Namespace) -> None:
    if args.format == "json":
        print_json(_json(result, asked))
        return
    console = open_console()
    words = result.answer if result.value is None else f"{result.answer}: {result.value}"
    styles = {"holds": "bold green", "reachable": "bold green", "fails": "bold red", "unreachable": "bold yellow"}
    console.print(words, style=styles.get(result.answer, "bold"))
    if result.bound is not None:
        console.print(f"  {findings.loops_followed(result.bound)}", style="dim")
    source = asked.source
    if result.because:
        console.print("because of these printed lines together:")
        for line in reason_lines(result.because, source):
            console.print(f"  {line}", soft_wrap=True)
    elif result.because is None:
        console.print("  which printed lines exclude it was not found within the limits")
    elif result.answer in ("unreachable", "holds") and result.witness is None:
        console.print("  no printed line stands in its way: either nothing in the text leads to it, or it contradicts itself")
    if result.change:
        console.print("it could be, if these gave way:")
        for line in reason_lines(result.change, source):
            console.print(f"  {line}", soft_wrap=True)
    if result.witness is not None:
        console.print("a play that shows it (the engine has played it):")
        for line in witness_lines(result.witness, whole=True):
            console.print(f"  {line}", soft_wrap=True)


def _json(result: Answer, asked: Program) -> dict[str, Any]:
    source = asked.source
    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "answer": result.answer,
        "value": result.value,
        "bound": result.bound,
        "witness": result.witness,
        "because": reasons_json(result.because or (), source),
        "change": reasons_json(result.change, source),
    }

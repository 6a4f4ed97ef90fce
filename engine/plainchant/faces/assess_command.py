"""`plainchant assess`: which requirements of which cards hold in a position; without a position, what any position can do."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from plainchant.faces.assess_text import position_json, proofs_json, show_position, show_proofs
from plainchant.faces.calls import NOT_DECIDED, NOTHING_FOUND, count, machine_of, print_json, refuse
from plainchant.meaning.compiled import ground_of
from plainchant.meaning.kernel import Program, Truth
from plainchant.meaning.modules import find_book
from plainchant.meaning.question import ask_book
from plainchant.meaning.words import nearest_name, plain
from plainchant.play import assess as judging
from plainchant.play.documents import SAVED, TRACE, other_book, read_document, resume
from plainchant.play.machine import Machine
from plainchant.play.position import Position, of_state, read_position
from plainchant.text.diagnostic import Diagnostic, problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `assess` takes."""
    parser.add_argument("book", metavar="BOOK", help="a shipped book's name, or the folder or file of one")
    parser.add_argument(
        "position", metavar="POSITION", nargs="?", help="a position (JSON), or a saved play; nothing: prove what any position can do"
    )
    parser.add_argument("--card", action="append", default=[], metavar="NAME", help="only this one (may be given again)")
    parser.add_argument("--given", metavar="CONDITION", help="of any position: only those in which this holds")
    parser.add_argument(
        "--least", action="append", default=[], metavar="NUMBER", help="of any position: how small can this number be (again)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people (text, the default) or for programs")
    parser.add_argument("--rlimit", type=count, default=None, metavar="N", help="units of work for each question of the solver")


def run(args: argparse.Namespace) -> int:
    """Judge a position, or prove what any can do; exit status 3 if something was not decided, 2 for wrong input."""
    return _any_position(args) if args.position is None else _one_position(args)


def _one_position(args: argparse.Namespace) -> int:
    if args.given is not None or args.least:
        return refuse((problem("PC507", why="--given and --least ask about any position, and one is named"),))
    machine, diagnostics = machine_of(args.book)
    if machine is None:
        return refuse(diagnostics)
    members, wrong = _members(machine.program, args.card)
    if wrong:
        return refuse(wrong)
    position, wrong = _position(Path(args.position), machine)
    if position is None:
        return refuse(wrong)
    cards = judging.assess(machine.program, position, members)
    if args.format == "json":
        print_json(position_json(cards, machine.program))
    else:
        show_position(cards, machine.program)
    return NOT_DECIDED if any(card.verdict == judging.NOT_DECIDED for card in cards) else NOTHING_FOUND


def _position(path: Path, machine: Machine) -> tuple[Position | None, tuple[Diagnostic, ...]]:
    """The position that a file tells, or the moment at which a saved play rests."""
    document, _ = read_document(path)
    if document is None or document.get("schema") not in (SAVED, TRACE):
        return read_position(path, machine.program)
    wrong = other_book(path, document, machine.program)
    session, wrong = (None, wrong) if wrong else resume(machine, document)
    return (None, wrong) if session is None else (of_state(machine.program, session.moment.values), ())


def _any_position(args: argparse.Namespace) -> int:
    try:
        prover = importlib.import_module("plainchant_proofs.positions")
    except ImportError:
        return refuse((problem("PC507", why="without a position this needs the prover, which is not installed"),))
    path, diagnostics = find_book(args.book)
    if path is None:
        return refuse(diagnostics)
    ground, diagnostics = ground_of(path)
    if ground is None:
        return refuse(diagnostics)
    asked, diagnostics = ask_book(ground, args.given or "yes", None, args.least)
    if asked is None:
        return refuse(diagnostics)
    members, wrong = _members(asked, args.card)
    if wrong:
        return refuse(wrong)
    proofs = prover.prove_cards(asked, members, args.least, rlimit=args.rlimit)
    if args.format == "json":
        print_json(proofs_json(proofs, asked))
    else:
        show_proofs(proofs, asked)
    return NOT_DECIDED if any(not proof.decided for proof in proofs) else NOTHING_FOUND


def _members(program: Program, named: list[str]) -> tuple[list[str] | None, tuple[Diagnostic, ...]]:
    """The identifiers of the cards that are named (None: all), or the complaint about one that is none."""
    known = {demand.member: demand.of for demand in program.demands if demand.applies != Truth(False)}
    if not known:
        return None, (problem("PC507", why=f"no card of “{program.book}” asks for anything", cure="declare cards with what they require"),)
    members, wrong = [], []
    for name in named:
        found = next((member for member, words in known.items() if name == member or plain(name) == plain(words)), None)
        if found is None:
            wrong.append(problem("PC201", name=name, nearest=nearest_name(name, [*known, *known.values()])))
        else:
            members.append(found)
    return members or None, tuple(wrong)

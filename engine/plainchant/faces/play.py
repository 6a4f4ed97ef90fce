"""`plainchant play`: a book played on the terminal, by a script, or at random."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
from pathlib import Path

from plainchant.faces.calls import FINDINGS, NOTHING_FOUND, WRONG_CALL, machine_of, refuse
from plainchant.faces.game import Files, Game, not_ours
from plainchant.faces.page import Page
from plainchant.faces.script import Script, departure, follow, read_script
from plainchant.meaning.kernel import CAMPAIGN
from plainchant.play import documents
from plainchant.play.machine import Machine
from plainchant.play.moment import draw
from plainchant.play.session import Session, find_entrance, given_readings
from plainchant.play.walk import MOST_DECISIONS, walkers_chance
from plainchant.text.diagnostic import Diagnostic, errors_in, problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("book", metavar="BOOK", help="a shipped book's name, or the path of a book")
    begin = parser.add_argument_group("how the play begins")
    begin.add_argument("--standalone", metavar="NAME", help="begin at the Standalone Mode of this scenario")
    begin.add_argument("--seed", metavar="N", type=int, help="draw what the book leaves to chance from this seed (else the table is asked)")
    begin.add_argument(
        "--reading", metavar="NAME=ALTERNATIVE", action="append", default=[], help="settle an ambiguity of the text beforehand"
    )
    begin.add_argument("--resume", metavar="FILE", type=Path, help="go on with a saved game")
    who = parser.add_argument_group("who decides, if not you")
    who.add_argument("--script", metavar="FILE", type=Path, help="make the choices of a file: one a line, or a trace or saved game")
    who.add_argument("--random", action="store_true", help="choose at random until play stops")
    who.add_argument("--plays", metavar="N", type=int, help="with --random: so many plays, and a table of their endings")
    who.add_argument("--steer", action="store_true", help="with --plays: prefer what was chosen least so far")
    keep = parser.add_argument_group("what is kept")
    keep.add_argument("--save", metavar="FILE", type=Path, help="save the play at its end, and at the command save")
    keep.add_argument("--trace", metavar="FILE", type=Path, help="write a trace at its end (with --plays: a folder, one for each ending)")
    keep.add_argument("--whole-states", action="store_true", help="write the whole state of each step into the trace")


def run(args: argparse.Namespace) -> int:
    """Play; 0 if play came to an end or the people left, 1 if a script or random play stopped without an end, 2 for bad input."""
    found = _conflicts(args) + _writable(args)
    if found:
        return refuse(found)
    machine, found = machine_of(args.book)
    if machine is None:
        return refuse(found)
    readings, found = given_readings(args.reading)
    if found:
        return refuse(found)
    if args.random and args.seed is None and args.resume is None:
        args.seed = secrets.randbelow(1_000_000)
    if args.plays is not None:
        return _play_often(machine, args, readings)
    script, found = read_script(args.script) if args.script else (None, ())
    if errors_in(found):
        return refuse(found)
    return _play(machine, args, readings, script)


# ---------------------------------------------------------------- the call


def _conflicts(args: argparse.Namespace) -> tuple[Diagnostic, ...]:
    """Words of the call that do not fit together."""
    told = {
        "--script and --random exclude each other": args.script and args.random,
        "--plays needs --random": args.plays is not None and not args.random,
        "--plays needs a number from 1 on": args.plays is not None and args.plays < 1,
        "--steer needs --plays": args.steer and args.plays is None,
        "--plays begins anew, so --resume cannot go with it": args.plays is not None and args.resume,
        "--plays saves no game, so --save cannot go with it": args.plays is not None and args.save,
        "a saved game holds how it began, so --seed, --standalone and --reading cannot go with --resume":
            args.resume and (args.seed is not None or args.standalone or args.reading),
        "--save and --trace name the same file": args.save is not None and args.save == args.trace,
        "--whole-states needs --trace": args.whole_states and not args.trace,
    }  # fmt: skip
    return tuple(problem("PC507", why=why) for why, wrong in told.items() if wrong)


def _writable(args: argparse.Namespace) -> tuple[Diagnostic, ...]:
    """Files that could not be written to at the end are told of before the play."""
    files = [args.save] if args.plays is not None else [args.save, args.trace]
    return tuple(found for path in files if path is not None for found in not_ours(path))


# ---------------------------------------------------------------- one play


def _play(machine: Machine, args: argparse.Namespace, readings: dict[str, str], script: Script | None) -> int:
    session, wrong, found = _session(machine, args, readings, script)
    if session is None:
        return refuse(found)
    game = Game(session, Page(), Files(args.save or args.resume, args.trace, args.whole_states))
    try:
        status = _play_on(game, args, script, wrong)
    except KeyboardInterrupt:
        game.page.gap()
        status = NOTHING_FOUND
    kept = game.leave(asked_to_save=args.save is not None, remind=_people_go_on(args))
    return status if kept else WRONG_CALL


def _play_on(game: Game, args: argparse.Namespace, script: Script | None, wrong: tuple[Diagnostic, ...]) -> int:
    """Tell how it began, do what was decided beforehand, and let the people go on if they may; the exit status."""
    session = game.session
    game.open()
    if args.resume is None:
        game.tell_opening()
    else:
        game.skip_telling()
        made = len(session.history)
        game.page.say(f"Resumed after {made} {'decision' if made == 1 else 'decisions'}.", "hint")
    if script is not None:
        wrong = wrong or follow(session, script)
    if args.random:
        _decide_at_random(session, args.seed or 0)
    game.tell()
    if wrong:
        return refuse(wrong)
    game.ask()
    if _people_go_on(args):
        _listen(game)
        return NOTHING_FOUND
    end = session.ending
    if end is None and args.random:
        told = f"Given up after {MOST_DECISIONS} decisions; the book probably leads round in a circle."
        game.page.say(told, "error")
        return FINDINGS
    if end is None:
        game.page.say("The script ends here; this is asked next.", "hint")
    return NOTHING_FOUND if end is None or end.kind == "end" else FINDINGS


def _people_go_on(args: argparse.Namespace) -> bool:
    """Whether lines are taken from the input: always, unless a random play or a script without a terminal decides everything."""
    return not args.random and (args.script is None or sys.stdin.isatty())


def _session(
    machine: Machine, args: argparse.Namespace, readings: dict[str, str], script: Script | None
) -> tuple[Session | None, tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:  # fmt: skip
    """The session that the call asks for; where a trace used as a script departs; why there is no session."""
    if script is not None and script.document is not None and _begins_otherwise(args):
        why = "a trace or saved game holds how it began, so --resume, --seed, --standalone and --reading cannot go with it as a script"
        return None, (), (problem("PC507", why=why),)
    if args.resume is not None:
        document, found = documents.read_document(args.resume)
        found = found or documents.other_book(args.resume, document, machine.program)
        if document is None or found:
            return None, (), found
        session, found = documents.resume(machine, document)
        return session, (), found
    if script is not None and script.document is not None:
        found = documents.other_book(args.script, script.document, machine.program)
        if found:
            return None, (), found
        session, departs, found = documents.replay(machine, script.document)
        return session, () if departs is None else (departure(departs),), found
    session, found = Session.start(machine, args.standalone or CAMPAIGN, seed=args.seed, readings=readings)
    return session, (), found


def _begins_otherwise(args: argparse.Namespace) -> bool:
    return args.resume is not None or args.seed is not None or args.standalone is not None or bool(args.reading)


def _decide_at_random(session: Session, seed: int) -> None:
    """Decide everything at random, until play stops or goes on for too long."""
    people = walkers_chance(seed)
    for _ in range(MOST_DECISIONS):
        asked = session.question
        if asked is None:
            return
        choice, people = draw(asked, people)
        session.apply(choice)


def _listen(game: Game) -> None:
    """Take lines until the people leave, or the input ends."""
    read = _from_people if sys.stdin.isatty() else _from_pipe
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    game.page.say("(help lists the commands)", "hint")
    while game.going:
        try:
            line = read()
        except EOFError:
            game.page.gap()
            return
        game.obey(line)


def _from_people() -> str:
    import contextlib

    with contextlib.suppress(ImportError):  # the module alone makes input() editable; Windows has none
        import readline  # noqa: F401
    return input("> ")


def _from_pipe() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(f"> {line.rstrip()}")
    return line


# ---------------------------------------------------------------- many plays


def _play_often(machine: Machine, args: argparse.Namespace, readings: dict[str, str]) -> int:
    from plainchant.faces.random_plays import Wanted, play_often

    session, found = Session.start(machine, args.standalone or CAMPAIGN, seed=args.seed, readings=readings)
    if session is None:
        return refuse(found)
    entrance = find_entrance(machine.program, session.began.entrance)
    assert entrance is not None
    preset = {
        number: session.moments[0].values[number] for number, v in enumerate(machine.program.variables)
        if v.role == "reading" and session.moments[0].values[number] != v.unknown
    }  # fmt: skip
    again = shlex.join(["plainchant", "play", args.book, *(["--standalone", args.standalone] if args.standalone else [])])
    wanted = Wanted(args.plays, args.seed, args.steer, args.trace, again)
    ended, found = play_often(Page(), machine, entrance, readings, preset, wanted)
    if found:
        return refuse(found)
    return NOTHING_FOUND if ended else FINDINGS

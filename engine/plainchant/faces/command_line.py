"""The command line: one table of commands, each filled in and imported only when it is called."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import IO, TYPE_CHECKING, Any, NoReturn

from rich_argparse import RawDescriptionRichHelpFormatter

if TYPE_CHECKING:
    from plainchant.faces.checking import CheckedBook
    from plainchant.text.diagnostic import Diagnostic

NOTHING_FOUND, FINDINGS, WRONG_CALL, NOT_DECIDED = 0, 1, 2, 3
INTERRUPTED = 130
_EPILOG = """\
exit status: 0 nothing found, 1 findings, 2 the input or the call is wrong, 3 not decided
Reports go to standard output, everything else to standard error. NO_COLOR turns colours off.
plainchant COMMAND --help tells more about a command.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: how it is told of, what it takes, and what it does."""

    name: str
    tells: str
    examples: tuple[str, ...]
    fill: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. Nothing is raised: a fault of the program is reported as one."""
    _speak_any_text()
    try:
        status = _call(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _let_go_of_output()
        return NOTHING_FOUND
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # Files are opened where their names are known and told; without a name, it is the output that takes no more.
        return _own_fault(error) if error.filename else _output_lost(error)
    except Exception as error:
        return _own_fault(error)


def _call(words: list[str]) -> int:
    command, wrong = _chosen(words)
    if wrong:
        return _refuse(wrong)
    try:
        parser, inner = _parser(command)
    except _WrongCall as error:
        return _refuse(error.diagnostic)
    if not words:
        parser.print_help(sys.stderr)
        return WRONG_CALL
    try:
        args, unknown = parser.parse_known_args(words)
    except _WrongCall as error:
        return _refuse(error.diagnostic)
    except SystemExit as end:  # --help and --version
        return NOTHING_FOUND if end.code in (0, None) else WRONG_CALL
    if unknown:
        return _refuse(_unknown_word(unknown[0], inner or parser))
    if command is None:
        return _refuse(_call_problem("a command is missing", f"name one of: {', '.join(c.name for c in COMMANDS)}"))
    return command.run(args)


def _chosen(words: Sequence[str]) -> tuple[Command | None, Diagnostic | None]:
    """The command that the call names; the first word must be one."""
    named = next((word for word in words if not word.startswith("-")), None)
    known = {command.name: command for command in COMMANDS}
    if named is None or named in known:
        return known.get(named or ""), None
    return None, _call_problem(f"there is no command “{named}”", _nearest(named, list(known)))


# ---------------------------------------------------------------- parsers


class _WrongCall(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class _Parser(argparse.ArgumentParser):
    """A parser that reports instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise _WrongCall(_call_problem(message, f"see `{self.prog} --help`"))


def _parser(command: Command | None) -> tuple[_Parser, argparse.ArgumentParser | None]:
    """The parser, with the arguments of the command that is called, and that command's own parser."""
    parser = _Parser(
        prog="plainchant", description="Rulebooks that run: check them, play them, and look things up in them.", epilog=_EPILOG,
        formatter_class=_Formatter, allow_abbrev=False,
    )  # fmt: skip
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    inner = None
    for one in COMMANDS:
        told = commands.add_parser(
            one.name, help=one.tells, description=f"{one.tells[0].upper()}{one.tells[1:]}.", formatter_class=_Formatter,
            epilog="examples:\n" + "\n".join(f"  plainchant {example}" for example in one.examples), allow_abbrev=False,
        )  # fmt: skip
        if one is command:
            one.fill(told)
            inner = told
    return parser, inner


class _Formatter(RawDescriptionRichHelpFormatter):
    group_name_formatter = str.lower
    highlights = [*RawDescriptionRichHelpFormatter.highlights, r"(?m)^  (?P<prog>plainchant) (?P<args>\S+)"]


class _Version(argparse.Action):
    """Shows the version, which is looked up only then."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import plainchant

        print(f"plainchant {plainchant.__version__}")
        parser.exit()


def _count(word: str) -> int:
    """A type for arguments that take a number from 1 on."""
    if word.isascii() and word.isdigit() and 0 < len(word) < 12 and int(word) > 0:
        return int(word)
    raise argparse.ArgumentTypeError(f"“{word}” is no number from 1 on")


def _one_of(*known: str) -> Callable[[str], str]:
    """A type for arguments that take one of some words."""

    def chosen(word: str) -> str:
        if word in known:
            return word
        raise argparse.ArgumentTypeError(f"“{word}” is none of {', '.join(known)}; {_nearest(word, known)}")

    return chosen


# ---------------------------------------------------------------- wrong calls and faults


def _call_problem(why: str, cure: str) -> Diagnostic:
    from plainchant.text.diagnostic import problem

    return problem("PC507", why=why, cure=cure)


def _nearest(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 1, 0.5)
    return f"did you mean “{near[0]}”?" if near else f"known are: {', '.join(known)}"


def _unknown_word(word: str, parser: argparse.ArgumentParser) -> Diagnostic:
    if not word.startswith("-"):
        return _call_problem(f"“{word}” is one word too many", f"see `{parser.prog} --help`")
    name = word.partition("=")[0]
    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    return _call_problem(f"there is no option “{name}” here", _nearest(name, options))


def _refuse(*diagnostics: Diagnostic) -> int:
    from plainchant.faces.report import show_diagnostics

    show_diagnostics(diagnostics)
    return WRONG_CALL


def _own_fault(error: Exception) -> int:
    """What nobody thought of is told as a fault of the program; the traceback only to who asks for it."""
    if os.environ.get("PLAINCHANT_TRACEBACK"):
        import traceback

        traceback.print_exc()
    from plainchant.text.diagnostic import problem

    return _refuse(problem("PC900", why=f"{type(error).__name__}: {error}"))


def _output_lost(error: OSError) -> int:
    from plainchant.text.diagnostic import problem

    _let_go_of_output()
    return _refuse(problem("PC009", path="standard output", why=error.strerror or type(error).__name__))


def _speak_any_text() -> None:
    """Signs that the terminal's encoding lacks are replaced, and never end the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _let_go_of_output() -> None:
    """Whoever read the output has enough; what is still to be flushed at the end must not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# ---------------------------------------------------------------- check


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="a book's folder, a rules file, or a shipped book's name (nothing: all shipped books)"
    )
    parser.add_argument("--book", metavar="NAME", help="a shipped book")
    parser.add_argument("--no-prove", action="store_true", help="look at the text only; nothing is proven")
    parser.add_argument("--no-cache", action="store_true", help="prove everything anew, whatever earlier runs have kept")
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="prove on so many processes (1)")
    parser.add_argument("--rlimit", type=_count, default=None, metavar="N", help="units of work for each question of the solver")
    formats = ("text", "json", "sarif", "junit")
    parser.add_argument(
        "--format", type=_one_of(*formats), default="text", metavar="|".join(formats),
        help="for people (text, the default), for programs, for code scanning (SARIF 2.1.0), or as test cases (JUnit XML)",
    )  # fmt: skip


def _check(args: argparse.Namespace) -> int:
    import time
    from pathlib import Path

    from plainchant.faces.checking import check_paths, installed_prover
    from plainchant.faces.progress import progress_of
    from plainchant.faces.report import json_report, show_report
    from plainchant.meaning.modules import find_book, shipped_books

    began = time.perf_counter()
    books = shipped_books()
    paths = [books[path] if path in books and not os.path.exists(path) else Path(path) for path in args.paths]
    if args.book is not None:
        path, wrong = find_book(args.book)
        if path is None:
            return _refuse(*wrong)
        paths.append(path)
    with progress_of("proving") as progress:
        prover = None if args.no_prove else installed_prover(cache=not args.no_cache, jobs=args.jobs, rlimit=args.rlimit, progress=progress)
        checked = check_paths(paths or books.values(), prover)
    seconds, status = time.perf_counter() - began, _check_status(checked)
    if args.format == "json":
        _print_json(json_report(checked, seconds), sys.stdout)
    elif args.format == "sarif":
        from plainchant.faces.sarif import sarif_report

        _print_json(sarif_report(checked, status=status, understood=status != WRONG_CALL), sys.stdout)
    elif args.format == "junit":
        from plainchant.faces.junit import junit_report

        sys.stdout.write(junit_report(checked, seconds))
    else:
        show_report(checked)
    return status


def _check_status(checked: Sequence[CheckedBook]) -> int:
    from plainchant.faces.report import all_claims, all_diagnostics, counts_of

    if any(diagnostic.code in ("PC001", "PC002", "PC003", "PC006") for diagnostic in all_diagnostics(checked)):
        return WRONG_CALL
    total = counts_of(checked)
    if total["errors"] or total["warnings"]:
        return FINDINGS
    undecided = any(finding.kind == "not-decided" for book in checked for finding in book.findings)
    undecided |= any(claim.verdict == "not decided" for claim in all_claims(checked))
    return NOT_DECIDED if undecided else NOTHING_FOUND


def _print_json(report: object, stream: IO[str]) -> None:
    import json

    encoding: str = getattr(stream, "encoding", None) or ""
    utf_8 = encoding.lower().replace("-", "") == "utf8"  # anything else might lose signs
    json.dump(report, stream, ensure_ascii=not utf_8, indent=2)
    stream.write("\n")


# ---------------------------------------------------------------- fmt


def _fmt_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a rules file, or a folder with rules files in it")
    parser.add_argument("--check", action="store_true", help="write nothing; say which files would change")


def _fmt(args: argparse.Namespace) -> int:
    from pathlib import Path

    from plainchant.faces.fmt import format_paths
    from plainchant.faces.report import show_diagnostics
    from plainchant.meaning.modules import shown_path
    from plainchant.text.diagnostic import errors_in

    result = format_paths([Path(path) for path in args.paths], check=args.check)
    for path in result.changed:
        print(f"{'would change' if args.check else 'changed'}: {shown_path(path)}")
    show_diagnostics(result.diagnostics)
    if errors_in(result.diagnostics):
        return WRONG_CALL
    return FINDINGS if args.check and result.changed else NOTHING_FOUND


# ---------------------------------------------------------------- explain, play, replay


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="CODE|NAME", help="a code (PC…), or a name or printed words: a section, a log entry, a rule, …")
    parser.add_argument("--book", metavar="NAME", help="look the name up in this book (nothing: in all shipped books)")


def _explain(args: argparse.Namespace) -> int:
    from plainchant.faces.explain import explain
    from plainchant.meaning.modules import find_book, shipped_books

    path, wrong = (None, ()) if args.book is None else find_book(args.book)
    if wrong:
        return _refuse(*wrong)
    lines, wrong = explain(args.name, list(shipped_books().values()) if path is None else [path])
    if wrong:
        return _refuse(*wrong)
    for line in lines:
        print(line)
    return NOTHING_FOUND


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    from plainchant.faces.play import add_arguments

    add_arguments(parser)


def _play(args: argparse.Namespace) -> int:
    from plainchant.faces.play import run

    return run(args)


def _proving(name: str) -> tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]:
    """A command of the prover, which is another package: found by its name, so that the engine never imports it."""

    def module() -> Any:
        try:
            return importlib.import_module(f"plainchant_proofs.{name}")
        except ImportError as error:
            raise _WrongCall(_call_problem(f"this needs the prover, and {error.name} is not installed", "install z3-solver")) from error

    def fill(parser: argparse.ArgumentParser) -> None:
        module().add_arguments(parser)

    def run(args: argparse.Namespace) -> int:
        return int(module().run(args))

    return fill, run


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    from plainchant.faces.replay import add_arguments

    add_arguments(parser)


def _replay(args: argparse.Namespace) -> int:
    from plainchant.faces.replay import run

    return run(args)


def _graph_arguments(parser: argparse.ArgumentParser) -> None:
    from plainchant.faces.graph import add_arguments

    add_arguments(parser)


def _graph(args: argparse.Namespace) -> int:
    from plainchant.faces.graph import run

    return run(args)


COMMANDS = (
    Command("check", "read rules and say what is wrong with them", ("check", "check my_book", "check my_book --format sarif"),
            _check_arguments, _check),
    Command("play", "play a book as it directs; asks only what the book asks", ("play tcu", "play tcu --random --seed 7"),
            _play_arguments, _play),
    Command("replay", "run a saved trace through the rules, and say where it departs", ("replay play.json",), _replay_arguments, _replay),
    Command("ask", "can it hold, must it hold, what excludes it? proven, with a play or the printed lines",
            ("ask tcu 'inducted and learned_nothing'", 'ask tcu yes --at "Scenario V: For the Greater Good / Intro 2"',
             "ask tcu yes --maximise 'value(the_path)'", "ask tcu rejected_fate --players-can-ensure"),
            *_proving("ask_command")),
    Command("graph", "draw a book's sections and the ways between them, coloured by verdict",
            ("graph tcu -o tcu.svg", "graph tcu --no-prove -o tcu.dot"), _graph_arguments, _graph),
    Command("matrix", "tell which log entries exclude or imply each other at the end", ("matrix tcu",), *_proving("matrix_command")),
    Command("explain", "tell what a code or a name means, and who reads and writes it",
            ("explain PC101", 'explain "you have accepted your fate"', 'explain "Scenario I: The Witching Hour" --book tcu'),
            _explain_arguments, _explain),
    Command("fmt", "bring rules files into the canonical layout", ("fmt my_book", "fmt --check my_book/book.rules"),
            _fmt_arguments, _fmt),
)  # fmt: skip
"""All commands, in the order of the help."""

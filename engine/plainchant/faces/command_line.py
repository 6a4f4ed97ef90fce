"""The command line: one table of commands, each filled in and imported only when it is called."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from rich_argparse import RawDescriptionRichHelpFormatter

from plainchant.faces.calls import NOTHING_FOUND, WRONG_CALL, refuse
from plainchant.records import Frozen

if TYPE_CHECKING:
    from plainchant.text.diagnostic import Diagnostic

INTERRUPTED = 130
_EPILOG = """\
exit status: 0 nothing found, 1 findings, 2 the input or the call is wrong, 3 not decided
Reports go to standard output, everything else to standard error. NO_COLOR turns colours off.
plainchant COMMAND --help tells more about a command.
"""


class Command(Frozen):
    """A command: how it is told of, and the module that has its arguments (`add_arguments`) and carries it out (`run`).

    Modules are loaded by their names when they are needed; so the engine never imports the prover, which is another package.
    """

    name: str
    tells: str
    examples: tuple[str, ...]
    module: str

    def loaded(self) -> Any:
        """The module. Raises _WrongCall if it needs something that is not installed."""
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise _WrongCall(_call_problem(f"this needs the prover, and {error.name} is not installed", "install z3-solver")) from error


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
        # Files are opened where their names are known and told; without a name, it is the working folder that is gone, or the output that
        # takes no more.
        if error.filename:
            return _own_fault(error)
        return _folder_gone() if isinstance(error, FileNotFoundError) else _output_lost(error)
    except Exception as error:
        return _own_fault(error)


def _call(words: list[str]) -> int:
    command, wrong = _chosen(words)
    if wrong:
        return refuse((wrong,))
    try:
        parser, inner = _parser(command)
    except _WrongCall as error:
        return refuse((error.diagnostic,))
    if not words:
        parser.print_help(sys.stderr)
        return WRONG_CALL
    try:
        args, unknown = parser.parse_known_args(words)
    except _WrongCall as error:
        return refuse((error.diagnostic,))
    except SystemExit as end:  # --help and --version
        return NOTHING_FOUND if end.code in (0, None) else WRONG_CALL
    if unknown:
        return refuse((_unknown_word(unknown[0], inner or parser),))
    if command is None:
        return refuse((_call_problem("a command is missing", f"name one of: {', '.join(c.name for c in COMMANDS)}"),))
    return int(command.loaded().run(args))


def _chosen(words: Sequence[str]) -> tuple[Command | None, Diagnostic | None]:
    """The command that the call names; the first word must be one."""
    named = next((word for word in words if not word.startswith("-")), None)
    known = {command.name: command for command in COMMANDS}
    if named is None or named in known:
        return known.get(named or ""), None
    return None, _misspelt(f"there is no command “{named}”", named, list(known))


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
    # Named, since argparse would format a help text to find the name out, and load all that draws one.
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", prog=parser.prog)
    inner = None
    for one in COMMANDS:
        told = commands.add_parser(
            one.name, help=one.tells, description=f"{one.tells[0].upper()}{one.tells[1:]}.", formatter_class=_Formatter,
            epilog="examples:\n" + "\n".join(f"  plainchant {example}" for example in one.examples), allow_abbrev=False,
        )  # fmt: skip
        if one is command:
            one.loaded().add_arguments(told)
            inner = told
    return parser, inner


def help_of(command: Command) -> str:
    """What `--help` tells about a command, without colours and as wide as a page."""
    _, inner = _parser(command)
    assert inner is not None
    inner.formatter_class = lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=100)
    return inner.format_help()


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


# ---------------------------------------------------------------- wrong calls and faults


def _call_problem(why: str, cure: str) -> Diagnostic:
    from plainchant.text.diagnostic import problem

    return problem("PC507", why=why, cure=cure)


def _unknown_word(word: str, parser: argparse.ArgumentParser) -> Diagnostic:
    if not word.startswith("-"):
        return _call_problem(f"“{word}” is one word too many", f"see `{parser.prog} --help`")
    name = word.partition("=")[0]
    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    return _misspelt(f"there is no option “{name}” here", name, options)


def _misspelt(why: str, word: str, known: Sequence[str]) -> Diagnostic:
    from plainchant.meaning.words import nearest_name

    return _call_problem(why, nearest_name(word, known, len(known)))


def _own_fault(error: Exception) -> int:
    """What nobody thought of is told as a fault of the program; the traceback only to who asks for it."""
    if os.environ.get("PLAINCHANT_TRACEBACK"):
        import traceback

        traceback.print_exc()
    from plainchant.text.diagnostic import problem

    return refuse((problem("PC900", why=f"{type(error).__name__}: {error}"),))


def _folder_gone() -> int:
    from plainchant.text.diagnostic import problem

    return refuse((problem("PC006", path=".", why="the working folder is no longer there"),))


def _output_lost(error: OSError) -> int:
    from plainchant.text.diagnostic import problem

    _let_go_of_output()
    return refuse((problem("PC009", path="standard output", why=error.strerror or type(error).__name__),))


def _speak_any_text() -> None:
    """Signs that the terminal's encoding lacks are replaced, and never end the program; who closes an output wants nothing from it."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _nowhere() -> IO[str]:
    return Path(os.devnull).open("w", encoding="utf-8")


def _let_go_of_output() -> None:
    """Whoever read the output has enough; what is still to be flushed at the end must not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


COMMANDS = (
    Command("check", "read rules and say what is wrong with them", ("check", "check my_book", "check my_book --format sarif"),
            "plainchant.faces.check_command"),
    Command("play", "play a book as it directs; asks only what the book asks", ("play tcu", "play tcu --random --seed 7"),
            "plainchant.faces.play"),
    Command("replay", "run a saved trace through the rules, and say where it departs", ("replay play.json",),
            "plainchant.faces.replay"),
    Command("ask", "can it hold, must it hold, what excludes it? proven, with a play or the printed lines",
            ("ask tcu 'inducted and learned_nothing'", 'ask tcu yes --at "Scenario V: For the Greater Good / Intro 2"',
             "ask tcu yes --maximise 'value(the_path)'", "ask tcu rejected_fate --players-can-ensure"),
            "plainchant_proofs.ask_command"),
    Command("assess", "judge a position: which requirements of which cards hold, and by how much; or prove what any position can do",
            ("assess chants/sample position.json", "assess chants/sample --card Hastur --least cards_in_hand"),
            "plainchant.faces.assess_command"),
    Command("graph", "draw a book's sections and the ways between them, coloured by verdict",
            ("graph tcu -o tcu.svg", "graph tcu --no-prove -o tcu.dot"), "plainchant.faces.graph"),
    Command("matrix", "tell which log entries exclude or imply each other at the end", ("matrix tcu",),
            "plainchant_proofs.matrix_command"),
    Command("explain", "tell what a code or a name means, and who reads and writes it",
            ("explain PC101", 'explain "you have accepted your fate"', 'explain "Scenario I: The Witching Hour" --book tcu'),
            "plainchant.faces.explain"),
    Command("coverage", "tell of each printed line by which rules it is transcribed, why it is waived, or that it is missing",
            ("coverage", "coverage --book tcu --all", "coverage --book my_book --sources texts --write"), "plainchant.faces.coverage"),
    Command("site", "write the pages of the rules-reference site, for MkDocs", ("site", "site my_book -o pages"),
            "plainchant.faces.site.command"),
    Command("fmt", "bring rules files into the canonical layout", ("fmt my_book", "fmt --check my_book/book.rules"),
            "plainchant.faces.fmt"),
)  # fmt: skip
"""All commands, in the order of the help."""

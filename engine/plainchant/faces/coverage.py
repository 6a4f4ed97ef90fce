"""`plainchant coverage`: each printed line, transcribed by which rules, waived for which reason, or missing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainchant.faces.calls import FINDINGS, NOTHING_FOUND, one_of, print_json, refuse
from plainchant.faces.printings import Printing, differences, printing_of, read_printings
from plainchant.meaning.coverage import MISSING, STATES, PrintedLine, SourceCoverage, coverage_of, ranges_text
from plainchant.meaning.modules import find_book, load, module_folder, printed_modules, shown_path
from plainchant.records import Frozen
from plainchant.text.diagnostic import Diagnostic, errors_in, problem
from plainchant.text.printed import RULE, SUFFIX, brought_up_to_date, table_text

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = "plainchant-coverage-1"

_STYLES = {"transcribed": "green", "waived": "dim", "missing": "bold yellow"}


class Shown(Frozen):
    """The coverage of a source, the folder of its book, and the text if there is one."""

    covered: SourceCoverage
    folder: Path
    printing: Printing | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("--book", metavar="NAME", help="a shipped book's name, or the path of a book (nothing: all that is shipped)")
    parser.add_argument(
        "--sources", metavar="DIR", type=Path, help="a folder with the printed texts (.txt): compare them, and show the lines"
    )
    parser.add_argument("--all", action="store_true", help="tell every line, and not only the missing ones")
    parser.add_argument("--write", action="store_true", help="bring the tables of printed lines up to date with the texts in --sources")
    parser.add_argument(
        "--format", type=one_of("text", "json"), default="text", metavar="text|json", help="for people (text, the default) or for programs"
    )


def run(args: argparse.Namespace) -> int:
    """Tell; 1 if lines are missing of which the rules do not say so, or the printing has changed; 2 if the input is wrong."""
    if args.write and args.sources is None:
        return refuse((problem("PC507", why="--write needs the printed texts", cure="add --sources and the folder of the texts"),))
    shown, wrong = coverage(args.book)
    if args.write:  # a table that is damaged is made anew
        wrong = tuple(one for one in wrong if one.code != "PC807")
    if errors_in(wrong):
        return refuse(wrong)
    found: list[Diagnostic] = []
    if args.sources is not None:
        shown, wrong = with_printings(shown, args.sources, all_needed=args.book is not None)
        if errors_in(wrong):
            return refuse(wrong)
        if args.write:
            return _write(shown)
        found = [one for each in shown if each.printing for one in differences(each.covered, each.printing)]
    if args.format == "json":
        print_json(json_of(shown, found))
    else:
        _show(shown, found, whole=args.all)
    return FINDINGS if found or any(unexplained(each.covered) for each in shown) else NOTHING_FOUND


def coverage(book: str | None) -> tuple[list[Shown], tuple[Diagnostic, ...]]:
    """The coverage of a book's sources, or of all that are shipped; with errors if a file cannot be understood."""
    modules = printed_modules()
    paths = list(modules.values())
    if book is not None:
        path, wrong = (modules[book], ()) if book in modules else find_book(book)
        if path is None:
            return [], wrong
        paths = [path]
    shown: list[Shown] = []
    found: list[Diagnostic] = []
    for path in paths:
        library, diagnostics = load(path)
        found += [one for one in diagnostics if one.severity == "error"]
        folder = module_folder(path)
        shown += [Shown(covered, folder if folder.is_dir() else folder.parent) for covered in coverage_of(library)]
    if book is not None and not shown and not found:
        found.append(problem("PC507", why=f"“{book}” names no source", cure="say below its book line: printed in NAME, 40 lines"))
    return shown, tuple(found)


def with_printings(shown: Sequence[Shown], folder: Path, *, all_needed: bool) -> tuple[list[Shown], tuple[Diagnostic, ...]]:
    """With the texts that a folder holds; one that is missing is an error only if it is needed."""
    printings, wrong = read_printings(folder)
    found = [Shown(each.covered, each.folder, printing_of(each.covered, printings)) for each in shown]
    absent = [each.covered.source for each in found if each.printing is None]
    if wrong or not absent or (not all_needed and len(absent) < len(found)):
        return found, wrong
    return found, tuple(problem("PC810", path=str(folder), source=source) for source in absent)


def unexplained(covered: SourceCoverage) -> list[int]:
    """The missing lines of which the rules do not say that they are not transcribed."""
    return [line.line for line in covered.lines if line.state == MISSING and not line.reason]


def _write(shown: Iterable[Shown]) -> int:
    from plainchant.play.documents import write_text

    for each in shown:
        if each.printing is None:
            continue
        source = each.covered.source
        table = brought_up_to_date(each.covered.table, source, each.printing)
        path = each.folder / f"{source}{SUFFIX}"
        wrong = write_text(path, table_text(table))
        if wrong:
            return refuse(wrong)
        rules = sum(line.line_class == RULE for line in table.lines)
        print(f"written: {shown_path(path)} ({len(table.lines)} lines, {rules} of them rules)")
    return NOTHING_FOUND


# ---------------------------------------------------------------- people


def _show(shown: Sequence[Shown], found: Sequence[Diagnostic], *, whole: bool) -> None:
    from plainchant.faces.report import open_console

    console = open_console()
    for number, each in enumerate(shown):
        if number:
            console.print()
        _show_source(console, each, whole=whole)
    for diagnostic in found:
        console.print()
        console.print(f"{diagnostic.severity} {diagnostic.code} {diagnostic.entry.title}", style="bold yellow")
        console.print(f"  {diagnostic.message}", soft_wrap=True)
        console.print(f"  cure: {diagnostic.cure}", style="green", soft_wrap=True)


def _show_source(console: Console, each: Shown, *, whole: bool) -> None:
    covered = each.covered
    counts = covered.counts
    console.print(f"{covered.source}: {counted(counts)}", style="bold", soft_wrap=True)
    if covered.table is None:
        console.print("  no table of its lines: make it with --sources DIR --write", style="yellow", soft_wrap=True)
    if whole:
        for line in covered.lines:
            words = each.printing[line.line - 1] if each.printing and line.line <= len(each.printing) else ""
            console.print(_line(line, words), style=_STYLES[line.state], soft_wrap=True)
        return
    for reason, lines in missing_by_reason(covered).items():
        title = f"not transcribed: {reason}" if reason else "missing, and nothing says why"
        console.print(f"  {ranges_text(lines)}  {title}", style="" if reason else _STYLES[MISSING], soft_wrap=True)
        for number in lines if each.printing else ():
            if each.printing and number <= len(each.printing):
                console.print(f"    {number:>4} │ {each.printing[number - 1]}", style="dim", soft_wrap=True)


def counted(counts: Mapping[str, int]) -> str:
    """`717 printed lines: 600 transcribed, 100 waived, 17 missing`."""
    lines = counts["lines"]
    return f"{lines} printed {'line' if lines == 1 else 'lines'}: " + ", ".join(f"{counts[state]} {state}" for state in STATES)


def missing_by_reason(covered: SourceCoverage) -> dict[str, list[int]]:
    """The missing lines by the reason that the rules give; those without any first."""
    found: dict[str, list[int]] = {}
    for line in covered.lines:
        if line.state == MISSING:
            found.setdefault(line.reason, []).append(line.line)
    return dict(sorted(found.items(), key=lambda item: (bool(item[0]), item[1])))


def _line(line: PrintedLine, words: str) -> str:
    told = ", ".join(line.rules) or line.reason
    text = f"  {line.line:>4} {line.state:<11} {line.line_class:<10} {told}"
    return f"{text} │ {words}" if words else text


# ---------------------------------------------------------------- programs


def json_of(shown: Sequence[Shown], found: Sequence[Diagnostic] = ()) -> dict[str, Any]:
    """The report for programs; its shape is `schemas/coverage.schema.json`."""
    import plainchant

    counts = [each.covered.counts for each in shown]
    return {
        "schema": SCHEMA,
        "plainchant": plainchant.__version__,
        "books": [{"name": each.covered.source, **each.covered.counts} for each in shown],
        "lines": [line for each in shown for line in _lines_json(each)],
        "changes": [one.message for one in found],
        "summary": {word: sum(count[word] for count in counts) for word in ("lines", *STATES)},
    }


def _lines_json(each: Shown) -> Iterator[dict[str, Any]]:
    for line in each.covered.lines:
        text = {"text": each.printing[line.line - 1]} if each.printing and line.line <= len(each.printing) else {}
        yield {
            "source": line.source, "line": line.line, "class": line.line_class, "state": line.state, "rules": list(line.rules),
            "reason": line.reason or None, **text,
        }  # fmt: skip

"""The catalogue of all diagnostic codes as a page: `python -m plainchant.faces.catalogue --write docs/reference/errors.md`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from plainchant.faces.samples import sample_of
from plainchant.text.codes import CODES, Code

FAMILIES = {
    "PC0": "Files", "PC1": "Syntax", "PC2": "Names", "PC3": "Types", "PC4": "Structure", "PC5": "Calls, saved plays and scripts",
    "PC6": "Play", "PC7": "Findings of the prover", "PC8": "Printed lines", "PC9": "The program itself",
}  # fmt: skip

_INTRODUCTION = """\
# Error codes

Every message has a code, a place, a cause and a cure. `plainchant explain CODE` shows the same on the terminal.
In the messages below, braces stand for what the message names in each case.

This page is generated from the registry of codes and from the samples in `tests/bad`:
`python -m plainchant.faces.catalogue --write docs/reference/errors.md`.
"""


def catalogue() -> str:
    """The page, as Markdown."""
    lines = [_INTRODUCTION]
    for family, codes in groupby(CODES.values(), key=lambda code: code.code[:3]):
        lines += [f"## {FAMILIES[family]}", ""]
        for code in codes:
            lines += _entry(code)
    return "\n".join(lines).rstrip() + "\n"


def _entry(code: Code) -> Iterator[str]:
    yield from (
        f"### {code.code} {code.title}",
        "",
        f"*{code.severity.capitalize()}.* {_sentence(code.says)}",
        "",
    )
    yield from (f"{_sentence(code.cause)} **Cure:** {_sentence(code.cure)}", "")
    sample = sample_of(code.code)
    if sample:
        yield from ("```text", *sample.text, "```", "", "```text", *sample.report, "```", "")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "}")) else ".")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the page, or write it to a file."""
    parser = argparse.ArgumentParser(prog="python -m plainchant.faces.catalogue", description=__doc__)
    parser.add_argument("--write", metavar="PATH", type=Path, help="write the page to this file")
    args = parser.parse_args(argv)
    if args.write is None:
        print(catalogue(), end="")
    else:
        args.write.write_text(catalogue(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Run the benchmarks: a table for people, and JSON on request."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path

if __package__ in (None, ""):  # called by its path
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.judging import positions
from benchmarks.measures import COUNT, RATE, SECONDS, Measure, baselines, playing, reading, sizes, starting
from benchmarks.proving import calls, growth, parts
from benchmarks.situations import situations
from plainchant import __version__


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measures to FILE as well")
    parser.add_argument("--quick", action="store_true", help="fewer runs, rougher numbers")
    parser.add_argument(
        "--copies", type=int, nargs="+", default=[1, 10, 100], metavar="N", help="lengths of the synthetic campaigns (1 10 100)"
    )
    options = parser.parse_args()
    runs, plays = (1, 500) if options.quick else (5, 5_000)
    base = list(baselines(runs))
    loop, lark, z3 = base[0].value, base[2].value, base[3].value
    print(f"plainchant {__version__}, {platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    print(f"{'':55}{'':>14}    of the loop   of import lark     of import z3")
    rows = []
    copies = (1, 2) if options.quick else options.copies
    for measures in (
        base,
        reading(runs),
        starting(runs),
        playing(plays),
        sizes(),
        calls(runs),
        parts(runs),
        positions(runs),
        situations(runs),
        growth(copies),
    ):
        for measure in measures:
            rows.append(row(measure, loop, lark, z3))
            print(shown(rows[-1]), flush=True)
    if options.json:
        document = {"schema": "plainchant/benchmarks/1", "plainchant": __version__, "python": platform.python_version(), "measures": rows}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def row(measure: Measure, loop: float, lark: float, z3: float) -> dict[str, object]:
    """A measure with its ratios: a time as so many loops, a rate as so many while the loop runs once; to `import lark` and `import z3` alike."""
    ratios = {SECONDS: lambda base: measure.value / base, RATE: lambda base: measure.value * base, COUNT: lambda base: None}
    ratio = ratios[measure.unit]
    return {
        "name": measure.name,
        "value": measure.value,
        "unit": measure.unit,
        "to_loop": ratio(loop),
        "to_import_lark": ratio(lark),
        "to_import_z3": ratio(z3),
    }


def shown(of: dict[str, object]) -> str:
    """A line of the table."""
    value = f"{_number(of['value'])} {of['unit']}".rstrip()
    ratios = "".join(f"{_number(of[key]) if of[key] is not None else '':>15}" for key in ("to_loop", "to_import_lark", "to_import_z3"))
    return f"{of['name']:55}{value:>14}{ratios}".rstrip()


def _number(value: object) -> str:
    assert isinstance(value, int | float)
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())

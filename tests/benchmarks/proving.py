"""What proving costs: whole calls cold and warm, the parts of a check, and how they grow with the length of a campaign."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from benchmarks.measures import COUNT, SECONDS, Measure, best, cold, process, tcu
from benchmarks.synthetic import chained
from plainchant.meaning.lower import compile_book, compile_library
from plainchant.meaning.modules import load
from plainchant.text.parser import worked_out
from plainchant_proofs.checking import prove
from plainchant_proofs.goals import goals_of
from plainchant_proofs.piecewise import decided
from plainchant_proofs.prover import NOT_DECIDED, Limits

_CHECK = ["-m", "plainchant", "check", "--book", "tcu"]
_ASK = ["-m", "plainchant", "ask", "tcu", "true_work_begun"]
_NO_ASK = ["-m", "plainchant", "ask", "tcu", "true_work_begun and deceiving_the_lodge"]


def calls(runs: int) -> Iterator[Measure]:
    """New processes, without any cache and with what the run before has kept."""
    alone = [*_CHECK, "--jobs", "1"]
    for name, words in (("check tcu", _CHECK), ("check tcu --jobs 1", alone), ("ask, reachable", _ASK), ("ask, excluded", _NO_ASK)):
        yield Measure(f"cold: plainchant {name}", min(cold(words) for _ in range(runs)), SECONDS)
        with tempfile.TemporaryDirectory() as cache:
            process(words, cache)
            yield Measure(f"warm: plainchant {name}", best(lambda words=words, cache=cache: process(words, cache), runs), SECONDS)


def parts(runs: int) -> Iterator[Measure]:
    """The parts of checking one book, one after the other, in one process that has loaded everything."""
    yield Measure("work out the parser's tables (when installed)", best(worked_out, runs), SECONDS)
    yield Measure("check tcu: parse", best(lambda: load(tcu()), runs), SECONDS)
    loaded = load(tcu())
    yield Measure("check tcu: names, checks, lowering", best(lambda: compile_library(*loaded), runs), SECONDS)
    program, _ = compile_library(*loaded)
    assert program is not None
    with _without_store():
        proofs = [prove(program, cache=False, jobs=1) for _ in range(runs)]
    for part in proofs[0].parts:
        yield Measure(f"check tcu: {part}", min(proof.parts[part] for proof in proofs), SECONDS)


def growth(copies: tuple[int, ...]) -> Iterator[Measure]:
    """All goals of campaigns so many times as long, and the exponent with which the time grows between the first and the last."""
    program, _ = compile_book(tcu())
    assert program is not None
    times = []
    for count in copies:
        long = chained(program, count)
        goals = [goal for goal in goals_of(long) if goal.kind != "twice"]
        start = perf_counter()
        verdicts = decided(long, Limits(), goals)
        times.append(perf_counter() - start)
        yield Measure(f"{len(goals)} goals of {count} campaigns in a row", times[-1], SECONDS)
        yield Measure(f"  of these not decided ({count})", sum(v.verdict == NOT_DECIDED for v in verdicts.values()), COUNT)
    if len(copies) > 1:
        exponent = math.log(times[-1] / times[0]) / math.log(copies[-1] / copies[0])
        yield Measure("exponent of growth", exponent, COUNT)


@contextmanager
def _without_store() -> Iterator[None]:
    before = os.environ.get("PLAINCHANT_CACHE")
    os.environ["PLAINCHANT_CACHE"] = "off"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PLAINCHANT_CACHE"]
        else:
            os.environ["PLAINCHANT_CACHE"] = before


if __name__ == "__main__":
    for measure in growth(tuple(int(word) for word in sys.argv[1:]) or (1, 10)):
        print(measure)

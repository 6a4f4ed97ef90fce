"""What is measured, each function a group of measures. A time is the best of several runs: a machine is only ever slowed down."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from plainchant.data import data_folder
from plainchant.meaning.kernel import Branch, Choose, Program, Range, Stop
from plainchant.meaning.lower import compile_book
from plainchant.meaning.modules import shipped_books
from plainchant.play.machine import Machine
from plainchant.play.session import Session
from plainchant.records import Frozen
from plainchant.text.parse import parse
from plainchant.text.source import read_source

T = TypeVar("T")

SECONDS, RATE, COUNT = "s", "/s", ""


class Measure(Frozen):
    """A number with its unit: seconds, so many a second, a share or a plain count."""

    name: str
    value: float
    unit: str


def best(action: Callable[[], object], runs: int) -> float:
    """The shortest time of several runs."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return min(times)


def process(words: list[str], cache: str) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(words)}: {done.stderr[-500:]}")


# ---------------------------------------------------------------- baselines


def _loop() -> int:
    total = 0
    for i in range(200_000):
        total = (total * 31 + i) % 1_000_003
    return total


def baselines(runs: int) -> Iterator[Measure]:
    """A fixed loop of plain Python, a bare process, and processes that import the parser library and the solver."""
    yield Measure("baseline: a loop of 200,000 rounds", best(_loop, 3 * runs), SECONDS)
    with tempfile.TemporaryDirectory() as cache:
        yield Measure("baseline: python -c pass", best(lambda: process(["-c", "pass"], cache), runs), SECONDS)
        for library in ("lark", "z3"):
            words = ["-c", f"import {library}"]
            yield Measure(f"baseline: python -c 'import {library}'", best(lambda words=words: process(words, cache), runs), SECONDS)


# ---------------------------------------------------------------- reading and compiling


def reading(runs: int) -> Iterator[Measure]:
    """Parsing all shipped files, and compiling each shipped book, with the parser at hand."""
    files = sorted(data_folder("rules").rglob("*.rules"))
    sources = [read_source(path, path.name)[0] for path in files]
    lines = sum(len(source.lines) for source in sources)

    def parse_all() -> None:
        for source in sources:
            parse(source)

    parse_all()
    yield Measure("lines of rules shipped", lines, COUNT)
    yield Measure("lines parsed", lines / best(parse_all, runs), RATE)
    for name, folder in shipped_books().items():
        yield Measure(f"compile {name}, parser at hand", best(lambda folder=folder: compile_book(folder), runs), SECONDS)


def starting(runs: int) -> Iterator[Measure]:
    """New processes: with an empty cache folder (the parser is built and kept), and with a filled one."""
    play = ["-m", "plainchant", "play", "tcu", "--random", "--seed", "1"]
    compile_ = ["-c", f"from pathlib import Path; from plainchant.meaning.lower import compile_book; compile_book(Path({str(tcu())!r}))"]
    with tempfile.TemporaryDirectory() as cache:
        yield Measure("start: plainchant --help", best(lambda: process(["-m", "plainchant", "--help"], cache), runs), SECONDS)
    for name, words in (("compile tcu", compile_), ("plainchant play tcu --random", play)):
        yield Measure(f"cold start: {name}", min(cold(words) for _ in range(runs)), SECONDS)
        with tempfile.TemporaryDirectory() as cache:
            process(words, cache)
            yield Measure(f"warm start: {name}", best(lambda words=words, cache=cache: process(words, cache), runs), SECONDS)


def cold(words: list[str]) -> float:
    with tempfile.TemporaryDirectory() as cache:
        return best(lambda: process(words, cache), 1)


def tcu() -> Path:
    return shipped_books()["tcu"]


# ---------------------------------------------------------------- playing


class Player:
    """Plays uniformly at random, as fast as the machine allows: no history, no questions."""

    def __init__(self, program: Program) -> None:
        self.machine = Machine(program)
        self.program = program
        self.entrance = program.entrances[0]
        self.seed = 88_172_645_463_325_252
        self.decisions = 0

    def below(self, limit: int) -> int:
        """Marsaglia's xorshift: the cheapest chance that is good enough to choose by."""
        x = self.seed
        x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
        self.seed = x
        return x % limit

    def play(self) -> str:
        """One play; the kind of its stop."""
        machine, blocks, below = self.machine, self.program.blocks, self.below
        state = machine.initial(self.entrance)
        block = machine.run_fast(state, self.entrance.block)
        while True:
            exit_ = blocks[block].exit
            if isinstance(exit_, Stop):
                return exit_.kind
            options = machine.options(state, block)
            after = machine.take(state, block, options[below(len(options))])
            self.decisions += 1
            block = machine.run_fast(state, after)

    def play_timed(self, spent: dict[str, float], calls: dict[str, int]) -> None:
        """The same, with the time and the number of calls of each part added up."""
        machine, blocks = self.machine, self.program.blocks

        def timed(part: str, action: Callable[..., T], *arguments: object) -> T:
            start = perf_counter()
            result = action(*arguments)
            spent[part] = spent.get(part, 0.0) + perf_counter() - start
            calls[part] = calls.get(part, 0) + 1
            return result

        state = timed("beginning", machine.initial, self.entrance)
        block = timed("block functions", machine.run_fast, state, self.entrance.block)
        while True:
            if isinstance(blocks[block].exit, Stop):
                return
            options = timed("option guards", machine.options, state, block)
            after = timed("taking options", machine.take, state, block, options[timed("chance", self.below, len(options))])
            block = timed("block functions", machine.run_fast, state, after)


def playing(plays: int) -> Iterator[Measure]:
    """Random plays of the campaign on one core, all and those that reach an end, and where their time goes."""
    program, _ = compile_book(tcu())
    assert program is not None
    player = Player(program)
    for _ in range(500):
        player.play()
    player.decisions = 0
    kinds: Counter[str] = Counter()
    batches = 5
    seconds = batches * best(lambda: kinds.update(player.play() for _ in range(plays // batches)), batches)
    yield Measure("random plays, whatever stops them", plays / seconds, RATE)
    yield Measure("random plays that reach an end", kinds["end"] / seconds, RATE)
    yield Measure("random plays: share that reach an end", kinds["end"] / plays, COUNT)
    yield Measure("random plays: decisions of each", player.decisions / plays, COUNT)
    yield Measure("random plays: decisions", player.decisions / seconds, RATE)
    yield from _shares(player, plays)
    yield from _sessions(Machine(program))


def _shares(player: Player, plays: int) -> Iterator[Measure]:
    """How the time that the machine and chance take is divided, all in one run; the clock's own time is taken off."""
    clock = best(lambda: [perf_counter() for _ in range(100_000)], 5) / 100_000
    spent: dict[str, float] = {}
    calls: dict[str, int] = {}
    for _ in range(plays):
        player.play_timed(spent, calls)
    own = {part: spent[part] - clock * calls[part] for part in spent}
    for part, seconds in own.items():
        yield Measure(f"random plays: share of {part}", seconds / sum(own.values()), COUNT)


def _sessions(machine: Machine) -> Iterator[Measure]:
    """Steps of a session, as a front end takes them: question, choice, history."""
    chance = Player(machine.program)
    steps = 0
    start = perf_counter()
    for _ in range(200):
        session, _ = Session.start(machine)
        assert session is not None
        while (asked := session.question) is not None:
            if asked.wants_number:
                session.apply(asked.low + chance.below(asked.high - asked.low + 1))
            else:
                session.apply(asked.choices[chance.below(len(asked.choices))])
        steps += len(session.history)
    yield Measure("session steps", steps / (perf_counter() - start), RATE)


# ---------------------------------------------------------------- sizes


def sizes() -> Iterator[Measure]:
    """How large the kernel of the campaign is."""
    program, _ = compile_book(tcu())
    assert program is not None
    yield Measure("kernel: variables", len(program.variables), COUNT)
    yield Measure("kernel: blocks", len(program.blocks), COUNT)
    yield Measure("kernel: assignments", sum(len(block.sets) for block in program.blocks), COUNT)
    yield Measure("kernel: branches", sum(isinstance(block.exit, Branch) for block in program.blocks), COUNT)
    yield Measure("kernel: questions", sum(isinstance(block.exit, Choose | Range) for block in program.blocks), COUNT)
    yield Measure("kernel: sections", len(program.sections), COUNT)

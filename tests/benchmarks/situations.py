"""What situations cost: steps of the engine, and each part of the proofs about a situation."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from benchmarks.measures import RATE, SECONDS, Measure, best
from plainchant.meaning.kernel import CAMPAIGN, Program, Stop
from plainchant.meaning.lower import compile_book
from plainchant.meaning.modules import shipped_books
from plainchant.play.chance import Chance
from plainchant.play.machine import Machine
from plainchant_proofs.checking import prove

STEPS = 4_000
"""Decisions of the random play whose speed is measured."""

PROVEN = ("flood", "keys", "explore", "bless_and_curse", "seal", "incursions")


def situations(runs: int) -> Iterator[Measure]:
    """Decisions a second in a chain of incursions and over a bag, and the time of each proof with its parts."""
    for name in ("incursions", "seal"):
        machine = Machine(_program(name))
        yield Measure(f"decisions of a random play of {name}", STEPS / best(lambda machine=machine: _wander(machine), runs), RATE)
    for name in PROVEN:
        program = _program(name)
        start = perf_counter()
        proof = prove(program, cache=False)
        yield Measure(f"prove {name}", perf_counter() - start, SECONDS)
        for part in ("induction", "solve", "explain"):
            yield Measure(f"  of these: {part}", proof.parts[part], SECONDS)


def _program(name: str) -> Program:
    program, diagnostics = compile_book(shipped_books()[name])
    assert program is not None, diagnostics
    return program


def _wander(machine: Machine) -> None:
    entrance = machine.program.entrance(CAMPAIGN)
    assert entrance is not None
    chance, state, block = Chance(1), machine.initial(entrance), entrance.block
    for _ in range(STEPS):
        rest = machine.run_fast(state, block)
        if isinstance(machine.program.blocks[rest].exit, Stop):
            state = machine.initial(entrance)
            rest = machine.run_fast(state, entrance.block)
        open_ = machine.options(state, rest)
        place, chance = chance.below(len(open_))
        block = machine.take(state, rest, open_[place])

"""Goals on several processes: each makes its own encoding and solver, decides its share, and sends back verdicts."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from plainchant.meaning.kernel import Program
from plainchant.play.machine import Machine
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Progress, Prover, Verdict, decide_goals


class Shares:
    """Goals under way elsewhere: ask for `verdicts` when they are needed."""

    def __init__(self, futures: Sequence[Future[list[Verdict]]], shares: Sequence[Sequence[Goal]]) -> None:
        self._futures = list(futures)
        self._shares = list(shares)

    def verdicts(self, progress: Progress) -> dict[Goal, Verdict]:
        """All verdicts, as soon as every process has sent its own."""
        total = sum(len(share) for share in self._shares)
        found: dict[Goal, Verdict] = {}
        place = {id(future): share for future, share in zip(self._futures, self._shares, strict=True)}
        for future in as_completed(self._futures):
            found.update(zip(place[id(future)], future.result(), strict=True))
            progress(len(found), total)
        ordered = [goal for share in zip_longest_flat(self._shares) for goal in share]
        return {goal: found[goal] for goal in ordered}


def zip_longest_flat(shares: Sequence[Sequence[Goal]]) -> Iterator[tuple[Goal, ...]]:
    """The goals in their first order, one of each share in turn."""
    for i in range(max((len(share) for share in shares), default=0)):
        yield tuple(share[i] for share in shares if i < len(share))


@contextmanager
def shared_out(program: Program, limits: Limits, goals: Sequence[Goal], jobs: int) -> Iterator[Shares]:
    """Start deciding goals on `jobs` processes, on no more than there are processors and goals. Whatever ends the block (Ctrl-C, say) stops them at once."""
    jobs = max(1, min(jobs, os.cpu_count() or 1, len(goals)))
    shares = [goals[i::jobs] for i in range(jobs)]
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield Shares([executor.submit(_decide, program, limits, share) for share in shares], shares)
    except BaseException:
        for process in (getattr(executor, "_processes", None) or {}).values():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _decide(program: Program, limits: Limits, goals: Sequence[Goal]) -> list[Verdict]:
    prover = Prover(program, Machine(program), limits, goals=goals)
    verdicts = decide_goals(prover, goals)
    return [verdicts[goal] for goal in goals]

"""Goals on several processes: each makes its own encoding and solver, decides its share, and sends back verdicts."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from plainchant.faces.progress import Progress
from plainchant.meaning.kernel import Program
from plainchant.play.machine import Machine
from plainchant_proofs.goals import Goal
from plainchant_proofs.prover import Limits, Prover, Verdict, decide_goals


class Shares:
    """Goals under way elsewhere: ask for `verdicts` when they are needed."""

    def __init__(self, goals: Sequence[Goal], shares: Mapping[Future[list[Verdict]], Sequence[Goal]]) -> None:
        self._goals = goals
        self._shares = shares

    def verdicts(self, progress: Progress) -> dict[Goal, Verdict]:
        """All verdicts in the order of the goals, as soon as every process has sent its own."""
        found: dict[Goal, Verdict] = {}
        for future in as_completed(self._shares):
            found.update(zip(self._shares[future], future.result(), strict=True))
            progress(len(found), len(self._goals))
        return {goal: found[goal] for goal in self._goals}


@contextmanager
def shared_out(program: Program, limits: Limits, goals: Sequence[Goal], jobs: int) -> Iterator[Shares]:
    """Start deciding goals on `jobs` processes, on no more than there are processors and goals. Whatever ends the block (Ctrl-C, say) stops them at once."""
    jobs = max(1, min(jobs, os.cpu_count() or 1, len(goals)))
    shares = [goals[i::jobs] for i in range(jobs)]
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_the_parent)
    try:
        yield Shares(goals, {executor.submit(_decide, program, limits, share): share for share in shares})
    except BaseException:
        for process in (getattr(executor, "_processes", None) or {}).values():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _end_with_the_parent() -> None:
    """Let a process that decides goals not live longer than the one that asks for them, however that ends."""
    parent = multiprocessing.parent_process()

    def ended() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=ended, daemon=True).start()


def _decide(program: Program, limits: Limits, goals: Sequence[Goal]) -> list[Verdict]:
    prover = Prover(program, Machine(program), limits, goals=goals)
    verdicts = decide_goals(prover, goals)
    return [verdicts[goal] for goal in goals]

"""Ctrl-C in the middle of a proof: it is never taken for a verdict, and never lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from plainchant.faces.progress import progress_of
from plainchant_proofs.smt import Solver


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """A runner in the background may have the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def _pigeons(holes: int) -> str:
    """More pigeons than holes: nothing is harder for a solver of Booleans."""
    at = [[f"p{pigeon}_{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    lines = [f"(declare-const {name} Bool)" for row in at for name in row]
    lines += [f"(assert (or {' '.join(row)}))" for row in at]
    lines += [f"(assert (not (and {one[h]} {other[h]})))" for h in range(holes) for i, one in enumerate(at) for other in at[:i]]
    return "\n".join(lines)


def test_an_interrupted_question_is_not_one_that_was_given_up() -> None:
    solver = Solver(_pigeons(12), 2_000_000_000)
    threading.Timer(0.5, _press).start()
    with pytest.raises(KeyboardInterrupt):
        solver.check([])


def test_an_interrupt_while_the_solver_works_beside_is_told_to_whoever_works() -> None:
    solver = Solver(_pigeons(12), 2_000_000_000)
    solver.begin()
    threading.Timer(0.5, _press).start()
    with pytest.raises(KeyboardInterrupt):
        _play_for_a_minute()


def _play_for_a_minute() -> None:
    began = time.monotonic()
    while time.monotonic() < began + 60:
        pass


def test_an_interrupt_is_told_to_whoever_waits_for_the_solver() -> None:
    solver = Solver(_pigeons(12), 2_000_000_000)
    solver.begin()
    threading.Timer(0.5, _press).start()
    with pytest.raises(KeyboardInterrupt):
        solver.check([])


class _Finalised:
    def __del__(self) -> None:
        _press()


def _work(*done: int) -> None:
    """Work of three questions; before the last of those that are told a finaliser runs."""
    with progress_of("counting") as told:
        for number in done[:-1]:
            told(number, 3)
        _Finalised()
        for number in done[-1:]:
            told(number, 3)
            pytest.fail("the work went on")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("done", [(1, 2), (2,), ()])
def test_an_interrupt_that_a_finaliser_swallows_still_ends_the_work(done: tuple[int, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        _work(*done)
    assert f"stopped: {max(done, default=0)} of {3 if done else 0} " in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _fails(pressed: bool) -> None:
    with progress_of("counting"):
        try:
            if pressed:
                _press()
        except KeyboardInterrupt:
            pass
        raise ValueError("what a library says")


def test_an_interrupt_that_a_library_makes_another_error_is_one_still() -> None:
    with pytest.raises(KeyboardInterrupt):
        _fails(pressed=True)
    with pytest.raises(ValueError, match="what a library says"):
        _fails(pressed=False)

"""Progress of long work, drawn on standard error where that is a terminal; an interrupted run says how far it came."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]
"""Is told how many of how many questions are decided."""


_SECONDS_BETWEEN = 0.1
"""Between two drawings of a bar."""


@contextmanager
def progress_of(work: str) -> Iterator[Progress]:
    """Show how far some work has come. Ctrl-C passes through, after a line about what was decided until then."""
    reached = [0, 0]
    try:
        with _interruptible() as pressed, _bar(work) as draw:

            def told(done: int, of: int) -> None:
                reached[:] = [done, of]
                draw(done, of)
                if pressed():
                    raise KeyboardInterrupt

            yield told
    except KeyboardInterrupt:
        print(f"stopped: {reached[0]} of {reached[1]} questions were decided; nothing is said about the others", file=sys.stderr)
        raise


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, also where Python drops the exception (in a finaliser) or a library turns it into another one."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    times: list[int] = []

    def press(number: int, _frame: object) -> None:
        times.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(times)
    except Exception:
        if not times:
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    if times:
        raise KeyboardInterrupt


@contextmanager
def _bar(work: str) -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # Drawn when there is something to tell, and not by a thread: a process that has one must not be copied.
    with Bars(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bars:
        task = bars.add_task(work, total=None)
        bars.refresh()
        drawn = time.monotonic()

        def draw(done: int, of: int) -> None:
            nonlocal drawn
            now = time.monotonic()
            bars.update(task, completed=done, total=of, refresh=done == of or now - drawn > _SECONDS_BETWEEN)
            drawn = now if now - drawn > _SECONDS_BETWEEN else drawn

        yield draw

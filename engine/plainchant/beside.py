"""Work beside: a second process that begins with all that this one knows, and answers questions while this one goes on."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Generic, NoReturn, TypeVar

Asked = TypeVar("Asked")
Told = TypeVar("Told")


_READER = "what is asked"
"""The name of the thread of a copy that reads what is asked. It holds nothing that a further copy could miss."""

_WAITER = "its end"
"""The same of the one that waits until a copy was cleared away, which takes the system as long as a hundred questions."""


def may_work_beside() -> bool:
    """Whether this process can be copied, and there is a processor for that.

    macOS must not copy a process that has loaded its own libraries, and nobody one whose threads may hold what the copy would wait for.
    """
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    if any(one.name not in (_READER, _WAITER) for one in threading.enumerate() if one is not threading.current_thread()):
        return False
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors > 1


class Beside(Generic[Asked, Told]):
    """What answers questions, beside or (if it may not, or when the other process was lost) here, when the answer is wanted."""

    def __init__(self, answer: Callable[[Asked], Told], *, here: bool) -> None:
        self._answer = answer
        self._open: list[Asked] = []
        self._other = None if here else _copied(answer)

    def post(self, question: Asked) -> None:
        """Ask; questions are answered in their order."""
        self._open.append(question)
        if self._other is not None:
            with contextlib.suppress(BrokenPipeError):  # then nothing will be answered there either
                self._other.send(question)

    def answer(self) -> Told:
        """The answer to the first question that is still open. What goes wrong beside is done again here, where it can be told."""
        question = self._open.pop(0)
        if self._other is not None:
            try:
                told: Told = self._other.receive()
                return told
            except (EOFError, pickle.UnpicklingError):
                self.close()
        return self._answer(question)

    def close(self) -> None:
        """End the other process; what was not answered yet is answered here."""
        if self._other is not None:
            self._other.end()
            self._other = None


@contextmanager
def beside(answer: Callable[[Asked], Told], *, here: bool = False) -> Iterator[Beside[Asked, Told]]:
    """Something beside that answers questions until the block ends, however that does."""
    one = Beside(answer, here=here or not may_work_beside())
    try:
        yield one
    finally:
        one.close()


def _copied(answer: Callable[[Asked], Told]) -> _Other | None:
    """Another process that answers; None if the system has no room for one more."""
    ends: list[int] = []
    try:
        ends += os.pipe()
        ends += os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads in general; `may_work_beside` has looked at ours
            number = os.fork()
    except OSError:
        for end in ends:
            os.close(end)
        return None
    there, to, back, from_there = ends
    if number == 0:
        os.close(to)
        os.close(back)
        _serve(answer, os.fdopen(there, "rb"), os.fdopen(from_there, "wb"))
    os.close(there)
    os.close(from_there)
    return _Other(number, os.fdopen(to, "wb"), os.fdopen(back, "rb"))


class _Other:
    """The other process, seen from this one: its number and two pipes."""

    def __init__(self, number: int, to: IO[bytes], back: IO[bytes]) -> None:
        self._number = number
        self._to = to
        self._back = back

    def send(self, question: object) -> None:
        """Raises BrokenPipeError if the process is gone."""
        pickle.dump(question, self._to)
        self._to.flush()

    def receive(self) -> Any:
        """Raises EOFError if the process is gone."""
        return pickle.load(self._back)  # noqa: S301 - our own copy wrote it

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # who ignores SIGCHLD has ended processes cleared away by the system
            os.kill(self._number, signal.SIGKILL)
        for pipe in (self._to, self._back):
            with contextlib.suppress(OSError):
                pipe.close()
        threading.Thread(target=self._wait, name=_WAITER, daemon=True).start()

    def _wait(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._number, 0)


def _serve(answer: Callable[[Asked], Told], questions: IO[bytes], answers: IO[bytes]) -> NoReturn:
    """Answer until the process that asks is gone. Nothing that this process has inherited (output, clean-ups) may be touched."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks is told of Ctrl-C, and ends this
        waiting = queue.SimpleQueue[Asked]()
        threading.Thread(target=_read, args=(questions, waiting), name=_READER, daemon=True).start()
        while True:
            pickle.dump(answer(waiting.get()), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
    finally:
        os._exit(1)


def _read(questions: IO[bytes], waiting: queue.SimpleQueue[Asked]) -> NoReturn:
    """Hand on what is asked, beside the work: so the end of the other process is noticed in the middle of it."""
    try:
        while True:
            waiting.put(pickle.load(questions))  # noqa: S301 - as above
    finally:
        os._exit(0)

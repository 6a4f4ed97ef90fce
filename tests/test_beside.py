"""Work beside: what is answered there is what would be answered here, and nothing is left behind however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books import machine
from plainchant import beside as module
from plainchant.beside import Beside, beside, may_work_beside
from plainchant_proofs.checking import prove
from proven import proof

forks = pytest.mark.skipif(not may_work_beside(), reason="this system cannot copy a process, or has one processor only")


def _where(_question: object) -> int:
    return os.getpid()


def _other(one: Beside[object, int]) -> int:
    """The number of the other process."""
    one.post(None)
    return one.answer()


def _gone(number: int) -> bool:
    """Whether a process has ended (and was cleared away, if it was one of ours)."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{number}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"


def _waited_until_gone(number: int) -> bool:
    for _ in range(200):
        if _gone(number):
            return True
        time.sleep(0.02)
    return False


@given(st.lists(st.integers() | st.text() | st.tuples(st.integers(), st.none()), max_size=6), st.booleans())
def test_questions_are_answered_in_their_order(questions: list[object], here: bool) -> None:
    with beside(lambda one: ("said", one), here=here) as one:
        for question in questions:
            one.post(question)
        assert [one.answer() for _ in questions] == [("said", question) for question in questions]


def test_here_means_in_this_process() -> None:
    with beside(_where, here=True) as one:
        one.post(None)
        assert one.answer() == os.getpid()


@forks
def test_beside_means_in_another_process_that_knows_what_this_one_does() -> None:
    known = object()
    with beside(lambda question: (os.getpid(), known is question, repr(known))) as one:
        one.post(None)
        number, _, shown = one.answer()
    assert number != os.getpid()
    assert shown == repr(known)


@forks
@pytest.mark.parametrize("after", ["nothing asked", "asked", "answered"])
def test_the_other_process_ends_with_the_block(after: str) -> None:
    with beside(_where) as one:
        assert one._other is not None
        number = one._other._number
        if after != "nothing asked":
            one.post(None)
        if after == "answered":
            one.answer()
    assert _waited_until_gone(number)


@forks
def test_the_other_process_ends_with_an_exception() -> None:
    numbers = []

    def interrupted() -> None:
        with beside(_where) as one:
            numbers.append(_other(one))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert _waited_until_gone(numbers[0])


@forks
def test_what_fails_beside_is_done_here_where_it_can_be_told() -> None:
    parent = os.getpid()

    def only_here(question: str) -> str:
        if os.getpid() != parent:
            raise ValueError("not here")
        return question.upper()

    with beside(only_here) as one:
        one.post("a")
        one.post("b")
        assert [one.answer(), one.answer()] == ["A", "B"]


@forks
def test_what_fails_here_as_well_is_told() -> None:
    def never(_question: object) -> int:
        raise ValueError("nowhere")

    with beside(never) as one, pytest.raises(ValueError, match="nowhere"):
        _other(one)


@forks
def test_a_process_that_was_killed_is_done_without() -> None:
    with beside(_where) as one:
        number = _other(one)
        os.kill(number, signal.SIGKILL)
        assert _waited_until_gone(number)
        one.post(None)
        assert one.answer() == os.getpid()


@forks
def test_an_answer_that_cannot_be_sent_is_given_here() -> None:
    with beside(lambda _: lambda: os.getpid()) as one:
        one.post(None)
        assert one.answer()() == os.getpid()


@forks
def test_the_other_process_leaves_the_output_alone(capfd: pytest.CaptureFixture[str]) -> None:
    """What was written and not flushed yet is in its memory as well, and must come once."""
    print("once", end="")
    with beside(_where) as one:
        _other(one)
    sys.stdout.flush()
    assert capfd.readouterr().out == "once"


@forks
def test_ctrl_c_is_for_the_process_that_asks() -> None:
    with beside(_where) as one:
        number = _other(one)
        os.kill(number, signal.SIGINT)
        one.post(None)
        assert one.answer() == number


@forks
def test_nobody_waits_until_another_process_was_cleared_away() -> None:
    """That takes the system a while; it is seen to all the same, and meanwhile further ones can be made."""
    numbers = []
    for _ in range(5):
        with beside(_where) as one:
            numbers.append(_other(one))
    assert len({*numbers, os.getpid()}) == 6, "each was another process"
    for number in numbers:
        for _ in range(200):
            try:
                os.kill(number, 0)
            except ProcessLookupError:
                break
            time.sleep(0.02)
        else:
            pytest.fail("an ended process was left behind")


@forks
def test_no_other_process_lives_longer_than_this_one(tmp_path: Path) -> None:
    """Also in the middle of its work, and also if this one had no chance to end it."""
    script = tmp_path / "lone.py"
    script.write_text(
        "import os, time\n"
        "from plainchant.beside import beside\n"
        "with beside(lambda q: os.getpid() if q else time.sleep(600)) as one, beside(lambda q: time.sleep(600)) as two:\n"
        "    one.post(True)\n"
        "    print(one.answer(), two._other._number, flush=True)\n"
        "    one.post(False)\n"
        "    two.post(False)\n"
        "    time.sleep(600)\n",
        encoding="utf-8",
    )
    path = os.pathsep.join(sys.path)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}) as lone:
        assert lone.stdout is not None
        numbers = [int(word) for word in lone.stdout.readline().split()]
        lone.kill()
        lone.wait()
        assert len(numbers) == 2
        assert all(_waited_until_gone(number) for number in numbers)


def test_where_there_is_one_processor_nothing_is_done_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.os, "sched_getaffinity", lambda _: {0}, raising=False)
    monkeypatch.setattr(module.os, "cpu_count", lambda: 1)
    assert not may_work_beside()
    with beside(_where) as one:
        one.post(None)
        assert one.answer() == os.getpid()


def test_where_a_process_cannot_be_copied_nothing_is_done_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(module.os, "fork", raising=False)
    assert not may_work_beside()


def test_a_proof_is_the_same_with_help_and_without() -> None:
    alone = prove(machine("tcu").program, cache=False, jobs=1)
    assert alone.findings == proof().findings
    assert [(c.name, c.verdict, c.because, c.witness) for c in alone.claims] == [
        (c.name, c.verdict, c.because, c.witness) for c in proof().claims
    ]  # fmt: skip
    assert alone.verdicts == proof().verdicts


@pytest.mark.parametrize("function", ["fork", "pipe"])
def test_where_the_system_has_no_room_nothing_is_done_beside(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> int:
        raise BlockingIOError("no more")

    before = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else set()
    monkeypatch.setattr(module, "may_work_beside", lambda: True)
    monkeypatch.setattr(module.os, function, full, raising=False)
    with beside(_where) as one:
        assert _other(one) == os.getpid()
    after = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else set()
    assert len(after) == len(before)


@forks
def test_who_ignores_ended_processes_may_work_beside() -> None:
    """The system clears them away then, and there is nobody left to end or to wait for."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with beside(_where) as one:
            number = _other(one)
            os.kill(number, signal.SIGKILL)
            assert _waited_until_gone(number)
            assert _other(one) == os.getpid()
    finally:
        signal.signal(signal.SIGCHLD, before)

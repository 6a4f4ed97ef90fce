"""A play on a real terminal, as people see it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import sys
from pathlib import Path

import pytest

from calls import BOOK


class Terminal:
    """A child process on a pseudo-terminal, driven as people do."""

    def __init__(self, *words: object, columns: int = 80) -> None:
        self.screen = ""
        self.seen = 0
        self.interrupted = False
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "PYTHONPATH": os.pathsep.join(sys.path)}
            environment.pop("NO_COLOR", None)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a runner in the background may have had it ignored
            os.execve(sys.executable, [sys.executable, "-m", "plainchant", *map(str, words)], environment)

    def send(self, line: str) -> None:
        os.write(self.fd, line.encode())

    def until(self, words: str) -> None:
        """Read until the words come, without the colours, after what was waited for before."""
        while (place := self._plain().find(words, self.seen)) < 0:
            assert self._read(), f"{words!r} never came; the screen shows {self.screen!r}"
        self.seen = place + len(words)

    def _read(self) -> bool:
        """Read what comes; false at the end, or if nothing comes for a long time."""
        for _ in range(12):
            if select.select([self.fd], [], [], 5)[0]:
                break
            if self.interrupted:  # Ctrl-C is lost between the prompt and the waiting for a key; people press it again
                self.send("\x03")
        else:
            os.kill(self.pid, signal.SIGKILL)
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux tells that the other side has closed the terminal
            return False
        self.screen += data.decode(errors="replace")
        return bool(data)

    def _plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.screen)

    def wait(self) -> int:
        """Read to the end; the exit status."""
        while self._read():
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_a_play_on_a_terminal_with_undo_log_bag_save_and_resume(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    terminal = Terminal("play", "tcu", "--save", saved)
    terminal.until("> ")
    assert "\x1b[" in terminal.screen
    terminal.send("Standard\n")
    terminal.until("How many investigators take part?")
    terminal.until("> ")
    terminal.send("bag\n")
    terminal.until("13 in all")
    terminal.until("> ")
    terminal.send("log\n")
    terminal.until("Penny White's profile")
    terminal.until("> ")
    terminal.send("1\n")
    terminal.until("Valentino Rivas")
    terminal.until("> ")
    terminal.send("undo\n")
    terminal.until("taken back")
    terminal.until("> ")
    terminal.send("\x04")
    assert terminal.wait() == 0
    assert "Saved to" in terminal.screen
    assert [step["choice"] for step in json.loads(saved.read_text(encoding="utf-8"))["steps"]] == ["Standard"]

    again = Terminal("play", "tcu", "--resume", saved)
    again.until("Resumed after 1 decision")
    again.until("> ")
    again.send("2\n")
    again.until("Decision of Investigator 1")
    again.until("> ")
    again.interrupted = True
    again.send("\x03")
    assert again.wait() == 0
    assert "was not saved" in again.screen


@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_after_a_script_the_people_go_on_at_a_terminal(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("undo\n", encoding="utf-8")
    terminal = Terminal("play", BOOK, "--script", script)
    terminal.until("Decision of the players")
    terminal.until("> ")
    terminal.send("Go home\n")
    terminal.until("The end")
    terminal.until("> ")
    terminal.send("quit\n")
    assert terminal.wait() == 0

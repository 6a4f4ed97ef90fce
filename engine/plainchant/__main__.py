"""The program as a process of its own: `plainchant`, or `python -m plainchant`."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import NoReturn

from plainchant.faces.command_line import main


def program() -> NoReturn:
    """Carry out the command that the process was called with, and end it."""
    # A book is hundreds of thousands of records that live to the end: to look for circular garbage among them finds little.
    gc.set_threshold(1_000_000, 50, 50)
    status = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()  # `main` has seen to it that there are both
    os._exit(status)  # to take the records apart one by one, only to end, would take a tenth of the time


if __name__ == "__main__":
    program()

"""Files are written whole or not at all: no reader ever sees half of one, and what stood there stays if writing fails."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write to a new file beside, then put it in the place of the old one (if that is a link, of what it leads to), with its permissions.

    Raises OSError if that cannot be done.
    """
    target = path.resolve()
    # Not tempfile: its files are closed to everybody else, and so would the written one be.
    new = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    try:
        with new.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            new.chmod(target.stat().st_mode)
        os.replace(new, target)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise

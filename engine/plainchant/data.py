"""Where the shipped grammar and rules lie: in the installed package, or in the checkout beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def data_folder(name: str) -> Path:
    """The folder `grammar`, `rules`, `docs` or `tests/bad`.

    Raises FileNotFoundError if neither the wheel's data nor a checkout is there.
    """
    here = Path(__file__).resolve().parent
    for candidate in (here / "_data" / name, here.parents[1] / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the shipped folder {name} is missing from this installation")

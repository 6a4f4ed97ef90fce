"""The solver's version as installed: part of every key of the store, looked up without loading the solver."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_NAME = "z3_solver"


def solver_version() -> str:
    """The version of z3-solver; “unknown” if it was not installed as a package.

    Read from the name of the folder that an installed package has beside it (PEP 376): importlib.metadata opens more than a whole run
    that finds its verdicts in the store takes to show them.
    """
    spec = find_spec("z3")
    beside = Path(spec.origin).parents[1] if spec is not None and spec.origin else None
    named = () if beside is None else sorted(beside.glob(f"{_NAME}-*.dist-info"))
    return named[-1].stem.removeprefix(f"{_NAME}-") if named else "unknown"

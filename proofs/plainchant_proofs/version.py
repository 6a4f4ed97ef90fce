"""The solver's version as installed: part of every key of the store, looked up without loading the solver."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def solver_version() -> str:
    """The version of z3-solver; “unknown” if it was not installed as a package."""
    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return "unknown"

"""Plainchant: rulebooks that run, and that are proven."""


def __getattr__(name: str) -> str:
    """`__version__`, looked up when it is asked for: reading the installed package's description takes longer than starting."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("plainchant")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0+unknown"

"""Plainchant: rulebooks that run, and that are proven."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("plainchant")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"

"""Plainchant: rulebooks that run, and that are proven."""

__version__ = "0.1.0"

"""Printed words as names: quotes, apostrophes, dashes, ellipses and letter case make no difference."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ALIKE = str.maketrans({"’": "'", "‘": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
                        "–": "-", "—": "-", "−": "-", "‑": "-", "‐": "-", "…": "..."})  # fmt: skip


@lru_cache(maxsize=1 << 16)
def plain(words: str) -> str:
    """The form in which printed words are compared."""
    text = unicodedata.normalize("NFC", words).translate(_ALIKE)
    return re.sub(r"\s+", " ", text).strip().casefold()


def identifier(words: str) -> str:
    """`Resolution 1` as `resolution_1`."""
    text = unicodedata.normalize("NFKD", words.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", text).strip("_") or "section"


def filled(template: str, values: dict[str, str]) -> str:
    """A printed template with `{person}` and `{short}` filled in."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match.group(1), match.group(0)), template)

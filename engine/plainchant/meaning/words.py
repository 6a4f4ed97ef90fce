"""Printed words as names: quotes, apostrophes, dashes, ellipses and letter case make no difference."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
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


def nearest_name(name: str, known: Sequence[str], most: int = 6) -> str:
    """`did you mean “…”?`, or what there is (no more than `most`)."""
    near = get_close_matches(name, known, 1, 0.6)
    if near:
        return f"did you mean “{near[0]}”?"
    few = sorted(known)[:most]
    return f"known are: {', '.join(few)}{' …' if len(known) > most else ''}" if few else "nothing of that sort is declared"

"""The samples of the diagnostic codes: files and calls that provoke them, each with the report that follows."""

from __future__ import annotations

from plainchant.data import data_folder
from plainchant.records import Frozen

_VISIBLE = {sign: 0x2400 + sign for sign in range(0x20) if chr(sign) not in "\t\n\r"} | {0x7F: 0x2421}
"""Control characters are shown by their pictures (␀ and so on), on pages as well as on terminals."""


class Sample(Frozen):
    """What provokes a code, and the report of it, line by line."""

    name: str
    text: tuple[str, ...]
    report: tuple[str, ...]


def sample_of(code: str) -> Sample | None:
    """The first sample of a code; None for the codes that no file and no call can provoke at will."""
    folder = data_folder("tests/bad")
    for path in sorted(folder.glob(f"{code}_*")):
        if path.suffix in (".rules", ".call"):
            text = path.read_bytes().decode("utf-8", "replace").translate(_VISIBLE).splitlines()
            text = [f"plainchant {line}" for line in text] if path.suffix == ".call" else text
            report = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
            return Sample(path.name, tuple(text), tuple(report))
    return None

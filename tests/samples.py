"""The samples of bad rules and calls, and the transcript that a call leaves."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

BAD = Path(__file__).parent / "bad"


def samples() -> list[Path]:
    """Each file or call that provokes a code."""
    return sorted(path for path in BAD.iterdir() if path.suffix in (".rules", ".call"))


def proven(sample: Path) -> bool:
    """Whether the sample's code is one of the prover's."""
    return sample.name.startswith("PC7")


def words_of(sample: Path) -> list[str]:
    """The words of the call that provokes the sample's code, from within the folder of samples; the prover is asked for its own codes only."""
    if sample.suffix == ".rules":
        return ["check", sample.name] if proven(sample) else ["check", "--no-prove", sample.name]
    return shlex.split(sample.read_text(encoding="utf-8"))


def run(words: list[str], folder: Path = BAD, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call the command line in a process of its own, without a terminal."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "PLAINCHANT_TRACEBACK")}
    return subprocess.run(
        [sys.executable, "-m", "plainchant", *words], cwd=folder, env={**kept, **environment}, capture_output=True, text=True, check=False,
        encoding="utf-8", stdin=subprocess.DEVNULL,
    )  # fmt: skip

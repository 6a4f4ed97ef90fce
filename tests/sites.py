"""The site as a reader gets it, built once for all tests that look at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).parents[1]


@cache
def whole_site() -> Path:
    """The whole site, as `plainchant site` and `mkdocs build` make it in a folder that was empty."""
    folder = Path(mkdtemp(prefix="plainchant-site-"))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    run("plainchant", "site", folder=folder)
    run("mkdocs", "build", "--quiet", "--strict", folder=folder)
    return folder / "site"


def run(module: str, *words: str, folder: Path, status: int = 0) -> str:
    """Call a program in a folder; what it says on both outputs."""
    done = subprocess.run(
        [sys.executable, "-m", module, *words], cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8",
        stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "engine"), str(ROOT / "proofs")])},
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def small_config(folder: Path) -> None:
    """A configuration for a site of somebody's own book, as the how-to page shows it."""
    (folder / "mkdocs.yml").write_text(own_config(), encoding="utf-8")


def own_config() -> str:
    """The configuration that the page on making a site shows."""
    page = (ROOT / "docs" / "how-to" / "make-the-site.md").read_text(encoding="utf-8")
    return page.partition("```yaml\n")[2].partition("```")[0]

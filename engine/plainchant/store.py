"""A store of results in the user's cache folder: what was worked out for the same content by the same code is not worked out again.

Entries are written whole or not at all (two runs may share the store, and one may be killed); what cannot be read counts as absent.
PLAINCHANT_CACHE=off turns it off, PLAINCHANT_CACHE=FOLDER puts it elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from plainchant.files import write_whole


def store_folder() -> Path | None:
    """Where results are kept; None if nothing is to be kept, or there is no place for it."""
    wanted = os.environ.get("PLAINCHANT_CACHE", "")
    if wanted.lower() in ("off", "no", "0"):
        return None
    if wanted:
        folder = Path(wanted)
    else:
        from platformdirs import user_cache_path

        folder = user_cache_path("plainchant", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


@cache
def code_digest(*packages: str) -> str:
    """A digest of the source of these packages (and of the grammar), so that other code never reads what this code wrote."""
    from importlib.util import find_spec

    from plainchant.data import data_folder

    digest = hashlib.sha256()
    for package in packages:
        spec = find_spec(package)
        roots = spec.submodule_search_locations if spec is not None else None
        for root in roots or ():
            for path in sorted(Path(root).rglob("*.py")):
                digest.update(path.read_bytes())
    digest.update((data_folder("grammar") / "rules.lark").read_bytes())
    return digest.hexdigest()


def key_of(*pieces: str | bytes) -> str:
    """The name of an entry, from everything that it depends on."""
    digest = hashlib.sha256()
    for piece in pieces:
        data = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]


def kept(kind: str, key: str) -> Any:
    """What was kept under a key; None if there is nothing (or nothing that can be read)."""
    folder = store_folder()
    if folder is None:
        return None
    try:
        data = (folder / f"{kind}-{key}.pickle").read_bytes()
        return pickle.loads(data)  # noqa: S301 - our own folder, like the grammar's tables beside it
    except Exception:
        return None  # absent, cut off, or written by something else: all the same to the caller


def keep(kind: str, key: str, value: object, most: int = 64) -> None:
    """Keep a value; older entries of its kind beyond `most` are dropped. Failing to keep it is no failure."""
    if store_folder() is not None:
        with contextlib.suppress(pickle.PicklingError):
            keep_written(kind, key, written(value), most)


def keep_written(kind: str, key: str, data: bytes, most: int = 64) -> None:
    """The same for what was written already."""
    folder = store_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        write_whole(folder / f"{kind}-{key}.pickle", data)
        _drop(sorted(folder.glob(f"{kind}-*.pickle"), key=_age)[:-most])


def written(value: object) -> bytes:
    """A value as the store writes it; `pickle.loads` reads it."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _drop(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()

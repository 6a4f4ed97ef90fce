"""Works out the parser's tables when plainchant is built or installed, so that no run has to (a hook of hatchling)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildTables(BuildHookInterface):
    """Writes the tables beside the grammar, from where a checkout reads them and a wheel ships them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        sys.path.insert(0, str(Path(self.root) / "engine"))
        from plainchant.text.parser import TABLES_SUFFIX, worked_out, write_tables

        folder = Path(self.root) / "grammar"
        new = write_tables(worked_out(), folder)
        for old in folder.glob(f"*{TABLES_SUFFIX}"):
            if old != new:
                old.unlink()

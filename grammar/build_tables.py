"""Works out ahead what no run should have to, when plainchant is built or installed: the parser's tables, byte code (a hook of hatchling)."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildTables(BuildHookInterface):
    """Writes the tables beside the grammar, from where a checkout reads them and a wheel ships them.

    They only save time, so a checkout that cannot be written to goes without. Those that fit are kept: Lark numbers its states by where
    they lie in memory, and a second build need not differ from the first. Byte code is made of a checkout that is installed as editable;
    of all else pip makes it.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del build_data
        sys.path.insert(0, str(Path(self.root) / "engine"))
        from plainchant.text.parser import TABLES_SUFFIX, tables_name, worked_out, write_tables

        folder = Path(self.root) / "grammar"
        fitting = folder / tables_name()
        try:
            if not fitting.exists():
                write_tables(worked_out(), folder)
            for old in set(folder.glob(f"*{TABLES_SUFFIX}")) - {fitting}:
                old.unlink()
            if version == "editable":
                for package in self.build_config.packages:
                    compileall.compile_dir(Path(self.root) / package, quiet=2)
        except OSError as error:
            self.app.display_warning(f"the parser's tables are not shipped: {error}")

"""A plugin for MkDocs: its template shows the book beside each page, and a build ends with an error if a link, anchor or page is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

from plainchant.faces.site.crawl import faults_of, told

_HERE = Path(__file__).parent


class SitePlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Adds the template, and looks at the whole site once it is built."""

    def on_config(self, config: Any) -> Any:
        """Puts our template before that of the theme. Raises PluginError if the pages were not written."""
        manifest = Path(config["docs_dir"]) / "site.json"
        if not manifest.is_file():
            raise PluginError(f"there are no pages in {config['docs_dir']}; run `plainchant site` first")
        self.books = json.loads(manifest.read_text(encoding="utf-8"))["books"]
        config["theme"].dirs.insert(0, str(_HERE / "theme"))
        return config

    def on_env(self, env: Any, **_: Any) -> Any:
        """What the template shows of the books."""
        env.globals["books"] = self.books
        return env

    def on_page_content(self, html: str, **_: Any) -> str:
        """Blocks of code can be scrolled with the keyboard."""
        return html.replace("<pre>", '<pre tabindex="0">')

    def on_post_page(self, output: str, **_: Any) -> str:
        """The bar at the top is a landmark, which the theme's template does not say."""
        return output.replace('<div class="navbar fixed-top', '<div role="banner" class="navbar fixed-top', 1)

    def on_post_build(self, *, config: Any) -> None:
        """Raises PluginError with all faults."""
        faults = faults_of(Path(config["site_dir"]))
        if faults:
            raise PluginError(f"{len(faults)} faults of the site:\n{told(faults)}")

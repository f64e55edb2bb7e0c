"""Hooks of the docs site (mkdocs.yml): links into the code, and warnings that fail a strict build.

Pages link to files of the checkout, such as `../messages/`. The site holds only docs/, so there
such a link becomes the path as code. Warned of are paths that do not exist, lists and tables that
the site's Markdown does not read as such (a forge's does), and requests to other servers.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_log = logging.getLogger("mkdocs.plugins.touchstone")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)(?:#[^)]*)?\)")
_LOADED = re.compile(
    r"<(?:script|img|iframe|link(?=[^>]*rel=.?(?:stylesheet|preconnect|icon)))\b"
    r"[^>]*?(?:src|href)=[\"']?((?:https?:)?//[^\"'>\s]+)"
)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Replace links that lead out of docs/ by the paths they name."""
    return code_links_as_paths(markdown, page.file.src_uri)


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """Warn of lists and tables that stayed text."""
    for line in unread_blocks(html):
        _log.warning("%s: no list or table: %s", page.file.src_uri, line)
    return html


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Warn of everything that a page would load from another server."""
    for address in external_resources(output):
        _log.warning("%s loads %s", page.file.src_uri, address)
    return output


def code_links_as_paths(markdown: str, source: str) -> str:
    """Return a page with `[text](../path)` as `path` in code type where path is outside docs/."""

    folder = posixpath.dirname(source)

    def replaced(link: re.Match[str]) -> str:
        """Return a link to code as a path."""
        text, target = link[1], link[2]
        if target.count("../") <= len(folder.split("/")) - (not folder):
            return link[0]
        path = posixpath.normpath(posixpath.join("docs", folder, target))
        if not (ROOT / path).exists():
            _log.warning("%s links to %s, which does not exist", source, path)
        shown = path + "/" * target.endswith("/")
        named = text.strip("`").rstrip("/") in shown
        return f"`{shown}`" if named else f"{text} (`{shown}`)"

    return _LINK.sub(replaced, markdown)


def unread_blocks(html: str) -> list[str]:
    """Return the lines of a page's text that still begin as Markdown's lists and tables do."""
    text = re.sub(r"<pre.*?</pre>", "", html, flags=re.DOTALL)
    return re.findall(r"^(?:<p>)?((?:[*-]|\d+\.|\|) .*)$", text, re.MULTILINE)


def external_resources(html: str) -> list[str]:
    """Return the addresses on other servers that a browser would load for a page."""
    return _LOADED.findall(html)

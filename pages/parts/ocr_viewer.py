"""The viewer of pages of images: the image, its text block by block, and what was changed in it."""

from __future__ import annotations

SCRIPTS = (
    "icons",
    "texts",
    "grid",
    "blocks",
    "diff",
    "field",
    "formula",
    "image",
    "region",
    "table",
    "card",
    "editor",
    "again",
    "keys",
    "viewer",
    "mount",
)
STYLES = ("panes", "text", "table")

"""The viewer of pages of images: the image, its text block by block, and what was changed in it."""

from __future__ import annotations

from pages.task.viewer import FORM_SCRIPTS, Viewer

_SCRIPTS = (
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
_STYLES = ("panes", "text", "table")

OCR = Viewer(
    name="ocr",
    scripts=(*FORM_SCRIPTS, *(f"ocr/frontend/{name}" for name in _SCRIPTS)),
    styles=tuple(f"ocr/frontend/{name}" for name in _STYLES),
)

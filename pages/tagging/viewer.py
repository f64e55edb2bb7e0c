"""The viewer of factor tagging: the judgment with its evidence, and what is asked of it."""

from __future__ import annotations

from pages.task.viewer import FORM_SCRIPTS, Viewer

RULES = tuple(
    f"tagging/frontend/{name}"
    for name in ("offsets", "marks", "search", "sentences", "digits", "asked", "answer")
)
_SCRIPTS = (
    "selection",
    "finder",
    "pointing",
    "judgment",
    "proofs",
    "suggested",
    "card",
    "factors",
    "keys",
    "hand",
    "viewer",
    "mount",
)

TAGGING = Viewer(
    name="tagging",
    scripts=(*FORM_SCRIPTS, *RULES, *(f"tagging/frontend/{name}" for name in _SCRIPTS)),
    styles=tuple(f"tagging/frontend/{name}" for name in ("tagging", "card", "factors")),
)

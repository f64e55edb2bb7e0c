"""Viewer of citation mapping: question, answer, candidates and decisions."""

from __future__ import annotations

from pages.shell.bundle import GRAPH_SCRIPTS, GRAPH_STYLE, STATUTE_TEXT
from pages.task.viewer import SEARCH, Viewer

_SCRIPTS = (
    "answer",
    "card",
    "trail",
    "graph",
    "keys",
    "saying",
    "viewer",
    "mount",
)
_STYLES = ("panes", "answer", "cards")

MAPPING = Viewer(
    name="mapping",
    scripts=(
        *GRAPH_SCRIPTS,
        STATUTE_TEXT,
        SEARCH,
        *(f"mapping/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*(f"mapping/frontend/{name}" for name in _STYLES), SEARCH, GRAPH_STYLE),
)

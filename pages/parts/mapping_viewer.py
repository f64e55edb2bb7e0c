"""The viewer of citation mapping: answer, candidates and all that is decided on them."""

from __future__ import annotations

from pages.parts.frame_viewer import Viewer
from pages.parts.graph_files import GRAPH_SCRIPTS, GRAPH_STYLE

_SCRIPTS = (
    "text",
    "answer",
    "card",
    "trail",
    "search",
    "graph",
    "discuss",
    "keys",
    "saying",
    "viewer",
    "mount",
)
_STYLES = ("panes", "answer", "cards", "search", "discuss")

MAPPING = Viewer(
    name="mapping",
    scripts=(*GRAPH_SCRIPTS, *(f"mapping/{name}" for name in _SCRIPTS)),
    styles=(*(f"mapping/{name}" for name in _STYLES), GRAPH_STYLE),
)

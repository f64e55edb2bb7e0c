"""Front-end scripts and styles shared by several components, such as the graph."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).parents[1]  # pages/
GRAPH_SCRIPTS = tuple(
    f"law/frontend/graph/{name}" for name in ("shapes", "layout", "stage", "panel")
)
GRAPH_STYLE = "law/frontend/graph/graph"
ELEMENTS = "shell/frontend/elements"
THEME = "shell/frontend/theme"  # before the styles of a part
MOUNT = "task/frontend/mount"  # the entries of front-end parts
KEY_SCRIPTS = ("shell/frontend/keymap", "shell/frontend/keycaps")  # the one map of keys
STATUTE_TEXT = "shell/frontend/statute_text"
OFFSETS = "tagging/frontend/offsets"  # places in a text, as the server counts and as browsers do
DIFF = "shell/frontend/diff"  # what became of a text, after ELEMENTS
FOLD_SCRIPTS = ("shell/frontend/blocks", "shell/frontend/fold")  # after ELEMENTS
FOLD_STYLE = "shell/frontend/fold"


def joined(names: tuple[str, ...], suffix: str) -> str:
    """Return the concatenated files ``pages/<name>.<suffix>``."""
    files = (_ROOT / f"{name}.{suffix}" for name in names)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)

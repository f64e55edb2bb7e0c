"""The scripts and styles that several front-end parts join to their own: the graph, and folds."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
GRAPH_SCRIPTS = ("graph/shapes", "graph/layout", "graph/stage", "graph/panel")
GRAPH_STYLE = "graph/graph"
FOLD_SCRIPTS = ("frame/blocks", "frame/fold")  # after "frame/elements"
FOLD_STYLE = "frame/fold"


def joined(names: tuple[str, ...], suffix: str) -> str:
    """Return the files of that name beside this module, one after the other."""
    files = (_HERE / f"{name}.{suffix}" for name in names)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)

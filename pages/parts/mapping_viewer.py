"""The mapping viewer: answer, candidates and everything done on them, as one front-end part.

The part's scripts and styles are small files without imports that are joined here, in an order in
which each uses only what stands before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.parts.graph_files import GRAPH_SCRIPTS, GRAPH_STYLE, joined

KEY = "mapping-viewer"
RERUN_KEY = "mapping-rerun"
_FOLDER = Path(__file__).parent / "mapping"
_SCRIPTS = (
    "elements",
    "address",
    "outbox",
    "text",
    "answer",
    "card",
    "trail",
    "dialogs",
    "search",
    "notes",
    "graph",
    "head",
    "finished",
    "keyboard",
    "viewer",
    "mount",
)
_STYLES = ("frame", "answer", "cards", "dialogs")


def mount(data: dict[str, Any], on_acts: Callable[[], None]) -> None:
    """Show the viewer; `on_acts` is called before the rerun in which :func:`sent` has acts."""
    _component()(key=KEY, data={**data, "rerun": RERUN_KEY}, on_acts_change=on_acts)


def rerun_button(label: str) -> None:
    """Place the hidden button by which the viewer asks for a run of the whole page.

    What the viewer sends runs a fragment, of which a server that was restarted knows nothing
    until the page has run once. Draw it outside the viewer's fragment.
    """
    st.html(f"<style>.st-key-{RERUN_KEY} {{ display: none; }}</style>")
    st.button(label, key=RERUN_KEY)


def sent() -> Any:
    """Return what the browser sent in this run, or None. It is the browser's word: check it."""
    return (st.session_state.get(KEY) or {}).get("acts")


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "touchstone_mapping_viewer",
        css=_joined(_STYLES, "css") + joined((GRAPH_STYLE,), "css"),
        js=_joined(_SCRIPTS, "js") + joined(GRAPH_SCRIPTS, "js"),
    )


def _joined(names: tuple[str, ...], suffix: str) -> str:
    files = (_FOLDER / f"{name}.{suffix}" for name in names)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)

"""Front-end component of a task's viewer: the common frame plus the task's own files.

A component's scripts and styles are small files without imports that are joined here, in an order
in which each uses only what precedes it: the frame's, then the task's. The end of
``task/frontend/frame.js`` lists what a task may define.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.shell.bundle import ELEMENTS, FOLD_SCRIPTS, FOLD_STYLE, KEY_SCRIPTS, THEME, joined

RERUN_KEY = "viewer-rerun"
_SCRIPTS = (
    "address",
    "unsent_text",
    "outbox",
    "missed",
    "dialogs",
    "guide",
    "thread",
    "confidence",
    "typed",
    "notes",
    "head",
    "finished",
    "take_back",
    "discuss",
    "saying",
    "conflict",
    "keyboard",
    "roving",
    "more",
    "frame",
    "mount",
)
_STYLES = ("frame", "missed", "more", "dialogs", "thread", "guide", "discuss")
FRAME_SCRIPTS = (
    ELEMENTS,
    *KEY_SCRIPTS,
    *FOLD_SCRIPTS,
    *(f"task/frontend/{name}" for name in _SCRIPTS),
)
FORM_SCRIPTS = ("task/frontend/form",)  # before the files of a task with a form
ASK_SCRIPT = "task/frontend/ask"  # questions of a step, answered by digits
SEARCH = "task/frontend/search"  # the search box for provisions: script and style
STEP_STYLES = ("task/frontend/beside", "task/frontend/steps")  # statutes beside steps of questions
FRAME_STYLES = (THEME, *(f"task/frontend/{name}" for name in _STYLES), FOLD_STYLE)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A task's viewer: its name, and the task's own files (under `pages/`)."""

    name: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]

    @property
    def key(self) -> str:
        """Session key of its state."""
        return f"{self.name}-viewer"

    def mount(self, data: dict[str, Any], on_acts: Callable[[], None]) -> None:
        """Draw it; `on_acts` is called before the rerun in which :meth:`sent` has acts."""
        told = {**data, "rerun": RERUN_KEY, "screen": self.name}
        _component(self)(key=self.key, data=told, on_acts_change=on_acts)

    def sent(self) -> Any:
        """Return the browser's acts in this run, or None. Untrusted: check them."""
        return (st.session_state.get(self.key) or {}).get("acts")


def rerun_button(label: str) -> None:
    """Draw the hidden button by which the viewer requests a run of the whole page.

    What the viewer sends reruns a fragment, which a restarted server does not know until the page
    has run once. Draw it outside the viewer's fragment.
    """
    st.html(f"<style>.st-key-{RERUN_KEY} {{ display: none; }}</style>")
    st.button(label, key=RERUN_KEY)


@cache
def _component(viewer: Viewer) -> ComponentRenderer:
    """Register the component of a viewer."""
    return st.components.v2.component(
        f"touchstone_{viewer.name}_viewer",
        css=joined(FRAME_STYLES + viewer.styles, "css"),
        js=joined(FRAME_SCRIPTS + viewer.scripts, "js"),
    )

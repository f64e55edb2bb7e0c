"""Keyboard of the adjudication screen, in the style of the tasks' viewer."""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from annotation.forms.disputes import Dispute
from pages.shell import draft_state
from pages.shell.bundle import ELEMENTS, KEY_SCRIPTS, THEME, joined
from pages.shell.context import Context
from pages.shell.navigation import own
from pages.task.documents import judged_part
from pages.task.viewer import ui_words
from storage.tasks import Task

_SCRIPTS = (
    *(ELEMENTS, *KEY_SCRIPTS),
    *(f"task/frontend/{name}" for name in ("mount", "unsent_text", "dialogs", "guide", "keyboard")),
    *(f"adjudication/frontend/{name}" for name in ("case_words", "guide", "keys")),
)
_STYLES = (
    THEME,
    *(f"task/frontend/{name}" for name in ("frame", "dialogs", "guide")),
    "adjudication/frontend/keys",
)
WORDS = (
    *("part_next", "part_previous", "accept", "reject", "correct", "incorrect", "take", "option"),
    "option_back",
    *("none", "text", "agreed", "find", "reason", "undo", "withdraw", "decide", "send_back"),
    *("next", "previous", "back", "guideline", "guideline_find"),
    *("help", "escape"),
)
_FRAME_WORDS = (
    *("keys", "keys_title", "keys_change", "close"),
    *("guideline", "guide_find", "guide_find_short", "guide_none", "codebook", "guideline_version"),
)
_STYLE = """<style>
[data-focused] { outline: 3px solid var(--case-accent); outline-offset: 3px; border-radius: 6px; }
.stTextArea [data-testid="InputInstructions"] { display: none; } /* here Ctrl+Enter decides */
[class*="st-key-part-differs-"] { border-left: 4px solid var(--case-doubt); }
.stColumn:has(.st-key-case-beside) { position: sticky; top: 3.75rem; align-self: flex-start;
  max-height: calc(100vh - 14rem); overflow-y: auto; }
@media (max-width: 640px), (max-height: 500px) {
  .stColumn:has(.st-key-case-beside) { position: static; max-height: none; }
}
html[data-case-guide] [data-testid="stMain"] { padding-right: clamp(280px, 24vw, 400px); }
@media (max-width: 1180px) {
  html[data-case-guide] [data-testid="stMain"] { padding-right: 0; padding-bottom: 34vh; }
}
</style>"""


def draw_keys(context: Context, task: Task, entry: Dispute | None) -> None:
    """Mount the keyboard component, with the guideline that the case was judged under.

    What is typed on a case is kept in the browser tab until the case is forgotten.
    """
    words = {name: context.say(f"adjudication.key.{name}") for name in WORDS}
    words |= {
        name: context.say(f"adjudication.{name}") for name in ("withdraw_nothing", "discussion")
    }
    frame = ui_words("", context.language)
    st.html(_STYLE)
    _component()(
        key="case-keys",
        width="content",
        data={
            "task": task,
            "words": words | {name: frame[name] for name in _FRAME_WORDS},
            "guideline": judged_part(context, task, entry),
            "keys": own(context),
            "dropped": draft_state.forgotten(),
        },
    )


@cache
def _component() -> ComponentRenderer:
    """Register the component that handles the keys of the screen."""
    return st.components.v2.component(
        "touchstone_case_keys", css=joined(_STYLES, "css"), js=joined(_SCRIPTS, "js")
    )

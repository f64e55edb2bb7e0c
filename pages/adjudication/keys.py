"""The keyboard of the adjudication screen, in the look and the letters of the tasks' frame."""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.shell import draft_state
from pages.shell.bundle import ELEMENTS, KEY_SCRIPTS, joined
from pages.shell.context import Context
from pages.shell.keymap import own
from storage.tasks import Task

_SCRIPTS = (
    *(ELEMENTS, *KEY_SCRIPTS),
    *(f"task/frontend/{name}" for name in ("mount", "unsent_text", "dialogs", "keyboard")),
    *(f"adjudication/frontend/{name}" for name in ("case_words", "keys")),
)
_STYLES = ("task/frontend/frame", "task/frontend/dialogs", "adjudication/frontend/keys")
WORDS = (
    *("part_next", "part_previous", "accept", "reject", "correct", "incorrect", "take", "option"),
    "option_back",
    *("none", "text", "agreed", "find", "reason", "undo", "withdraw", "decide", "send_back"),
    *("next", "previous", "back", "help", "escape"),
)
_STYLE = """<style>
[data-focused] { outline: 3px solid var(--case-accent); outline-offset: 3px; border-radius: 6px; }
[class*="st-key-part-differs-"] { border-left: 4px solid var(--case-doubt); }
</style>"""


def draw_keys(context: Context, task: Task | None) -> None:
    """Draw the button that tells the keys, which do what they say from then on.

    What is typed on a case is kept in the tab until the case is forgotten.
    """
    words = {name: context.say(f"adjudication.key.{name}") for name in WORDS}
    named = {
        name: context.say(f"frame.ui.{name}")
        for name in ("keys", "keys_title", "keys_change", "close")
    }
    st.html(_STYLE)
    _component()(
        key="case-keys",
        width="content",
        data={
            "task": task,
            "words": words | named,
            "keys": own(context),
            "dropped": draft_state.forgotten(),
        },
    )


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "touchstone_case_keys", css=joined(_STYLES, "css"), js=joined(_SCRIPTS, "js")
    )

"""The keys of the adjudication screen, told on demand."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context

_KEYS = {
    "Ctrl+Enter": "decide",
    "Ctrl+B": "send_back",
    "1 … 9": "take",
    "n": "next",
    "p": "previous",
    "?": "help",
}


def draw_keys(context: Context) -> None:
    """Draw the button, which `?` presses too (`pages.shell.navigation`)."""
    if st.button("?", key="keys-help", help=context.say("frame.ui.keys_title")):
        _shown(context)


def _shown(context: Context) -> None:
    @st.dialog(context.say("frame.ui.keys_title"))
    def listed() -> None:
        rows = (f"| `{key}` | {context.say(f'adjudication.key.{n}')} |" for key, n in _KEYS.items())
        st.markdown("\n".join(["| | |", "|---|---|", *rows]))

    listed()

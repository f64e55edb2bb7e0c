"""What the statistics are: the document of the methods, to read beside the figures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shell.context import Context

DOCUMENT = Path(__file__).parents[2] / "docs" / "agreement.md"


def draw_methods(context: Context) -> None:
    """Draw a button that opens the document."""
    title = context.say("agreement.more.methods")
    if st.button(title, icon=":material/menu_book:", key="agreement-methods"):
        _open(context)


def _open(context: Context) -> None:
    @st.dialog(context.say("agreement.more.methods"), width="large")
    def document() -> None:
        st.caption(context.say("agreement.more.methods_language"))
        # The first line is the title, which the dialog has.
        st.markdown(DOCUMENT.read_text("utf-8").partition("\n")[2])

    document()

"""Standard groups: which court cases belong together by charge and provision."""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.case_groups"), anchor=False)

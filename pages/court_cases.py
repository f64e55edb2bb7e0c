"""Court cases: bring them in, find them, read them."""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.court_cases"), anchor=False)

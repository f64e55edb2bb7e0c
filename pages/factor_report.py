"""Factor report: how well the people agree on each sub-factor, and with models."""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.factor_report"), anchor=False)

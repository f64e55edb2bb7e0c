"""The codebook of factors: what is asked of court cases."""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.factor_codebook"), anchor=False)

"""Stricter groups: which court cases are alike in their factors, too."""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.stricter_groups"), anchor=False)

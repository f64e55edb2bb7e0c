"""Factor tagging: which options of each sub-factor hold in the court case?"""

from __future__ import annotations

import streamlit as st

from pages.context import Context


def render(context: Context) -> None:
    """Draw the page."""
    st.title(context.say("app.pages.factor_tagging"), anchor=False)

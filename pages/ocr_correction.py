"""The screen of ocr correction."""

from __future__ import annotations

import streamlit as st

from annotation.roles import Act
from pages.context import Context
from pages.parts.only_for import allowed


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.ocr_correction"), anchor=False)
    allowed(context, Act.ANNOTATE)

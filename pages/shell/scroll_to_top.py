"""Back to the top of the page when it goes on to something else.

Streamlit leaves the page scrolled as it was, so the next case would begin below its question.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def to_top(shown: str) -> None:
    """Scroll to the top of the page in a run where `shown` differs from the run before."""
    _component()(key="to-top", data={"shown": shown}, height=1)


@cache
def _component() -> ComponentRenderer:
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    return st.components.v2.component("touchstone_to_top", html="<span></span>", js=script)

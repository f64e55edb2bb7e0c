"""What draws LaTeX formulas in the browser, placed on a page once for all that show formulas.

KaTeX is a quarter of a megabyte and goes along with every drawing of the part that holds it, so it
is a part of its own: draw it outside of any fragment. It makes MathML, which browsers draw
themselves, and builds it node by node: nothing of a formula is read as HTML.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_VENDOR = Path(__file__).parent / "vendor"
_KEY = "formulas"
_ENTRY = """
window.dispatchEvent(new Event("touchstone-formulas"));
export default () => {};
"""


def place_formulas() -> None:
    """Let the page draw formulas from now on; nothing shows where it is placed."""
    st.html(f"<style>.st-key-{_KEY} {{ display: none; }}</style>")
    with st.container(key=_KEY):
        _component()(key=f"{_KEY}-maker")


def script() -> str:
    """Return the script, which is KaTeX as its authors publish it."""
    return (_VENDOR / "katex.min.js").read_text(encoding="utf-8")


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("touchstone_formulas", js=script() + _ENTRY)

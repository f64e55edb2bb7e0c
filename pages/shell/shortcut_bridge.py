"""Ctrl+Enter from within a choice.

A choice that has the focus keeps Enter to itself, Ctrl+Enter with it, so that who has just chosen
would press a button's shortcut in vain: a radio button does nothing, a pill is taken back.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def keys_through() -> None:
    """Let Ctrl+Enter reach the page's shortcuts while a choice has the focus."""
    _component()(key="keys-through", height=1)


@cache
def _component() -> ComponentRenderer:
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    return st.components.v2.component("touchstone_keys_through", html="<span></span>", js=script)

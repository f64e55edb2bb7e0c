"""The front-end parts of the Corpus screen: the statute tree and the view of one unit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.shell.bundle import ELEMENTS, FOLD_SCRIPTS, FOLD_STYLE, STATUTE_TEXT, joined

_SHARED = (ELEMENTS, "law/frontend/graph/shapes")
TREE = (*_SHARED, "law/frontend/tree")
UNIT = (*_SHARED, *FOLD_SCRIPTS, STATUTE_TEXT, "law/frontend/unit")


def statute_tree(told: dict[str, Any], key: str, height: str, on_act: Callable[[], None]) -> None:
    """Draw the tree, `height` as in CSS; its trigger's wishes come before the rerun, to `on_act`.

    It asks ``{"kind": "go", "unit"}``, ``{"kind": "open" | "close", "statute"}`` and
    ``{"kind": "filter", "text"}``.
    """
    _tree()(key=key, data={"told": told, "height": height}, on_act_change=on_act)


def unit_view(told: dict[str, Any], key: str, height: str, on_act: Callable[[], None]) -> None:
    """Draw a unit; it asks ``{"kind": "go", "unit"}``."""
    _unit()(key=key, data={"told": told, "height": height}, on_act_change=on_act)


@cache
def _tree() -> ComponentRenderer:
    css = joined(("law/frontend/corpus",), "css")
    return st.components.v2.component("touchstone_statute_tree", css=css, js=joined(TREE, "js"))


@cache
def _unit() -> ComponentRenderer:
    css = joined((FOLD_STYLE, "law/frontend/corpus"), "css")
    return st.components.v2.component("touchstone_unit_view", css=css, js=joined(UNIT, "js"))

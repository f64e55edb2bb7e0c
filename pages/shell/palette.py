"""Command palette: Ctrl+K, or its button in the sidebar, finds anything by name and opens it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from functools import cache, partial
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from errors import UserError
from messages import catalogue
from pages.shell.bundle import ELEMENTS, KEY_SCRIPTS, MOUNT, joined
from pages.shell.context import Context, choose_language
from pages.shell.guard import fragment
from pages.shell.navigation import cap, open_screen, own, standard
from services.palette import MAX_LENGTH, Hit, Places, find, place_hits

_KEY, _FOUND = "palette", "palette-found"
_WORDS = "palette.ui."


def draw(context: Context, sections: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Draw the palette's button in the sidebar; it finds the places of these sections."""
    places = {place: names for each in sections.values() for place, names in each.items()}
    with st.sidebar:
        _palette(context, places)


@fragment
def _palette(context: Context, places: Places) -> None:
    """Draw the palette, as a fragment so that a query redraws nothing else."""
    language = context.language
    said = {name.removeprefix(_WORDS): text for name, text in _words(language).items()}
    data = {
        "words": said,
        "most": MAX_LENGTH,
        "places": [astuple(each) for each in place_hits(places, language)],
        "found": st.session_state.pop(_FOUND, None),
    }
    _component()(
        key=_KEY,
        data=data,
        on_asked_change=partial(_find, context, places),
        on_chosen_change=lambda: None,
    )
    _open(context, places, _sent("chosen"))


@cache
def _words(language: str) -> dict[str, str]:
    """Return the messages of the palette."""
    return {key: of[language] for key, of in catalogue().items() if key.startswith(_WORDS)}


@cache
def _component() -> ComponentRenderer:
    """Register the component of the palette."""
    frontend = "shell/frontend/palette"
    return st.components.v2.component(
        "touchstone_palette",
        css=joined((frontend,), "css"),
        js=joined((ELEMENTS, *KEY_SCRIPTS, MOUNT, frontend), "js"),
        isolate_styles=False,  # other screens look for an open dialog in the page itself
    )


def _sent(name: str) -> Any:
    """Return the browser's input in this run, or None. Untrusted: check it."""
    return (st.session_state.get(_KEY) or {}).get(name)


def _find(context: Context, places: Places) -> None:
    """Search for the text that the browser sent."""
    text = _sent("asked")
    if isinstance(text, str):
        found = [astuple(each) for each in _hits(context, places, text)]
        st.session_state[_FOUND] = {"text": text, "hits": found}


def _hits(context: Context, places: Places, text: str) -> list[Hit]:
    """Return the hits of a query; every place for a blank one."""
    if not text.strip():
        return place_hits(places, context.language)
    keys = own(context)
    caps = {action: cap(action, keys) for action in standard()}
    try:
        return find(*context.here, text, places, caps, context.language, by=context.by)
    except UserError:  # whoever was deactivated meanwhile finds nothing
        return []


def _open(context: Context, places: Places, chosen: Any) -> None:
    """Open the chosen hit: the one at this position for this text."""
    match chosen:
        case [str() as text, int() as at]:
            hits = _hits(context, places, text)
            if not 0 <= at < len(hits):
                return
        case _:
            return
    hit = hits[at]
    if code := hit.query.get("lang"):
        choose_language(code)
        st.rerun()
    open_screen(hit.screen, **hit.query)

"""Navigation within and between screens: links, case steps, scrolling, Ctrl+Enter.

Keyboard map: which key does what on which screen, as the browser has it.

It is data in ``shell/frontend/keymap.js``, which every working screen includes in its scripts.
Streamlit widgets, the docs and the tests read the same lines here. A person's own keys
(`annotation.keys`) override it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.navigation.page import Page

from annotation.keys import own_keys
from pages.shell import open_counts
from pages.shell.bundle import joined
from pages.shell.context import Context, address
from pages.shell.guard import md_literal
from storage.tasks import Task

_FILE = Path(__file__).parent / "frontend" / "keymap.js"
_BEGIN = "const KEY_MAP = "
SCREENS = {  # screen names by their names in the map
    "mapping": "citation_mapping",
    "ocr": "ocr_correction",
    "mcq": "mcq_solvability",
    "curation": "curation",
    "rating": "answer_rating",
    "review": "judge_review",
    "tagging": "factor_tagging",
    "attribution": "attribution_review",
    "research": "research",
    "own": "own_task",
    "adjudication": "adjudication",
}
_CAPS = {
    **{"ArrowDown": "↓", "ArrowUp": "↑", "ArrowRight": "→", "ArrowLeft": "←", "Enter": "↵"},
    **{"Control": "Ctrl", "Shift": "⇧", "Escape": "Esc", "PageDown": "PgDn", "PageUp": "PgUp"},
    **{" ": "Space", "Delete": "Del"},
}


@dataclass(frozen=True, slots=True)
class KeyAction:
    """An action of the keyboard map: primary keys, alternatives, and screens.

    `on` maps a screen, or "" for every task, to the catalogue key that describes the action there;
    `first` maps a screen to how many of the keys it has, if not all.
    """

    name: str
    keys: tuple[str, ...]
    also: tuple[str, ...]
    on: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)


@cache
def key_map() -> dict[str, KeyAction]:
    """Return every action by name, in the order of the map."""
    said = _FILE.read_text(encoding="utf-8").partition(_BEGIN)[2].rstrip().removesuffix(";")
    return {
        name: KeyAction(
            name,
            tuple(told["keys"]),
            tuple(told.get("also", ())),
            told["on"],
            told.get("first", {}),
        )
        for name, told in json.loads(said).items()
    }


@cache
def standard() -> dict[str, tuple[str, ...]]:
    """Return the default keys of each action."""
    return {name: (*each.keys, *each.also) for name, each in key_map().items()}


def own(context: Context) -> dict[str, str]:
    """Return the current person's own keys by action."""
    return own_keys(context.workspace, context.by, standard())


def shortcut(action: str) -> str:
    """Return an action's key in the notation of Streamlit's buttons, such as ``Ctrl+Enter``.

    Of several it is one with a modifier, which works while a text field has the focus, too.
    """
    keys = standard()[action]
    return next((key for key in keys if "+" in key[1:]), keys[0]).replace("Control", "Ctrl")


def cap(action: str, keys: Mapping[str, str]) -> str:
    """Return an action's key, own in `keys` or the default, as screens write it, e.g. ``⇧ z``."""
    return written(keys.get(action, standard()[action][0]))


def written(key: str) -> str:
    """Return a key in the notation of screens: modifiers first, capitals as Shift + letter."""
    parts = key.split("+") if len(key) > 1 else [key]
    return " ".join(
        f"⇧ {part.lower()}" if len(part) == 1 and part.isupper() else _CAPS.get(part, part)
        for part in parts
    )


GoTo = Callable[[int | None], None]
_WANTED = "screen_wanted"
_SCREENS = "known_screens"
_OPEN = {  # session keys of what a screen has open, without which it reads the address
    **{str(task): (f"{task}_session",) for task in Task},
    "adjudication": ("adjudication-tab",),
    "history": ("history-item", "history-person"),
    "leaderboard": ("board-named", "board-picked-before"),
    "people": ("people-chosen",),
}
SHORTCUT_BRIDGE = "shell/frontend/shortcut_bridge"


def to_top(view: str) -> None:
    """Scroll to the top of the page when `view` differs from the previous run.

    Streamlit keeps the scroll position, so the next case would begin below its question.
    """
    _component("to_top", "shell/frontend/scroll_to_top")(
        key="to-top", data={"shown": view}, height=1
    )


def open_screen(name: str, **query: object) -> None:
    """Go to a screen with query parameters, and end this run.

    What they name is opened instead of what the screen had open.
    """
    session = (
        f"{query.get('task', name)}_session"  # of a project's own task, which shares its screen
    )
    for key in (*_OPEN.get(name, ()), session) if query else ():
        st.session_state.pop(key, None)
    st.session_state[_WANTED] = (name, {key: str(value) for key, value in query.items()})
    st.rerun()


def screen_wanted() -> tuple[str, dict[str, str]] | None:
    """Return, once, the screen requested by :func:`open_screen`, and its parameters."""
    wanted: tuple[str, dict[str, str]] | None = st.session_state.pop(_WANTED, None)
    return wanted


def known_screens(pages: Mapping[str, Page]) -> None:
    """Store the pages of this run by screen name, for links to them."""
    st.session_state[_SCREENS] = pages


def draw_tabs(pages: Mapping[str, Page], names: Sequence[str]) -> None:
    """Draw links to the screens of one place in a row; nothing for a single one."""
    if len(names) < 2:
        return
    with st.container(horizontal=True, gap="small", key="links-tabs"):
        for name in names:
            with st.container(width="content"):
                page = pages[name]
                open_counts.draw_link([name], page, page.title, page.icon, "content")


def screen_link(
    context: Context, name: str, label: str, icon: str | None = None, **query: object
) -> None:
    """Draw a link to a screen with query parameters; it is one step of history."""
    pages: Mapping[str, Page] = st.session_state.get(_SCREENS, {})
    if name in pages:
        words = address() | {key: str(value) for key, value in query.items()}
        st.page_link(pages[name], label=md_literal(label), icon=icon, query_params=words)
    else:  # a page that is drawn without the app around it
        st.markdown(f"[{md_literal(label)}](./{context.link(name, **query)})")


def keys_through() -> None:
    """Let Ctrl+Enter trigger the page's shortcuts while a choice has the focus.

    Without it the focused choice consumes Enter and Ctrl+Enter: a radio button ignores it, a pill
    is deselected, and the shortcut does nothing.
    """
    _component("keys_through", SHORTCUT_BRIDGE)(key="keys-through", height=1)


def links_follow_fields() -> None:
    """Make a clicked link wait until the focused text field has sent its value."""
    _component("link_press", "shell/frontend/link_press")(key="link-press", height=1)


@cache
def _component(name: str, script: str) -> ComponentRenderer:
    """Register a component without a visible part, of this script."""
    return st.components.v2.component(
        f"touchstone_{name}", html="<span></span>", js=joined((script,), "js")
    )


def draw_steps(context: Context, screen: str, ids: Sequence[int], at: int, go_to: GoTo) -> None:
    """Draw the buttons to the previous and the next case; `screen` prefixes their keys.

    `ids` are the cases in their order, `at` is the index of the open one.
    """
    _step(context, screen, "previous", ids[at - 1] if at else None, go_to)
    _step(context, screen, "next", ids[at + 1] if at + 1 < len(ids) else None, go_to)


def _step(context: Context, screen: str, name: str, to: int | None, go_to: GoTo) -> None:
    """Draw the button to the next or previous case."""
    forward = name == "next"
    action = "case_next" if forward else "case_previous"
    st.button(
        context.say(f"adjudication.{name}"),
        key=f"{screen}-{name}",
        icon=":material/chevron_right:" if forward else ":material/chevron_left:",
        icon_position="right" if forward else "left",
        shortcut=None
        if action in own(context)
        else shortcut(action),  # the screen itself listens for a person's own key
        disabled=to is None,
        on_click=go_to,
        args=(to,),
    )

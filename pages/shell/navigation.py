"""Navigation within and between screens: links, case steps, scrolling, Ctrl+Enter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.navigation.page import Page

from pages.shell.bundle import joined
from pages.shell.context import Context, address
from pages.shell.guard import plain
from pages.shell.keymap import own, shortcut

GoTo = Callable[[int | None], None]
_WANTED = "screen_wanted"
_SCREENS = "known_screens"
SHORTCUT_BRIDGE = "shell/frontend/shortcut_bridge"


def to_top(shown: str) -> None:
    """Scroll to the top of the page when `shown` differs from the previous run.

    Streamlit keeps the scroll position, so the next case would begin below its question.
    """
    _component("to_top", "shell/frontend/scroll_to_top")(
        key="to-top", data={"shown": shown}, height=1
    )


def open_screen(name: str, **asked: object) -> None:
    """Go to another screen with query parameters, and end this run."""
    st.session_state[_WANTED] = (name, {key: str(value) for key, value in asked.items()})
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
            st.page_link(pages[name], query_params=address(), width="content")


def screen_link(
    context: Context, name: str, label: str, icon: str | None = None, **asked: object
) -> None:
    """Draw a link to a screen with query parameters; it is one step of history."""
    pages: Mapping[str, Page] = st.session_state.get(_SCREENS, {})
    if name in pages:
        words = address() | {key: str(value) for key, value in asked.items()}
        st.page_link(pages[name], label=plain(label), icon=icon, query_params=words)
    else:  # a page that is drawn without the app around it
        st.markdown(f"[{plain(label)}](./{context.link(name, **asked)})")


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

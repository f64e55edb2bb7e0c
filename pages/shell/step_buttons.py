"""The buttons that lead from one case to the one before and to the one behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.shell.context import Context

GoTo = Callable[[int | None], None]


def draw_steps(context: Context, screen: str, ids: Sequence[int], at: int, go_to: GoTo) -> None:
    """Draw both; `screen` tells those of one screen from those of another.

    `ids` are the cases in their order, `at` is the place among them of the one that is open.
    """
    _step(context, screen, "previous", ids[at - 1] if at else None, go_to)
    _step(context, screen, "next", ids[at + 1] if at + 1 < len(ids) else None, go_to)


def _step(context: Context, screen: str, name: str, to: int | None, go_to: GoTo) -> None:
    forward = name == "next"
    st.button(
        context.say(f"adjudication.{name}"),
        key=f"{screen}-{name}",
        icon=":material/chevron_right:" if forward else ":material/chevron_left:",
        icon_position="right" if forward else "left",
        shortcut="n" if forward else "p",
        disabled=to is None,
        on_click=go_to,
        args=(to,),
    )

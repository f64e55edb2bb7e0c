"""The questions behind a figure, with a way to each case."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from annotation.quality_views import ItemLine
from annotation.roles import Act
from pages.context import Context
from pages.guard import plain

_ROWS = 10  # a longer table scrolls
_HEIGHT = 390


def draw_items(context: Context, what: str, items: Sequence[ItemLine], key: str) -> None:
    """Draw the questions behind the figure that `what` names, in their order."""
    say = context.say
    st.markdown(f"**{plain(say('agreement.items.behind', what=what))}** · {len(items):,}")
    if not items:
        st.caption(say("agreement.items.none"))
        return
    columns: dict[str, list[object]] = {}
    if context.may(Act.ADJUDICATE):
        columns[say("agreement.items.open")] = [case_address(context, each) for each in items]
    columns[say("agreement.question_id")] = [each.external_id for each in items]
    if any(each.agreement is not None for each in items):
        columns[say("agreement.items.likeness")] = [each.agreement for each in items]
    columns[say("agreement.question")] = [each.question for each in items]
    st.dataframe(
        columns,
        column_config={
            say("agreement.items.open"): st.column_config.LinkColumn(
                display_text=":material/open_in_new:", width="small"
            ),
            say("agreement.question_id"): st.column_config.TextColumn(width="small"),
            say("agreement.items.likeness"): st.column_config.NumberColumn(
                format="%.2f", width="small", help=say("agreement.items.likeness_help")
            ),
            say("agreement.question"): st.column_config.TextColumn(width="large"),
        },
        hide_index=True,
        placeholder="",
        height="auto" if len(items) < _ROWS else _HEIGHT,
        key=key,
    )
    if context.may(Act.ADJUDICATE) and not all(each.case for each in items):
        st.caption(say("agreement.items.only_settled"))


def case_address(context: Context, item: ItemLine) -> str | None:
    """Return the address of the item's case, beside this page's; None where there is no case."""
    return address_of(context, item.item_id) if item.case else None


def address_of(context: Context, item_id: int) -> str:
    """Return the address of an item that has a case."""
    asked = {"project": context.project, "person": context.person.id, "lang": context.language}
    return f"adjudication?{urlencode(asked | {'item': item_id})}"

"""The questions behind a figure, with a way to each case and to each history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from annotation.agreement.views import ItemLine
from annotation.people.roles import Act
from annotation.work.validation import beginning
from pages.shell.context import Context
from pages.shell.guard import plain

_ROWS = 10  # a longer table scrolls
_HEIGHT = 390
_LINK, _QUESTION = 60, 760  # pixels: what is left over goes to the columns by their width


def draw_items(
    context: Context, what: str, items: Sequence[ItemLine], key: str, known: bool = False
) -> None:
    """Draw the questions behind the figure that `what` names, in their order.

    `known`: the figure compares with known answers.
    """
    st.markdown(f"**{plain(context.say('agreement.items.behind', what=what))}** · {len(items):,}")
    if not items:
        st.caption(context.say("agreement.items.none"))
        return
    more: dict[str, Sequence[object]] = {}
    if known:
        more[context.say("agreement.items.right")] = [each.agreement == 1 for each in items]
    elif any(each.agreement is not None for each in items):
        more[context.say("agreement.items.likeness")] = [each.agreement for each in items]
    item_table(context, items, key, more)


def item_table(
    context: Context,
    items: Sequence[ItemLine],
    key: str,
    more: Mapping[str, Sequence[object]],
    configured: Mapping[str, Any] | None = None,
) -> None:
    """Draw questions with the links that the reader may follow; `more` are columns between."""
    say = context.say
    links = _links(context, items)
    st.dataframe(
        {
            **links,
            say("agreement.question_id"): [each.external_id for each in items],
            **more,
            say("agreement.question"): [beginning(each.question) for each in items],
        },
        column_config={
            **{name: _link(name) for name in links},
            say("agreement.question_id"): st.column_config.TextColumn(width="small"),
            say("agreement.items.likeness"): st.column_config.NumberColumn(
                format="%.2f", width="small", help=say("agreement.items.likeness_help")
            ),
            say("agreement.items.right"): st.column_config.CheckboxColumn(width="small"),
            say("agreement.question"): st.column_config.TextColumn(width=_QUESTION),
            **(configured or {}),
        },
        hide_index=True,
        placeholder="",
        height="auto" if len(items) < _ROWS else _HEIGHT,
        key=key,
    )
    if context.may(Act.ADJUDICATE) and not all(each.case for each in items):
        st.caption(say("agreement.items.only_settled"))


def _links(context: Context, items: Sequence[ItemLine]) -> dict[str, list[str | None]]:
    found: dict[str, list[str | None]] = {}
    if context.may(Act.ADJUDICATE):
        found[context.say("agreement.items.case")] = [case_address(context, e) for e in items]
    if context.may(Act.READ_OTHERS_LABELS):
        name = context.say("agreement.items.history")
        found[name] = [history_address(context, each.external_id) for each in items]
    return found


def _link(name: str) -> Any:
    icon = ":material/open_in_new:"
    return st.column_config.LinkColumn(name, display_text=icon, width=_LINK)


def case_address(context: Context, item: ItemLine) -> str | None:
    """Return the address of the item's case, beside this page's; None where there is no case."""
    return _address(context, "adjudication", item.item_id) if item.case else None


def history_address(context: Context, external_id: str) -> str:
    """Return the address of everything that happened to a question."""
    return _address(context, "history", external_id)


def _address(context: Context, page: str, item: object) -> str:
    asked = {"project": context.project, "person": context.person.id, "lang": context.language}
    return f"{page}?{urlencode(asked | {'item': item})}"

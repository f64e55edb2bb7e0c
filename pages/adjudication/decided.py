"""Table of decided disputes with decisions and reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.adjudication.tasks import Dispute
from pages.shell.context import Context
from pages.shell.widgets import picked

_KEY = "adjudication-decided"


def draw_decided(
    context: Context,
    pane: Any,
    entries: Sequence[Dispute],
    go_to: Callable[[int | None], None],
) -> None:
    """Draw the table; selecting a row calls `go_to` with its item, for another decision.

    `pane` describes an entry: its question and decision.
    """
    say = context.say
    st.header(say("adjudication.decided", count=len(entries)), anchor=False)
    st.caption(say("adjudication.decided_pick"))
    told = [pane.told(context, entry) for entry in entries]
    asked = [asks for asks, _ in told]
    made = [entry.decision for entry in entries if entry.decision is not None]

    def open_row(state: Any) -> None:
        rows = state["selection"]["rows"]
        go_to(entries[rows[0]].item_id if rows else None)

    st.dataframe(
        {
            say("adjudication.column_id"): [entry.external_id for entry in entries],
            **({say("adjudication.column_question"): asked} if any(asked) else {}),
            say("adjudication.column_decision"): [decided for _, decided in told],
            say("adjudication.column_reason"): [each.reason for each in made],
            say("adjudication.column_by"): [
                f"{each.person} ({say('cases.own_short')})" if each.conflict else each.person
                for each in made
            ],
            say("adjudication.column_at"): [each.at for each in made],
        },
        column_config={
            say("adjudication.column_id"): st.column_config.TextColumn(width="medium"),
            say("adjudication.column_at"): st.column_config.DatetimeColumn(
                format="YYYY-MM-DD HH:mm", timezone="UTC"
            ),
        },
        hide_index=True,
        key=_KEY,
        on_select=partial(picked, _KEY, None, open_row),
        selection_mode="single-row",
    )

"""The cases that are decided, with what was decided and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from annotation.adjudication.disputes import QueueEntry
from annotation.work.validation import beginning
from pages.shell.context import Context

_KEY = "adjudication-decided"


def draw_decided(
    context: Context, entries: Sequence[QueueEntry], go_to: Callable[[int | None], None]
) -> None:
    """Draw the table; selecting a row calls `go_to` with its item, to look again or redecide."""
    say = context.say
    st.subheader(say("adjudication.decided", count=len(entries)), anchor=False)
    st.caption(say("adjudication.decided_pick"))
    made = [(entry, entry.decision) for entry in entries if entry.decision is not None]
    st.dataframe(
        {
            say("adjudication.column_id"): [entry.external_id for entry, _ in made],
            say("adjudication.column_question"): [beginning(entry.question) for entry, _ in made],
            say("adjudication.column_decision"): [
                say("adjudication.no_provision_short")
                if decision.no_provision
                else ", ".join(decision.labels)
                for _, decision in made
            ],
            say("adjudication.column_reason"): [decision.reason for _, decision in made],
            say("adjudication.column_by"): [
                f"{decision.person} ({say('cases.own_short')})"
                if decision.conflict
                else decision.person
                for _, decision in made
            ],
            say("adjudication.column_at"): [decision.at for _, decision in made],
        },
        column_config={
            say("adjudication.column_id"): st.column_config.TextColumn(width="small"),
            say("adjudication.column_at"): st.column_config.DatetimeColumn(
                format="YYYY-MM-DD HH:mm", timezone="UTC"
            ),
        },
        hide_index=True,
        key=_KEY,
        on_select=lambda: _picked([entry.item_id for entry, _ in made], go_to),
        selection_mode="single-row",
    )


def _picked(item_ids: Sequence[int], go_to: Callable[[int | None], None]) -> None:
    rows = st.session_state[_KEY]["selection"]["rows"]
    go_to(item_ids[rows[0]] if rows else None)

"""Tables of decided disputes, and of withdrawal requests to be granted or declined.

Withdrawal requests: each with its reason, to be granted or declined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.adjudication.decisions import Settled
from annotation.adjudication.giving_back import Request, decline, give_back, requests
from annotation.forms.disputes import Dispute
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.notices import redraw_with, show_remembered
from pages.shell.widgets import picked

_KEY = "adjudication-decided"


def draw_decided(
    context: Context,
    pane: Any,
    entries: Sequence[Dispute],
    go_to: Callable[[int | None], None],
) -> None:
    """Draw the table of decided cases; selecting a row calls `go_to` with its item, else with None.

    `pane` describes an entry: its question and decision.
    """
    say = context.say
    st.header(say("adjudication.decided", count=len(entries)), anchor=False)
    st.caption(say("adjudication.decided_pick"))
    told = [pane.decided_line(context, entry) for entry in entries]
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
            say("adjudication.column_by"): [_decider(context, each) for each in made],
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


def _decider(context: Context, made: Settled) -> str:
    """Return who decided, noting an administrator, and one who labelled the item too."""
    notes = {"administrator_short": made.administrator, "own_short": made.conflict}
    told = ", ".join(context.say(f"cases.{name}") for name, holds in notes.items() if holds)
    return f"{made.person} ({told})" if told else made.person


_NOTICE = "requests-notice"


def draw_requests(context: Context, folded: bool = False) -> int:
    """Draw the open requests to withdraw submissions, if any, in a fold; return their number."""
    waiting = requests(context.workspace, context.person.id)
    show_remembered(_NOTICE)
    if not waiting:
        return 0
    title = context.say("requests.title", count=len(waiting))
    with st.expander(title, key="requests", expanded=not folded, icon=":material/reply:"):
        st.caption(context.say("requests.lead"))
        for each in waiting:
            _request(context, each)
    return len(waiting)


def _request(context: Context, asked: Request) -> None:
    """Draw a request to withdraw a submission, with buttons to grant or decline it."""
    say, key = context.say, f"request-{asked.id}"
    with st.container(border=True, key=key), st.form(f"{key}-form", border=False):
        task = md_literal(context.task_name(asked.task))
        st.markdown(f"**{md_literal(asked.external_id)}** · {task} · {md_literal(asked.person)}")
        st.caption(f"{asked.at:%Y-%m-%d %H:%M} UTC")
        st.text(asked.reason)
        reason = st.text_input(say("requests.reason"), key=f"{key}-reason")
        refused = st.container()
        buttons = st.container(horizontal=True)
        back = buttons.form_submit_button(
            say("requests.give"), key=f"{key}-give", icon=":material/reply:", type="primary"
        )
        no = buttons.form_submit_button(
            say("requests.decline"), key=f"{key}-decline", icon=":material/block:"
        )
    if back or no:
        with refused:
            _answer(context, asked, reason, back)


def _answer(context: Context, asked: Request, reason: str, granted: bool) -> None:
    """Withdraw the submission (`granted`) or decline the request; draw an error in place."""
    ws, who = context.workspace, context.person.id
    try:
        if granted:
            why = reason.strip() or context.say("requests.as_asked", reason=asked.reason)
            give_back(ws, who, asked.item_id, asked.person_id, why)
        else:
            decline(ws, who, asked.id, reason)
    except UserError as error:
        said = f"{error.what(context.language)} {error.remedy(context.language)}"
        st.error(md_literal(said), icon=":material/error:")
        return
    done = "requests.given" if granted else "requests.declined"
    redraw_with(_NOTICE, context.say(done, id=asked.external_id, name=asked.person))

"""Withdrawal requests: each with its reason, to be granted or declined."""

from __future__ import annotations

import streamlit as st

from annotation.adjudication.giving_back import Request, decline, give_back, requests
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.notices import remember, show_remembered

_NOTICE = "requests-notice"


def draw_requests(context: Context, folded: bool = False) -> int:
    """Draw the open requests of all tasks in a fold; return their number."""
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
    say, key = context.say, f"request-{asked.id}"
    with st.container(border=True, key=key), st.form(f"{key}-form", border=False):
        task = say(f"app.pages.{asked.task}")
        st.markdown(f"**{plain(asked.external_id)}** · {task} · {plain(asked.person)}")
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


def _answer(context: Context, asked: Request, reason: str, back: bool) -> None:
    """Grant or decline a request; draw an error at the reason field."""
    ws, who = context.workspace, context.person.id
    try:
        if back:
            why = reason.strip() or context.say("requests.as_asked", reason=asked.reason)
            give_back(ws, who, asked.item_id, asked.person_id, why)
        else:
            decline(ws, who, asked.id, reason)
    except UserError as error:
        said = f"{error.what(context.language)} {error.remedy(context.language)}"
        st.error(plain(said), icon=":material/error:")
        return
    done = "requests.given" if back else "requests.declined"
    remember(_NOTICE, context.say(done, id=asked.external_id, name=asked.person))
    st.rerun()

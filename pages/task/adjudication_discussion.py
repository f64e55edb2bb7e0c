"""Discussion of a dispute that was sent back: state, rounds and thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from annotation.adjudication.dispute_views import RoundView
from annotation.adjudication.sending_back import recall
from annotation.adjudication.tasks import DisputeCase
from annotation.work.threads import Message, say, thread
from pages.shell.context import Context
from pages.shell.guard import guarded, plain


def draw_standing(context: Context, case: DisputeCase) -> bool:
    """Draw the state of a dispute; return whether the adjudicator recalled it."""
    words = context.say
    if case.own is not None:
        on = f"{case.own:%Y-%m-%d %H:%M}"
        st.warning(words("cases.conflict", on=on), icon=":material/balance:")
    if case.state == "agreed":
        st.success(words("cases.agreed_note"), icon=":material/handshake:")
    if case.state != "sent_back":
        return False
    waiting = ", ".join(plain(each) for each in case.rounds[-1].waiting)
    st.info(words("cases.waiting", people=waiting), icon=":material/forum:")
    if case.revising:
        st.caption(words("cases.revising"))
    if not st.button(words("cases.recall"), key="case-recall", icon=":material/undo:"):
        return False
    with guarded(context.language):
        recall(context.workspace, context.person.id, case.item_id)
        return True
    return False


def draw_talk(context: Context, case: DisputeCase, draw_side: Callable[[Any], None]) -> None:
    """Draw the rounds of discussion, the earlier answers (with `draw_side`), and the thread."""
    messages = thread(context.workspace, context.person.id, case.item_id)
    if case.rounds:
        with st.container(border=True, key="case-rounds"):
            st.header(context.say("cases.rounds"), anchor=False)
            for each in case.rounds:
                _round(context, each)
            if case.earlier:
                st.caption(context.say("cases.earlier"))
                for column, side in zip(st.columns(len(case.earlier)), case.earlier, strict=True):
                    with column, st.container(border=True, height="stretch"):
                        draw_side(side)
    label = context.say("cases.thread", count=len(messages))
    with st.expander(label, key=f"case-thread-{case.item_id}", expanded=bool(messages)):
        for message in messages:
            _message(context, message)
        _write(context, case)


def _round(context: Context, each: RoundView) -> None:
    say_ = context.say
    head = say_("cases.round", name=plain(each.person), at=f"{each.at:%Y-%m-%d %H:%M}")
    st.markdown(f":material/reply: **{head}**")
    st.text(each.reason)
    answered = [plain(name) for name in each.people if name not in each.waiting]
    if each.recalled is not None:
        st.caption(say_("cases.recalled_at", at=f"{each.recalled:%Y-%m-%d %H:%M}"))
        if each.recall_reason:
            st.text(each.recall_reason)
    elif each.waiting:
        names = ", ".join(answered) or "–"
        st.caption(say_("cases.answered_by", people=names))
    else:
        st.caption(say_("cases.all_answered"))


def _message(context: Context, message: Message) -> None:
    role = context.say(f"roles.role.{message.role}")
    st.markdown(f"**{plain(message.person)}** · {role}")
    st.caption(f"{message.at:%Y-%m-%d %H:%M} UTC")
    st.text(message.text)


def _write(context: Context, case: DisputeCase) -> None:
    key = f"case-message-{case.item_id}"
    with st.form(f"{key}-form", clear_on_submit=True, border=False):
        text = st.text_input(context.say("cases.message"), key=key)
        sent = st.form_submit_button(context.say("cases.send"), icon=":material/send:")
    if sent:
        with guarded(context.language):
            say(context.workspace, context.person.id, case.item_id, text)
            st.rerun(scope="fragment")

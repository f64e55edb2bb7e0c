"""Settling multiple-choice questions on which people differ: one after the other, by keys too."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.forms.adjudication import settle
from annotation.mcq.disputes import DisputeEntry, disputes, open_dispute
from annotation.work.item_session import DecidedMeanwhileError
from errors import UserError
from pages.mcq.adjudication_case import case_name, draw_case
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, plain, show
from pages.shell.navigation import draw_steps, keys_through, to_top
from pages.shell.notices import remember, show_remembered

_CHOSEN = "mcq-settle-item"
_SETTLED = "mcq-settle-decided"
_NOTICE = "mcq-settle-notice"


def draw_settling(context: Context) -> None:
    """Draw the page for an adjudicator: what is open, and what is settled on demand."""
    st.title(context.say("mcq_settle.title"), anchor=False)
    entries = disputes(context.workspace, context.person.id)
    if not entries:
        st.info(context.say("mcq_settle.none"), icon=":material/done_all:")
        return
    st.markdown(context.say("mcq_settle.lead"))
    show_remembered(_NOTICE)
    entry = _choose(context, entries)
    if entry is not None:
        _case(context, entry)
    to_top(entry.external_id if entry else "")
    keys_through()


def _choose(context: Context, entries: Sequence[DisputeEntry]) -> DisputeEntry | None:
    """Draw which are shown and the steps; return the one to show."""
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    waiting = [each for each in entries if not each.state.settled]
    label = context.say("mcq_settle.open", count=len(waiting))
    bar.badge(label, icon=":material/gavel:", color="primary")
    decided = len(entries) - len(waiting)
    again = decided and bar.toggle(context.say("mcq_settle.decided", count=decided), key=_SETTLED)
    shown = [each for each in entries if each.state.settled] if again else waiting
    if not shown:
        st.success(context.say("mcq_settle.none_left"), icon=":material/done_all:")
        return None
    ids = [each.item_id for each in shown]
    chosen = st.session_state.get(_CHOSEN)
    at = ids.index(chosen) if chosen in ids else 0
    with bar:
        draw_steps(context, "mcq-settle", ids, at, _go_to)
    bar.caption(f"{at + 1} / {len(ids)}")
    if again:
        st.warning(context.say("mcq_settle.supersede_note"), icon=":material/history:")
    return shown[at]


def _go_to(item_id: int | None) -> None:
    st.session_state[_CHOSEN] = item_id


@st.fragment
def _case(context: Context, entry: DisputeEntry) -> None:
    """Draw one; what is entered draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        case = open_dispute(context.workspace, context.person.id, entry.item_id)
        name = case_name(context, entry.item_id)
        before = draft_state.seen(name, case.settled.settlement_id if case.settled else None)
        decision = draw_case(context, case)
        if decision is None:
            return
        answers, reason = decision
        seen = [each.annotation_id for each in case.sides]
        here = context.workspace, context.person.id, entry.item_id
        try:
            settle(*here, answers, reason, seen, before)
        except UserError as error:
            if isinstance(error, DecidedMeanwhileError):
                draft_state.told(name, error.now)
            show(error, context.language)
            return
        draft_state.forget(name)
        _go_to(None)
        remember(_NOTICE, context.say("mcq_settle.done", id=plain(entry.external_id)))
        st.rerun()

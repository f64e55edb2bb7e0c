"""Settling tags of court cases: one sub-factor after the other, over all cases it is open of."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.tagging.disputes import (
    DisputeEntry,
    FactorDisputes,
    disputes,
    open_dispute,
    settle_factor,
)
from annotation.work.item_session import DecidedMeanwhileError
from errors import UserError
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, show
from pages.shell.navigation import draw_steps, keys_through, to_top
from pages.shell.notices import remember, show_remembered
from pages.tagging.adjudication_case import case_name, draw_case, remember_reason
from services.tagging.report import revision
from storage.db.workspace import Workspace

_ITEM = "tag-settle-item"
_SUB = "tag-settle-sub"
_SETTLED = "tag-settle-decided"
_NOTICE = "tag-settle-notice"


def draw_settling(context: Context) -> None:
    """Draw the page for an adjudicator: what is open, and what is settled on demand."""
    st.title(context.say("factor_settle.title"), anchor=False)
    found = _disputes(context)
    if not found:
        st.info(context.say("factor_settle.none"), icon=":material/done_all:")
        return
    st.markdown(context.say("factor_settle.lead"))
    show_remembered(_NOTICE)
    again = _head(context, found)
    shown = [each for each in found if _cases(each, again)]
    if not shown:
        st.success(context.say("factor_settle.none_left"), icon=":material/done_all:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        line = _sub_factor(context, shown, again)
        entry = _step(context, line, again)
    if again:
        st.warning(context.say("factor_settle.supersede_note"), icon=":material/history:")
    _case(context, line.sub.key, entry)
    to_top(f"{line.sub.key}-{entry.external_id}")
    keys_through()


def _disputes(context: Context) -> list[FactorDisputes]:
    """Return what is open or settled; read again only when somebody said something."""
    version = revision(context.workspace, context.project, context.person.id)
    asked = context.workspace.place, context.project, version, context.person.id
    return _read(*asked, context.workspace)


@st.cache_data(max_entries=8, show_spinner=False)
def _read(
    place: str, project: str, version: str, person_id: int, _ws: Workspace
) -> list[FactorDisputes]:
    return disputes(_ws, person_id)


def _head(context: Context, found: Sequence[FactorDisputes]) -> bool:
    """Draw how much is open; return whether what is settled is to be shown instead."""
    waiting = sum(len(each.waiting) for each in found)
    decided = sum(len(each.cases) for each in found) - waiting
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = context.say("factor_settle.open", count=waiting)
        st.badge(label, icon=":material/gavel:", color="primary")
        if not decided:
            return False
        words = context.say("factor_settle.decided", count=decided)
        return st.toggle(words, key=_SETTLED)


def _cases(line: FactorDisputes, again: bool) -> tuple[DisputeEntry, ...]:
    return tuple(each for each in line.cases if each.settled) if again else line.waiting


def _sub_factor(context: Context, shown: Sequence[FactorDisputes], again: bool) -> FactorDisputes:
    """Draw the choice of the sub-factor; the first until another is chosen."""
    by_key = {each.sub.key: each for each in shown}
    if st.session_state.get(_SUB) not in by_key:
        st.session_state[_SUB] = shown[0].sub.key

    def words(key: str) -> str:
        line = by_key[key]
        names = f"{line.factor.label[context.language]} · {line.sub.label[context.language]}"
        return f"{names} ({len(_cases(line, again))})"

    label = context.say("factor_settle.sub_factor")
    chosen = st.selectbox(label, list(by_key), format_func=words, key=_SUB, width=560)
    return by_key[chosen]


def _step(context: Context, line: FactorDisputes, again: bool) -> DisputeEntry:
    """Draw the steps from case to case; return the case that is open."""
    cases = _cases(line, again)
    ids = [each.item_id for each in cases]
    chosen = st.session_state.get(_ITEM)
    at = ids.index(chosen) if chosen in ids else 0
    draw_steps(context, "tag-settle", ids, at, _go_to)
    st.caption(f"{at + 1} / {len(ids)}", width="content")
    return cases[at]


def _go_to(item_id: int | None) -> None:
    st.session_state[_ITEM] = item_id


@st.fragment
def _case(context: Context, key: str, entry: DisputeEntry) -> None:
    """Draw one; what is entered draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        here = context.workspace, context.person.id, entry.item_id, key
        case = open_dispute(*here)
        name = case_name(context, entry.item_id, key)
        before = draft_state.seen(name, case.decided)
        decision = draw_case(context, case)
        if decision is None:
            return
        seen = [each.annotation_id for each in case.sides]
        try:
            after = settle_factor(*here, decision.options, decision.reason, seen, before)
        except UserError as error:
            if isinstance(error, DecidedMeanwhileError):
                draft_state.told(name, error.now)
            with decision.place:
                show(error, context.language)
            return
        draft_state.forget(name)
        remember_reason(key, decision.reason)
        _go_to(None)
        words = "done_left" if after.open else "done"
        told = {"id": entry.external_id, "count": len(after.open)}
        remember(_NOTICE, context.say(f"factor_settle.{words}", **told))
        st.rerun()

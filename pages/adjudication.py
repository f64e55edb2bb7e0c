"""The adjudication screen: where annotators differ, an adjudicator decides and says why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.adjudication import QueueEntry, decide, open_case, queue
from annotation.roles import Act
from errors import UserError
from pages.context import Context
from pages.guard import guarded, show
from pages.parts.adjudication_case import close_case, draw_case, extra_units
from pages.parts.adjudication_decided import draw_decided
from pages.parts.notices import remember, show_remembered
from pages.parts.to_top import to_top

_NOTICE = "adjudication-notice"
_CHOSEN = "adjudication-item"
_ALL = "all"
_ITEM = "item"  # a link names the case to open


def render(context: Context) -> None:
    """Draw the screen: the case in hand, then what is decided."""
    st.title(context.say("adjudication.title"), anchor=False)
    if not context.may(Act.ADJUDICATE):
        st.info(context.say("adjudication.not_yours"), icon=":material/visibility_off:")
        return
    entries = queue(context.workspace, context.person.id)
    if not entries:
        st.info(context.say("adjudication.none"), icon=":material/done_all:")
        return
    st.markdown(context.say("adjudication.lead"))
    show_remembered(_NOTICE)
    _take_over_address()
    entry = _choose(context, entries)
    if entry is not None:
        _case(context, entry, [each.item_id for each in entries if each.decision is None])
    decided = [each for each in entries if each.decision is not None]
    if decided:
        draw_decided(context, decided, _go_to)
    to_top(entry.external_id if entry else "")


def _take_over_address() -> None:
    """Open the case that a link names, once: from then on the session's choice counts."""
    named = st.query_params.get(_ITEM, "")
    if _CHOSEN not in st.session_state and named.isdecimal():
        _go_to(int(named))


def _choose(context: Context, entries: Sequence[QueueEntry]) -> QueueEntry | None:
    """Draw filter and steps; return the case to show, None when there is none."""
    chosen = st.session_state.get(_CHOSEN)
    again = next((each for each in entries if each.item_id == chosen), None)
    if again is not None and again.decision is not None:
        st.button(
            context.say("adjudication.back"),
            key="adjudication-back",
            icon=":material/arrow_back:",
            on_click=_go_to,
            args=(None,),
        )
        st.warning(context.say("adjudication.supersede_note"), icon=":material/history:")
        return again
    todo = [each for each in entries if each.decision is None]
    if not todo:
        st.success(context.say("adjudication.none_left"), icon=":material/done_all:")
        return None
    return _among_open(context, todo, chosen)


def _among_open(
    context: Context, todo: Sequence[QueueEntry], chosen: int | None
) -> QueueEntry | None:
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    count = context.say("adjudication.open", count=len(todo))
    bar.badge(count, icon=":material/gavel:", color="primary")
    causes = sorted({cause for each in todo for cause in each.causes})
    cause = bar.segmented_control(
        context.say("adjudication.filter"),
        [_ALL, *causes],
        default=_ALL,
        required=True,
        format_func=lambda each: context.say(f"adjudication.cause.{each}"),
        key="adjudication-filter",
        label_visibility="collapsed",
    )
    shown = [each for each in todo if cause in (_ALL, *each.causes)]
    if not shown:
        st.info(context.say("adjudication.none_here"))
        return None
    ids = [each.item_id for each in shown]
    at = ids.index(chosen) if chosen in ids else 0
    with bar:
        _step(context, "previous", ids[at - 1] if at else None)
        _step(context, "next", ids[at + 1] if at + 1 < len(ids) else None)
    bar.caption(f"{at + 1} / {len(ids)}")
    return shown[at]


def _step(context: Context, name: str, to: int | None) -> None:
    forward = name == "next"
    st.button(
        context.say(f"adjudication.{name}"),
        key=f"adjudication-{name}",
        icon=":material/chevron_right:" if forward else ":material/chevron_left:",
        icon_position="right" if forward else "left",
        shortcut="n" if forward else "p",
        disabled=to is None,
        on_click=_go_to,
        args=(to,),
    )


def _go_to(item_id: int | None) -> None:
    st.session_state[_CHOSEN] = item_id


@st.fragment
def _case(context: Context, entry: QueueEntry, todo: Sequence[int]) -> None:
    """Draw the case; ticking and typing draw nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        _decide_on(context, entry, todo)


def _decide_on(context: Context, entry: QueueEntry, todo: Sequence[int]) -> None:
    who = (context.workspace, context.person.id, entry.item_id)
    case = open_case(*who, extra=extra_units(entry.item_id))
    asked = draw_case(context, case)
    if asked is None:
        return
    try:
        decide(
            *who,
            asked.unit_ids,
            asked.no_provision,
            asked.reason,
            asked.seconds,
            annotation_ids=case.annotation_ids,
        )
    except UserError as error:
        show(error, context.language)
        return
    close_case(context, entry.item_id)
    _go_to(_behind(todo, entry.item_id))
    remember(_NOTICE, context.say("adjudication.done", id=entry.external_id))
    st.rerun()


def _behind(todo: Sequence[int], item_id: int) -> int | None:
    """Return the open case that follows in the queue, None to start again at the first one."""
    at = todo.index(item_id) + 1 if item_id in todo else len(todo)
    return todo[at] if at < len(todo) else None

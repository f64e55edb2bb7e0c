"""The adjudication screen: where annotators differ, an adjudicator decides and says why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.adjudication.disputes import QueueEntry, decide, open_case, queue
from annotation.adjudication.sending_back import refer
from annotation.people.roles import Act
from annotation.work.item_session import DecidedMeanwhileError
from errors import UserError
from pages.adjudication.case_detail import Decision, case_name, close_case, draw_case, extra_units
from pages.adjudication.decided import draw_decided
from pages.adjudication.discussion import draw_standing
from pages.adjudication.requests import draw_requests
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, show
from pages.shell.navigation import draw_steps, to_top
from pages.shell.notices import remember, show_remembered
from storage.db.workspace import Workspace

_NOTICE = "adjudication-notice"
_CHOSEN = "adjudication-item"
_ALL = "all"
_FILTER = "adjudication-filter"
_ITEM = "item"  # a link names the case to open


def render(context: Context) -> None:
    """Draw the screen: what is asked for back, the case in hand, then what is decided."""
    st.title(context.say("adjudication.title"), anchor=False)
    if not context.may(Act.ADJUDICATE) and context.may(Act.GIVE_BACK):
        st.info(context.say("requests.not_deciding"), icon=":material/visibility_off:")
        if not draw_requests(context):
            st.caption(context.say("requests.none"))
        return
    if not context.may(Act.ADJUDICATE):
        words = [context.say("adjudication.not_yours")]
        if context.account is None:  # else the sidebar has nobody to switch to
            words.append(context.say("adjudication.switch"))
        st.info(" ".join(words), icon=":material/visibility_off:")
        return
    draw_requests(context)
    entries = queue(context.workspace, context.person.id)
    if not entries:
        st.info(context.say("adjudication.none"), icon=":material/done_all:")
        return
    st.markdown(context.say("adjudication.lead"))
    show_remembered(_NOTICE)
    _take_over_address()
    entry = _choose(context, entries)
    if entry is not None:
        _case(context, entry, [each.item_id for each in entries if each.state == "open"])
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
    shown = st.session_state.get(_FILTER, _ALL)
    if again is not None and again.state not in ("open", shown):
        st.button(
            context.say("adjudication.back"),
            key="adjudication-back",
            icon=":material/arrow_back:",
            on_click=_go_to,
            args=(None,),
        )
        _redecide_note(context, again)
        return again
    return _among(context, entries, chosen)


def _redecide_note(context: Context, entry: QueueEntry) -> None:
    if entry.state == "decided":
        st.warning(context.say("adjudication.supersede_note"), icon=":material/history:")


def _groups(entries: Sequence[QueueEntry]) -> dict[str, list[QueueEntry]]:
    """Return what can be shown: all that is open, each cause among it, then the other states."""
    todo = [each for each in entries if each.state == "open"]
    causes = sorted({cause for each in todo for cause in each.causes})
    found = {_ALL: todo} | {name: [e for e in todo if name in e.causes] for name in causes}
    for state in ("sent_back", "agreed", "decided"):
        found[state] = [each for each in entries if each.state == state]
    return {name: group for name, group in found.items() if group or name == _ALL}


def _among(
    context: Context, entries: Sequence[QueueEntry], chosen: int | None
) -> QueueEntry | None:
    groups = _groups(entries)
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    count = context.say("adjudication.open", count=len(groups[_ALL]))
    bar.badge(count, icon=":material/gavel:", color="primary")
    if st.session_state.get(_FILTER, _ALL) not in groups:  # its last case is settled
        st.session_state.pop(_FILTER, None)
    name = bar.segmented_control(
        context.say("adjudication.filter"),
        list(groups),
        default=_ALL,
        required=True,
        format_func=lambda each: (
            f"{context.say(f'adjudication.cause.{each}')} {len(groups.get(each, ())):,}"
        ),
        key=_FILTER,
        label_visibility="collapsed",
    )
    shown = groups.get(name, [])
    if not shown:
        settled = "decided" in groups and "sent_back" not in groups
        left = "none_left" if settled else "none_now"
        st.success(context.say(f"adjudication.{left}"), icon=":material/done_all:")
        return None
    ids = [each.item_id for each in shown]
    at = ids.index(chosen) if chosen in ids else 0
    with bar:
        draw_steps(context, "adjudication", ids, at, _go_to)
    bar.caption(f"{at + 1} / {len(ids)}")
    _redecide_note(context, shown[at])
    return shown[at]


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
    name = case_name(context, entry.item_id)
    before = draft_state.seen(name, case.decision.number if case.decision else None)
    if draw_standing(context, case):
        remember(_NOTICE, context.say("cases.recalled_done", id=entry.external_id))
        _go_to(entry.item_id)
        st.rerun()
    asked = draw_case(context, case)
    if asked is None:
        return
    try:
        _carry_out(who, asked, case.annotation_ids, before)
    except UserError as error:
        if isinstance(error, DecidedMeanwhileError):
            draft_state.told(name, error.now)
        show(error, context.language)
        return
    close_case(context, entry.item_id)
    _go_to(_behind(todo, entry.item_id))
    done = "cases.sent_back_done" if asked.back else "adjudication.done"
    remember(_NOTICE, context.say(done, id=entry.external_id))
    st.rerun()


def _carry_out(
    who: tuple[Workspace, int, int],
    asked: Decision,
    annotation_ids: tuple[int, ...],
    before: int | None,
) -> None:
    if asked.back:
        refer(*who, asked.reason, annotation_ids)
    else:
        decide(
            *who,
            asked.unit_ids,
            asked.no_provision,
            asked.reason,
            asked.seconds,
            annotation_ids=annotation_ids,
            before=before,
        )


def _behind(todo: Sequence[int], item_id: int) -> int | None:
    """Return the open case that follows in the queue, None to start again at the first one."""
    at = todo.index(item_id) + 1 if item_id in todo else len(todo)
    return todo[at] if at < len(todo) else None

"""Adjudication screen: disputes per task, each decided with a reason.

A tab for each task that has disputes; the pane that draws a dispute is in the task's own package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotation.adjudication.tasks import (
    TASKS,
    disputes_of,
    draft_of,
    keep_draft,
    refer,
    undo,
)
from annotation.forms.disputes import Dispute
from annotation.people.roles import Act, Role
from annotation.start.waiting import own_tasks_of
from annotation.work.commands import DecidedMeanwhileError
from errors import UserError
from pages.adjudication.decided import draw_decided, draw_requests
from pages.adjudication.keys import draw_keys
from pages.attribution import attribution_review as attribution
from pages.curation import curation
from pages.judging import answer_rating as judging
from pages.mapping import adjudication as mapping
from pages.mcq import mcq_solvability as mcq
from pages.research import research
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal, show
from pages.shell.navigation import cap, draw_steps, keys_through, own, to_top
from pages.shell.notices import redraw_with, remember, show_remembered
from pages.tagging import adjudication as tagging
from pages.task.decision_bar import (
    Chosen,
    case_name,
    circumstances,
    draw_bar,
    draw_standing,
    missing_reason,
)
from pages.task.page import draw_progress
from pages.tasks.own_task import pane_of
from services.agreement.task_progress import disputes_report
from services.tagging.report import revision
from storage.db.workspace import Workspace
from storage.tasks import Task

# Pane of each task: has `open_case`, `draw_case`, `cause_words` and `decided_line`.
_PANES: dict[Task, Any] = {
    Task.CITATION_MAPPING: mapping,
    Task.MCQ_SOLVABILITY: mcq.PANE,
    Task.ANSWER_RATING: judging.PANE,
    Task.FACTOR_TAGGING: tagging,
    Task.CURATION: curation.PANE,
    Task.RESEARCH: research,
    Task.ATTRIBUTION: attribution.PANE,
}
_NOTICE = "adjudication-notice"
_CHOSEN = "adjudication-item"
_TAB = "adjudication-tab"
_FILTER = "adjudication-filter"
_CAUSE = "adjudication-cause"
_OPENED = "case-opened"
_PLACE = "adjudication-place"  # last tab and case, kept while other screens are open
_REFUSED = "adjudication-refused"
_NOT_DONE = "case-refused"  # the case, and the error of its decision or referral
_ASKED = "adjudication-withdraw-asked"  # the case whose withdrawal awaits confirmation
_MADE = "adjudication-made"  # the session's last decision, and the input it was made from
_REASONS = ("reason_missing", "referral_reason_missing")
_STATES = ("open", "sent_back", "agreed", "decided")
_ITEM, _TASK = "item", "task"  # query parameters: the tab, and the case to open


def render(context: Context) -> None:
    """Draw the screen: withdrawal requests, the open case, then decided cases."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.title(context.say("adjudication.title"), anchor=False)
    if not context.may(Act.ADJUDICATE):
        _draw_no_permission(context)
        return
    draw_requests(context, folded=True)
    if context.person.role == Role.ADMINISTRATOR:
        st.caption(f":material/balance: {context.say('cases.administrator_note')}")
    show_remembered(_NOTICE)
    refused: UserError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        show(refused, context.language)
    tasks = (*TASKS, *own_tasks_of(*context.here))
    queues = {task: found for task in tasks if (found := _queue(context, task))}
    if not queues:
        st.info(context.say("adjudication.none"), icon=":material/done_all:")
        return
    _read_address(queues)
    task = _tab(context, queues)
    st.caption(context.say(f"adjudication.lead_of.{'own' if task.is_own else task}"))
    entry, focus, shown = _choose(context, task, queues[task])
    _keep_place(task, entry)
    with head:
        draw_keys(context, task, entry)
        _draw_undo(context, queues, task, entry)
    if entry is not None:
        _case(context, task, entry, focus, shown)
    decided = [each for each in queues[task] if each.state == "decided"]
    if decided:
        draw_decided(context, _pane(context, task), decided, _go_to)
    to_top(f"{entry.external_id}{focus}" if entry else "")
    keys_through()


def _pane(context: Context, task: Task) -> Any:
    """Return the pane that decides disputes of a task."""
    return pane_of(context, task) if task.is_own else _PANES[task]


@dataclass(frozen=True, slots=True)
class _Draft:
    """Loads and saves the draft of the adjudicator's decision on a case."""

    context: Context
    item_id: int

    def load(self) -> tuple[int, Mapping[str, Any]]:
        """Return number and content of the newest draft."""
        return draft_of(self.context.workspace, self.context.person.id, self.item_id)

    def save(self, content: Mapping[str, Any]) -> int:
        """Save the draft and return its number; if that is refused, the newest draft's number."""
        try:
            return keep_draft(self.context.workspace, self.context.person.id, self.item_id, content)
        except UserError:  # permission was revoked; deciding will show that error
            return self.load()[0]


def _draw_no_permission(context: Context) -> None:
    """Explain that adjudicators decide; draw requests and progress for those who may grant them."""
    if context.may(Act.GIVE_BACK):
        st.info(context.say("requests.not_deciding"), icon=":material/visibility_off:")
        if not draw_requests(context):
            st.caption(context.say("requests.none"))
        found = disputes_report(*context.here, context.language, by=context.by)
        if found.sections[0].drawn:
            draw_progress(context, found)
        else:
            st.info(context.say("task_progress.no_disputes"), icon=":material/info:")
        return
    words = [context.say("adjudication.not_yours")]
    if context.account is None:  # with accounts, the sidebar has no person switch
        words.append(context.say("adjudication.switch"))
    st.info(" ".join(words), icon=":material/visibility_off:")


def _queue(context: Context, task: Task) -> Sequence[Dispute]:
    """Return the disputes of a task; those of tagging are cached by revision."""
    ws, who = context.workspace, context.person.id
    if task != Task.FACTOR_TAGGING:
        return disputes_of(task).queue(ws, who)
    version = revision(ws, context.project, who)
    return _tagging_disputes(ws.place, context.project, version, who, ws)


@st.cache_data(max_entries=8, show_spinner=False)
def _tagging_disputes(
    place: str, project: str, version: str, person_id: int, _ws: Workspace
) -> Sequence[Dispute]:
    return disputes_of(Task.FACTOR_TAGGING).queue(_ws, person_id)


def _read_address(queues: Mapping[Task, Sequence[Dispute]]) -> None:
    """Open the tab and case that the address names, else the last ones, once.

    Then the session's choices count.
    """
    if _TAB in st.session_state:
        return
    named, wanted = st.query_params.get(_ITEM, ""), st.query_params.get(_TASK, "")
    if not (named or wanted):
        wanted, named = st.session_state.get(_PLACE, ("", ""))
    holding = [task for task in queues if named in {str(e.item_id) for e in queues[task]}]
    if holding:
        _go_to(int(named))
    waiting = [task for task in queues if any(e.state == "open" for e in queues[task])]
    meant = [task for task in queues if task == wanted]
    st.session_state[_TAB] = [*holding, *meant, *waiting, *queues][0]


def _keep_place(task: Task, entry: Dispute | None) -> None:
    """Write the case to the address, and keep it for the next visit of the screen."""
    named = "" if entry is None else str(entry.item_id)
    st.session_state[_PLACE] = (str(task), named)
    if named:
        st.query_params[_ITEM] = named
    else:
        st.query_params.pop(_ITEM, None)


def _draw_undo(
    context: Context,
    queues: Mapping[Task, Sequence[Dispute]],
    task: Task,
    entry: Dispute | None,
) -> None:
    """Draw the button that withdraws one's own decision: of the open case, else the last.

    The first click asks for confirmation, the second withdraws; any other act cancels.
    """
    asked = st.session_state.pop(_ASKED, None)
    last, item_id = st.session_state.get(_MADE, (None, 0, {}))[:2]
    made = [(last, each) for each in queues.get(last, ()) if each.item_id == item_id]
    shown = [] if entry is None else [(task, entry)]
    for of, each in (*shown, *made):
        if each.decision is not None and each.decision.person == context.person.name:
            sure, key = asked == each.item_id, cap("take_back", own(context))
            words = "adjudication.withdraw_sure" if sure else "adjudication.withdraw"
            st.button(
                context.say(words, id=each.external_id, key=key),
                key="case-undo",
                icon=":material/undo:",
                type="primary" if sure else "secondary",
                help=context.say("adjudication.withdraw_help", key=key),
                on_click=_withdraw if sure else _ask_first,
                args=(context, of, each, each is entry),
            )
            return


def _ask_first(_context: Context, _task: Task, entry: Dispute, _on_screen: bool) -> None:
    """Remember that withdrawing the decision awaits confirmation."""
    st.session_state[_ASKED] = entry.item_id


def _withdraw(context: Context, task: Task, entry: Dispute, on_screen: bool) -> None:
    """Withdraw the decision; reopen its case with its shown or entered values."""
    number = None if entry.decision is None else entry.decision.number
    try:
        undo(context.workspace, context.person.id, entry.item_id, before=number)
    except UserError as error:
        st.session_state[_REFUSED] = error
        return
    name = case_name(context, entry.item_id)
    shown = draft_state.field_values(name)
    draft_state.forget(name)
    _, item_id, made = st.session_state.pop(_MADE, (None, 0, {}))
    entered = shown if on_screen else made if item_id == entry.item_id else {}
    if entered:
        draft_state.enter(name, entered)
    st.session_state[_TAB] = task
    st.session_state.pop(_FILTER, None)
    _go_to(entry.item_id)
    remember(_NOTICE, context.say("adjudication.withdrawn", id=entry.external_id))


def _tab(context: Context, queues: Mapping[Task, Sequence[Dispute]]) -> Task:
    """Draw a tab per task that has disputes; return the open one."""
    if st.session_state.get(_TAB) not in queues:
        st.session_state[_TAB] = next(iter(queues))

    def words(task: Task) -> str:
        """Return a task's name with its number of open disputes."""
        count = sum(each.state == "open" for each in queues[task])
        return f"{md_literal(context.task_name(task))} ({count:,})"

    chosen = st.segmented_control(
        context.say("adjudication.tabs"),
        list(queues),
        format_func=words,
        required=True,
        key=_TAB,
        label_visibility="collapsed",
    )
    st.query_params[_TASK] = task = Task(chosen or next(iter(queues)))
    return task


def _choose(
    context: Context, task: Task, entries: Sequence[Dispute]
) -> tuple[Dispute | None, str, list[int]]:
    """Draw filters and steps; return the case shown, the chosen cause, and the queue's item ids."""
    chosen = st.session_state.get(_CHOSEN)
    again = next((entry for entry in entries if entry.item_id == chosen), None)
    groups = {state: [entry for entry in entries if entry.state == state] for state in _STATES}
    groups = {state: group for state, group in groups.items() if group or state == "open"}
    if st.session_state.get(_FILTER) not in groups:  # its last case is decided, or a link led here
        named = again is not None and again.state in groups
        st.session_state[_FILTER] = again.state if again and named else "open"
    if again is not None and again.state not in ("open", st.session_state[_FILTER]):
        st.button(
            context.say("adjudication.back"),
            key="adjudication-back",
            icon=":material/arrow_back:",
            on_click=_go_to,
            args=(None,),
        )
        _redecide_note(context, again)
        return again, "", [again.item_id]
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with bar:
        chosen_state = st.segmented_control(
            context.say("adjudication.filter"),
            list(groups),
            required=True,
            format_func=lambda each: (
                f"{context.say(f'adjudication.state.{each}')} {len(groups.get(each, ())):,}"
            ),
            key=_FILTER,
            label_visibility="collapsed",
        )
        state = chosen_state or "open"
        focus = _cause(context, task, groups[state])
    shown = [each for each in groups[state] if not focus or focus in each.causes]
    if not shown:
        settled = "decided" in groups and "sent_back" not in groups
        left = "none_left" if settled else "none_now"
        st.success(context.say(f"adjudication.{left}"), icon=":material/done_all:")
        return None, focus, []
    ids = [each.item_id for each in shown]
    at = ids.index(chosen) if chosen in ids else 0
    with bar:
        draw_steps(context, "adjudication", ids, at, _go_to)
    bar.caption(f"{at + 1} / {len(ids)}", width="content")
    _redecide_note(context, shown[at])
    return shown[at], focus, ids


def _cause(context: Context, task: Task, entries: Sequence[Dispute]) -> str:
    """Draw the choice of a cause if there are several; return it, "" for all."""
    counts = Counter(cause for entry in entries for cause in entry.causes)
    if st.session_state.get(_CAUSE, "") not in {"", *counts}:
        st.session_state[_CAUSE] = ""
    if len(counts) < 2 and not st.session_state.get(_CAUSE):
        return ""
    pane = _pane(context, task)
    words = {cause: pane.cause_words(context, cause, entries) for cause in counts}
    return st.selectbox(
        context.say("adjudication.cause_label"),
        ["", *counts],
        format_func=lambda each: (
            f"{words[each]} ({counts[each]:,})" if each else context.say("adjudication.cause.all")
        ),
        key=_CAUSE,
        label_visibility="collapsed",
        width=320,
    )


def _redecide_note(context: Context, entry: Dispute) -> None:
    """Draw the notes on a decided dispute: a new decision replaces it, conflicts of interest."""
    if entry.state == "decided":
        st.warning(context.say("adjudication.supersede_note"), icon=":material/history:")
    made = entry.decision
    if made is not None and (words := circumstances(context, made.administrator, made.conflict)):
        name = md_literal(made.person)
        alone = made.conflict and not made.administrator
        words = context.say("cases.conflict_of", name=name) if alone else words
        st.warning(words, icon=":material/balance:")


def _go_to(item_id: int | None) -> None:
    """Choose the dispute to show; None for the first of the queue."""
    st.session_state[_CHOSEN] = item_id


@st.fragment
def _case(
    context: Context, task: Task, entry: Dispute, focus: str, case_ids: Sequence[int]
) -> None:
    """Draw the case, as a fragment: input redraws nothing else."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        _decide_on(context, task, entry, focus, case_ids)


def _decide_on(
    context: Context, task: Task, entry: Dispute, focus: str, case_ids: Sequence[int]
) -> None:
    """Draw a dispute with its sides and the decision's form; carry out what the form sends."""
    pane, opened = _pane(context, task), _opened_at(context, entry.item_id)
    name = case_name(context, entry.item_id)
    draft_state.keep_beyond(name, _Draft(context, entry.item_id))
    case = pane.open_case(context, entry.item_id, focus)
    before = draft_state.decision_first_seen(name, case.before)
    # Each has its own container: what grows above the bar must not move it while input is unsent.
    standing, body = st.container(), st.container()
    with standing:
        recalled = draw_standing(context, case)
    if recalled:
        _go_to(entry.item_id)
        redraw_with(_NOTICE, context.say("cases.recalled_done", id=entry.external_id))
    with body:
        chosen: Chosen = pane.draw_case(context, case, name)
    of, refused = st.session_state.pop(_NOT_DONE, (0, None))  # of the last click, said once
    asked = draw_bar(context, entry, chosen, name, refused if of == entry.item_id else None)
    if asked is None:
        return
    # A clock that was set back makes the time unknown, and must not block the decision.
    seconds = max(0.0, (context.workspace.clock() - opened).total_seconds())
    who, seen, left = (context.workspace, context.person.id, case.item_id), case.annotation_ids, 0
    try:
        if asked.back:
            refer(*who, asked.reason, seen)
        else:
            disputes, answers = disputes_of(task), chosen.answers
            left = disputes.decide(*who, answers, asked.reason, seen, before, seconds)
    except UserError as error:
        if isinstance(error, DecidedMeanwhileError):
            draft_state.mark_decision_seen(name, error.now)
        if error.code in _REASONS:
            missing_reason(context, asked)
            return
        st.session_state[_NOT_DONE] = entry.item_id, error
        _go_to(entry.item_id)
        st.rerun()  # others may have changed the queue meanwhile
    st.session_state.pop(_OPENED, None)
    entered = draft_state.forget(name)
    if not asked.back:
        st.session_state[_MADE] = (task, entry.item_id, entered)
    _go_to(entry.item_id if left and not focus else _next_case(case_ids, entry.item_id))
    done = "adjudication.done_left" if left else "adjudication.done"
    words = "cases.sent_back_done" if asked.back else done
    redraw_with(_NOTICE, context.say(words, id=entry.external_id, count=left))


def _opened_at(context: Context, item_id: int) -> Any:
    """Return when this case was opened in the session, which is now if another was open before."""
    of, opened = st.session_state.get(_OPENED, (0, None))
    if of != item_id:
        opened = context.workspace.clock()
        st.session_state[_OPENED] = item_id, opened
    return opened


def _next_case(case_ids: Sequence[int], item_id: int) -> int | None:
    """Return the next item id of the queue; None after the last, or if this one is not in it."""
    at = case_ids.index(item_id) + 1 if item_id in case_ids else len(case_ids)
    return case_ids[at] if at < len(case_ids) else None

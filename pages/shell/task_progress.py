"""Background tasks on screen: progress bar, stop button, outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.people.members import list_people
from errors import UserError
from llm.batch import End
from llm.reply import Status
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.guard import failed, guarded, md_literal
from pages.shell.notices import remember
from services.background.tasks import STOPPED, BackgroundTask, TaskKind, forget, latest
from services.models.asking import reason_words
from services.models.workspace_models import roles

_EVERY = 1.0  # seconds between two updates
_SHORT = 0.6  # seconds that most work on a small project takes: no bar is needed
_LOOK = 0.02
_STARTED = "work-started"


def draw_at_top(
    context: Context,
    kind: TaskKind,
    message_key: str,
    notice_key: str,
    came: Callable[[Any], Sequence[str]],
) -> None:
    """Draw the running task at the top of a page, or keep its outcome under `notice_key`.

    `came` returns the lines for a result, shown once and only to the person who started the task.
    `message_key` is the catalogue key of the progress text, with {done}, {total} and the task's own
    fields.
    """
    if not context.may(kind.act):
        return
    task = _latest(context, kind)
    place = st.container()  # there without work too, so that later elements keep their positions
    st.session_state[_drawn(kind)] = task is not None and task.running
    watched: BackgroundTask[Any] | None = st.session_state.pop(_watched(kind), None)
    if task is not None and task.running:
        st.session_state[_watched(kind)] = task
        with place:
            _watch(context, kind, message_key)
    elif task is not None and task.by == context.by:
        forget(*context.here, kind, context.by)
        if task.error is not None:
            with place:
                _broken(context, kind, task)
        else:
            remember(notice_key, *came(task.result))
    elif watched is not None and not watched.running:
        with place:
            _tell_watcher(context, kind, watched)


def draw_task(
    context: Context, kind: TaskKind, message_key: str, ended: Callable[[Any], None]
) -> bool:
    """Draw the running task, then its outcome until it is closed; return whether it runs.

    `ended` draws a result; `message_key` is the catalogue key of the progress text, as in
    :func:`draw_at_top`. Returns whether the task is running.
    """
    task = _latest(context, kind)
    if task is not None and task.running:
        _watch(context, kind, message_key)
        return True
    if task is not None:
        with st.container(border=True):
            if task.error is not None:
                _broken(context, kind, task)
            else:
                ended(task.result)
                if _was_stopped(task):
                    st.caption(md_literal(_stopped_by(context, task)))
            if st.button(context.say("background.close"), key=f"{kind}-close"):
                forget(*context.here, kind, context.by)
                st.rerun()
    return False


def draw_end(context: Context, text: str, end: End | None, reason: str) -> None:
    """Draw `text`, the outcome of LLM calls, and why they ended early, if so."""
    st.success(md_literal(text), icon=":material/check_circle:")
    if end not in (None, End.DONE):
        st.warning(context.say(f"background.end.{end}"), icon=":material/pause_circle:")
        if reason:
            # a server's text: Markdown would make links of it
            st.text(reason_words(reason, context.language))


def draw_model(context: Context, role: Role) -> bool:
    """Draw which language model serves `role`; return whether one is set."""
    found = next(each for each in roles(context.workspace) if each.role is role)
    if found.endpoint is None:
        adds = context.say(f"llm.adds.{role}")
        st.info(context.say("mcq_report.make.not_set", adds=adds), icon=":material/power_off:")
        return False
    at = {"model": found.endpoint.model, "server": found.endpoint.base_url}
    st.text(context.say("mcq_report.make.model_set", **at))  # Markdown would make it a link
    return True


def start_button(
    context: Context, kind: TaskKind, label: str, disabled: bool = False, **more: Any
) -> bool:
    """Draw the button that starts a task; return whether to start it.

    If somebody has started one since this page was drawn, the page is rerun so that the bar at its
    top appears: a form in a fragment would only show a disabled button.
    """
    busy = under_way(context, kind)
    hint = context.say("background.wait") if busy else None
    sent = st.button(label, disabled=busy or disabled, help=hint, **more)
    return sent and not busy  # a second click finds the first one's task


def under_way(context: Context, kind: TaskKind) -> bool:
    """Return whether a task of that kind is running; rerun the page if its bar is missing."""
    task = _latest(context, kind)
    busy = task is not None and task.running
    if busy and not st.session_state.get(_drawn(kind)):
        st.rerun()
    return busy


def begin(context: Context, start: Callable[..., BackgroundTask[Any]], *arguments: Any) -> None:
    """Start a task, wait briefly in case it ends at once, and rerun the page.

    `start` takes the workspace, the project, `arguments`, and the requester.
    """
    with guarded(context.language):
        task = start(*context.here, *arguments, by=context.by)
        st.session_state[_STARTED] = started() + 1
        _over_in_a_moment(task)
        st.rerun()


def started() -> int:
    """Return the number of tasks that this session started; a change scrolls to the bar."""
    return int(st.session_state.get(_STARTED, 0))


@st.fragment(run_every=_EVERY)
def _watch(context: Context, kind: TaskKind, message_key: str) -> None:
    """Draw the progress of a task, as a fragment that is redrawn every second."""
    with guarded(context.language), st.container(border=True):
        task = _latest(context, kind)
        if task is None or not task.running:
            st.rerun()
            return
        if task.stopping and _over_in_a_moment(task):
            st.rerun()
            return
        bar, button = st.columns([6, 1], vertical_alignment="center")
        done, total = task.progress.done, task.progress.total
        bar.progress(
            min(done / total, 1.0) if total else 0.0,
            md_literal(_progress_text(context, task, message_key)),
        )
        button.button(
            context.say(f"background.{'stopping' if task.stopping else 'stop'}"),
            on_click=partial(task.stop, context.by),
            disabled=task.stopping,
            icon=":material/stop:",
            key=f"{kind}-stop",
        )
        st.caption(md_literal(context.say("background.by", name=_name(context, task.by))))
        unanswered = task.progress.statuses[Status.FAILED]
        if unanswered:
            st.caption(context.say("background.failed", count=f"{unanswered:,}"))
            st.text(task.progress.last_reason)
        if task.stopping and kind.resumes:
            st.caption(context.say("background.stopping_help"))


def _progress_text(context: Context, task: BackgroundTask[Any], message_key: str) -> str:
    progress = task.progress
    counts = {name: f"{getattr(progress, name):,}" for name in ("done", "total", "recalled")}
    key = message_key if progress.total else "background.starting"
    said = context.say(key, **counts | progress.where)
    return context.say("background.named", name=task.name, said=said) if task.name else said


def _over_in_a_moment(task: BackgroundTask[Any]) -> bool:
    """Wait briefly for a task to end; return whether it did."""
    until = time.monotonic() + _SHORT
    while task.running and time.monotonic() < until:
        time.sleep(_LOOK)
    return not task.running


def _tell_watcher(context: Context, kind: TaskKind, task: BackgroundTask[Any]) -> None:
    """Draw how a task ended for other people, without its result."""
    if _was_stopped(task):
        st.info(md_literal(_stopped_by(context, task)), icon=":material/stop_circle:")
    elif task.error is not None:
        _broken(context, kind, task)
    else:
        name = _name(context, task.by)
        st.info(
            md_literal(context.say("background.done", name=name)), icon=":material/check_circle:"
        )


def _was_stopped(task: BackgroundTask[Any]) -> bool:
    """Return whether the task was ended by a stop."""
    error = task.error
    broken = isinstance(error, UserError) and error.code == STOPPED
    return broken or task.progress.end is End.STOPPED


def _stopped_by(context: Context, task: BackgroundTask[Any]) -> str:
    """Return in words who stopped a task."""
    return context.say("background.stopped_by", name=_name(context, task.stopped_by))


def _broken(context: Context, kind: TaskKind, task: BackgroundTask[Any]) -> None:
    """Draw why a task failed."""
    error = task.error
    if error is None:
        return
    if isinstance(error, UserError) and _was_stopped(task):  # stopped on request
        words = f"{_stopped_by(context, task)} {error.remedy(context.language)}"
        st.info(md_literal(words), icon=":material/stop_circle:")
        return
    failed(error, context.language)
    if kind.resumes and not isinstance(error, UserError):
        st.caption(context.say("background.kept"))


def _latest(context: Context, kind: TaskKind) -> BackgroundTask[Any] | None:
    """Return the last task of a kind, None without one."""
    return latest(*context.here, kind, context.by)


def _drawn(kind: TaskKind) -> str:
    """Return the session key of whether the page has the bar."""
    return f"work-drawn-{kind}"


def _watched(kind: TaskKind) -> str:
    """Return the session key of the task whose bar this session last drew."""
    return f"work-watched-{kind}"


def _name(context: Context, person: int | None) -> str:
    """Return the name of the person with this id, a dash for none."""
    people = list_people(*context.here)
    return next((each.name for each in people if each.id == person), "–")

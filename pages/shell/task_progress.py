"""Retrieval that goes on beside the page: how far it is, a button to stop it, what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from annotation.people.members import list_people
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import failed, guarded, plain
from pages.shell.notices import remember
from services.background.retrieval import STOPPED, RetrievalWork, close_retrieval, retrieval_work
from services.background.tasks import BackgroundTask

_EVERY = 1.0  # seconds between two looks
_SHORT = 0.6  # seconds in which most work on a small project is done: no bar need come and go
_LOOK = 0.02
_STARTED = "work-started"


def under_way(context: Context, kind: RetrievalWork) -> bool:
    """Return whether work of that kind goes on in the project.

    Where somebody has started it since this page was drawn, its top, where the bar is, is drawn
    first: a form that is a fragment of the page would say no more than that nothing can be started.
    """
    task = retrieval_work(context.workspace, context.project, kind, context.person.id)
    busy = task is not None and task.running
    if busy and not st.session_state.get(_drawn(kind)):
        st.rerun()
    return busy


def draw_beside(
    context: Context,
    kind: RetrievalWork,
    words: str,
    notice: str,
    told: Callable[[Any], Sequence[str]],
) -> None:
    """Draw the work under way, or remember under `notice` what came of it.

    `told` says what a result came to, to the person who started the work and to them once. `words`
    say how far it is, with {done} and {total} and what else the work says of where it is.
    """
    workspace, person = context.workspace, context.person.id
    task = retrieval_work(workspace, context.project, kind, person)
    place = st.container()  # there without work too, so that all below keeps its own place
    st.session_state[_drawn(kind)] = task is not None and task.running
    if task is None:
        return
    if task.running:
        with place:
            _watch(context, kind, words)
    elif task.by == person:
        close_retrieval(workspace, context.project, kind, person)
        if task.error is not None:
            with place:
                _broken(context, task.error)
        else:
            remember(notice, *told(task.result))


def started() -> int:
    """Return how often work was started from here: its bar is at the top, the button below."""
    return int(st.session_state.get(_STARTED, 0))


def soon(task: BackgroundTask[Any]) -> None:
    """Wait a moment for work that may be over in one, then draw the page anew from its top."""
    st.session_state[_STARTED] = started() + 1
    until = time.monotonic() + _SHORT
    while task.running and time.monotonic() < until:
        time.sleep(_LOOK)
    st.rerun()


@st.fragment(run_every=_EVERY)
def _watch(context: Context, kind: RetrievalWork, words: str) -> None:
    """Draw how far it is. A fragment: it alone is drawn anew every second."""
    with guarded(context.language), st.container(border=True):
        task = retrieval_work(context.workspace, context.project, kind, context.person.id)
        if task is None or not task.running:
            st.rerun()
            return
        bar, button = st.columns([6, 1], vertical_alignment="center")
        done, total = task.progress.done, task.progress.total
        counts = {"done": f"{done:,}", "total": f"{total:,}"} | dict(task.at)
        said = context.say(words, **counts) if total else context.say("work_beside.starting")
        named = context.say("work_beside.named", name=task.name, said=said) if task.name else said
        bar.progress(min(done / total, 1.0) if total else 0.0, plain(named))
        button.button(
            context.say(f"work_beside.{'stopping' if task.beside.stopping else 'stop'}"),
            on_click=task.beside.stop,
            disabled=task.beside.stopping,
            icon=":material/stop:",
            key=f"stop-{kind}",
        )
        st.caption(plain(context.say("work_beside.by", name=_name(context, task))))


def _broken(context: Context, error: BaseException) -> None:
    if isinstance(error, UserError) and error.code == STOPPED:  # as somebody wished
        words = f"{error.what(context.language)} {error.remedy(context.language)}"
        st.info(plain(words), icon=":material/stop_circle:")
    else:
        failed(error, context.language)


def _drawn(kind: RetrievalWork) -> str:
    """Return the key under which a session keeps whether its page has the bar."""
    return f"work-drawn-{kind}"


def _name(context: Context, task: BackgroundTask[Any]) -> str:
    people = list_people(context.workspace, context.project)
    return next((each.name for each in people if each.id == task.by), "–")

"""Work with models under way: how far it is, a button that stops it, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from llm.batch import End
from llm.reply import Status
from pages.shell.context import Context
from pages.shell.guard import failed, guarded, plain
from services.background.tasks import BackgroundTask

_EVERY = 1.0  # seconds between two looks


def draw_work(
    context: Context,
    key: str,
    look: Callable[[], BackgroundTask[Any] | None],
    told: Callable[[Any], str],
    close: Callable[[], None],
) -> bool:
    """Draw the work that `look` finds; return whether it is under way.

    `told` says what a result came to; `close` forgets work that is over.
    """
    task = look()
    if task is None:
        return False
    if task.running:
        _under_way(context, key, look)
    else:
        _over(context, key, task, told, close)
    return task.running


@st.fragment(run_every=_EVERY)
def _under_way(context: Context, key: str, look: Callable[[], BackgroundTask[Any] | None]) -> None:
    with guarded(context.language), st.container(border=True):
        task = look()
        if task is None or not task.running:
            st.rerun()
        progress = task.progress
        counts = {n: f"{getattr(progress, n):,}" for n in ("done", "total", "recalled")}
        share = min(1.0, progress.done / progress.total) if progress.total else 0.0
        words = "progress" if progress.total else "starting"
        st.progress(share, context.say(f"mcq_report.make.{words}", **counts))
        failed = progress.statuses[Status.FAILED]
        if failed:
            st.caption(context.say("mcq_report.make.failed", count=f"{failed:,}"))
            st.text(progress.last_reason)  # a server's words: Markdown would make links of them
        if st.button(
            context.say("mcq_report.make.stop"), key=f"{key}-stop", icon=":material/stop:"
        ):
            task.beside.stop()
            st.caption(context.say("mcq_report.make.stopping"))


def _over(
    context: Context,
    key: str,
    task: BackgroundTask[Any],
    told: Callable[[Any], str],
    close: Callable[[], None],
) -> None:
    with st.container(border=True):
        if task.error is not None:
            failed(task.error, context.language)
        else:
            _ended(context, task.result, told)
        if st.button(context.say("mcq_report.make.close"), key=f"{key}-close"):
            close()
            st.rerun()


def _ended(context: Context, result: Any, told: Callable[[Any], str]) -> None:
    st.success(plain(told(result)), icon=":material/check_circle:")
    if result.end is not End.DONE:
        st.warning(context.say(f"mcq_report.end.{result.end}"), icon=":material/pause_circle:")
        if result.reason:
            st.text(result.reason)

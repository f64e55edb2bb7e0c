"""What came of the project's own tasks, to download: on the screen Gold."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from annotation.people.roles import Act
from annotation.start.waiting import own_tasks_of
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.widgets import download
from services.agreement.task_progress import item_lines
from services.tasks.labels import export_labels
from storage.tasks import Task

_FORMATS = (".csv", ".jsonl")
_INCOMPLETE = ("untouched", "partly")


def draw_labels(context: Context) -> bool:
    """Draw the state of each own task and its labels as files; return whether there is one."""
    tasks = own_tasks_of(*context.here) if context.may(Act.READ_OTHERS_LABELS) else []
    if tasks:
        st.header(context.say("own_task.labels.title"), anchor=False)
    for task in tasks:
        _draw_task(context, task)
    return bool(tasks)


def _draw_task(context: Context, task: Task) -> None:
    """Draw a task's counts and the downloads of its labels."""
    lines = item_lines(*context.here, [task], context.by)
    complete = sum(each.state not in _INCOMPLETE for each in lines)
    disputed = sum(each.state == "open" for each in lines)
    counts = {"complete": complete, "items": len(lines), "open": disputed}
    said = context.say("own_task.labels.line", **counts)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{md_literal(context.task_name(task))}** · {said}", width="stretch")
        for end in _FORMATS:
            file = f"{task.replace(':', '-')}{end}"
            words = context.say("own_task.labels.file", format=end[1:])
            key = f"labels-{task}{end}"
            download(words, partial(_content, context, task, file), file, key)


def _content(context: Context, task: Task, name: str) -> bytes:
    """Return the labels of a task as a file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        export_labels(*context.here, task, file, context.by)
        return file.read_bytes()

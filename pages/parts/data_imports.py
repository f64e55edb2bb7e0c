"""The two import forms of the data screen: from a path on this machine, or uploaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from errors import UserError
from jobs.imports import import_questions, import_statutes
from jobs.uploads import Staged, Upload, staged_file, staged_tree
from pages.context import Context
from pages.guard import show
from pages.parts.notices import progress_bar, remember

Source = AbstractContextManager[Staged]
Import = Callable[..., Any]


def statutes_form(context: Context, notice: str) -> None:
    """Draw the form that imports statutes; what came of it is remembered under `notice`."""
    source = _form(context, "statutes", ["md", "zip"], many=True)
    if source is not None:
        _run(context, source, import_statutes, _statute_lines, notice)


def questions_form(context: Context, notice: str) -> None:
    """Draw the form that imports questions; what came of it is remembered under `notice`."""
    source = _form(context, "questions", ["jsonl", "zip"], many=False)
    if source is not None:
        _run(context, source, import_questions, _question_lines, notice)


def _form(context: Context, what: str, kinds: list[str], many: bool) -> Source | None:
    """Draw one form and return where to read from once it was sent and is complete."""
    st.subheader(context.say(f"data.add.{what}"), anchor=False)
    st.caption(context.say(f"data.add.{what}_help"))
    here = "folder" if many else "file"
    origin = st.segmented_control(
        context.say("data.add.from"),
        [here, "upload"],
        default=here,
        required=True,
        format_func=lambda each: context.say(f"data.add.{each}"),
        key=f"data-{what}-from",
        label_visibility="collapsed",
    )
    with st.form(f"data-{what}", border=False):
        path, files = "", []
        if origin == "upload":
            files = _uploader(context, what, kinds, many)
        else:
            path = st.text_input(context.say("data.add.path"), key=f"data-{what}-path").strip()
        sent = st.form_submit_button(
            context.say(f"data.add.run_{what}"), icon=":material/upload_file:"
        )
    if not sent:
        return None
    if not (path or files):
        missing = "need_upload" if origin == "upload" else "need_path"
        st.warning(context.say(f"data.add.{missing}"), icon=":material/edit:")
        return None
    if path:
        return nullcontext(Staged(Path(path).expanduser(), 0, 0))
    return staged_tree(files) if many else staged_file(files[0])


def _uploader(context: Context, what: str, kinds: list[str], many: bool) -> list[Upload]:
    words, key = context.say(f"data.add.upload_{what}"), f"data-{what}-upload"
    if many:
        files = st.file_uploader(words, kinds, accept_multiple_files=True, key=key)
    else:
        one = st.file_uploader(words, kinds, key=key)
        files = [] if one is None else [one]
    return [Upload(file.name, file) for file in files]


def _run(
    context: Context,
    source: Source,
    run: Import,
    lines: Callable[[Context, Any], list[str]],
    notice: str,
) -> None:
    try:
        with source as staged, progress_bar(context, "data.add.reading") as report:
            done = run(context.workspace, context.project, staged.path, report)
    except UserError as error:
        show(error, context.language)
        return
    left_out = context.say("data.add.ignored", count=staged.ignored) if staged.ignored else ""
    remember(notice, *lines(context, done), left_out)
    st.rerun()


def _statute_lines(context: Context, done: Any) -> list[str]:
    if not done.new:
        return [context.say("data.add.statutes_same")]
    counts = {name: f"{getattr(done, name):,}" for name in ("statutes", "articles", "units")}
    return [context.say("data.add.statutes_new", **counts)]


def _question_lines(context: Context, done: Any) -> list[str]:
    return [context.say("data.add.questions_new", new=done.new, known=done.unchanged)]

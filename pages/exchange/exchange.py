"""Exchange screen: export and import of all annotations, import of other tools' labels."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.exchange.files import Exchanged, annotations_bytes, import_annotations
from annotation.people.roles import Act
from pages.exchange.label_import import draw_files, draw_labels, labels_came
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, remember, show_remembered
from pages.shell.task_progress import draw_at_top, started
from pages.shell.uploads import archive_help
from pages.shell.widgets import download
from services.background.tasks import TaskKind
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

_NOTICE = "exchange-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "exchange")
    came = partial(labels_came, context)
    draw_at_top(context, TaskKind.LABELS, "exchange.labels_progress", _NOTICE, came)
    to_top(f"{show_remembered(_NOTICE)} {started()}")
    with st.container(border=True):
        st.header(context.say("exchange.file"), anchor=False)
        if allowed(context, Act.MANAGE_PEOPLE):
            out, into = st.columns(2, gap="large")
            with out:
                _download(context)
            with into:
                _import(context)
    with st.container(border=True):
        st.header(context.say("exchange.labels"), anchor=False)
        if allowed(context, Act.IMPORT_LABELS):
            draw_labels(context)
            draw_files(context)


def _download(context: Context) -> None:
    st.caption(context.say("exchange.download_help"))
    download(
        context.say("exchange.download"),
        # Computed on click: it is the complete history.
        partial(annotations_bytes, *context.here, context.by),
        f"{context.project}-annotations.jsonl",
        "exchange-download",
    )


def _import(context: Context) -> None:
    st.caption(context.say("exchange.import_help"))
    kinds = ["jsonl", *(ending.removeprefix(".") for ending in UPLOADED_ARCHIVES)]
    with st.form("exchange-import", border=False):
        file = st.file_uploader(
            context.say("exchange.import_file"),
            kinds,
            help=archive_help(context),
            key="exchange-file",
        )
        sent = st.form_submit_button(context.say("exchange.import"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(context.say("exchange.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), ".jsonl") as path:
            done = import_annotations(*context.here, path, by=context.by)
        remember(_NOTICE, _outcome_text(context, done))
        st.rerun()


def _outcome_text(context: Context, done: Exchanged) -> str:
    if not done.new:
        return context.say("exchange.known")
    counts = done.counts
    decided = counts.get("adjudication", 0) + counts.get("settlement", 0)
    shown = {name: f"{counts.get(name, 0):,}" for name in ("person", "submission")}
    shown["adjudication"] = f"{decided:,}"
    return context.say("exchange.imported", records=f"{sum(counts.values()) - 1:,}", **shown)

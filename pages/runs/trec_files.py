"""Leaderboard files: import and export of TREC runs, export of the table."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.tables import ENDINGS
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember
from pages.shell.uploads import archive_help
from pages.shell.widgets import download
from services.runs.importing import NAME_CHARACTERS, UNKNOWN, import_run
from services.runs.retrieving import run_text
from services.runs.rows import RunLine
from services.runs.score_table import exported
from services.runs.significance import Significance
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

_ENDINGS = (".trec", ".run", ".txt", ".res")


def draw_import(context: Context, notice: str) -> None:
    """Draw the form that imports a run; the outcome is remembered under `notice`."""
    say = context.say
    st.caption(say("run_files.lead"))
    with st.form("run-import", border=False):
        file = st.file_uploader(
            say("run_files.file"),
            [*_ENDINGS, *UPLOADED_ARCHIVES],
            help=archive_help(context),
            key="run-file",
        )
        named, rule = st.columns([2, 1])
        name = named.text_input(
            say("run_files.name"), max_chars=NAME_CHARACTERS, key="run-file-name"
        )
        unknown = rule.selectbox(
            say("run_files.unknown"),
            UNKNOWN,
            format_func=lambda each: say(f"run_files.unknown_{each}"),
            key="run-file-unknown",
        )
        sent = st.form_submit_button(say("run_files.bring"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(say("run_files.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), *_ENDINGS) as path:
            done = import_run(
                *context.here, path, name, unknown=str(unknown), file_name=file.name, by=context.by
            )
        remember(notice, *done.lines(context.language))
        st.rerun()


def draw_files(context: Context, board: Significance, run: RunLine) -> None:
    """Draw the downloads of the table and of the selected run, behind a button."""
    with st.popover(context.say("report.files"), icon=":material/download:"):
        for name, ending in ENDINGS.items():
            _table(context, board, name, ending)
        if context.may(Act.RUN_RETRIEVAL):
            download(
                context.say("run_files.take", run=run.run_id),
                partial(run_text, context.workspace, run.run_id, context.by),
                f"{context.project}-run-{run.run_id}.trec",
                f"run-take-{run.run_id}",
            )


def _table(context: Context, board: Significance, name: str, ending: str) -> None:
    """Draw the download of the table."""
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    coding = "utf-8-sig" if name == "csv" else "utf-8"
    download(
        context.say(f"run_files.table_{name}"),
        lambda: exported(board, name, context.language).encode(coding),
        f"{context.project}-leaderboard.{ending}",
        f"board-{name}",
    )

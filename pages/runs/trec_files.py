"""Leaderboard files: import and export of TREC runs, export of the table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.tables import ENDINGS
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import redraw_with
from pages.shell.uploads import archive_help
from pages.shell.widgets import download, download_row
from services.runs.importing import NAME_CHARACTERS, UNKNOWN, import_run
from services.runs.retrieving import run_text
from services.runs.rows import RunLine
from services.runs.score_table import exported
from services.runs.significance import Significance
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

_ENDINGS = (".trec", ".run", ".txt", ".res")


def draw_import(context: Context, notice_key: str) -> None:
    """Draw the form that imports a run; the outcome is remembered under `notice_key`."""
    say = context.say
    st.caption(say("run_files.lead"))
    with st.form("run-import", border=False):
        fields = Fields(context, "run_files", "run-file")
        kinds = [*_ENDINGS, *UPLOADED_ARCHIVES]
        file = replace(fields, key="run").file("file", kinds, help=archive_help(context))
        named, rule = fields.row([2, 1])
        name = named.text("name", max_chars=NAME_CHARACTERS)
        unknown = rule.pick("unknown", UNKNOWN, lambda each: say(f"run_files.unknown_{each}"))
        sent = st.form_submit_button(say("run_files.bring"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(say("run_files.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), *_ENDINGS) as path:
            done = import_run(
                *context.here, path, name, unknown=unknown, file_name=file.name, by=context.by
            )
        redraw_with(notice_key, *done.lines(context.language))


def draw_files(context: Context, board: Significance, run: RunLine) -> None:
    """Draw the downloads of the table and of the selected run, behind a button."""
    files = {
        ending: partial(exported, board, name, context.language) for name, ending in ENDINGS.items()
    }
    with st.popover(context.say("report.files"), icon=":material/download:"):
        name = f"{context.project}-leaderboard"
        download_row(context, "run_files.table_", files, name, "board")
        if context.may(Act.RUN_RETRIEVAL):
            download(
                context.say("run_files.take", run=run.run_id),
                partial(run_text, context.workspace, run.run_id, context.by),
                f"{context.project}-run-{run.run_id}.trec",
                f"run-take-{run.run_id}",
            )

"""Files of judging: the import of answers, verdicts and ratings, and the downloads."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember
from pages.shell.uploads import archive_help
from pages.shell.widgets import download_row
from services.judging.export import zipped_judging
from services.judging.importing import import_cases, import_verdicts
from services.judging.rating_import import import_ratings
from services.judging.report import JudgeReport
from services.judging.report_tables import as_csv, as_markdown
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

_IMPORTS = {"cases": import_cases, "verdicts": import_verdicts, "ratings": import_ratings}
_ENDING = ".jsonl"


def bring_form(context: Context, notice: str) -> None:
    """Draw the form; what came of it is remembered under `notice`."""
    say = context.say
    st.subheader(say("judge_report.page.add"), anchor=False)
    what = st.segmented_control(
        say("judge_report.page.what"),
        list(_IMPORTS),
        default="cases",
        required=True,
        format_func=lambda each: say(f"judge_report.page.add_{each}"),
        key="judge-what",
    )
    st.caption(say(f"judge_report.page.add_{what}_help"))
    with st.form("judge-bring", border=False):
        kinds = [_ENDING, *UPLOADED_ARCHIVES]
        file = st.file_uploader(
            say("judge_report.page.file"), kinds, help=archive_help(context), key="judge-file"
        )
        sent = st.form_submit_button(say("judge_report.page.add"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(say("judge_report.page.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), _ENDING) as path:
            done = _IMPORTS[str(what)](context.workspace, context.project, path, context.person.id)
        remember(notice, say("judge_report.page.brought", new=done.new, already=done.already))
        st.rerun()


def draw_files(context: Context, found: JudgeReport) -> None:
    """Draw a button for each file."""
    files = {
        # A spreadsheet takes a CSV for anything but UTF-8 unless it starts with the mark.
        "csv": (lambda: as_csv(found).encode("utf-8-sig"), "text/csv"),
        "md": (lambda: as_markdown(found, context.language).encode(), "text/markdown"),
    }
    if context.may(Act.EXPORT_GOLD):
        asked = context.workspace, context.project, context.person.id
        files["zip"] = (lambda: zipped_judging(*asked), "application/zip")
    download_row(context, "judge_report.page.", files, f"{context.project}-judges", "judge")

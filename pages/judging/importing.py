"""The form that brings in answers, verdicts or ratings."""

from __future__ import annotations

import streamlit as st

from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import remember
from pages.shell.upload_limits import archive_help
from services.judging.importing import import_cases, import_verdicts
from services.judging.rating_import import import_ratings
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
    try:
        with staged_file(Upload(file.name, file), _ENDING) as path:
            done = _IMPORTS[str(what)](context.workspace, context.project, path, context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, say("judge_report.page.brought", new=done.new, already=done.already))
    st.rerun()

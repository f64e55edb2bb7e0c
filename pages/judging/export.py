"""The report as files, and everything that is said of the answers."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from services.judging.export import zipped_judging
from services.judging.report import JudgeReport
from services.judging.report_tables import as_csv, as_markdown


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
    with st.container(horizontal=True):
        for ending, (content, kind) in files.items():
            st.download_button(
                context.say(f"judge_report.page.{ending}"),
                content,
                f"{context.project}-judges.{ending}",
                kind,
                on_click="ignore",
                icon=":material/download:",
                key=f"judge-{ending}",
            )

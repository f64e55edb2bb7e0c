"""All figures as files to take along."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import report
from pages.shell.context import Context
from services.agreement.report import as_csv, as_markdown


def draw_files(context: Context) -> None:
    """Draw a button for each file."""
    found = report(context.workspace, context.project, context.person.id)
    files = {
        "csv": (as_csv(found, context.language), "text/csv"),
        "md": (as_markdown(found, context.language), "text/markdown"),
    }
    with st.container(horizontal=True):
        for ending, (text, kind) in files.items():
            st.download_button(
                context.say(f"agreement.more.{ending}"),
                # A spreadsheet takes a CSV for anything but UTF-8 unless it starts with the mark.
                text.encode("utf-8-sig" if ending == "csv" else "utf-8"),
                f"{context.project}-agreement.{ending}",
                kind,
                on_click="ignore",
                icon=":material/download:",
                key=f"agreement-{ending}",
            )

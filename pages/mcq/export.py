"""Exporting questions, votes and figures: prepared when asked for, then one zip to download."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.widgets import download
from services.bundle import zipped
from services.mcq.export import export_mcqs

_PREPARED = "mcq-prepared"


def draw_export(context: Context, scope: str) -> None:
    """Draw the button that prepares the files, and the download once they are."""
    if not context.may(Act.EXPORT_GOLD):
        return
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.subheader(context.say("mcq_report.items.export"), anchor=False)
        words.caption(context.say("mcq_report.items.export_help"))
        asked = button.button(
            context.say("mcq_report.items.run_export"),
            key="mcq-export",
            icon=":material/save:",
            width="stretch",
        )
        if asked:
            _prepare(context, scope)
        about, archive = st.session_state.get(_PREPARED, (None, b""))
        if about == (context.project, scope):
            download(
                context.say("mcq_report.items.download"),
                archive,
                f"{context.project}-mcq.zip",
                "application/zip",
                "mcq-download",
            )


def _prepare(context: Context, scope: str) -> None:
    st.session_state.pop(_PREPARED, None)
    with guarded(context.language):
        with tempfile.TemporaryDirectory() as folder:
            here = context.workspace, context.project
            export_mcqs(*here, Path(folder), scope, context.person.id)
            archive = zipped(Path(folder))
        st.session_state[_PREPARED] = (context.project, scope), archive

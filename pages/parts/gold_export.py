"""Exporting the gold: written to the workspace's exports folder, and offered as a download."""

from __future__ import annotations

import streamlit as st

from errors import UserError
from jobs.bundle import exports_folder, listing, zipped
from jobs.export_gold import ExportReport, export_gold
from pages.context import Context
from pages.guard import guarded, plain, show

_EXPORTED = "gold-exported"


@st.fragment
def draw_export(context: Context, ready: bool) -> None:
    """Draw the export button and, once written, the files with their sizes and hashes."""
    # The app's guard is not around a fragment's own rerun.
    with guarded(context.language), st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.subheader(context.say("gold.export.title"), anchor=False)
        words.caption(context.say("gold.export.help"))
        asked = button.button(
            context.say("gold.export.run"),
            key="gold-export",
            type="primary",
            icon=":material/save:",
            width="stretch",
            disabled=not ready,
        )
        if asked:
            _export(context)
        project, report = st.session_state.get(_EXPORTED, (None, None))
        if project == context.project:
            _files(context, report)


def _export(context: Context) -> None:
    st.session_state.pop(_EXPORTED, None)
    try:
        report = export_gold(
            context.workspace,
            context.project,
            exports_folder(context.workspace, context.project),
            by=context.person.id,
        )
    except UserError as error:
        show(error, context.language)
        return
    st.session_state[_EXPORTED] = context.project, report


def _files(context: Context, report: ExportReport) -> None:
    folder = exports_folder(context.workspace, context.project)
    lines = listing(folder)
    # From the workspace on: whoever started the app knows where that is.
    place = folder.relative_to(context.workspace.folder.parent)
    st.success(plain(context.say("gold.export.done", folder=place)), icon=":material/check_circle:")
    told = {
        "questions": f"{report.questions:,}",
        "units": f"{report.corpus:,}",
        "snapshot": report.snapshot,
        "amended": f"{len(report.amended):,}",
    }
    st.caption(plain(context.say("gold.export.report", **told)))
    st.dataframe(
        {
            context.say("gold.export.file"): [line.name for line in lines],
            context.say("gold.export.size"): [line.size for line in lines],
            context.say("gold.export.sha256"): [line.sha256 for line in lines],
        },
        column_config={
            context.say("gold.export.size"): st.column_config.NumberColumn(format="localized")
        },
        hide_index=True,
    )
    st.download_button(
        context.say("gold.export.download"),
        zipped(folder),
        file_name=f"{context.project}-gold.zip",
        mime="application/zip",
        icon=":material/download:",
        on_click="ignore",
    )

"""Gold export: written to the workspace's exports folder, with a download."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, plain
from pages.shell.plain_text import plain_text
from pages.shell.widgets import download, draw_table
from services.bundle import exports_folder, listing, zipped
from services.gold.datasheet import Sheet
from services.gold.export import ExportReport, Pairs, datasheet, export_gold
from services.gold.search_coverage import levels_said

_LICENCE_LIMIT = 500  # characters
_SHEET_HEIGHT = 420  # pixels
_EXPORTED = "gold-exported"


@fragment
def draw_export(context: Context, ready: bool) -> None:
    """Draw the export button, then the exported files with sizes and hashes."""
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.header(context.say("gold.export.title"), anchor=False)
        words.caption(context.say("gold.export.help"))
        asked = button.button(
            context.say("gold.export.run"),
            key="gold-export",
            type="primary",
            icon=":material/save:",
            width="stretch",
            disabled=not ready,
        )
        sheet, pairs = _sheet(context, ready), _judgement_choice(context)
        if asked:
            _export(context, sheet, pairs)
        project, report = st.session_state.get(_EXPORTED, (None, None))
        if project == context.project:
            _files(context, report)


def _sheet(context: Context, ready: bool) -> Sheet:
    """Draw the exporter's fields of the datasheet, and the datasheet on request."""
    say = context.say
    licence, naming, shown = st.columns([2, 2, 1.3], vertical_alignment="bottom")
    stated = licence.text_input(
        say("gold_sheet.licence"),
        placeholder=say("gold_sheet.licence_example"),
        help=say("gold_sheet.licence_help"),
        max_chars=_LICENCE_LIMIT,
        key="gold-licence",
    )
    hidden = naming.checkbox(
        say("gold_sheet.pseudonyms"), help=say("gold_sheet.pseudonyms_help"), key="gold-pseudonyms"
    )
    sheet = Sheet(stated or "", hidden)
    if shown.toggle(say("gold_sheet.show"), key="gold-datasheet", disabled=not ready):
        _datasheet(context, sheet)
    return sheet


def _judgement_choice(context: Context) -> Pairs:
    """Draw the choice of exported judgements."""
    positives, searchable = st.columns(2)
    return Pairs(
        positives.checkbox(
            context.say("gold.export.positives_only"),
            help=context.say("gold.export.positives_only_help"),
            key="gold-positives",
        ),
        searchable.checkbox(
            context.say("gold_sets.searchable"),
            help=context.say("gold_sets.searchable_help"),
            key="gold-searchable",
        ),
    )


def _datasheet(context: Context, sheet: Sheet) -> None:
    sections = datasheet(*context.here, sheet, by=context.by)
    with st.container(border=True, height=_SHEET_HEIGHT):
        st.caption(context.say("gold_sheet.about"))
        for number, (heading, text) in enumerate(sections):
            st.markdown(f"**{heading}**")
            plain_text(text, f"gold-datasheet-{number}", language="en", reached=not number)


def _export(context: Context, sheet: Sheet, pairs: Pairs) -> None:
    st.session_state.pop(_EXPORTED, None)
    with guarded(context.language):
        folder = exports_folder(*context.here)
        report = export_gold(*context.here, folder, by=context.by, sheet=sheet, pairs=pairs)
        st.session_state[_EXPORTED] = context.project, report


def _files(context: Context, report: ExportReport) -> None:
    folder = exports_folder(*context.here)
    lines = listing(folder)
    # Relative to the workspace: whoever started the app knows where that is.
    place = folder.relative_to(context.workspace.folder.parent)
    st.success(plain(context.say("gold.export.done", folder=place)), icon=":material/check_circle:")
    told = {
        "questions": f"{report.questions:,}",
        "units": f"{report.corpus:,}",
        "snapshot": report.snapshot,
        "amended": f"{len(report.amended):,}",
        "waiting": f"{len(report.waiting):,}",
    }
    st.caption(plain(context.say("gold.export.report", **told)))
    levels = levels_said(report.levels, context.language)
    count = report.not_searched["pairs"]
    st.caption(context.say("gold.export.searched", levels=levels, count=count))
    if report.without_text["pairs"]:
        st.caption(context.say("levels.no_text_note", **report.without_text))
    if report.left_out:
        st.caption(context.say("levels.left_out_here"))
    judged = {"pairs": f"{report.pairs:,}", "rejected": f"{report.rejected:,}"}
    st.caption(context.say("gold.judged", **judged))
    if report.split is not None:
        st.caption(context.say("split.exported", number=report.split))
    columns = {
        "file": [line.name for line in lines],
        "size": [line.size for line in lines],
        "sha256": [line.sha256 for line in lines],
    }
    draw_table(
        context,
        "gold.export",
        columns,
        config={"size": st.column_config.NumberColumn(format="localized")},
    )
    name = f"{context.project}-gold.zip"
    download(context.say("gold.export.download"), zipped(folder), name, "gold-download")

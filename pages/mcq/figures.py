"""The MCQ report drawn, with what it counts to choose, its replies and its export."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from annotation.people.roles import Act
from evaluation.mcq.safety import ModelPair
from evaluation.mcq.votes import Of
from pages.mcq.before_after import choose_pair, kept_pairs
from pages.mcq.replies import draw_replies
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.reports import draw_report
from pages.shell.widgets import choose, download
from services.bundle import zipped
from services.mcq.export import export_mcqs
from services.mcq.report import READINGS, SCOPES, McqReport, mcq_report
from services.mcq.report_tables import as_report

_PREPARED = "mcq-prepared"


@fragment
def draw_figures(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    scope = choose(
        context, "mcq_report.scope_label", SCOPES, "mcq_report.scope", "mcq-scope", titled=True
    )
    found = mcq_report(*context.here, context.by, scope)
    if not found.funnel.start:
        may = context.may(Act.MAKE_ITEMS)
        words = "mcq_report.empty" if may else "mcq_report.empty_reader"
        st.info(context.say(words), icon=":material/info:")
        return
    kept = kept_pairs(context, {line.model for line in found.models})
    if found.rows:
        found, of = _chosen_reading(context, found)
    else:
        st.info(context.say("mcq_report.no_votes"), icon=":material/smart_toy:")
        of = Of.ALL
    with guarded(context.language):
        pairs = choose_pair(context, found)
        if pairs:
            found = mcq_report(*context.here, context.by, scope, pairs, found.reading)
        if pairs and not any(change.pair == pairs[-1] for change in found.changes):
            st.info(context.say("mcq_report.no_changes"), icon=":material/info:")
    chosen = draw_report(context, as_report(found, context.language, of), "mcq")
    row = chosen.get("counts")
    if row is not None:
        draw_replies(context, found.counts[row], scope)
    draw_export(context, scope, kept)


def _chosen_reading(context: Context, found: McqReport) -> tuple[McqReport, Of]:
    """Return the report under the chosen reading of replies, and the denominator of pictures."""
    reading = READINGS[0]
    with st.container(horizontal=True):
        if found.untold < sum(each.replies for each in found.counts):
            label, words = "mcq_report.reading_label", "mcq_report.reading"
            reading = choose(context, label, READINGS, words, "mcq-reading", titled=True)
        of = choose(
            context, "mcq_report.column.of", list(Of), "mcq_report.of_name", "mcq-of", titled=True
        )
    if reading != READINGS[0]:
        found = mcq_report(*context.here, context.by, found.scope, reading=reading)
    return found, Of(of)


def draw_export(context: Context, scope: str, pairs: Sequence[ModelPair]) -> None:
    """Draw the button that prepares the export, and the download once it is ready."""
    if not context.may(Act.EXPORT_GOLD):
        return
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.header(context.say("mcq_report.items.export"), anchor=False)
        words.caption(context.say("mcq_report.items.export_help"))
        asked = button.button(
            context.say("mcq_report.items.run_export"),
            key="mcq-export",
            icon=":material/save:",
            width="stretch",
        )
        if asked:
            _prepare(context, scope, pairs)
        about, archive = st.session_state.get(_PREPARED, (None, b""))
        if about == (context.project, scope, tuple(pairs)):
            download(
                context.say("mcq_report.items.download"),
                archive,
                f"{context.project}-mcq.zip",
                "mcq-download",
            )


def _prepare(context: Context, scope: str, pairs: Sequence[ModelPair]) -> None:
    """Make the archive of questions and keep it for download."""
    st.session_state.pop(_PREPARED, None)
    with guarded(context.language):
        with tempfile.TemporaryDirectory() as folder:
            export_mcqs(*context.here, Path(folder), scope, context.by, pairs)
            archive = zipped(Path(folder))
        st.session_state[_PREPARED] = (context.project, scope, tuple(pairs)), archive

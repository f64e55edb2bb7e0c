"""Corrected claim scores, for those who may read others' labels."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import Figure
from evaluation.tables import written
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.widgets import choose
from services.attribution.corrected import MEASURES, CorrectedScores, corrected
from services.attribution.corrected_table import COUNTS, WAYS, corrected_table, note_on, warnings_of


def draw_corrected(context: Context) -> None:
    """Draw scores as labelled and as corrected, with caveats and a download.

    Draws nothing without the permission to read others' labels.
    """
    if not context.may(Act.READ_OTHERS_LABELS):
        return
    st.header(context.say("attribution_corrected.title"), anchor=False)
    found = corrected(*context.here, by=context.by)
    if not found:
        st.info(context.say("attribution_corrected.none"))
        return
    measure = choose(
        context,
        "attribution_corrected.head.measure",
        list(MEASURES),
        "attribution_corrected.measure",
        "attribution-corrected-measure",
    )
    st.dataframe(_columns(context, found, measure), hide_index=True, height="content")
    st.caption(context.say("attribution_corrected.counted"))
    for each in found:
        for note in warnings_of(each, context.language):
            st.caption(md_literal(note))
    table = corrected_table(found, context.language)
    st.download_button(
        context.say("attribution_corrected.download"),
        written(table, "csv"),
        "claim-scores-corrected.csv",
        "text/csv",
        key="attribution-corrected-csv",
    )


def _columns(
    context: Context, scores: Sequence[CorrectedScores], measure: str
) -> dict[str, list[str | int]]:
    """Return a row per system and judge: a measure's four figures with their basis."""
    head = "attribution_corrected.head"
    columns: dict[str, list[str | int]] = {
        context.say(f"{head}.system"): [each.system for each in scores],
        context.say(f"{head}.judge"): [each.judge for each in scores],
    }
    for way in WAYS:
        columns[context.say(f"attribution_corrected.way.{way}")] = [
            _figure_cell(getattr(mean, way), note_on(mean, way, context.language))
            for mean in (each.means[measure] for each in scores)
        ]
    for name in COUNTS:
        columns[context.say(f"{head}.{name}")] = [getattr(each, name) for each in scores]
    return columns


def _figure_cell(figure: Figure, note: str) -> str:
    if figure.value is None:
        return note or "–"
    return f"{figure.text()} (n={figure.n:,})" + (f"; {note}" if note else "")

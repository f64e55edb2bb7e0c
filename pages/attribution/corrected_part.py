"""The corrected scores of claims as a part of a screen, for who reads others' labels."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import Figure
from evaluation.tables import written
from pages.shell.context import Context
from pages.shell.guard import plain
from services.attribution.corrected import CorrectedScores, corrected
from services.attribution.corrected_table import WAYS, corrected_table, note_on, notes_of


def draw_corrected(context: Context) -> None:
    """Draw the scores as labelled and as corrected, what stands against them, and a download.

    Nothing for who may not read others' labels.
    """
    if not context.may(Act.READ_OTHERS_LABELS):
        return
    st.subheader(context.say("attribution_corrected.title"), anchor=False)
    found = corrected(*context.here, by=context.by)
    if not found:
        st.info(context.say("attribution_corrected.none"))
        return
    for each in found:
        words = context.say("attribution_corrected.of", system=each.system, judge=each.judge)
        st.markdown(f"**{plain(words)}**")
        st.dataframe(_columns(context, each), hide_index=True)
        for note in notes_of(each, context.language):
            st.caption(plain(note))
    table = corrected_table(found, context.language)
    st.download_button(
        context.say("attribution_corrected.download"),
        written(table, "csv"),
        "claim-scores-corrected.csv",
        "text/csv",
        key="attribution-corrected-csv",
    )


def _columns(context: Context, found: CorrectedScores) -> dict[str, list[str]]:
    """Return a row for each measure: its four figures, each with its n, or why there is none."""
    say = context.say
    columns = {
        say("attribution_corrected.head.measure"): [
            say(f"attribution_corrected.measure.{measure}") for measure in found.means
        ]
    }
    for way in WAYS:
        columns[say(f"attribution_corrected.way.{way}")] = [
            _told(getattr(mean, way), note_on(mean, way, context.language))
            for mean in found.means.values()
        ]
    return columns


def _told(figure: Figure, note: str) -> str:
    if figure.value is None:
        return note or "–"
    return f"{figure.text()} (n={figure.n:,})" + (f"; {note}" if note else "")

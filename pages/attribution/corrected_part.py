"""The corrected scores of claims as a part of a screen, for who reads others' labels."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from evaluation.tables import written
from pages.shell.context import Context
from pages.shell.guard import plain
from services.attribution.corrected import corrected
from services.attribution.corrected_table import corrected_table


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
    table = corrected_table(found, context.language)
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.head)}
    shares = {
        context.say(f"attribution_corrected.head.{name}"): st.column_config.NumberColumn(
            format="%.3f"
        )
        for name in ("value", "low", "high")
    }
    st.dataframe(columns, hide_index=True, column_config=shares)
    for note in table.notes:
        st.caption(plain(note))
    st.download_button(
        context.say("attribution_corrected.download"),
        written(table, "csv"),
        "claim-scores-corrected.csv",
        "text/csv",
        key="attribution-corrected-csv",
    )

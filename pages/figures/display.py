"""A figure on a screen: drawn in the colours of the page, with its files to download."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evaluation.tables import Table
from pages.shell.context import Context
from services.figures.drawings import Drawing

_KINDS = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
}


def show_figure(context: Context, drawing: Drawing, name: str, description: str) -> None:
    """Draw the figure and, below it, its files and tables; `name` is that of files and their keys.

    `description` is what is told to who cannot see it. Files are on light paper: they are for
    documents.
    """
    svg = drawing.file(".svg", _mode(), context.language).decode()
    st.image(svg, width="content", alt=description)
    with st.container(horizontal=True):
        for ending in drawing.endings:
            st.download_button(
                context.say(f"figures.download_{ending[1:]}"),
                partial(drawing.file, ending, "light", context.language),
                f"{context.project}-{name}{ending}",
                _KINDS[ending],
                on_click="ignore",
                icon=":material/download:",
                key=f"figure-{name}-{ending[1:]}",
            )
    for table in drawing.tables(context.language) if drawing.tables else ():
        _show_table(table)


def _show_table(table: Table) -> None:
    st.subheader(table.title, anchor=False)
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.head)}
    st.dataframe(columns, hide_index=True, height="content", alt=table.title)
    for note in table.notes:
        st.caption(note)


def _mode() -> str:
    """Return whether the page is light or dark, as the browser says."""
    return "dark" if st.context.theme.type == "dark" else "light"

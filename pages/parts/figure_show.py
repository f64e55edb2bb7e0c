"""A figure on a screen: drawn in the colours of the page, with its files to download."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evaluation.figure import Figure
from jobs.drawings import ENDINGS, Drawing
from pages.context import Context

_KINDS = {".svg": "image/svg+xml", ".png": "image/png", ".csv": "text/csv"}


def show_figure(context: Context, drawing: Drawing, name: str, description: str) -> None:
    """Draw the figure and, below it, its files; `name` is that of the files and their keys.

    `description` is what is told to who cannot see it. Files are on light paper: they are for
    documents.
    """
    svg = drawing.file(".svg", _mode(), context.language).decode()
    st.image(svg, width="content", alt=description)
    with st.container(horizontal=True):
        for ending in ENDINGS:
            st.download_button(
                context.say(f"figures.download_{ending[1:]}"),
                partial(drawing.file, ending, "light", context.language),
                f"{context.project}-{name}{ending}",
                _KINDS[ending],
                on_click="ignore",
                icon=":material/download:",
                key=f"figure-{name}-{ending[1:]}",
            )


def value(figure: Figure) -> str:
    """Return the figure with its interval and its n, as a table shows it."""
    return f"{figure.text()} (n={figure.n})"


def _mode() -> str:
    """Return whether the page is light or dark, as the browser says."""
    return "dark" if st.context.theme.type == "dark" else "light"

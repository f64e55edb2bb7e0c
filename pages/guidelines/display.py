"""Reading view of a guideline (marked text) or a codebook (table of options)."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.codebook_tree import Codebook, Factor, Option
from pages.shell.context import Context
from pages.shell.plain_text import plain_text
from pages.task.guideline_text import guideline_spans


def draw_text(
    context: Context, text: str, key: str, book: Codebook | None, language: str | None = None
) -> None:
    """Draw a guideline, or the parsed codebook if given."""
    if book is None:
        plain_text(guideline_spans(text), key, language=language or context.language)
    else:
        _draw_codebook(context, book, key, language or context.language)


def _draw_codebook(context: Context, book: Codebook, key: str, language: str) -> None:
    rows = [row for factor in book.factors for row in _rows(factor, "")]
    rows += [("", option) for option in book.options]
    say = context.say
    columns: dict[str, list[str]] = {}
    if book.factors:
        columns[say("guidelines.factor")] = [at for at, _ in rows]
    columns |= {
        say("guidelines.key"): [each.key for _, each in rows],
        say("guidelines.label"): [each.label[language] for _, each in rows],
        say("guidelines.meaning"): [each.meaning[language] for _, each in rows],
    }
    config = {say("guidelines.meaning"): st.column_config.TextColumn(width="large")}
    st.dataframe(columns, column_config=config, hide_index=True, key=key)


def _rows(factor: Factor, at: str) -> list[tuple[str, Option]]:
    here = f"{at} › {factor.key}" if at else factor.key
    rows = [(here, option) for option in factor.options]
    return rows + [row for inner in factor.factors for row in _rows(inner, here)]

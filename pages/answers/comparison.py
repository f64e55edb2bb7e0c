"""Groups of answers compared by any of their scores, from the presets of the reports."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evaluation.scores import BEST
from pages.shell.context import Context
from pages.shell.reports import cached, draw_report
from pages.shell.widgets import choose
from services.answers.score_table import GROUPS, PRESETS, comparison_report, revision, score_table


def draw_comparison(context: Context) -> None:
    """Draw the comparison that the reader chooses; scores are read once it is wanted."""
    if not st.toggle(context.say("score_table.compare"), key="answers-compare"):
        return
    left, right = st.columns(2)
    with left:
        name = choose(
            context, "score_table.preset", list(PRESETS), "score_table.presets", "answers-preset"
        )
    pivot = PRESETS[name]
    with right:
        by = choose(
            context,
            "score_table.group",
            list(GROUPS),
            lambda each: context.say(f"score_table.by_{each}"),
            f"answers-group-{name}",
            default=pivot.by,
        )
    if by != pivot.by:
        pivot = replace(pivot, by=by, against=BEST)
    version = revision(*context.here, context.by)
    table = cached(context, version, score_table, context.by)
    draw_report(context, comparison_report(table, pivot, context.language), "answers-compared")

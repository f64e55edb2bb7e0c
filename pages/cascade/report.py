"""Cascade report: passed and rejected per layer, yield, and difficulty levels."""

from __future__ import annotations

import streamlit as st

from construction.augmentation.rubric import LEVELS
from pages.shell.context import Context
from pages.shell.widgets import download_row, draw_table
from pages.task.generated_words import reason_name
from services.cascade.report import (
    CascadeReport,
    as_csv,
    as_latex,
    as_markdown,
    cascade_report,
)


def draw_report(context: Context) -> None:
    """Draw the report over questions that went through the current layers."""
    say = context.say
    found = cascade_report(*context.here, context.by)
    if not found.questions:
        st.info(say("cascade.none"), icon=":material/info:")
        return
    counts = dict(found.states)
    counts["through"] += counts["restored"]
    present = found.questions - found.outdated
    st.markdown(say("cascade.report.version", number=found.number, **counts, questions=present))
    if found.outdated:
        st.warning(say("cascade.report.outdated", count=found.outdated), icon=":material/history:")
    _funnel(context, found)
    _shares(context, found)
    _reasons(context, found)
    _levels(context, found)
    files = {"csv": as_csv(found), "md": as_markdown(found), "tex": as_latex(found)}
    download_row(context, "cascade.report.", files, f"{context.project}-cascade", "cascade-report")


def _funnel(context: Context, found: CascadeReport) -> None:
    say, lines = context.say, found.layers
    st.header(say("cascade.report.funnel"), anchor=False)
    columns = {
        "layer": [say(f"cascade.layer.{each.layer}") for each in lines],
        "share": [each.share.percent() for each in lines],
        "n": [each.share.n for each in lines],
        "on": [each.on for each in lines],
        "entered": [each.entered for each in lines],
        "passed": [each.passed for each in lines],
        "rejected": [each.rejected for each in lines],
        "unjudged": [each.unjudged for each in lines],
        "restored": [each.restored for each in lines],
    }
    draw_table(context, "cascade.report", columns, "cascade-funnel", height="content")
    st.caption(say("cascade.report.funnel_note"))


def _shares(context: Context, found: CascadeReport) -> None:
    say = context.say
    for column, name, figure in zip(
        st.columns(2), ("yield", "hits"), (found.yielded, found.hits), strict=True
    ):
        with column.container(border=True):
            st.markdown(f"**{say(f'cascade.report.{name}')}**: {figure.percent()}")
            st.caption(say(f"cascade.report.{name}_note", n=figure.n))
    if found.admitted:
        st.caption(say("cascade.report.admitted", count=found.admitted))


def _reasons(context: Context, found: CascadeReport) -> None:
    say = context.say
    rows = [
        (
            say(f"cascade.layer.{line.layer}"),
            reason_name(code, found.labels, context.language),
            count,
        )
        for line in found.layers
        for code, count in line.reasons.items()
    ]
    if not rows:
        return
    st.header(say("cascade.report.reasons"), anchor=False)
    layer, reason, count = zip(*rows, strict=True)
    columns = {"layer": layer, "reason": reason, "count": count}
    draw_table(context, "cascade.report", columns, "cascade-reasons", wide="reason")


def _levels(context: Context, found: CascadeReport) -> None:
    if not found.levels:
        return
    st.header(context.say("cascade.report.levels"), anchor=False)
    columns: dict[str, list[object]] = {"target": list(LEVELS)}
    for actual in LEVELS:
        columns[actual] = [found.levels.get((target, actual), 0) for target in LEVELS]
    draw_table(context, "cascade.report", columns, "cascade-levels", height="content")

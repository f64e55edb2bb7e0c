"""Where a judge errs: by type of question, and by length of the answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.judging.drift import Group
from pages.shell.context import Context
from pages.shell.interval_chart import Bar, grouped_bars
from services.judging.report import JudgeLine

_MOST = 8  # groups of which the bars can be told apart


def draw_drift(context: Context, line: JudgeLine) -> None:
    """Draw over- and underestimated answers per group."""
    if not line.matrix.n:
        return
    say = context.say
    st.subheader(say("judge_report.page.drift"), anchor=False)
    st.caption(say("judge_report.page.drift_help"))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{say('judge_report.page.by_kind')}**")
        _bars(context, line.kinds, [_kind(context, each) for each in line.kinds], "kind")
    with right:
        st.markdown(f"**{say('judge_report.page.by_length')}**")
        _bars(context, line.lengths, [_length(context, each) for each in line.lengths], "length")


def _kind(context: Context, group: Group) -> str:
    return group.name or context.say("judge_report.no_kind")


def _length(context: Context, group: Group) -> str:
    low, high = f"{group.shortest:,}", f"{group.longest:,}"
    if low == high:
        return context.say("judge_report.page.length", length=low)
    return context.say("judge_report.page.lengths", low=low, high=high)


def _bars(context: Context, groups: Sequence[Group], names: Sequence[str], key: str) -> None:
    bars = [
        Bar(f"{name} (n = {group.matrix.n:,})", context.say(f"judge_report.figure.{which}"), figure)
        for name, group in list(zip(names, groups, strict=True))[:_MOST]
        for which, figure in (("over", group.shares.over), ("under", group.shares.under))
    ]
    grouped_bars(bars, context.say("judge_report.page.drift_chart"), f"judge-drift-{key}")

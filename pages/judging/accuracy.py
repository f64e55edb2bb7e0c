"""How often the answers are correct: what the judge says, what people say, and both together."""

from __future__ import annotations

import streamlit as st

from evaluation.judging.estimate import Accuracy
from pages.judging.matrix import percent
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.interval_chart import Bar, interval_chart
from services.judging.report import JudgeLine, doubt

_ESTIMATES = ("naive", "people", "corrected", "tuned")
_CHARTED = 3  # systems: more cannot be told apart


def draw_accuracy(context: Context, line: JudgeLine) -> None:
    """Draw a line for each system, a chart of the first few, and what stands against believing."""
    say = context.say
    st.subheader(say("judge_report.page.accuracy"), anchor=False)
    st.caption(say("judge_report.page.accuracy_help"))
    columns: dict[str, list[str | int]] = {
        say("judge_report.page.system_head"): [system for system, _ in line.accuracies],
    }
    for name in _ESTIMATES:
        cells = [percent(getattr(found, name)) for _, found in line.accuracies]
        columns[say(f"judge_report.figure.{name}")] = list(cells)
    columns[say("judge_report.page.said")] = [found.naive.n for _, found in line.accuracies]
    columns[say("judge_report.page.sample")] = [found.people.n for _, found in line.accuracies]
    st.dataframe(
        columns,
        hide_index=True,
        key="judge-accuracy",
        alt=say("judge_report.page.accuracy"),
    )
    _chart(context, line)
    for system, found in line.accuracies:
        _warn(context, system, found)


def _chart(context: Context, line: JudgeLine) -> None:
    several = len(line.accuracies) > 1
    bars = []
    for system, found in line.accuracies[:_CHARTED]:
        for name in _ESTIMATES:
            figure, words = getattr(found, name), context.say(f"judge_report.figure.{name}")
            if figure.value is not None:
                bars.append(Bar(f"{system} · {words}" if several else words, system, figure))
    if bars:
        interval_chart(bars, context.say("judge_report.page.accuracy_chart"), "judge-accuracies")


def _warn(context: Context, system: str, found: Accuracy) -> None:
    """Say what stands against believing the corrected figure."""
    told = doubt(system, found)
    if told is not None:
        name, params = told
        words = context.say(f"judge_report.page.{name}", **params)
        st.caption(f":material/warning: {plain(words)}")

"""The matrix of a judge and people, and the judges side by side."""

from __future__ import annotations

import streamlit as st

from evaluation.figure import Figure
from evaluation.judging.judged import Cell
from evaluation.judging.votes import MAJORITY
from pages.shell.context import Context
from pages.shell.guard import plain
from services.judging.report import JudgeLine, JudgeReport

_ROWS = (
    ("judge_correct", (Cell.TRUE_POSITIVE, Cell.FALSE_POSITIVE)),
    ("judge_incorrect", (Cell.FALSE_NEGATIVE, Cell.TRUE_NEGATIVE)),
)
_WIDTHS = [1, 2, 2]
_DISAGREE = (Cell.FALSE_POSITIVE, Cell.FALSE_NEGATIVE)


def judge_words(context: Context, judge: str) -> str:
    """Return a judge's name, and in words what several together are called."""
    return context.say("judge_report.majority") if judge == MAJORITY else judge


def percent(figure: Figure) -> str:
    """Return a share with its interval, e.g. ``88.3 % [86.1, 90.1]``; a dash without a value."""
    if figure.value is None:
        return "–"
    interval = _interval(figure, 100, 1)
    return f"{100 * figure.value:.1f} %{interval}"


def number(figure: Figure) -> str:
    """Return a figure with its interval; a dash where it has no value."""
    return "–" if figure.value is None else f"{figure.value:.3f}{_interval(figure, 1, 3)}"


def draw_matrix(context: Context, line: JudgeLine) -> None:
    """Draw the four cells: count, share, interval."""
    say = context.say
    st.subheader(say("judge_report.page.matrix"), anchor=False)
    st.caption(say("judge_report.page.matrix_help", n=f"{line.matrix.n:,}"))
    _, correct, incorrect = st.columns(_WIDTHS, vertical_alignment="bottom")
    correct.markdown(f"**{say('judge_report.people_correct')}**")
    incorrect.markdown(f"**{say('judge_report.people_incorrect')}**")
    for name, cells in _ROWS:
        head, *columns = st.columns(_WIDTHS, vertical_alignment="center")
        head.markdown(f"**{say(f'judge_report.{name}')}**")
        for column, cell in zip(columns, cells, strict=True):
            with column:
                _cell(context, line, cell)


def draw_judges(context: Context, found: JudgeReport) -> None:
    """Draw a line for each judge with its figures."""
    say, lines = context.say, found.judges
    st.subheader(say("judge_report.page.judges"), anchor=False)
    st.caption(say("judge_report.page.judges_help"))
    columns: dict[str, list[str | int]] = {
        say("judge_report.head.judge"): [judge_words(context, each.judge) for each in lines],
        say("judge_report.page.said"): [each.said for each in lines],
        say("judge_report.page.silent"): [each.silent for each in lines],
    }
    for name in ("agreement", "sensitivity", "specificity", "over", "under"):
        cells = [percent(getattr(each.shares, name)) for each in lines]
        columns[say(f"judge_report.figure.{name}")] = list(cells)
    columns[say("judge_report.figure.cohen_kappa")] = [
        number(each.between.kappa.figure) for each in lines
    ]
    columns[say("judge_report.figure.ac1")] = [number(each.between.ac1.figure) for each in lines]
    columns["n"] = [each.matrix.n for each in lines]
    helps = ("agreement", "sensitivity", "specificity", "cohen_kappa", "ac1")
    config = {
        say(f"judge_report.figure.{name}"): st.column_config.TextColumn(
            help=say(f"judge_report.about.{name}")
        )
        for name in helps
    }
    st.dataframe(
        columns,
        column_config=config,
        hide_index=True,
        key="judge-judges",
        alt=say("judge_report.page.judges"),
    )


def _cell(context: Context, line: JudgeLine, cell: Cell) -> None:
    share = line.matrix.share(cell)
    value = 0.0 if share.value is None else share.value
    icon = ":material/difference:" if cell in _DISAGREE else ":material/check:"
    with st.container(border=True):
        st.metric(
            f"{icon} {context.say(f'judge_report.page.{cell.value}')}",
            f"{100 * value:.2f} %",
        )
        interval = plain(_interval(share, 100, 1).strip())
        st.caption(f"n = {line.matrix.count(cell):,} · 95 % {interval}")


def _interval(figure: Figure, scale: int, digits: int) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" [{scale * figure.low:.{digits}f}, {scale * figure.high:.{digits}f}]"

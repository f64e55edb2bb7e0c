"""The figures that stand first, as cards; each opens what is behind it."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import headline
from annotation.agreement.views import FigureRow, Table
from annotation.people.roles import Act
from evaluation.agreement.interpretation import few, read
from pages.agreement.figure_table import draw_behind
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.interval_chart import Bar, interval_chart

_OPENED = "agreement-opened"


@st.fragment
def draw_cards(context: Context) -> None:
    """Draw the cards and their chart. A fragment: opening one draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        _cards(context, headline(context.workspace, context.project, context.person.id))


def _cards(context: Context, table: Table) -> None:
    say = context.say
    st.subheader(say("agreement.figures"), anchor=False)
    scored = [row for row in table.rows if row.finding.figure.value is not None]
    if not scored:
        st.info(say("agreement.too_few", n=table.items), icon=":material/hourglass_empty:")
        return
    for column, row in zip(st.columns(len(table.rows)), table.rows, strict=True):
        with column, st.container(border=True, height="stretch"):
            _card(context, row)
    st.caption(say("agreement.method"))
    bars = [Bar(_name(context, row), "", row.finding.figure) for row in scored]
    sighted = context.may(Act.READ_OTHERS_LABELS)
    interval_chart(bars, say("agreement.chart"), "agreement-chart")
    opened = st.session_state.get(_OPENED)
    for row in table.rows:
        if sighted and row.finding.statistic == opened:
            with st.container(border=True):
                draw_behind(context, table, row, "agreement-card")


def _card(context: Context, row: FigureRow) -> None:
    say, figure = context.say, row.finding.figure
    value = "–" if figure.value is None else f"{figure.value:.3f}"
    st.metric(_name(context, row), value)
    if figure.low is None or figure.high is None:
        interval = say("agreement.no_interval")
    else:
        interval = say("agreement.interval", low=f"{figure.low:.3f}", high=f"{figure.high:.3f}")
    st.caption(f"{interval}  \n{say('agreement.n', n=figure.n)}")
    st.markdown(read(row.finding)[0].say(context.language))
    if few(row.finding):
        st.caption(f":material/warning: {say('agreement.more.few', n=figure.n)}")
    if context.may(Act.READ_OTHERS_LABELS):
        _opener(context, row)


def _opener(context: Context, row: FigureRow) -> None:
    key = row.finding.statistic
    is_open = st.session_state.get(_OPENED) == key
    st.button(
        context.say("agreement.items.close" if is_open else "agreement.items.show"),
        key=f"agreement-open-{key}",
        icon=":material/expand_less:" if is_open else ":material/list:",
        on_click=lambda: st.session_state.update({_OPENED: None if is_open else key}),
    )


def _name(context: Context, row: FigureRow) -> str:
    return context.say(f"statistics.name.{row.finding.statistic}")

"""The leaderboard screen: run BM25, compare runs with intervals, open the questions behind."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.roles import Act
from errors import UserError
from jobs.leaderboard import Board, RunLine, leaderboard
from jobs.retrieve import retrieve
from pages.context import Context
from pages.guard import guarded, show
from pages.parts.interval_chart import Bar, grouped_bars
from pages.parts.notices import progress_bar, remember, show_remembered
from pages.parts.only_for import allowed
from pages.parts.run_queries import draw_queries
from pages.parts.run_table import draw_runs
from retrieval.bm25_weights import DEFAULT_B, DEFAULT_K1
from retrieval.tokenise import TOKENISERS

_NOTICE = "leaderboard-notice"
_CHARTED = 4  # runs: more bars per measure cannot be told apart


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("leaderboard.title"), anchor=False)
    st.markdown(context.say("leaderboard.lead"))
    show_remembered(_NOTICE)
    if not allowed(context, Act.SEE_SCORES):
        return
    board = leaderboard(context.workspace, context.project, context.person.id)
    if allowed(context, Act.RUN_RETRIEVAL):
        _run_form(context, board)
    if board.runs:
        _results(context, board)
    elif board.gold:
        st.info(context.say("leaderboard.no_runs"), icon=":material/info:")


@st.fragment
def _results(context: Context, board: Board) -> None:
    """Draw the runs; selecting among them draws nothing else anew."""
    chart = context.say("leaderboard.chart")
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        st.subheader(context.say("leaderboard.runs"), anchor=False)
        run = draw_runs(context, board.runs)
        _notes(context, board.runs)
        with st.expander(chart, icon=":material/bar_chart:", expanded=True):
            _chart(context, board.runs[:_CHARTED])
        draw_queries(context, run)


def _run_form(context: Context, board: Board) -> None:
    say = context.say
    with st.form("leaderboard-run"):
        cut, saturation, length, button = st.columns([3, 1, 1, 1.4], vertical_alignment="bottom")
        tokeniser = cut.selectbox(
            say("leaderboard.tokeniser"),
            list(TOKENISERS),
            format_func=lambda each: say(f"leaderboard.tokenisers.{each}"),
            key="leaderboard-tokeniser",
        )
        k1 = saturation.number_input(
            *(say("leaderboard.k1"), 0.0, 10.0, DEFAULT_K1, 0.1),
            help=say("leaderboard.k1_help"),
            key="leaderboard-k1",
        )
        b = length.number_input(
            *(say("leaderboard.b"), 0.0, 1.0, DEFAULT_B, 0.05),
            help=say("leaderboard.b_help"),
            key="leaderboard-b",
        )
        sent = button.form_submit_button(
            say("leaderboard.run"),
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            disabled=not board.gold,
        )
    if not board.gold:
        st.info(
            say("leaderboard.no_gold", pending=board.pending), icon=":material/hourglass_empty:"
        )
    if sent:
        _run(context, str(tokeniser), float(k1), float(b))


def _run(context: Context, tokeniser: str, k1: float, b: float) -> None:
    try:
        with progress_bar(context, "leaderboard.running") as report:
            run = retrieve(
                context.workspace,
                context.project,
                {"method": "bm25", "tokeniser": tokeniser, "k1": k1, "b": b},
                progress=report,
                by=context.person.id,
            )
    except UserError as error:
        show(error, context.language)
        return
    remember(_NOTICE, context.say("leaderboard.done", run=run))
    st.rerun()


def _notes(context: Context, runs: Sequence[RunLine]) -> None:
    lines = [context.say("leaderboard.n")]
    if len(runs) > 1:
        lines.append(context.say("leaderboard.best"))
    if any(run.stale for run in runs):
        lines.append(context.say("leaderboard.stale_note"))
    st.caption("  \n".join(lines))


def _chart(context: Context, runs: Sequence[RunLine]) -> None:
    bars = [
        Bar(figure.name, f"{run.run_id} · {run.label}", figure)
        for run in runs
        for figure in run.figures
        if figure.value is not None
    ]
    grouped_bars(bars, context.say("leaderboard.chart_alt"), "leaderboard-chart")

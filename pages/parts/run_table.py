"""The table of runs: each measure with its interval, the best of a column and stale runs marked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.figure import Figure
from jobs.leaderboard import RunLine
from pages.context import Context

KEY = "leaderboard-runs"
_ROW_HEIGHT = 70  # room for value and interval, each on its line
_NBSP = "\N{NO-BREAK SPACE}"
_BEST = f"★{_NBSP}"


def draw_runs(context: Context, runs: Sequence[RunLine]) -> RunLine:
    """Draw the table and return the selected run; the first one until another is selected."""
    say = context.say
    state = st.dataframe(
        columns_of(context, runs),
        column_config={
            say("leaderboard.column_run"): st.column_config.NumberColumn(width=45),
            say("leaderboard.column_method"): st.column_config.TextColumn(width=150),
            say("leaderboard.column_n"): st.column_config.NumberColumn(width=40),
            say("leaderboard.column_state"): st.column_config.TextColumn(width=65),
            **{figure.name: st.column_config.TextColumn(width=102) for figure in runs[0].figures},
        },
        hide_index=True,
        row_height=_ROW_HEIGHT,
        key=KEY,
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
        alt=say("leaderboard.runs"),
    )
    rows = state["selection"]["rows"]
    return runs[rows[0]] if rows and rows[0] < len(runs) else runs[0]


def columns_of(context: Context, runs: Sequence[RunLine]) -> dict[str, list[str | int]]:
    """Return the table's columns: run, method, n, whether the run is stale, and the measures."""
    say = context.say
    columns: dict[str, list[str | int]] = {
        say("leaderboard.column_run"): [run.run_id for run in runs],
        say("leaderboard.column_method"): [run.label for run in runs],
        say("leaderboard.column_n"): [run.n for run in runs],
        say("leaderboard.column_state"): [
            say("leaderboard.stale" if run.stale else "leaderboard.current") for run in runs
        ],
    }
    for place, name in enumerate(figure.name for figure in runs[0].figures):
        column = [run.figures[place] for run in runs]
        best = best_value(column)
        columns[name] = [cell(figure, best) for figure in column]
    return columns


def best_value(column: Sequence[Figure]) -> float | None:
    """Return the highest value of a column; None where no run is better than another."""
    values = {figure.value for figure in column if figure.value is not None}
    return max(values) if len(values) > 1 else None


def cell(figure: Figure, best: float | None) -> str:
    """Return e.g. ``0.713 [0.650, 0.771]``, starred where it is the best; a dash if unscored."""
    if figure.value is None:
        return "–"
    star = _BEST if figure.value == best else ""
    if figure.low is None or figure.high is None:
        return f"{star}{figure.value:.3f}"
    # No-break spaces: the cell breaks between value and interval only.
    return f"{star}{figure.value:.3f} [{figure.low:.3f},{_NBSP}{figure.high:.3f}]"

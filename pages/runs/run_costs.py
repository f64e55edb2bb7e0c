"""Table of run costs: time and calls for indexing and for questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.widgets import draw_table
from services.runs.costs import COLUMNS, RunCost, columns_of, cost_notes
from services.runs.rows import RunLine

_NAME = 150  # pixels: on a phone two columns fit beside it
_COLUMN = 105  # room for "not measured"


def draw_run_costs(context: Context, runs: Sequence[RunLine]) -> None:
    """Draw the costs of these runs, initially folded."""
    costs = [RunCost.of(run.cost) for run in runs]
    names = [str(run.run_id) for run in runs]
    named: dict[str, Sequence[Any]] = {
        "column_run": [run.run_id for run in runs],
        "column_method": [run.label for run in runs],
    }
    config = {
        "column_run": st.column_config.NumberColumn(width=45, pinned=True),
        "column_method": st.column_config.TextColumn(width=_NAME, pinned=True),
    }
    with st.expander(context.say("costs.title"), icon=":material/payments:"):
        _draw(context, "leaderboard", named, config, names, costs)


def draw_line_costs(
    context: Context, labels: Sequence[str], costs: Sequence[RunCost], key: str
) -> None:
    """Draw the costs of an experiment's lines."""
    config = {"column_line": st.column_config.TextColumn(width=_NAME, pinned=True)}
    with st.expander(context.say("costs.lines_title"), icon=":material/payments:", expanded=True):
        _draw(context, "experiments", {"column_line": labels}, config, labels, costs, key)


def _draw(
    context: Context,
    key_prefix: str,
    named: Mapping[str, Sequence[Any]],
    config: Mapping[str, Any],
    names: Sequence[str],
    costs: Sequence[RunCost],
    key: str = "",
) -> None:
    """Draw the table and its notes; `named` are the columns that identify the rows."""
    rows = [columns_of(each) for each in costs]
    draw_table(
        context,
        key_prefix,
        {**named, **{f"costs.{name}": [row[name] for row in rows] for name in COLUMNS}},
        f"{key_prefix}-costs{key}",
        config={**config, **_column_config(context)},
        placeholder=context.say("costs.not_measured"),
        alt=context.say("costs.title"),
    )
    if notes := cost_notes(zip(names, costs, strict=True), context.language):
        st.caption("  \n".join(map(md_literal, notes)))


def _column_config(context: Context) -> dict[str, Any]:
    """Return the configuration of the cost columns."""
    return {
        f"costs.{name}": st.column_config.NumberColumn(
            width=_COLUMN,
            format=f"%.{digits}f" if digits else "localized",
            help=context.say(f"costs.{name}_help"),
        )
        for name, (_, digits) in COLUMNS.items()
    }

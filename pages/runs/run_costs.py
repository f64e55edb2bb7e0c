"""What runs cost, as columns of a table and as a table of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from services.runs.costs import COLUMNS, RunCost, columns_of, cost_notes
from services.runs.rows import RunLine


def cost_columns(costs: Sequence[RunCost]) -> dict[str, list[float | None]]:
    """Return the columns of costs by the keys of their headings; None is what was not measured."""
    rows = [columns_of(each) for each in costs]
    return {f"costs.{name}": [row[name] for row in rows] for name in COLUMNS}


def cost_config(context: Context) -> dict[str, Any]:
    """Return how these columns are drawn, and what each says of itself."""
    return {
        f"costs.{name}": st.column_config.NumberColumn(
            format=f"%.{digits}f" if digits else "localized", help=context.say(f"costs.{name}_help")
        )
        for name, (_, digits) in COLUMNS.items()
    }


def draw_costs(context: Context, runs: Sequence[RunLine]) -> None:
    """Draw a table of what these runs cost, closed until somebody opens it."""
    say, costs = context.say, [RunCost.of(run.cost) for run in runs]
    with st.expander(say("costs.title"), icon=":material/payments:"):
        draw_table(
            context,
            "leaderboard",
            {
                "column_run": [run.run_id for run in runs],
                "column_method": [run.label for run in runs],
                **cost_columns(costs),
            },
            "leaderboard-costs",
            config={
                "column_run": st.column_config.NumberColumn(width=45, pinned=True),
                "column_method": st.column_config.TextColumn(width=240, pinned=True),
                **cost_config(context),
            },
            placeholder=say("costs.not_measured"),
            alt=say("costs.title"),
        )
        named = ((str(run.run_id), cost) for run, cost in zip(runs, costs, strict=True))
        if notes := cost_notes(named, context.language):
            st.caption("  \n".join(map(plain, notes)))

"""Table of the costs of an experiment's lines: time and calls for indexing and for questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.widgets import draw_table
from services.runs.costs import COLUMNS, RunCost, columns_of, cost_notes

_NAME = 150  # pixels: on a phone two columns fit beside it
_COLUMN = 105  # room for "not measured"


def draw_line_costs(
    context: Context, labels: Sequence[str], costs: Sequence[RunCost], key: str
) -> None:
    """Draw the costs of an experiment's lines, with notes."""
    rows = [columns_of(each) for each in costs]
    with st.expander(context.say("costs.lines_title"), icon=":material/payments:", expanded=True):
        draw_table(
            context,
            "experiments",
            {"column_line": labels}
            | {f"costs.{name}": [row[name] for row in rows] for name in COLUMNS},
            f"experiments-costs{key}",
            config={
                "column_line": st.column_config.TextColumn(width=_NAME, pinned=True),
                **_column_config(context),
            },
            placeholder=context.say("costs.not_measured"),
            alt=context.say("costs.lines_title"),
        )
        if notes := cost_notes(zip(labels, costs, strict=True), context.language):
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

"""Rank changes between two runs on one question."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from services.runs.query_analysis import moves
from services.runs.questions import QueryDetail
from services.runs.rows import RunLine

_ROWS = 12  # visible at once; the table scrolls beyond them
_ROW_HEIGHT, _HEADER = 35, 37

Found = tuple[RunLine, QueryDetail]


def place(label: str, heading: str) -> str:
    """Return a unit's place with its heading, e.g. ``제12조 (화재의 예방)``."""
    return label + (f" ({heading})" if heading else "")


def draw_moves(context: Context, selected: Found, beside: Found, k: int) -> None:
    """Draw rank changes from run `beside` to run `selected` within the first `k`."""
    say = context.say
    (run, after), (other, before) = selected, beside
    moved = moves(before, after, k)
    title = say("query_analysis.moved_title", before=other.run_id, after=run.run_id, k=k)
    st.markdown(f"**{plain(title)}**")
    entered, left = (
        [move for move in moved if move.change == change] for change in ("entered", "left")
    )
    counts = {"entered": len(entered), "gold_entered": sum(move.is_gold for move in entered)}
    counts |= {"left": len(left), "gold_left": sum(move.is_gold for move in left)}
    st.caption(say("query_analysis.moved_counts", **counts, k=k))
    draw_table(
        context,
        "query_analysis",
        {
            "rank_moved": [f"{_rank(move.before)} → {_rank(move.after)}" for move in moved],
            "moved": [say(f"query_analysis.change.{move.change}") for move in moved],
            "gold": [move.is_gold for move in moved],
            "unit": [place(move.label, move.heading) for move in moved],
            "leaderboard.statute": [move.statute for move in moved],
        },
        f"query-moved-{run.run_id}-{other.run_id}-{after.external_id}",
        config={
            "rank_moved": st.column_config.TextColumn(width=120),
            "moved": st.column_config.TextColumn(width=90),
            "gold": st.column_config.CheckboxColumn(width=50),
            "unit": st.column_config.TextColumn(width=220),
            "leaderboard.statute": st.column_config.TextColumn(width=220),
        },
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, max(1, len(moved))),
        alt=title,
    )


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)

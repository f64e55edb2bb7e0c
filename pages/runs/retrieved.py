"""What one run retrieved for a question, rank by rank."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from services.runs.questions import QueryDetail
from services.runs.rows import RunLine

_TABLE_HEIGHT = 380


def draw_retrieved(context: Context, run: RunLine, detail: QueryDetail, alone: bool) -> None:
    """Draw the ranking; with other runs beside it (not `alone`) the excerpts are left out."""
    say, units = context.say, detail.retrieved
    st.markdown(f"**{say('leaderboard.retrieved_by', run=run.run_id)}** · {plain(run.label)}")
    if detail.gold:
        found = len(detail.gold) - len(detail.missed)
        counts = {"found": found, "total": len(detail.gold), "k": detail.k}
        st.caption(say("leaderboard.found", **counts))
    if not units:
        st.caption(say("leaderboard.nothing_retrieved"))
        return
    columns = {
        say("leaderboard.rank"): [unit.rank for unit in units],
        say("leaderboard.gold"): [unit.is_gold for unit in units],
        say("leaderboard.provision"): [place(unit.label, unit.heading) for unit in units],
        say("leaderboard.statute"): [unit.statute for unit in units],
    }
    if alone:
        columns |= {
            say("leaderboard.score"): [unit.score for unit in units],
            say("leaderboard.excerpt"): [" ".join(unit.snippet.split()) for unit in units],
        }
    st.dataframe(
        columns,
        column_config={
            say("leaderboard.rank"): st.column_config.NumberColumn(width=50),
            say("leaderboard.gold"): st.column_config.CheckboxColumn(width=50),
            say("leaderboard.provision"): st.column_config.TextColumn(width=150),
            say("leaderboard.statute"): st.column_config.TextColumn(width=220),
            say("leaderboard.score"): st.column_config.NumberColumn(format="%.3f", width=70),
        },
        hide_index=True,
        height="auto" if len(units) < 10 else _TABLE_HEIGHT,
        key=f"leaderboard-retrieved-{run.run_id}-{detail.external_id}",
    )


def place(label: str, heading: str) -> str:
    """Return a unit's place with its heading, e.g. ``제12조 (화재의 예방)``."""
    return label + (f" ({heading})" if heading else "")

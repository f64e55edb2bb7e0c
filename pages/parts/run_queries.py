"""The questions of one run: their scores, and of one of them what was found and what missed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from jobs.leaderboard import RunLine
from jobs.run_questions import GoldUnit, QueryDetail, QueryLine, query_detail, query_list
from pages.context import Context
from pages.guard import plain
from pages.parts.plain_text import plain_text

_TABLE_HEIGHT = 380


def draw_queries(context: Context, run: RunLine) -> None:
    """Draw the sortable table of the run's questions and the one that is selected."""
    say = context.say
    st.subheader(say("leaderboard.queries", run=run.run_id), anchor=False)
    if run.missing:
        st.caption(say("leaderboard.missing", count=len(run.missing)))
    measures = [figure.name for figure in run.figures]
    queries = query_list(context.workspace, run.run_id, context.person.id)
    state = st.dataframe(
        _columns(context, queries, measures),
        column_config={
            say("leaderboard.question_id"): st.column_config.TextColumn(width="small"),
            say("leaderboard.question"): st.column_config.TextColumn(width=250),
            **{name: st.column_config.NumberColumn(format="%.3f") for name in measures},
        },
        hide_index=True,
        placeholder="–",
        height="auto" if len(queries) < 10 else _TABLE_HEIGHT,
        key=f"leaderboard-queries-{run.run_id}",
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    if not rows or rows[0] >= len(queries):
        st.caption(say("leaderboard.pick_query"))
        return
    question = queries[rows[0]].external_id
    detail = query_detail(context.workspace, run.run_id, question, context.person.id)
    with st.container(border=True):
        _detail(context, run, detail)


def _columns(
    context: Context, queries: Sequence[QueryLine], measures: Sequence[str]
) -> dict[str, list[object]]:
    say = context.say
    return {
        say("leaderboard.question_id"): [query.external_id for query in queries],
        say("leaderboard.question"): [query.question for query in queries],
        say("leaderboard.gold"): [query.gold for query in queries],
        say("leaderboard.found_column"): [query.found for query in queries],
        say("leaderboard.first"): [query.first for query in queries],
        **{name: [query.values.get(name) for query in queries] for name in measures},
    }


def _detail(context: Context, run: RunLine, detail: QueryDetail) -> None:
    key = f"{run.run_id}-{detail.external_id}"
    st.markdown(f"**{plain(detail.external_id)}**")
    plain_text(detail.question, f"query-{key}", "lead", detail.language)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(f"**{context.say('leaderboard.retrieved')}**")
        _retrieved(context, detail)
    with right:
        found = len(detail.gold) - len(detail.missed)
        counts = {"found": found, "total": len(detail.gold), "k": detail.k}
        st.markdown(f"**{context.say('leaderboard.gold')}**")
        if not detail.gold:
            st.caption(context.say("leaderboard.gold_none"))
            return
        st.caption(context.say("leaderboard.found", **counts))
        missed = {unit.semantic_id for unit in detail.missed}
        for unit in sorted(detail.gold, key=lambda each: each.semantic_id in missed):
            _gold(context, unit, unit.semantic_id in missed, f"{key}-{unit.semantic_id}")


def _retrieved(context: Context, detail: QueryDetail) -> None:
    if not detail.retrieved:
        st.caption(context.say("leaderboard.nothing_retrieved"))
        return
    say, units = context.say, detail.retrieved
    st.dataframe(
        {
            say("leaderboard.rank"): [unit.rank for unit in units],
            say("leaderboard.gold"): [unit.is_gold for unit in units],
            say("leaderboard.provision"): [_place(unit.label, unit.heading) for unit in units],
            say("leaderboard.statute"): [unit.statute for unit in units],
            say("leaderboard.score"): [unit.score for unit in units],
            say("leaderboard.excerpt"): [" ".join(unit.snippet.split()) for unit in units],
        },
        column_config={
            say("leaderboard.rank"): st.column_config.NumberColumn(width=50),
            say("leaderboard.gold"): st.column_config.CheckboxColumn(width=50),
            say("leaderboard.provision"): st.column_config.TextColumn(width=150),
            say("leaderboard.statute"): st.column_config.TextColumn(width=220),
            say("leaderboard.score"): st.column_config.NumberColumn(format="%.2f", width=70),
        },
        hide_index=True,
        height="auto" if len(units) < 10 else _TABLE_HEIGHT,
    )


def _gold(context: Context, unit: GoldUnit, missed: bool, key: str) -> None:
    with st.container(border=True):
        if not missed:
            words, color, icon = "at_rank", "green", ":material/check:"
        elif unit.rank is None:
            words, color, icon = "missed", "red", ":material/close:"
        else:
            words, color, icon = "missed_at", "red", ":material/close:"
        badge = context.say(f"leaderboard.{words}", rank=unit.rank)
        st.badge(badge, color=color, icon=icon)  # type: ignore[arg-type]
        plain_text(_title(unit.statute, unit.label, unit.heading), f"gold-title-{key}", "lead")
        if unit.text:
            with st.expander(context.say("leaderboard.text")):
                plain_text(unit.text, f"gold-text-{key}", height=300)


def _title(statute: str, label: str, heading: str) -> str:
    return f"{statute} {_place(label, heading)}"


def _place(label: str, heading: str) -> str:
    return label + (f" ({heading})" if heading else "")

"""The questions of one run with their scores, and of one of them what runs found and missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from annotation.work.validation import beginning
from evaluation.ranking.measures import Measure
from pages.runs.gold_found import draw_gold
from pages.runs.measure_help import measure_help
from pages.runs.retrieved import draw_retrieved
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import plain_text
from services.runs.questions import QueryLine, query_detail, query_list, runs_asked
from services.runs.rows import RunLine
from services.runs.strata import Stratum

_TABLE_HEIGHT = 380
_BESIDE = 2  # runs beside the selected one: more columns cannot be read


@dataclass(frozen=True, slots=True)
class Opened:
    """What is looked at: a run, by which measures, and the run it is compared with, if any.

    `others` are the runs that can stand beside it; `stratum` narrows the questions as it does the
    figures.
    """

    run: RunLine
    measures: tuple[Measure, ...]
    baseline: RunLine | None
    others: tuple[RunLine, ...]
    stratum: Stratum | None = None


def draw_queries(context: Context, opened: Opened) -> None:
    """Draw the sortable table of the run's questions and the one that is selected."""
    say, run = context.say, opened.run
    st.subheader(say("leaderboard.queries", run=run.run_id), anchor=False)
    if run.missing:
        st.caption(say("leaderboard.missing", count=len(run.missing)))
    against = opened.baseline.run_id if opened.baseline else None
    queries = query_list(
        *(context.workspace, run.run_id, context.person.id),
        *(opened.measures, against, opened.stratum),
    )
    if opened.baseline and opened.measures:
        first = repr(opened.measures[0])
        st.caption(say("leaderboard.difference_note", run=against, measure=first))
    query = _picked(context, opened, queries)
    if query is None:
        st.caption(say("leaderboard.pick_query"))
        return
    with st.container(border=True):
        _beside(context, opened, query.external_id)


def _picked(context: Context, opened: Opened, queries: Sequence[QueryLine]) -> QueryLine | None:
    measures = [repr(measure) for measure in opened.measures]
    state = st.dataframe(
        _columns(context, opened, queries, measures),
        column_config={
            context.say("leaderboard.question_id"): st.column_config.TextColumn(
                width=80, pinned=True
            ),
            context.say("leaderboard.question"): st.column_config.TextColumn(width=330),
            context.say("leaderboard.gold"): st.column_config.NumberColumn(
                width=60, help=context.say("leaderboard.gold_help")
            ),
            context.say("leaderboard.found_column"): st.column_config.NumberColumn(
                width=65, help=context.say("leaderboard.found_help")
            ),
            context.say("levels.gold_column"): st.column_config.NumberColumn(
                width=95, help=context.say("levels.gold_column_help")
            ),
            context.say("leaderboard.first"): st.column_config.NumberColumn(
                width=70, help=context.say("leaderboard.first_help")
            ),
            context.say("leaderboard.difference"): st.column_config.NumberColumn(format="%+.3f"),
            **{
                name: st.column_config.NumberColumn(
                    format="%.3f", width=95, help=measure_help(context, name, interval=False)
                )
                for name in measures
            },
        },
        hide_index=True,
        placeholder="–",
        height="auto" if len(queries) < 10 else _TABLE_HEIGHT,
        key="-".join(("leaderboard-queries", str(opened.run.run_id), *(opened.stratum or ()))),
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    return queries[rows[0]] if rows and rows[0] < len(queries) else None


def _columns(
    context: Context, opened: Opened, queries: Sequence[QueryLine], measures: Sequence[str]
) -> dict[str, list[object]]:
    say = context.say
    compared: dict[str, list[object]] = {}
    if opened.baseline:
        compared = {say("leaderboard.difference"): [query.difference for query in queries]}
    outside: dict[str, list[object]] = {}
    if any(query.not_searched for query in queries):
        outside = {say("levels.gold_column"): [query.not_searched for query in queries]}
    return {
        say("leaderboard.question_id"): [query.external_id for query in queries],
        say("leaderboard.question"): [beginning(query.question) for query in queries],
        **compared,
        say("leaderboard.gold"): [query.gold for query in queries],
        say("leaderboard.found_column"): [query.found for query in queries],
        **outside,
        say("leaderboard.first"): [query.first for query in queries],
        **{name: [query.values.get(name) for query in queries] for name in measures},
    }


def _beside(context: Context, opened: Opened, question: str) -> None:
    """Draw the question, what each run found for it side by side, and its gold."""
    found = [
        (run, query_detail(context.workspace, run.run_id, question, context.person.id))
        for run in _shown(context, opened, question)
    ]
    own = found[0][1]
    st.markdown(f"**{plain(own.external_id)}**")
    key = f"{opened.run.run_id}-{own.external_id}"
    plain_text(own.question, f"query-{key}", "lead", own.language)
    for column, (run, detail) in zip(st.columns(len(found)), found, strict=True):
        with column:
            draw_retrieved(context, run, detail, alone=len(found) == 1)
    draw_gold(context, found)


def _shown(context: Context, opened: Opened, question: str) -> list[RunLine]:
    asked = runs_asked(
        context.workspace, [run.run_id for run in opened.others], question, context.person.id
    )
    others = {run.run_id: run for run in opened.others if run.run_id in asked}
    if not others:
        return [opened.run]
    beside = st.multiselect(
        context.say("leaderboard.beside"),
        list(others),
        [opened.baseline.run_id] if opened.baseline and opened.baseline.run_id in others else [],
        format_func=lambda run: f"{run} · {others[run].label}",
        max_selections=_BESIDE,
        key=f"leaderboard-beside-{opened.run.run_id}",
    )
    return [opened.run, *(others[run] for run in beside)]

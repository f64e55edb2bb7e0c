"""What the leaderboard is read by: measures, the run to compare with, a stratum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evaluation.ranking.measures import (
    LEADERBOARD,
    OFFERED,
    ORDERING,
    SHOWN,
    Measure,
    parse_measure,
)
from evaluation.ranking.strata import NOT_STATED
from pages.shell.context import Context
from services.runs.rows import RunLine
from services.runs.strata import Stratum, strata_of


@dataclass(frozen=True, slots=True)
class Reading:
    """How the board is read: runs stand by the measure `order`, the best first.

    `baseline` None compares with the best run of each measure.
    """

    measures: tuple[Measure, ...]
    order: str
    baseline: int | None
    stratum: Stratum | None


def draw_controls(context: Context, runs: Sequence[RunLine]) -> Reading:
    """Draw the selectors and return what is chosen."""
    measures, ordering = st.columns([3, 1])
    baseline, column, value = st.columns([2, 1, 1])
    with measures:
        chosen = _measures(context)
    with ordering:
        order = _order(context, chosen)
    with baseline:
        against = _baseline(context, runs)
    stratum = _stratum(context, column, value)
    return Reading(chosen, order, against, stratum)


def _measures(context: Context) -> tuple[Measure, ...]:
    offered = [repr(each) for each in OFFERED]
    picked = st.multiselect(
        context.say("leaderboard.measures"), offered, list(map(repr, SHOWN)), key="board-measures"
    )
    return tuple(parse_measure(each) for each in offered if each in picked) or LEADERBOARD


def _order(context: Context, chosen: Sequence[Measure]) -> str:
    keys = [repr(measure) for measure in chosen]
    first = chosen.index(ORDERING) if ORDERING in chosen else 0
    return str(
        st.selectbox(context.say("leaderboard.order"), keys, first, key=f"order-{'-'.join(keys)}")
    )


def _baseline(context: Context, runs: Sequence[RunLine]) -> int | None:
    labels = {run.run_id: run.label for run in runs}
    picked = st.selectbox(
        context.say("leaderboard.baseline"),
        [None, *labels],
        format_func=lambda run: (
            context.say("leaderboard.baseline_best") if run is None else f"{run} · {labels[run]}"
        ),
        help=context.say("leaderboard.baseline_help"),
        key="board-baseline",
    )
    return None if picked is None else int(picked)


def _stratum(context: Context, left: object, right: object) -> Stratum | None:
    columns = strata_of(context.workspace, context.project, context.person.id)
    with left:  # type: ignore[attr-defined]
        column = st.selectbox(
            context.say("leaderboard.stratum"),
            [None, *columns],
            format_func=lambda name: name or context.say("leaderboard.stratum_all"),
            help=context.say("leaderboard.stratum_help"),
            key="board-column",
        )
    if column is None:
        return None
    values = columns[column]
    with right:  # type: ignore[attr-defined]
        value = st.selectbox(
            column,
            list(values),
            format_func=lambda each: (
                f"{context.say('leaderboard.not_stated') if each == NOT_STATED else each}"
                f" ({len(values[each])})"
            ),
            key=f"board-stratum-{column}",
        )
    return column, value

"""Filters of a run's questions: compared run, outcome, and downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from evaluation.ranking.scoring import Measure
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.widgets import NOTHING, download_row
from services.gold.gold_set import GoldSets
from services.runs.query_analysis import FILE_FORMATS, Outcome, failures, failures_text
from services.runs.rows import RunLine
from services.runs.strata import Stratum


@dataclass(frozen=True, slots=True)
class Opened:
    """The run under inspection, its measures, and the run it is compared with, if any.

    `others` are further runs to show beside it; `stratum` restricts questions and figures alike,
    which are on the gold set `gold` of `golds`.
    """

    run: RunLine
    measures: tuple[Measure, ...]
    baseline: RunLine | None
    others: tuple[RunLine, ...]
    golds: GoldSets
    stratum: Stratum | None
    gold: str


def draw_compared(context: Context, opened: Opened) -> RunLine | None:
    """Draw the choice of the compared run, at first the table's baseline; return it or None."""
    others = {run.run_id: run for run in opened.others}
    if not others:
        return None
    usual = opened.baseline.run_id if opened.baseline else None
    picked = Fields(context, "query_analysis", "queries").pick(
        "compare",
        others,
        lambda run: f"{run} · {others[run].label}",
        usual,
        "query_analysis.compare_none",
        key=f"against-{opened.run.run_id}-{usual or NOTHING}-{len(others)}",
    )
    return others.get(picked)


def draw_outcome(context: Context, opened: Opened, counts: Mapping[Outcome, int | None]) -> Outcome:
    """Draw the outcome filters that match any question, with counts; return the chosen one."""
    offered = [each for each in Outcome if each is Outcome.ALL or counts[each]]
    against = opened.baseline.run_id if opened.baseline else 0
    places = (opened.run.run_id, against, repr(opened.measures[0]), *offered)
    picked = st.segmented_control(
        context.say("query_analysis.only"),
        offered,
        default=Outcome.ALL,
        required=True,
        format_func=lambda each: (
            f"{context.say(f'query_analysis.outcome.{each}')} ({counts[each]})"
        ),
        key=f"queries-only-{'-'.join(map(str, places))}",
    )
    return Outcome(picked or Outcome.ALL)


def draw_failures(context: Context, opened: Opened, only: Outcome) -> None:
    """Draw the downloads of the filtered questions, with the gold that they missed."""
    against = opened.baseline.run_id if opened.baseline else None
    run, measure, by = opened.run.run_id, opened.measures[0], context.by

    def content(kind: str) -> str:
        """Return the failures as a file."""
        found = failures(
            context.workspace,
            run,
            measure,
            only,
            against=against,
            stratum=opened.stratum,
            by=by,
            gold=opened.gold,
        )
        return failures_text(found, kind)

    files = {kind: partial(content, kind) for kind in FILE_FORMATS}
    name = f"{context.project}-run-{run}-{only.value}"
    download_row(context, "query_analysis.export_", files, name, "queries-export")

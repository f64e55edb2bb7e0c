"""Results of an experiment: table, chart of one measure, cost, environment, files.

Table of the costs of an experiment's lines: time and calls for indexing and for questions.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from evaluation.reports.report import Words
from evaluation.tables import ENDINGS
from pages.runs.run_table import draw_simple_baselines, measure_help
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.reports import draw_section
from pages.shell.task_progress import under_way
from pages.shell.widgets import NOTHING, choose, download_row, draw_table
from services.background.tasks import TaskKind
from services.runs.costs import COLUMNS, columns_of
from services.runs.experiments.report import measure_sections, tests_section
from services.runs.experiments.results import Results
from services.runs.experiments.tables import (
    as_file,
    cost_notes,
    readable,
    table_notes,
    unscored,
)
from services.runs.strata import Stratum, value_in_words

_NAME = 150  # pixels: on a phone two columns fit beside it
_COLUMN = 105  # room for "not measured"


def _draw_costs(context: Context, results: Results) -> None:
    """Draw the costs of an experiment's lines, with notes."""
    say, rows = context.say, [columns_of(line.cost) for line in results.lines]
    columns = {
        f"costs.{name}": st.column_config.NumberColumn(
            width=_COLUMN,
            format=f"%.{digits}f" if digits else "localized",
            help=say(f"costs.{name}_help"),
        )
        for name, (_, digits) in COLUMNS.items()
    }
    with st.expander(say("costs.lines_title"), icon=":material/payments:", expanded=True):
        draw_table(
            context,
            "experiments",
            {"column_line": [line.line.label for line in results.lines]}
            | {f"costs.{name}": [row[name] for row in rows] for name in COLUMNS},
            f"experiments-costs-{results.stored.number}",
            config={"column_line": st.column_config.TextColumn(width=_NAME, pinned=True)} | columns,
            placeholder=say("costs.not_measured"),
            alt=say("costs.lines_title"),
        )
        if notes := cost_notes(results, context.language):
            st.caption("  \n".join(map(md_literal, notes)))


_ROWS = 16  # visible at once; the table scrolls beyond them
_ROW_HEIGHT, _HEADER = 35, 37


def draw_results(context: Context, results: Results) -> None:
    """Draw an experiment's results: table, costs, one measure, environment, files."""
    say, stored = context.say, results.stored
    st.header(md_literal(stored.name), anchor=False)
    if results.experiment.note:
        st.markdown(md_literal(results.experiment.note))
    said = {
        "questions": results.questions,
        "snapshot": f"{stored.snapshot_id} ({results.snapshot})",
        "depth": results.experiment.depth,
        "at": f"{stored.at:%Y-%m-%d %H:%M}",
    }
    told = say("experiments.on", **said), results.gold.size.say(context.language)
    st.caption("  \n".join(map(md_literal, told)))
    if results.missing and not under_way(context, TaskKind.EXPERIMENT):
        words = say("experiments.unfinished", count=results.missing)
        st.warning(words, icon=":material/pause_circle:")
    if results.stale:
        st.warning(say("experiments.stale"), icon=":material/history:")
    stratum = _stratum(context, results)
    _table(context, results, stratum)
    st.caption("  \n".join(map(md_literal, table_notes(results, context.language))))
    _draw_costs(context, results)
    _measure_section(context, results, stratum)
    with st.expander(say("experiments.environment"), icon=":material/memory:"):
        for environment in results.environments:
            st.json(dict(environment))
        st.code(stored.text, language="yaml")
    _files(context, results)


def _stratum(context: Context, results: Results) -> Stratum | None:
    """Draw the choice of a stratum; return it, None for all questions."""
    if not results.strata:
        return None
    options: list[Stratum | str] = [NOTHING, *results.strata]

    def stratum_words(stratum: Stratum | str) -> str:
        """Return the display name of a stratum."""
        if isinstance(stratum, str):
            return stratum or context.say("experiments.all", count=results.questions)
        told = {"column": stratum[0], "value": value_in_words(stratum, context.language)}
        return context.say("experiments.stratum_named", **told, count=results.strata[stratum])

    fields, key = Fields(context, "experiments", "experiments"), f"stratum-{results.stored.number}"
    picked = fields.pick("stratum", options, stratum_words, key=key)
    return None if isinstance(picked, str) else picked


def _table(context: Context, results: Results, stratum: Stratum | None) -> None:
    """Draw the table of lines and measures."""
    say, table = context.say, readable(results, stratum, context.language, costed=False)
    if not table.head:
        st.info(md_literal(table.title), icon=":material/info:")
        return
    names = ("column_line", *results.measures, "n", "links_lost")
    draw_table(
        context,
        "experiments",
        dict(zip(names, zip(*table.rows, strict=True), strict=False)),
        f"experiments-table-{results.stored.number}",
        config={
            "column_line": st.column_config.TextColumn(width=240, pinned=True),
            **{
                name: st.column_config.TextColumn(width=150, help=measure_help(context, name))
                for name in results.measures
            },
            "n": st.column_config.NumberColumn(width=45, help=say("leaderboard.column_n_help")),
            "links_lost": st.column_config.TextColumn(width=170, help=say("experiments.lost_note")),
        },
        constant=("n",),
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, len(results.lines)),
        alt=say("experiments.title"),
    )


def _measure_section(context: Context, results: Results, stratum: Stratum | None) -> None:
    """Draw the choice of a measure, with its charts, tests and simple baselines."""
    say = context.say
    if stratum is not None and unscored(results, stratum):
        return
    words, key = "experiments.measure", f"experiments-measure-{results.stored.number}"
    place = results.measures.index(choose(context, words, results.measures, str, key, titled=True))
    sections = measure_sections(results, stratum, place, context.language)
    if not sections:
        st.caption(say("experiments.unscored"))
        return
    tests = tests_section(results, stratum, place, Words("experiments", context.language))
    for section in (*sections, *([tests] if tests.sheet.rows else [])):
        draw_section(context, section, f"experiments-{results.stored.number}")
    draw_simple_baselines(
        *(context, results.columns.get(stratum, ()), results.runs(stratum)),
        *(place, f"experiments-simple-{results.stored.number}"),
    )


def _files(context: Context, results: Results) -> None:
    """Draw the downloads of the results."""
    number, text = results.stored.number, results.stored.text
    files: dict[str, Any] = {end: partial(as_file, results, kind) for kind, end in ENDINGS.items()}
    name, key = f"{context.project}-experiment-{number}", "experiments-download"
    download_row(context, "experiments.download.", files | {"yaml": text}, name, key)

"""Tables of runs: measures with the best marked, simple baselines, bounds of recall.

Bounds of each run's recall on questions generated from options.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from corpus.extensions import first_line
from evaluation.ranking.scoring import own_measures, parse_measure
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.reports import draw_section
from pages.shell.widgets import draw_table
from services.reformulation.bounds import USUAL_K, bounds_table, run_bounds
from services.runs.board_report import Pick
from services.runs.score_table import coverage_text, mark
from services.runs.significance import MeasureColumn, RunScores, Significance
from services.runs.simple_baselines import simple_section

KEY = "leaderboard-runs"
_ROW_HEIGHT = 64  # fits value and interval, each on its line, and three lines of a name
# Pixels, with which a phone shows the first figure beside the name. More than three fifths of a
# table that are pinned are not pinned by Streamlit.
_NAME_WIDTH, _FIGURE_WIDTH = 150, 112
_ROWS = 10  # visible at once; the table scrolls beyond them
_HEADER = 37
_NBSP = "\N{NO-BREAK SPACE}"
_BEST = f"★{_NBSP}"
_SAID_ONCE = (
    *("column_n", "run_marks.column_answered", "column_state", "levels.column"),
    *("run_marks.column_snapshot", "run_marks.column_author", "run_marks.column_tags"),
)
_IF_ANY = ("run_marks.column_tags", "run_marks.column_note")


def measure_help(context: Context, key: str, interval: bool = True) -> str:
    """Return the description of measure `key`, with `interval` also that of its brackets."""
    measure = parse_measure(key)
    cut = measure.cutoff
    these = context.say("measure.whole") if cut is None else context.say("measure.first", k=cut)
    own = own_measures().get(measure.name)
    if own is not None:
        return context.say("measure.own", origin=own.origin, what=first_line(own.value))
    said = context.say(f"measure.of.{measure.name}", these=these)
    return f"{said} {context.say('measure.interval')}" if interval else said


def draw_runs(context: Context, board: Significance, order: str) -> Pick | None:
    """Draw the table; return the run and the measure of the selected cell, if any.

    A cell without a measure selects its run by the measure `order`.
    """
    measures = [column.measure for column in board.columns]
    state = draw_table(
        context,
        "leaderboard",
        columns_of(context, board),
        KEY,
        config={
            "column_run": st.column_config.NumberColumn(width=45, pinned=True),
            "column_method": st.column_config.TextColumn(width=_NAME_WIDTH, pinned=True),
            **{"column_n": 45, "column_state": 120, "levels.column": 190},
            **{"run_marks.column_answered": 110, "run_marks.column_snapshot": 80},
            "run_marks.column_note": 220,
            **{
                name: st.column_config.TextColumn(
                    width=_FIGURE_WIDTH, help=measure_help(context, name)
                )
                for name in measures
            },
        },
        constant=_SAID_ONCE,
        row_height=_ROW_HEIGHT,
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, len(board.runs)),
        on_select="rerun",
        selection_mode="single-cell",
        alt=context.say("leaderboard.runs"),
    )
    cells = state["selection"]["cells"]
    if not cells or cells[0][0] >= len(board.runs):
        return None
    row, column = cells[0]
    return board.runs[row].run_id, column if column in measures else order, None


def columns_of(context: Context, board: Significance) -> dict[str, list[str | int]]:
    """Return the table's columns: run, name, measures, n, state, searched levels."""
    runs, lines = board.runs, [run.line for run in board.runs]
    operator = context.say("run_marks.operator")
    columns: dict[str, list[str | int]] = {
        "column_run": [run.run_id for run in runs],
        "column_method": [run.label for run in runs],
        **{
            column.measure: [cell(run, place, column) for run in runs]
            for place, column in enumerate(board.columns)
        },
        "column_n": [run.n for run in runs],
        "run_marks.column_answered": [coverage_text(line, context.language) for line in lines],
        "column_state": [_state(context, run) for run in runs],
        "levels.column": [searched(context, run) for run in runs],
        "run_marks.column_snapshot": [line.snapshot_id for line in lines],
        "run_marks.column_author": [line.author or operator for line in lines],
        "run_marks.column_tags": [", ".join(line.marks.tags) for line in lines],
        "run_marks.column_note": [" ".join(line.marks.note.split()) for line in lines],
    }
    return {name: said for name, said in columns.items() if name not in _IF_ANY or any(said)}


def searched(context: Context, run: RunScores) -> str:
    """Return the levels a run searched, with the number of gold units outside them."""
    levels, outside = run.line.searched.say(context.language), run.not_searched
    if outside is None or not outside.units:
        return levels
    return context.say("levels.cell", levels=levels, units=len(outside.units))


def cell(run: RunScores, place: int, column: MeasureColumn) -> str:
    """Return a cell such as ``0.713 ▼ [0.650, 0.771]``, starred if best; a dash if unscored."""
    shown = run.cells[place]
    if shown.figure.value is None:
        return "–"
    star = _BEST if run.run_id in column.best else ""
    told = mark(shown)
    value = f"{shown.figure.value:.3f}" + (f"{_NBSP}{told}" if told else "")
    # No-break spaces: the line breaks between value and interval only.
    return f"{star}{value} {shown.figure.interval(apart=f',{_NBSP}')}"


def _state(context: Context, run: RunScores) -> str:
    """Return why a run is not compared, and where it is from."""
    line = run.line
    said = [context.say(f"run_marks.why.{why}") for why in line.left_out]
    if line.marks.retired:
        said.insert(0, context.say("run_marks.retired"))
    if line.origin == "imported":
        said.insert(0, context.say("leaderboard.imported"))
    elif run.stale or not said:
        said.insert(0, context.say("leaderboard.stale" if run.stale else "leaderboard.current"))
    return " · ".join(said)


def draw_recall_bounds(context: Context) -> None:
    """Draw the recall bounds of each run, if any question comes from an option."""
    lines = run_bounds(*context.here, USUAL_K, context.by)
    if not lines:
        return
    table = bounds_table(lines, USUAL_K, context.language)
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.head)}
    with st.expander(md_literal(table.title), icon=":material/unfold_less:"):
        draw_table(context, "reformulation.bounds", columns, "leaderboard-bounds")
        st.caption(md_literal(" ".join(table.notes)))


def draw_simple_baselines(
    context: Context,
    columns: Sequence[MeasureColumn],
    runs: Sequence[RunScores],
    place: int,
    key: str,
) -> None:
    """Draw two or more runs' differences from simple baselines on the measure at index `place`."""
    for column in columns[place : place + 1]:
        if section := simple_section(column, place, runs, context.language):
            draw_section(context, section, key)

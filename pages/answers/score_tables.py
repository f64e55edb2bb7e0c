"""Tables of the answer report: scores, states, judges, trust, downloads."""

from __future__ import annotations

import streamlit as st

from evaluation.tables import ENDINGS, Table, text_of
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.interval_chart import Bar, grouped_bars
from pages.shell.widgets import download, draw_table
from services.answers.report_tables import (
    exported,
    figure_text,
    judge_table,
    mark,
    measure_words,
    notes,
    state_table,
    trust_table,
)
from services.answers.report_views import AnswerReport, Measure, MeasureColumn, SystemScores

_KEY = "answer-scores"
_ROW_HEIGHT = 64  # fits value and interval, each on its line
_ROWS = 10  # visible at once; the table scrolls beyond them
_HEADER = 37
_CHARTED = 5  # systems: more bars per measure are indistinguishable
_NBSP = "\N{NO-BREAK SPACE}"


def draw_scores(context: Context, found: AnswerReport) -> tuple[str, Measure]:
    """Draw a row per system; return the system and the measure of the selected cell.

    They are the first system and measure until a cell is selected.
    """
    say = context.say
    st.header(say("answer_report.page.scores"), anchor=False)
    columns: dict[str, list[str]] = {"system": [each.system for each in found.systems]}
    named = {measure_words(each.measure, context.language): each for each in found.columns}
    for place, (name, column) in enumerate(named.items()):
        columns[name] = [_cell(each, place, column) for each in found.systems]
    shapes = {
        name: st.column_config.TextColumn(
            width=150, help=say(f"answer_report.about.{column.measure}")
        )
        for name, column in named.items()
    }
    state = draw_table(
        context,
        "answer_report",
        columns,
        _KEY,
        config={"system": st.column_config.TextColumn(width=240, pinned=True), **shapes},
        row_height=_ROW_HEIGHT,
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, len(found.systems)),
        on_select="rerun",
        selection_mode="single-cell",
        alt=say("answer_report.page.scores"),
    )
    lines = [say("answer_report.page.pick_cell"), say("answer_report.page.best")]
    lines += map(plain, notes(found, context.language))
    st.caption("  \n".join(lines))
    _chart(context, found)
    cells = state["selection"]["cells"]
    row, column_name = cells[0] if cells else (0, "")
    chosen = found.systems[row if row < len(found.systems) else 0]
    picked = named.get(column_name)
    return chosen.system, picked.measure if picked else found.columns[0].measure


def draw_files(context: Context, found: AnswerReport) -> None:
    """Draw a download button per format of the report."""
    with st.container(horizontal=True):
        for name, ending in ENDINGS.items():
            _file(context, found, name, ending)


def draw_states(context: Context, found: AnswerReport) -> None:
    """Draw the number of questions by state, per system."""
    st.header(context.say("answer_report.states"), anchor=False)
    st.caption(context.say("answer_report.states_help"))
    _table(context, state_table(found, context.language), "answer-states")


def draw_judges(context: Context, found: AnswerReport) -> None:
    """Draw the judges' verdicts per system, and the position bias of pairwise judges."""
    if not found.judge and not found.pairwise:
        return
    table = judge_table(found, context.language)
    st.header(plain(table.title), anchor=False)
    _table(context, table, "answer-judges")
    for note in table.notes:
        st.caption(plain(note))


def draw_trust(context: Context, found: AnswerReport) -> None:
    """Draw each score's agreement with people."""
    table = trust_table(found, context.language)
    st.header(context.say("answer_report.trust"), anchor=False)
    st.caption(context.say("answer_report.trust_help"))
    _table(context, table, "answer-trust")
    st.caption("  \n".join(map(plain, table.notes)))


def _table(context: Context, table: Table, key: str) -> None:
    columns = {
        name: [row[at] if isinstance(row[at], int) else text_of(row[at]) for row in table.rows]
        for at, name in enumerate(table.head)
    }
    draw_table(context, "", columns, key, alt=table.title)


def _cell(each: SystemScores, place: int, column: MeasureColumn) -> str:
    """Return e.g. ``★ 0.713 ▲ [0.650, 0.771] n = 60``; a dash if undefined."""
    score = each.scores[place]
    if score.figure.value is None:
        return "–"
    value, _, interval = figure_text(column.measure, score.figure).rpartition(" [")
    star = "★" if each.system in column.best else ""
    told = " ".join(part for part in (star, value, mark(score)) if part)
    parts = (told, f"[{interval}", f"n = {score.figure.n:,}")
    # No-break spaces: the line breaks between value, interval and n only.
    return " ".join(part.replace(" ", _NBSP) for part in parts)


def _chart(context: Context, found: AnswerReport) -> None:
    bars = [
        Bar(measure_words(column.measure, context.language), each.system, score.figure)
        for each in found.systems[:_CHARTED]
        for column, score in zip(found.columns, each.scores, strict=True)
        if score.figure.value is not None
    ]
    if bars:
        words = context.say("answer_report.page.chart")
        with st.expander(words, icon=":material/bar_chart:"):
            grouped_bars(bars, words, "answer-chart")


def _file(context: Context, found: AnswerReport, name: str, ending: str) -> None:
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    coding = "utf-8-sig" if name == "csv" else "utf-8"
    download(
        context.say(f"answer_report.page.{name}"),
        lambda: exported(found, name, context.language).encode(coding),
        f"{context.project}-answers.{ending}",
        f"answer-file-{name}",
    )

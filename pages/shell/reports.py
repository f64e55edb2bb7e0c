"""A report on the screen: its sentence, then every section with its picture, table and files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from evaluation.figure import Figure
from evaluation.reports.chart_data import drawn_rows
from evaluation.reports.charts import chart_file, chart_spec
from evaluation.reports.files import report_file
from evaluation.reports.report import (
    ENDINGS,
    PICTURES,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Value,
    plain,
    shown,
)
from evaluation.tables import written
from pages.shell import guard
from pages.shell.context import Context
from pages.shell.widgets import download, in_brackets, note_brackets

_ROWS, _HEIGHT = 20, 600  # more rows than this scroll within so many pixels


Made = TypeVar("Made")


@st.cache_data(max_entries=32, show_spinner=False)
def _cached(place: str, project: str, version: str, asked: str, _make: Callable[[], Made]) -> Made:
    """Return what `_make` makes, once per arguments."""
    return _make()


def cached(
    context: Context, version: str, derive: Callable[..., Made], *args: Any, **options: Any
) -> Made:
    """Return the result of `derive` for workspace, project and `args`, cached per version.

    Whoever reads the version has checked the reader's permission.
    """
    asked = f"{derive.__module__}.{derive.__qualname__}{args}{options}"
    make = partial(derive, *context.here, *args, **options)
    return _cached(context.workspace.place, context.project, version, asked, make)


def draw_report(context: Context, report: Report, stem: str) -> dict[str, int | None]:
    """Draw a report; return the index of the row chosen in each section, None without one.

    `stem` begins the names of downloaded files and the keys of widgets.
    """
    if report.lead:
        st.markdown(guard.md_literal(report.lead))
    chosen = {each.name: draw_section(context, each, stem) for each in report.filled}
    for note in report.notes:
        st.caption(guard.md_literal(note))
    draw_files(context, report, stem)
    return chosen


def draw_section(context: Context, section: Section, stem: str) -> int | None:
    """Draw a section, its table behind a press if it has a picture; return the chosen row index."""
    st.header(section.title, anchor=False)
    if section.lead:
        st.markdown(guard.md_literal(section.lead))
    if not section.sheet.rows:
        return None
    if not section.drawn:
        return _table(context, section, f"{stem}-{section.name}")
    row = _picture(section, f"{stem}-{section.name}-chart")
    drawn, of = drawn_rows(section)
    if len(drawn) < of:
        st.caption(context.say("report.first_rows", count=len(drawn), of=of))
    label = context.say("report.table")
    shut = st.expander(
        label, icon=":material/table:", on_change="rerun", key=f"{stem}-{section.name}-more"
    )
    if shut.open:
        with shut:
            inside = _table(context, section, f"{stem}-{section.name}")
            _section_files(context, section, stem)
            row = inside if row is None else row
    return row


def draw_files(context: Context, report: Report, stem: str) -> None:
    """Draw the downloads of a whole report: its figures, tables and pictures."""
    endings = list(ENDINGS) + [e for e in PICTURES if report.drawn]
    with st.popover(context.say("report.files"), icon=":material/download:"):
        for ending in endings:
            content = partial(_download, report, ending)
            name = f"{context.project}-{stem}{ending}"
            download(context.say(f"report.file{ending}"), content, name, f"{stem}-file{ending}")


def _download(report: Report, ending: str) -> bytes:
    """Return a report as a file."""
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    return (BOM_UTF8 if ending == ".csv" else b"") + report_file(report, ending)


def _picture(section: Section, key: str) -> int | None:
    """Draw the chart of a section; return the index of the row whose mark was pressed."""
    spec = chart_spec(section)
    points_last = section.chart and section.chart.shape in (Shape.FOREST, Shape.LINE)
    if not section.opens:
        st.vega_lite_chart(spec, width="stretch", key=key)
        return None
    picking = {"name": "picked", "select": {"type": "point", "fields": ["row"]}}
    layers = spec.get("layer", [spec])
    layers[-1 if points_last else 0]["params"] = [picking]
    state: Any = st.vega_lite_chart(
        spec, width="stretch", key=key, on_select="rerun", selection_mode="picked"
    )
    picked = state["selection"].get("picked", [])
    return int(picked[0]["row"]) if picked else None


def _table(context: Context, section: Section, key: str) -> int | None:
    """Draw a section's table with notes; return the index of the chosen row, if it opens rows."""
    sheet = section.sheet.readable()
    columns = {
        head: _cells([row[at] for row in sheet.rows], kind)
        for at, (head, kind) in enumerate(zip(sheet.heads, sheet.kinds, strict=True))
    }
    wide = {
        head: st.column_config.TextColumn(width="large")
        for head, kind in zip(sheet.heads, sheet.kinds, strict=True)
        if kind is Kind.NOTE
    }
    long = len(sheet.rows) > _ROWS
    options: dict[str, Any] = {"on_select": "rerun", "selection_mode": "single-row"}
    state: Any = st.dataframe(
        columns,
        hide_index=True,
        column_config=wide,
        height=_HEIGHT if long else "content",
        alt=section.title,
        key=key,
        **(options if section.opens else {}),
    )
    values = (plain(value) for row in sheet.rows for value in row)
    note_brackets(context, (value for value in values if isinstance(value, Figure)))
    if any(isinstance(v, Marked) and v.strong for row in sheet.rows for v in row):
        st.caption(context.say("report.best"))
    for note in section.notes:
        st.caption(guard.md_literal(note))
    rows = state["selection"]["rows"] if section.opens else []
    return rows[0] if rows and rows[0] < len(sheet.rows) else None


def _cells(values: list[Value], kind: Kind) -> list[Any]:
    """Return a column's cells: numbers that sort as such, or all as text."""
    known = [plain(value) for value in values]
    if all(isinstance(value, int) for value in known):
        return known
    return [_cell(value, kind) for value in values]


def _cell(value: Value, kind: Kind) -> str:
    """Return a value as text; the best with a star."""
    text, figure = shown(value, kind), plain(value)
    text = in_brackets(figure, text) if isinstance(figure, Figure) else text
    return f"★ {text}" if isinstance(value, Marked) and value.strong else text


def _section_files(context: Context, section: Section, stem: str) -> None:
    """Draw the downloads of a section: its picture and its table."""
    name = f"{context.project}-{stem}-{section.name}"
    with st.container(horizontal=True):
        for ending in PICTURES:
            content: Any = partial(chart_file, section, ending)
            download(ending[1:].upper(), content, f"{name}{ending}", f"{name}{ending}")
        for ending in (".csv", ".md", ".tex"):
            content = partial(written, section.table(), ENDINGS[ending])
            download(ending[1:].upper(), content, f"{name}{ending}", f"{name}{ending}")

"""Tables of the multiple-choice report as CSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from evaluation.figure import Figure
from evaluation.mcq.safety import Constant, Counts
from evaluation.mcq.votes import Of
from evaluation.tables import Table as TableModel
from evaluation.tables import csv_text, markdown_lines, written
from services.mcq.report import McqReport

_COUNTS = (
    *("model", "setting", "replies", "answered", "abstained_option", "abstained_words"),
    *("refused", "unreadable", "missing"),
)
_SAFETY = ("accuracy", "right", "wrong", "answered_anyway", "not_answered")
_OUTCOMES = ("abstained", "abstained_option", "abstained_words", "refused", "unreadable")
_ROW = ("model", "setting", "of", "n")
_MODELS = ("model", "of", "measure", "n", "value", "higher", "lower")
_CHANGES = (
    *("pair", "before", "after", "setting", "of", "measure"),
    *("n", "was", "became", "difference", "higher", "lower"),
)
_READINGS = ("model", "measure", "n", "value")

JOINT_SETTINGS = "a, ab"
"""Name in files of measures over both of these settings."""

_Cell = str | Figure
_Raw = tuple[str, tuple[str, ...], list[tuple[_Cell, ...]]]
Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables(report: McqReport) -> list[Table]:
    """Return each table's name, head and rows, each figure with its interval in one cell.

    A figure without a value is empty.
    """
    return [
        (name, head, [tuple(map(_one_cell, row)) for row in rows])
        for name, head, rows in _raw_tables(report)
    ]


def as_csv(report: McqReport) -> str:
    """Return all tables as CSV; the first column names the table, intervals have own columns."""
    return csv_text(_wide_rows(report))


def _wide_rows(report: McqReport) -> Iterator[tuple[str, ...]]:
    for name, head, rows in _raw_tables(report):
        figures = {at for row in rows for at, cell in enumerate(row) if isinstance(cell, Figure)}
        wide = (_wide_head(column, at in figures) for at, column in enumerate(head))
        yield "table", *chain.from_iterable(wide)
        for row in rows:
            yield name, *chain.from_iterable(_three_cells(cell) for cell in row)


def as_latex(report: McqReport) -> str:
    """Return all tables as LaTeX."""
    return "\n".join(
        written(TableModel(head, tuple(rows), title=name), "latex")
        for name, head, rows in tables(report)
    )


def as_markdown(report: McqReport) -> str:
    """Return all tables as Markdown."""
    return "\n".join(
        "\n".join([f"## {name}", "", *markdown_lines(head, rows), ""])
        for name, head, rows in tables(report)
    )


def constant_name(constant: Constant) -> str:
    """Return the name of a constant answer in files."""
    return "(always abstain)" if constant.option is None else f"(always {constant.option + 1})"


def _funnel_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    yield "drafts", "", str(report.funnel.start)
    for prefix, steps in (("filter", report.funnel.filtered), ("people", report.funnel.dropped)):
        for step in steps:
            yield f"{prefix}: {step.reason}", str(step.out), str(step.left)
    for fate, count in report.funnel.fates.items():
        yield f"of these {fate}", "", str(count)


def _raw_tables(report: McqReport) -> list[_Raw]:
    found: list[_Raw] = [
        ("funnel", ("step", "out", "left"), list(_funnel_rows(report))),
        ("outcomes", _COUNTS, [_count_row(count) for count in report.counts]),
        ("safety", (*_ROW, *_SAFETY), list(_share_rows(report, _SAFETY))),
        ("shares", (*_ROW, *_OUTCOMES), list(_share_rows(report, _OUTCOMES))),
        ("models", _MODELS, list(_model_rows(report))),
    ]
    if report.changes:
        found.append(("changes", _CHANGES, list(_change_rows(report))))
    if report.readings:
        found.append(("readings", _READINGS, list(_reading_rows(report))))
    return found


def _count_row(each: Counts) -> tuple[_Cell, ...]:
    return tuple(str(getattr(each, name)) for name in _COUNTS)


def _share_rows(report: McqReport, names: Sequence[str]) -> Iterator[tuple[_Cell, ...]]:
    named = [(row.model, row) for row in report.rows]
    for constant in report.constants:
        named += [(constant_name(constant.constant), row) for row in constant.rows]
    for name, row in named:
        at = name, row.setting.value, row.of.value, str(row.right.n)
        yield (*at, *(getattr(row, measure) for measure in names))


def _model_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    for constant in report.constants:
        figure = constant.able_and_safe
        for of in Of:
            at = constant_name(constant.constant), of.value, "able_and_safe"
            yield *at, str(figure.n), figure, "", ""
    for line in report.models:
        joint = line.able_and_safe
        yield line.model, line.of.value, "able_and_safe", str(joint.n), joint, "", ""
        for name in ("helped", "needs_b"):
            found = getattr(line, name)
            sides = str(found.higher), str(found.lower)
            yield line.model, line.of.value, name, str(found.figure.n), found.figure, *sides


def _change_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    for change in report.changes:
        found = change.difference
        if found.figure.value is not None:
            setting = JOINT_SETTINGS if change.setting is None else change.setting.value
            at = change.pair.shown, change.pair.before, change.pair.after, setting
            means = str(found.figure.n), _number(change.was), _number(change.became)
            sides = str(found.higher), str(found.lower)
            yield *at, change.of.value, change.measure, *means, found.figure, *sides


def _reading_rows(report: McqReport) -> Iterator[tuple[_Cell, ...]]:
    for line in report.readings:
        yield line.model, line.same.name, str(line.same.n), line.same


def _one_cell(cell: _Cell) -> str:
    if isinstance(cell, str):
        return cell
    return "" if cell.value is None else f"{_number(cell.value)} {cell.interval(digits=4)}"


def _three_cells(cell: _Cell) -> tuple[str, ...]:
    if isinstance(cell, str):
        return (cell,)
    return tuple(map(_number, (cell.value, cell.low, cell.high)))


def _wide_head(column: str, figure: bool) -> tuple[str, ...]:
    return (column, f"{column}_low", f"{column}_high") if figure else (column,)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"

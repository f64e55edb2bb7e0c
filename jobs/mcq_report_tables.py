"""The tables of the report on questions, as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from evaluation.figure import Figure
from evaluation.mcq.safety import Constant, Row
from jobs.mcq_report import McqReport

_INTERVAL = ("low", "high", "n")
_SHARES = ("right", "wrong", "abstained", "answered_anyway")
_SAFETY = ("model", "setting", "accuracy", *_INTERVAL, *_SHARES, "votes", "unread", "missing")
_MODELS = ("model", "measure", "value", *_INTERVAL, "higher", "lower")
_CHANGES = ("before", "after", "setting", "measure", "difference", *_INTERVAL, "higher", "lower")

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables(report: McqReport) -> list[Table]:
    """Return each table's name, head and rows; a figure that has no value is empty."""
    found: list[Table] = [
        ("funnel", ("step", "out", "left"), list(_funnel(report))),
        ("safety", _SAFETY, list(_safety(report))),
        ("models", _MODELS, list(_models(report))),
    ]
    if report.changes:
        found.append(("changes", _CHANGES, list(_changes(report))))
    return found


def as_csv(report: McqReport) -> str:
    """Return all tables as CSV, the first column naming the table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for name, head, rows in tables(report):
        writer.writerow(("table", *head))
        writer.writerows((name, *map(_harmless, row)) for row in rows)
    return out.getvalue()


def as_markdown(report: McqReport) -> str:
    """Return all tables as Markdown."""
    parts = []
    for name, head, rows in tables(report):
        lines = [f"## {name}", "", _line(head), _line("---" for _ in head)]
        parts.append("\n".join([*lines, *map(_line, rows), ""]))
    return "\n".join(parts)


def constant_name(constant: Constant) -> str:
    """Return what a constant answer is called in files."""
    return "(always abstain)" if constant.option is None else f"(always {constant.option + 1})"


def _funnel(report: McqReport) -> Iterator[tuple[str, ...]]:
    yield "drafts", "", str(report.funnel.start)
    for prefix, steps in (("filter", report.funnel.filtered), ("people", report.funnel.dropped)):
        for step in steps:
            yield f"{prefix}: {step.reason}", str(step.out), str(step.left)
    for fate, count in report.funnel.fates.items():
        yield f"of these {fate}", "", str(count)


def _safety(report: McqReport) -> Iterator[tuple[str, ...]]:
    named = [(row.model, row) for row in report.rows]
    for each in report.constants:
        named += [(constant_name(each.constant), row) for row in each.rows]
    for name, row in named:
        shares = (row.right, row.wrong, row.abstained, row.anyway)
        yield (
            *(name, row.setting.value, *_spread(row.accuracy)),
            *(_number(each.value) for each in shares),
            *_counts(row),
        )


def _models(report: McqReport) -> Iterator[tuple[str, ...]]:
    for each in report.constants:
        name = constant_name(each.constant)
        yield name, "able_and_safe", *_spread(each.able_and_safe), "", ""
    for line in report.models:
        yield line.model, "able_and_safe", *_spread(line.able_and_safe), "", ""
        for name in ("helped", "needs_b"):
            found = getattr(line, name)
            sides = str(found.higher), str(found.lower)
            yield line.model, name, *_spread(found.figure), *sides


def _changes(report: McqReport) -> Iterator[tuple[str, ...]]:
    for change in report.changes:
        for name in ("accuracy", "anyway"):
            found = getattr(change, name)
            if found.figure.value is not None:
                sides = str(found.higher), str(found.lower)
                at = change.before, change.after, change.setting.value, name
                yield (*at, *_spread(found.figure), *sides)


def _spread(figure: Figure) -> tuple[str, str, str, str]:
    value, low, high = (_number(each) for each in (figure.value, figure.low, figure.high))
    return value, low, high, str(figure.n)


def _counts(row: Row) -> tuple[str, str, str]:
    return str(row.votes), str(row.unread), str(row.missing)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _harmless(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: models name themselves."""
    return f"'{text}" if text[:1] in ("=", "@", "\t", "\r") else text


def _line(cells: Sequence[str] | Iterator[str]) -> str:
    inner = " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells)
    return f"| {inner} |"

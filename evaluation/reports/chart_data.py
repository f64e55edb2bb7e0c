"""The data of a chart: a datum for each value that is drawn, with its texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from evaluation.figure import Figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Section,
    Shape,
    Value,
    measured,
    plain,
    row_label,
    shown,
)

Datum = dict[str, Any]
_LONGEST = 44  # characters of a label, beyond which its middle is left out
_LETTER = 0.03  # what a letter of a number needs of a stack's length


def chart_data(section: Section, chart: Chart) -> list[Datum]:
    """Return a datum for each row and drawn column, without those that have no value."""
    sheet, data = section.sheet, []
    labels = [row_label(sheet, row, chart.labels) for row in sheet.rows]
    short = _elided(labels)
    for number, (row, label) in enumerate(zip(sheet.rows[: chart.first], labels, strict=False)):
        if not chart.draws(sheet, row):
            continue
        series = shown(row[sheet.at(chart.series)]) if chart.series else ""
        for name in chart.values:
            at = sheet.at(name)
            numbers = _numbers(row[at])
            none = chart.shape is Shape.STACK and not numbers["value"]  # nothing to be seen
            if none or numbers["value"] is None:
                continue
            data.append(
                {
                    "row": number,
                    "label": short[label],
                    "full": label,
                    **{f"label{i}": _axis(row[sheet.at(n)]) for i, n in enumerate(chart.labels)},
                    "series": series or sheet.heads[at],
                    "text": shown(row[at], sheet.kinds[at]),
                    "short": _short(row[at], sheet.kinds[at]),
                    **numbers,
                    **({"fit": plain(row[sheet.at(chart.fit)])} if chart.fit else {}),
                }
            )
    if chart.shape is Shape.SCATTER:
        return _paired(data, len(chart.values))
    return data


def _elided(labels: Sequence[str]) -> dict[str, str]:
    """Return long labels with their middle left out, where that keeps them apart."""
    half = _LONGEST // 2
    short = {
        each: each if len(each) <= _LONGEST else f"{each[: half - 4]}…{each[-half:]}"
        for each in labels
    }
    alike = Counter(short.values())
    return {each: cut if alike[cut] == 1 else each for each, cut in short.items()}


def _paired(data: list[Datum], several: int) -> list[Datum]:
    """Join the data of one row: its first value is x, its second y."""
    rows: dict[int, list[Datum]] = {}
    for each in data:
        rows.setdefault(each["row"], []).append(each)
    return [
        {**down, "x": across["value"], "text": f"{across['text']}; {down['text']}"}
        for across, *rest in rows.values()
        if len(rest) == several - 1
        for down in rest
    ]


def _axis(value: Value) -> str | float:
    value = plain(value)
    return value if isinstance(value, int | float) else shown(value)


def _short(value: Value, kind: Kind) -> str:
    """Return a value as a cell of a heat map has room for it: a figure without its interval."""
    value = plain(value)
    return shown(value.value if isinstance(value, Figure) else value, kind)


def _numbers(value: Value) -> dict[str, float | int | None]:
    value = plain(value)
    if isinstance(value, Figure):
        return {"value": value.value, "low": value.low, "high": value.high, "n": value.n}
    return {"value": measured(value), "low": None, "high": None, "n": None}


def place_in_stack(chart: Chart, data: list[Datum], order: Sequence[str]) -> None:
    """Add each part's place in its stack, and its number where that has room."""
    lengths: Counter[str] = Counter()
    for each in data:
        lengths[each["label"] if chart.labels else ""] += each["value"]
    longest = max(lengths.values(), default=0)
    for each in data:
        length = lengths[each["label"]] if chart.rest else longest
        room = each["value"] >= _LETTER * len(each["text"]) * length
        each |= {"place": order.index(each["series"]), "name": each["text"] if room else ""}


def all_labels(section: Section, name: str) -> list[str | float]:
    """Return the labels of a column in the order of its table, those without a value too."""
    at = section.sheet.at(name)
    return list(dict.fromkeys(_axis(row[at]) for row in section.sheet.rows))

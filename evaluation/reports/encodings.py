"""Axes, colours and tooltips that the shapes of charts share.

Colours are told apart by colour-blind readers (M. Okabe & K. Ito 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.reports.report import Chart, Kind, Section, plain

Spec = dict[str, Any]
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
_REST = "#b8b8b8"  # what is left of a whole
_LABEL = 260  # pixels of a name at most
_SHORT = 9  # letters of a series' name, of which three stand in a line of the legend


def quantity_of(section: Section, chart: Chart, title: str = "") -> Spec:
    """Return the encoding of the values' axis, shares in percent and from 0 to 1."""
    at = section.sheet.at(chart.values[0])
    share = all(section.sheet.kinds[section.sheet.at(n)] is Kind.SHARE for n in chart.values)
    counted = all(isinstance(plain(row[at]), int | None) for row in section.sheet.rows)
    head = section.sheet.heads[at] if len(chart.values) == 1 else " "  # else the legend names them
    axis = {"format": ".1~%"} if share else {"tickMinStep": 1} if counted else {}
    return {
        "field": "value",
        "type": "quantitative",
        "title": title or chart.legend or head,
        "axis": axis,
    }


def colour_of(section: Section, chart: Chart, data: Sequence[Mapping[str, Any]]) -> Spec:
    """Return the encoding of the series; one series needs no legend."""
    heads = [] if chart.series else [section.sheet.head(name) for name in chart.values]
    used = {each["series"]: None for each in data}
    order = [each for each in heads if each in used] or list(used)
    places = {each: at for at, each in enumerate(heads or order)}  # whatever else is drawn
    rest = section.sheet.head(chart.rest) if chart.rest else ""
    colours = [_REST if each == rest else COLOURS[places[each] % len(COLOURS)] for each in order]
    short = max(map(len, order), default=0) < _SHORT
    columns = {"expr": "width < 250 ? 1 : 3" if short else "width < 400 ? 1 : 2"}
    legend = {
        "orient": "top",
        "title": None,
        "labelLimit": _LABEL,
        "columns": columns,
        "symbolOpacity": 1,
    }
    return {
        "field": "series",
        "type": "nominal",
        "sort": order,
        "scale": {"domain": order, "range": colours},
        "legend": legend if max(len(order), len(heads)) > 1 else None,
    }


def names_of(data: Sequence[Mapping[str, Any]], field: str = "label") -> Spec:
    """Return the encoding of labels in the order of the table."""
    return {
        "field": field,
        "type": "nominal",
        "sort": list(dict.fromkeys(each[field] for each in data)),
        "title": None,
        "axis": {"labelLimit": _LABEL, "labelAngle": 0, "labelFlush": False},
    }


def pale(chart: Chart) -> Spec:
    """Return the opacity: pale where a figure has few observations."""
    few = f"isValid(datum.n) && datum.n < {chart.least}"
    return {"condition": {"test": few, "value": 0.5}, "value": 1}


def tooltip(section: Section, chart: Chart) -> list[Spec]:
    """Return what is shown beside the pointer: the whole label, its series, value and n."""
    heads = section.sheet
    several = len(chart.values) > 1 or chart.series
    series = heads.heads[heads.at(chart.series)] if chart.series else ""
    parts = [("full", "", "nominal")] if chart.labels or not several else []
    parts += [("series", series, "nominal")] if several else []
    value = chart.legend or heads.heads[heads.at(chart.values[0])]
    parts += [("text", value, "nominal"), ("n", "n", "quantitative")]
    return [{"field": f, "title": title or " ", "type": kind} for f, title, kind in parts]

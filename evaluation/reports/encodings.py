"""Axes, colours and tooltips that the shapes of charts share.

A chart suits its place by expressions of Vega, so that one specification serves all: `narrow` is
true on a phone, where names stand above their marks and legends in fewer columns; `dark` is true on
dark paper. Every colour of `COLOURS` has a contrast of 3 with light and dark paper, and any two are
told apart by colour-blind readers (G. Machado et al. 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any

from evaluation.reports.chart_data import safe, width
from evaluation.reports.report import Chart, Kind, Section, Shape, plain
from evaluation.reports.values import Word

Spec = dict[str, Any]
COLOURS = ("#0072b2", "#be8b00", "#4c6f39", "#b981a0", "#2f97ee", "#ab5110", "#656565", "#7c52eb")
WHITE_ON = (COLOURS[0], COLOURS[2], COLOURS[5], COLOURS[6], COLOURS[7])  # others have black text
REST: Spec = {"expr": "dark ? '#737982' : '#8f8f8f'"}  # what is left of a whole
_KEPT, _FIXED, _DROPPED, _DISPUTED = COLOURS[2], COLOURS[4], COLOURS[5], COLOURS[3]
OUTCOMES: Mapping[str, str | Spec] = {  # colours by names in files: the same in every picture
    **dict.fromkeys(("kept", "passed", "through", "accepted", "admitted", "standing"), _KEPT),
    **dict.fromkeys(("left", "gold"), _KEPT),
    **dict.fromkeys(("fixed", "edited", "restored"), _FIXED),
    **dict.fromkeys(("dropped", "rejected", "out"), _DROPPED),
    **dict.fromkeys(("disputed", "dispute"), _DISPUTED),
    **dict.fromkeys(("waiting", "missing"), REST),
}
INK: Spec = {"expr": "dark ? '#e4e6e8' : '#1f2429'"}
SOFT: Spec = {"expr": "dark ? '#b4bac1' : '#4b5259'"}  # of labels; contrast above 7
PALE: Spec = {"expr": "dark ? '#20252b' : '#f0f3f6'"}  # behind marks
PAPER: Spec = {"expr": "dark ? '#15181c' : '#ffffff'"}
PARAMS: list[Spec] = [
    {"name": "dark", "expr": "luminance(background) < 0.3"},
    {"name": "narrow", "expr": "containerSize()[0] < 480"},  # a file has no container
]
LOOK: Spec = {
    "axisX": {"titleLimit": {"expr": "max(width, 200)"}},
    "axisY": {"titleLimit": 280},
    "axis": {"labelColor": SOFT, "titleColor": SOFT, "titlePadding": 8, "labelPadding": 6},
    "header": {"labelColor": SOFT, "titleColor": SOFT},
    "legend": {"labelColor": SOFT, "titleColor": SOFT, "offset": 6},
}
_LABEL, _SERIES = 260, 240  # pixels of a name at most, of one in a legend
_LETTER, _SMALL = 6.2, 5.3  # pixels of a letter in a legend, of an axis
_SYMBOL = 34  # pixels of a legend's symbol with the room around
_MOST_NAMES = 16  # of a legend
_ROWS = (Shape.FOREST, Shape.STACK)  # whose names stand at the left


def quantity_of(section: Section, chart: Chart, title: str = "") -> Spec:
    """Return the encoding of the values' axis: shares in percent, counts at whole numbers."""
    at = section.sheet.at(chart.values[0])
    share = all(section.sheet.kinds[section.sheet.at(n)] is Kind.SHARE for n in chart.values)
    head = section.sheet.heads[at] if len(chart.values) == 1 else " "  # else the legend names them
    axis: Spec = (
        {"format": ".1~%"} if share else {"tickMinStep": 1} if counted(section, chart) else {}
    )
    return {
        "field": "value",
        "type": "quantitative",
        "title": title or chart.legend or head,
        "axis": axis | {"tickCount": {"expr": "narrow ? 4 : 8"}},
    }


def counted(section: Section, chart: Chart) -> bool:
    """Return True if all values are whole numbers."""
    at = section.sheet.at(chart.values[0])
    return all(isinstance(plain(row[at]), int | None) for row in section.sheet.rows)


def upright(quantity: Spec) -> Spec:
    """Return the encoding of a vertical axis of values."""
    return quantity | {"axis": quantity["axis"] | {"tickCount": 5}}


def colour_of(section: Section, chart: Chart, data: Sequence[Mapping[str, Any]]) -> Spec:
    """Return the encoding of the series; one series needs no legend."""
    heads = [] if chart.series else [safe(section.sheet.head(name)) for name in chart.values]
    used = {each["series"]: None for each in data}
    order = [each for each in heads if each in used] or list(used)
    names = max((width(each["label"]) for each in data), default=0) * _SMALL
    left = min(_LABEL, names) + 20 if chart.shape in _ROWS else 70
    left = left if chart.labels else 10
    colours = _colours(section, chart, heads or order)  # whatever else is drawn
    return {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": order, "range": [colours[each] for each in order]},
        "legend": _legend(order, left) if max(len(order), len(heads)) > 1 else None,
    }


def _colours(section: Section, chart: Chart, names: Sequence[str]) -> dict[str, str | Spec]:
    """Return the colour of each series: that of an outcome, else the next of the palette."""
    keys = dict(zip(names, chart.values, strict=False))
    if chart.series:
        column = section.sheet.at(chart.series)
        values = [plain(row[column]) for row in section.sheet.rows]
        keys = {safe(value.text): value.value for value in values if isinstance(value, Word)}
    found = {each: OUTCOMES[keys[each]] for each in names if keys.get(each) in OUTCOMES}
    if chart.rest:
        found[safe(section.sheet.head(chart.rest))] = REST
    others = [each for each in COLOURS if each not in found.values()] or COLOURS
    free = [each for each in names if each not in found]
    return found | {each: others[at % len(others)] for at, each in enumerate(free)}


def _legend(names: Sequence[str], left: float) -> Spec:
    """Return a legend on top, in as many columns as fit beside `left`.

    Its room is that of the container, since a plot is narrowed only when its legend stands.
    """
    column = min(_SERIES, max(map(width, names), default=0) * _LETTER) + _SYMBOL
    line = sum(min(_SERIES, width(name) * _LETTER) + _SYMBOL for name in names)
    room = f"(containerSize()[0] ? containerSize()[0] - (narrow ? 50 : {left:.0f}) : width)"
    columns = f"max(1, min({len(names)}, floor({room} / {column:.0f})))"
    return {
        "orient": "top",
        "title": None,
        "labelLimit": _SERIES,
        "labelExpr": shortened(f"min({_SERIES}, {room} - 30)", names, _LETTER),
        "columns": {"expr": f"{room} > {line:.0f} ? {len(names)} : {columns}"},
        "symbolLimit": _MOST_NAMES,
        "symbolOpacity": 1,
    }


def shortened(pixels: str, names: Sequence[str | float], letter: float = _SMALL) -> str:
    """Return the expression of a label without the middle for which so many pixels lack room."""
    texts = [each for each in names if isinstance(each, str)]
    wide = sum(map(width, texts)) / max(1, sum(map(len, texts)))  # of a letter on average
    return f"truncate(datum.label, max(4, floor(({pixels}) / {wide * letter:.1f})), 'center')"


def names_of(data: Sequence[Mapping[str, Any]], field: str = "label") -> Spec:
    """Return the encoding of labels in the order of the table."""
    return {
        "field": field,
        "type": "nominal",
        "sort": list(dict.fromkeys(each[field] for each in data)),
        "title": None,
        "axis": {"labelLimit": _LABEL, "labelAngle": 0, "labelFlush": False},
    }


def below(encoding: Spec) -> Spec:
    """Return the encoding of names under vertical marks, in two lines where they are narrow."""
    names = [each for each in encoding["sort"] if isinstance(each, str)]
    lines = [_two_lines(each) for each in names]
    room = f"max(30, width / {max(1, len(encoding['sort']))} - 4)"
    wide = [round(width(each) * _SMALL) for each in names]
    at = f"[indexof({dumps(names)}, datum.label)]"  # names may be those of an object's own parts
    label = f"{dumps(wide)}{at} > {room} ? {dumps(lines)}{at} : datum.label"
    return encoding | {
        "axis": encoding["axis"] | {"labelExpr": label, "labelLimit": {"expr": room}}
    }


def _two_lines(text: str) -> list[str]:
    """Return a text cut at the blank nearest to its middle, or there."""
    middle = len(text) // 2
    blanks = [at for at, letter in enumerate(text) if letter == " "]
    at = min(blanks, key=lambda blank: abs(blank - middle), default=middle)
    return [text[:at].strip(), text[at:].strip()]


def beside(encoding: Spec, above: float, gap: float | None = None) -> Spec:
    """Return the encoding of names of rows: above their marks where there is no room beside them.

    There they stand so many pixels `above` the middle of a row. The `gap` between rows that have
    a height is its share of a row there.
    """
    axis = {
        "labelAlign": {"expr": "narrow ? 'left' : 'right'"},
        "labelPadding": {"expr": "narrow ? -1 : 6"},
        "labelOffset": {"expr": f"narrow ? {-above:g} : 0"},
        "labelExpr": shortened("narrow ? containerSize()[0] - 24 : 256", encoding["sort"]),
        "labelLimit": {"expr": f"narrow ? containerSize()[0] - 20 : {_LABEL}"},
    }
    scale: Spec = {}
    if gap is not None:
        padding = {"expr": f"(narrow ? {gap:.2f} : 0.15)"}
        scale = {"scale": {"paddingInner": padding, "paddingOuter": padding}}
    return encoding | {"axis": encoding["axis"] | axis, **scale}


def pale(chart: Chart) -> Spec:
    """Return the opacity: pale where a figure has few observations."""
    few = f"isValid(datum.n) && datum.n < {chart.least}"
    return {"condition": {"test": few, "value": 0.6}, "value": 1}


def tooltip(section: Section, chart: Chart) -> list[Spec]:
    """Return the fields of the tooltip: label, series, value and n."""
    sheet = section.sheet
    several = len(chart.values) > 1 or chart.series
    series = sheet.head(chart.series) if chart.series else ""
    parts = [("full", "", "nominal")] if chart.labels or not several else []
    parts += [("series", series, "nominal")] if several else []
    value = chart.legend or sheet.head(chart.values[0])
    parts += [("text", value, "nominal"), ("n", "n", "quantitative")]
    titles = [title.replace("\\", "\\\\") or " " for _, title, _ in parts]  # of an expression
    return [
        {"field": f, "title": t, "type": kind}
        for (f, _, kind), t in zip(parts, titles, strict=True)
    ]

"""Charts of a report as Vega-Lite specifications, and as SVG and PNG files.

A specification is a JSON value: a screen and a notebook draw it as it is, `vl-convert` makes files
of it without a browser. Colours are told apart by colour-blind readers (M. Okabe & K. Ito 2008).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from errors import UserError
from evaluation.figure import Figure
from evaluation.reports.report import (
    ENDINGS,
    PICTURES,
    Chart,
    Kind,
    Report,
    Section,
    Shape,
    Value,
    measured,
    plain,
    row_label,
    shown,
)

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_OUTER = ("$schema", "config")  # of a specification that stands alone
_PAPER = ("#ffffff", "#15181c")  # light, dark
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
_GREY = "#808080"  # shows on light and on dark
_SCALE = 2.0  # pixels of a PNG for each of the specification's
_WIDTH = 560  # of a chart in a file, in pixels
_STEP, _NARROW = 26, 13  # of a row, of one of several marks in it
_FEW_ROWS = 4  # of a heat map, whose numbers then stand large
_SHORT_CELL = 5  # characters that are large in a cell of a phone
_THICK, _LETTER = 44, 0.03  # of a stack that stands alone; what a letter needs of a stack's length
_REST = "#b8b8b8"  # what is left of a whole
_LONGEST = 44  # characters of a label, beyond which its middle is left out
_TALL, _LABEL = 280, 260  # of an upright chart, of a name at most
_FONTS = (
    "Noto Sans CJK KR, Noto Sans KR, NanumGothic, Apple SD Gothic Neo, Malgun Gothic, sans-serif"
)
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")
_PANEL = 70  # height of one of several histograms
_SHORT = 9  # letters of a series' name, of which three stand in a line of the legend
_ONCE: dict[str, Any] = {"values": [{}]}  # data of a mark that stands once
Spec = dict[str, Any]
_NAMED: Spec = {"type": "text", "align": "left", "color": "#7a7a7a"}  # read on white and on black


def chart_spec(section: Section, width: int | str = "container") -> Spec:
    """Return the Vega-Lite specification of a section's chart. Raises ValueError without one.

    Every datum has the number of its `row` in the section's table.
    """
    if section.picture is not None:
        return {"$schema": SCHEMA, **section.picture}
    chart = section.chart
    if chart is None:
        raise ValueError(f"section {section.name} has no chart")
    data = _data(section, chart)
    drawn = _SHAPES[chart.shape](section, chart, data)
    if width == "container" and chart.shape is Shape.HEAT:
        drawn |= {"autosize": {"type": "fit-x", "contains": "padding"}}
    return {
        "$schema": SCHEMA,
        "config": {"mark": {"aria": False}},  # the description says what is drawn
        "description": f"{section.title}. {section.lead}".strip(),
        "data": {"values": data},
        "width": width,
        **drawn,
    }


def report_file(report: Report, ending: str, dark: bool = False) -> bytes:
    """Return a report as a file of an ending of `ENDINGS`, or its charts as one of `PICTURES`.

    Raises UserError for pictures of a report without any.
    """
    if ending in PICTURES:
        return pictures(report.drawn, ending, dark)
    return report.written(ENDINGS[ending]).encode()


def chart_file(section: Section, ending: str, dark: bool = False) -> bytes:
    """Return a section's chart as ``.svg`` or ``.png``."""
    return pictures([section], ending, dark)


def pictures(sections: Sequence[Section], ending: str, dark: bool = False) -> bytes:
    """Return the charts of sections below one another, each under its title.

    Raises UserError if there is none.
    """
    if not sections:
        raise UserError("report_without_picture")
    parts = [_part(each) for each in sections]
    scales = {"scale": {"color": "independent", "x": "independent", "y": "independent"}}
    shared = {"$schema": SCHEMA, "resolve": scales, "params": [{"name": "width", "value": _WIDTH}]}
    return picture_file({"vconcat": parts, **shared}, ending, dark)


def _part(section: Section) -> Spec:
    """Return a section's chart under its title; a picture has its own."""
    spec = chart_spec(section, _WIDTH)
    title = {"text": section.title, "anchor": "start"}
    return {"title": title} | {name: v for name, v in spec.items() if name not in _OUTER}


def picture_file(spec: Spec, ending: str, dark: bool = False) -> bytes:
    """Return a specification as ``.svg`` or ``.png``; equal ones give equal bytes."""
    import vl_convert

    _find_fonts()
    config: Spec = {"background": _PAPER[dark], "font": _FONTS, "view": {"stroke": None}}
    if dark:
        config |= {"axis": {"gridColor": "#30363d"}, "text": {"color": "#e4e6e8"}}
    look: Spec = {"config": config, "theme": "dark" if dark else None}
    clean = _printable(spec)
    if ending == ".png":
        png: bytes = vl_convert.vegalite_to_png(clean, scale=_SCALE, **look)
        return png
    return str(vl_convert.vegalite_to_svg(clean, **look)).encode()


def _printable(value: Any) -> Any:
    """Return JSON values without letters that no file of a picture can hold."""
    if isinstance(value, str):
        return "".join(c if c.isprintable() else " " * c.isspace() for c in value)
    if isinstance(value, Mapping):
        return {name: _printable(each) for name, each in value.items()}
    return [_printable(each) for each in value] if isinstance(value, list | tuple) else value


@cache
def _find_fonts() -> None:
    """Let the converter find Korean fonts, wherever the system keeps them."""
    import vl_convert

    for folder in _FOLDERS:
        if Path(folder).is_dir():
            vl_convert.register_font_directory(folder)


def _data(section: Section, chart: Chart) -> list[dict[str, Any]]:
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


def _paired(data: list[dict[str, Any]], several: int) -> list[dict[str, Any]]:
    """Join the data of one row: its first value is x, its second y."""
    rows: dict[int, list[dict[str, Any]]] = {}
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


def _quantity(section: Section, chart: Chart, title: str = "") -> Spec:
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


def _colour(section: Section, chart: Chart, data: Sequence[Mapping[str, Any]]) -> Spec:
    """Return the encoding of the series; one series needs no legend."""
    heads = [] if chart.series else [_head(section, name) for name in chart.values]
    used = {each["series"]: None for each in data}
    order = [each for each in heads if each in used] or list(used)
    places = {each: at for at, each in enumerate(heads or order)}  # whatever else is drawn
    rest = _head(section, chart.rest) if chart.rest else ""
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


def _names(data: Sequence[Mapping[str, Any]], field: str = "label") -> Spec:
    """Return the encoding of labels in the order of the table."""
    return {
        "field": field,
        "type": "nominal",
        "sort": list(dict.fromkeys(each[field] for each in data)),
        "title": None,
        "axis": {"labelLimit": _LABEL, "labelAngle": 0, "labelFlush": False},
    }


def _pale(chart: Chart) -> Spec:
    few = f"isValid(datum.n) && datum.n < {chart.least}"
    return {"condition": {"test": few, "value": 0.5}, "value": 1}


def _tooltip(section: Section, chart: Chart) -> list[Spec]:
    heads = section.sheet
    several = len(chart.values) > 1 or chart.series
    series = heads.heads[heads.at(chart.series)] if chart.series else ""
    parts = [("full", "", "nominal")] if chart.labels or not several else []
    parts += [("series", series, "nominal")] if several else []
    value = chart.legend or heads.heads[heads.at(chart.values[0])]
    parts += [("text", value, "nominal"), ("n", "n", "quantitative")]
    return [{"field": f, "title": title or " ", "type": kind} for f, title, kind in parts]


def _forest(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    several = len({(e["label"], e["series"]) for e in data}) > len({e["label"] for e in data})
    side = {"yOffset": {"field": "series", "sort": None}} if several else {}
    step = {"step": _NARROW, "for": "offset"} if several else {"step": _STEP}
    shared = {
        "y": _names(data),
        "color": _colour(section, chart, data),
        "opacity": _pale(chart),
        "tooltip": _tooltip(section, chart),
        **side,
    }
    ends = {each[name] for each in data for name in ("value", "low", "high")} - {None}
    alone = len(ends) == 1  # an axis of one number has no ends
    quantity = _quantity(section, chart) | {"scale": {"zero": alone}}
    line = {"x": quantity | {"field": "low"}, "x2": {"field": "high"}}
    zero = {"x": {"datum": 0, "type": "quantitative", "title": quantity["title"]}}
    none = {"mark": {"type": "rule", "color": _GREY}, "data": _ONCE, "encoding": zero}
    return {
        "height": step,
        "layer": [
            *([none] if chart.zero else []),
            {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": shared | line},
            {
                "mark": {"type": "point", "filled": True, "size": 70},
                "encoding": shared | {"x": quantity},
            },
        ],
    }


def _bars(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    several = len({each["series"] for each in data}) > 1
    side = {"xOffset": {"field": "series", "sort": None}} if several else {}
    shared = {"x": _names(data), "tooltip": _tooltip(section, chart), **side}
    quantity = _quantity(section, chart)
    bar = {"y": quantity, "color": _colour(section, chart, data), "opacity": _pale(chart)}
    whisker = {"y": quantity | {"field": "low"}, "y2": {"field": "high"}}
    return {
        "height": _TALL,
        "layer": [
            {"mark": {"type": "bar"}, "encoding": shared | bar},
            {"mark": {"type": "rule", "color": _GREY}, "encoding": shared | whisker},
        ],
    }


def _stack(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    """Return counts of one row behind one another; without labels, all rows are one bar."""
    colour = _colour(section, chart, data)
    names = () if chart.series else chart.values
    _place_in_stack(chart, data, [_head(section, name) for name in names] or colour["sort"])
    across = _quantity(section, chart, chart.legend or " ")
    if chart.rest:
        across |= {"stack": "normalize", "axis": {"format": "%"}}
    else:
        across |= {"stack": "zero"} | ({} if chart.labels else {"scale": {"nice": False}})
    shared = {
        "x": across,
        "y": _names(data) if chart.labels else {"field": "bar", "type": "nominal", "axis": None},
        "order": {"field": "place"},
    }
    bar = {"color": colour, "tooltip": _tooltip(section, chart)}
    text = {  # without a tooltip it lets presses through to its bar
        "x": across | {"bandPosition": 0.5},
        "text": {"field": "name"},
        "detail": {"field": "series"},
        "color": {
            "condition": {"test": "datum.place % 8 == 0", "value": "white"},
            "value": "black",
        },
    }
    return {
        "height": {"step": _STEP if chart.labels else _THICK},
        "layer": [
            {"mark": {"type": "bar"}, "encoding": shared | bar},
            {"mark": {"type": "text"}, "encoding": shared | text},
        ],
    }


def _place_in_stack(chart: Chart, data: list[dict[str, Any]], order: Sequence[str]) -> None:
    """Add each part's place in its stack, and its number where that has room."""
    lengths: Counter[str] = Counter()
    for each in data:
        lengths[each["label"] if chart.labels else ""] += each["value"]
    longest = max(lengths.values(), default=0)
    for each in data:
        length = lengths[each["label"]] if chart.rest else longest
        room = each["value"] >= _LETTER * len(each["text"]) * length
        each |= {"place": order.index(each["series"]), "name": each["text"] if room else ""}


def _heat(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    across, down = (
        _names(data, f"label{i}")
        | {"title": _head(section, name), "sort": _all_labels(section, name)}
        for i, name in enumerate(chart.labels)
    )
    values = [each["value"] for each in data]
    most = max(map(abs, values), default=0)
    scale: Spec = {"scheme": "blues", "domainMin": 0}
    if min(values, default=0) < 0:  # differences: either side of nothing has its own colour
        scale = {"domain": [-most, 0, most], "range": [COLOURS[1], "#f7f7f7", COLOURS[0]]}
    few = len({each["label1"] for each in data}) <= _FEW_ROWS
    short = all(len(each["short"]) <= _SHORT_CELL for each in data)
    ink = {"condition": {"test": f"datum.value > {most * 0.6}", "value": "white"}, "value": "black"}
    return {
        "height": {"step": _STEP * 2 if few else round(_STEP * 1.3)},
        "encoding": {
            "x": across,
            "y": down,
            "tooltip": _tooltip(section, chart),
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {"color": _quantity(section, chart) | {"scale": scale, "legend": None}},
            },
            {
                "mark": {"type": "text", "fontSize": 20 if few and short else 12},
                "encoding": {"text": {"field": "short"}, "color": ink},
            },
        ],
    }


def _all_labels(section: Section, name: str) -> list[str | float]:
    """Return the labels of a column in the order of its table, those without a value too."""
    at = section.sheet.at(name)
    return list(dict.fromkeys(_axis(row[at]) for row in section.sheet.rows))


def _funnel(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    shared = {
        "y": _names(data),
        "x": _quantity(section, chart),
        "tooltip": _tooltip(section, chart),
    }
    return {
        "height": {"step": _STEP},
        "layer": [
            {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": shared},
            {
                "mark": _NAMED | {"dx": 4},
                "encoding": shared | {"text": {"field": "text"}},
            },
        ],
    }


def _line(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    numeric = all(isinstance(each["label0"], int | float) for each in data)
    across = {
        "field": "label0",
        "type": "quantitative" if numeric else "nominal",
        "title": _head(section, chart.labels[0]),
        **({"scale": {"zero": False}} if numeric else {"sort": None}),
    }
    shared = {
        "x": across,
        "color": _colour(section, chart, data),
        "tooltip": _tooltip(section, chart),
    }
    quantity = _quantity(section, chart) | {"scale": {"zero": False}}
    band = {"y": quantity | {"field": "low"}, "y2": {"field": "high"}}
    marks: list[Spec] = [
        {"mark": {"type": "area", "opacity": 0.18}, "encoding": shared | band},
        {"mark": {"type": "line", "point": True}, "encoding": shared | {"y": quantity}},
    ]
    if chart.fit:
        fitted = shared | {"y": quantity | {"field": "fit"}}
        marks = [
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6}, "encoding": shared | band},
            {"mark": {"type": "line", "strokeWidth": 1.3}, "encoding": fitted},
            {
                "mark": {"type": "point", "filled": True, "size": 70},
                "encoding": shared | {"y": quantity, "opacity": _pale(chart)},
            },
        ]
    return {"height": _TALL, "layer": marks}


def _scatter(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    across, down = (
        _quantity(section, Chart(chart.shape, chart.labels, values, chart.series))
        for values in (chart.values[:1], chart.values[1:])
    )
    shares = all(section.sheet.kinds[section.sheet.at(name)] is Kind.SHARE for name in chart.values)
    scale = {} if shares else {"scale": {"zero": False, "padding": _STEP}}
    shared = {
        "x": across | {"field": "x"} | scale,
        "y": down | scale,
        "opacity": _pale(chart),
        "tooltip": _tooltip(section, chart),
    }
    colour = {"color": _colour(section, chart, data)} if chart.series else {}
    text = {"text": {"field": "label"}}
    return {
        "height": _TALL,
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "size": 90, "color": COLOURS[0]},
                "encoding": shared | colour,
            },
            {"mark": _NAMED | {"dx": 8}, "encoding": shared | text},
        ],
    }


def _histogram(section: Section, chart: Chart, data: list[dict[str, Any]]) -> Spec:
    names = list(dict.fromkeys(each["series"] for each in data))
    place = {"labelAngle": 0, "labelOrient": "top", "labelAnchor": "start", "title": None}
    across = _names(data) | {"title": _head(section, chart.labels[0])}
    across["scale"] = {"paddingInner": 0.05}
    across["axis"] |= {"labelOverlap": True}
    return {
        "width": _WIDTH,
        "height": _PANEL,
        "mark": {"type": "bar", "color": COLOURS[0]},
        "encoding": {
            "x": across,
            "y": _quantity(section, chart),
            "row": {"field": "series", "type": "nominal", "sort": names, "header": place},
            "tooltip": _tooltip(section, chart),
        },
        "resolve": {"scale": {"y": "independent"}},
    }


def _head(section: Section, name: str) -> str:
    return section.sheet.heads[section.sheet.at(name)]


_SHAPES: Mapping[Shape, Callable[[Section, Chart, list[dict[str, Any]]], Spec]] = {
    Shape.FOREST: _forest,
    Shape.BARS: _bars,
    Shape.STACK: _stack,
    Shape.HEAT: _heat,
    Shape.FUNNEL: _funnel,
    Shape.LINE: _line,
    Shape.SCATTER: _scatter,
    Shape.HISTOGRAM: _histogram,
}

"""The shapes of charts: each makes the marks and axes of a section's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluation.reports.chart_data import Datum, all_labels, place_in_stack
from evaluation.reports.encodings import (
    COLOURS,
    Spec,
    colour_of,
    names_of,
    pale,
    quantity_of,
    tooltip,
)
from evaluation.reports.report import Chart, Kind, Section, Shape

WIDTH = 560  # of a chart in a file, in pixels
_GREY = "#808080"  # shows on light and on dark
_STEP, _NARROW = 26, 13  # of a row, of one of several marks in it
_FEW_ROWS = 4  # of a heat map, whose numbers then stand large
_SHORT_CELL = 5  # characters that are large in a cell of a phone
_THICK = 44  # of a stack that stands alone
_TALL = 280  # of an upright chart
_PANEL = 70  # height of one of several histograms
_ONCE: Spec = {"values": [{}]}  # data of a mark that stands once
_NAMED: Spec = {"type": "text", "align": "left", "color": "#7a7a7a"}  # read on white and on black


def _forest(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    several = len({(e["label"], e["series"]) for e in data}) > len({e["label"] for e in data})
    side = {"yOffset": {"field": "series", "sort": None}} if several else {}
    step = {"step": _NARROW, "for": "offset"} if several else {"step": _STEP}
    shared = {
        "y": names_of(data),
        "color": colour_of(section, chart, data),
        "opacity": pale(chart),
        "tooltip": tooltip(section, chart),
        **side,
    }
    ends = {each[name] for each in data for name in ("value", "low", "high")} - {None}
    alone = len(ends) == 1  # an axis of one number has no ends
    quantity = quantity_of(section, chart) | {"scale": {"zero": alone}}
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


def _bars(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    several = len({each["series"] for each in data}) > 1
    side = {"xOffset": {"field": "series", "sort": None}} if several else {}
    shared = {"x": names_of(data), "tooltip": tooltip(section, chart), **side}
    quantity = quantity_of(section, chart)
    bar = {"y": quantity, "color": colour_of(section, chart, data), "opacity": pale(chart)}
    whisker = {"y": quantity | {"field": "low"}, "y2": {"field": "high"}}
    return {
        "height": _TALL,
        "layer": [
            {"mark": {"type": "bar"}, "encoding": shared | bar},
            {"mark": {"type": "rule", "color": _GREY}, "encoding": shared | whisker},
        ],
    }


def _stack(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return counts of one row behind one another; without labels, all rows are one bar."""
    colour = colour_of(section, chart, data)
    names = () if chart.series else chart.values
    place_in_stack(chart, data, [section.sheet.head(name) for name in names] or colour["sort"])
    across = quantity_of(section, chart, chart.legend or " ")
    if chart.rest:
        across |= {"stack": "normalize", "axis": {"format": "%"}}
    else:
        across |= {"stack": "zero"} | ({} if chart.labels else {"scale": {"nice": False}})
    shared = {
        "x": across,
        "y": names_of(data) if chart.labels else {"field": "bar", "type": "nominal", "axis": None},
        "order": {"field": "place"},
    }
    bar = {"color": colour, "tooltip": tooltip(section, chart)}
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


def _heat(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    across, down = (
        names_of(data, f"label{i}")
        | {"title": section.sheet.head(name), "sort": all_labels(section, name)}
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
            "tooltip": tooltip(section, chart),
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {
                    "color": quantity_of(section, chart) | {"scale": scale, "legend": None}
                },
            },
            {
                "mark": {"type": "text", "fontSize": 20 if few and short else 12},
                "encoding": {"text": {"field": "short"}, "color": ink},
            },
        ],
    }


def _funnel(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    shared = {
        "y": names_of(data),
        "x": quantity_of(section, chart),
        "tooltip": tooltip(section, chart),
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


def _line(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    numeric = all(isinstance(each["label0"], int | float) for each in data)
    across = {
        "field": "label0",
        "type": "quantitative" if numeric else "nominal",
        "title": section.sheet.head(chart.labels[0]),
        **({"scale": {"zero": False}} if numeric else {"sort": None}),
    }
    shared = {
        "x": across,
        "color": colour_of(section, chart, data),
        "tooltip": tooltip(section, chart),
    }
    quantity = quantity_of(section, chart) | {"scale": {"zero": False}}
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
                "encoding": shared | {"y": quantity, "opacity": pale(chart)},
            },
        ]
    return {"height": _TALL, "layer": marks}


def _scatter(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    across, down = (
        quantity_of(section, Chart(chart.shape, chart.labels, values, chart.series))
        for values in (chart.values[:1], chart.values[1:])
    )
    shares = all(section.sheet.kinds[section.sheet.at(name)] is Kind.SHARE for name in chart.values)
    scale = {} if shares else {"scale": {"zero": False, "padding": _STEP}}
    shared = {
        "x": across | {"field": "x"} | scale,
        "y": down | scale,
        "opacity": pale(chart),
        "tooltip": tooltip(section, chart),
    }
    colour = {"color": colour_of(section, chart, data)} if chart.series else {}
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


def _histogram(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    names = list(dict.fromkeys(each["series"] for each in data))
    place = {"labelAngle": 0, "labelOrient": "top", "labelAnchor": "start", "title": None}
    across = names_of(data) | {"title": section.sheet.head(chart.labels[0])}
    across["scale"] = {"paddingInner": 0.05}
    across["axis"] |= {"labelOverlap": True}
    return {
        "width": WIDTH,
        "height": _PANEL,
        "mark": {"type": "bar", "color": COLOURS[0]},
        "encoding": {
            "x": across,
            "y": quantity_of(section, chart),
            "row": {"field": "series", "type": "nominal", "sort": names, "header": place},
            "tooltip": tooltip(section, chart),
        },
        "resolve": {"scale": {"y": "independent"}},
    }


SHAPES: Mapping[Shape, Callable[[Section, Chart, list[Datum]], Spec]] = {
    Shape.FOREST: _forest,
    Shape.BARS: _bars,
    Shape.STACK: _stack,
    Shape.HEAT: _heat,
    Shape.FUNNEL: _funnel,
    Shape.LINE: _line,
    Shape.SCATTER: _scatter,
    Shape.HISTOGRAM: _histogram,
}

"""The shapes of charts: each makes the marks and axes of a section's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluation.reports.chart_data import Datum, all_labels, place_in_stack, safe, shares_marked
from evaluation.reports.encodings import (
    COLOURS,
    INK,
    PALE,
    PAPER,
    SOFT,
    WHITE_ON,
    Spec,
    below,
    beside,
    colour_of,
    counted,
    names_of,
    pale,
    quantity_of,
    shortened,
    tooltip,
    upright,
)
from evaluation.reports.report import Chart, Kind, Section, Shape

WIDTH = 560  # of a chart in a file, in pixels
_GREY = "#808080"  # shows on light and on dark
_STEP, _NARROW = 26, 13  # of a row, of one of several marks in it
_NAME = 15  # pixels of a name that stands above its marks
_FEW_ROWS = 4  # of a heat map, whose numbers then stand large
_SHORT_CELL = 5  # characters that are large in a cell of a phone
_SQUARE = 56  # pixels across of the largest of two by two
_CELL = 160  # pixels across of a cell at most
_THICK = 44  # of a stack that stands alone
_TALL = 280  # of an upright chart
_PANEL = 90  # height of one of several histograms
_NAMED_POINTS = 30  # of a scatter; more names would hide one another
_LONG_BAR = 0.6  # of the longest bar: its number stands inside
_ONCE: Spec = {"values": [{}]}  # data of a mark that stands once
_HEAT: Spec = {  # from nothing to most, and how dark a cell is before its number is light
    "range": [{"expr": "dark ? '#1f2a35' : '#eef4fa'"}, {"expr": "dark ? '#8cc2ee' : '#08519c'"}],
    "domainMin": 0,
}


def _forest(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return the spec of points with intervals."""
    several = len({(e["label"], e["series"]) for e in data}) > len({e["label"] for e in data})
    side = {"yOffset": {"field": "series", "sort": None}} if several else {}
    step = {"step": _NARROW, "for": "offset"} if several else {"step": _STEP}
    thick = _NARROW * len({each["series"] for each in data})
    above, gap = (thick / 2 + 6, _NAME / (_NAME + thick)) if several else (11, None)
    shared = {
        "y": beside(names_of(data), above, gap),
        "color": colour_of(section, chart, data),
        "opacity": pale(chart),
        "tooltip": tooltip(section, chart),
        **side,
    }
    ends = {each[name] for each in data for name in ("value", "low", "high")} - {None}
    alone = len(ends) == 1  # an axis of one number has no ends
    quantity = quantity_of(section, chart) | {"scale": {"zero": alone}}
    if alone and ends <= {0, 1}:
        quantity["scale"]["domain"] = [0, 1]
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
    """Return the spec of bars."""
    several = len({each["series"] for each in data}) > 1
    gap = {"paddingInner": 0.15}
    side = {"xOffset": {"field": "series", "sort": None, "scale": gap}} if several else {}
    wide = {"width": {"band": 1}} if several else {}  # narrower ones stand beside their middle
    shared = {"x": below(names_of(data)), "tooltip": tooltip(section, chart), **side}
    quantity = upright(quantity_of(section, chart))
    if not any(each[name] for each in data for name in ("value", "low", "high")):
        quantity["scale"] = {"domain": [0, 1]}  # of nothing but zeros the axis has no height
    bar = {"y": quantity, "color": colour_of(section, chart, data), "opacity": pale(chart)}
    whisker = {"y": quantity | {"field": "low"}, "y2": {"field": "high"}}
    return {
        "height": _TALL,
        "layer": [
            {"mark": {"type": "bar"} | wide, "encoding": shared | bar},
            {"mark": {"type": "rule", "color": INK}, "encoding": shared | whisker},
        ],
    }


def _stack(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return counts of one row behind one another; without labels, all rows are one bar."""
    colour = colour_of(section, chart, data)
    names = () if chart.series else chart.values
    place_in_stack(
        chart, data, [safe(section.sheet.head(name)) for name in names] or colour["scale"]["domain"]
    )
    across = quantity_of(section, chart, chart.legend or " ")
    if chart.rest:
        across |= {"stack": "normalize", "axis": {"format": "%", "tickCount": 5}}
    else:
        across |= {"stack": "zero"} | ({} if chart.labels else {"scale": {"nice": False}})
    alone = {"field": "bar", "type": "nominal", "axis": None}
    shared = {
        "x": across,
        "y": beside(names_of(data), _NARROW, 0.5) if chart.labels else alone,
        "order": {"field": "place"},
    }
    bar = {"color": colour, "tooltip": tooltip(section, chart)}
    dark = [each for each, fill in zip(*colour["scale"].values(), strict=True) if fill in WHITE_ON]
    white = {"field": "series", "oneOf": dark}
    text = {  # without a tooltip it lets presses through to its bar
        "x": across | {"bandPosition": 0.5},
        "text": {"field": "name"},
        "detail": {"field": "series"},
        "color": {"condition": {"test": white, "value": "white"}, "value": "black"},
    }
    single = len({each["label"] for each in data}) == len(data) > 1
    short = text | {  # a bar of one part has its number behind it where it is too short
        "x": across | {"bandPosition": 1},
        "text": {"condition": {"test": "datum.name === ''", "field": "text"}, "value": ""},
        "color": {"value": SOFT},
    }
    behind: Spec = {"type": "text", "align": "left", "dx": 4}
    named = "datum.wide && datum.share * width > 7 * datum.wide ? datum.named : datum.name"
    return {
        "height": {"step": _STEP if chart.labels else _THICK},
        "transform": [] if chart.labels else [{"calculate": named, "as": "name"}],
        "layer": [
            {"mark": {"type": "bar", "stroke": PAPER, "strokeWidth": 1}, "encoding": shared | bar},
            {"mark": {"type": "text"}, "encoding": shared | text},
            *([{"mark": behind, "encoding": shared | short}] if single and chart.labels else []),
            *([_marks(section, chart, data, shared)] if chart.mark else []),
        ],
    }


def _marks(section: Section, chart: Chart, data: list[Datum], shared: Spec) -> Spec:
    """Return lines across the rows of a stack."""
    title = section.sheet.head(chart.mark)
    told = [{"field": "full", "title": " "}, {"field": "text", "title": title}]
    share = {"field": "at", "type": "quantitative", "title": shared["x"]["title"]}
    return {
        "data": {"values": shares_marked(section, chart, data)},
        "mark": {"type": "tick", "color": INK, "thickness": 3, "size": _STEP - 2},
        "encoding": {"x": share, "y": shared["y"], "tooltip": told},
    }


def _heat(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return the spec of a heat map."""
    across, down = (
        names_of(data, f"label{i}")
        | {"title": section.sheet.head(name), "sort": all_labels(section, name)}
        for i, name in enumerate(chart.labels)
    )
    down["axis"] |= {"labelExpr": shortened("narrow ? 90 : 250", down["sort"])}
    across = below(across)
    columns = max(1, len(across["sort"]))
    across["scale"] = {"range": [0, {"expr": f"min(width, {_CELL * columns})"}]}
    values = [each["value"] for each in data] or [0]
    most = max(map(abs, values))
    scale, white = _HEAT, f"dark != (datum.value > {most} * (dark ? 0.45 : 0.7))"
    if min(values) < 0:  # differences: either side of nothing has its own colour
        none = {"expr": "dark ? '#20252b' : '#f7f7f7'"}
        scale = {"domain": [-most, 0, most], "range": [COLOURS[1], none, COLOURS[0]]}
        white = f"dark ? datum.value > {-0.6 * most} : datum.value > {0.7 * most}"
    if len(across["sort"]) == len(down["sort"]) == 2 and counted(section, chart):
        return _areas(section, chart, across, down, most)
    few = len({each["label1"] for each in data}) <= _FEW_ROWS
    longest = max((len(each["short"]) for each in data), default=1)
    size = 20 if few and longest <= _SHORT_CELL else 12
    fitting = f"width / {columns * 0.6 * longest:.1f}"
    number = {"expr": f"{fitting} < 6 ? 0 : min({size}, {fitting})"}
    ink = {"condition": {"test": white, "value": "white"}, "value": "black"}
    colour = {"field": "value", "type": "quantitative", "scale": scale, "legend": None}
    return {
        "height": {"step": _STEP * 2 if few else round(_STEP * 1.3)},
        "encoding": {"x": across, "y": down, "tooltip": tooltip(section, chart)},
        "layer": [
            {"mark": "rect", "encoding": {"color": colour}},
            {
                "mark": {"type": "text", "fontSize": number},
                "encoding": {"text": {"field": "short"}, "color": ink},
            },
        ],
    }


def _areas(section: Section, chart: Chart, across: Spec, down: Spec, most: float) -> Spec:
    """Return counts of two by two labels as squares of their size, each beside its number."""
    number = {"type": "text", "fontSize": 20, "align": "right", "color": INK, "xOffset": -4}
    square = {"type": "square", "opacity": 1, "color": COLOURS[0], "xOffset": _SQUARE / 2 + 4}
    scale = {"domain": [0, most or 1], "range": [0, _SQUARE**2]}
    area = {"field": "value", "type": "quantitative", "legend": None, "scale": scale}
    return {
        "height": {"step": _SQUARE + 12},
        "encoding": {"x": across, "y": down, "tooltip": tooltip(section, chart)},
        "layer": [
            {"mark": {"type": "rect", "color": PALE, "stroke": PAPER, "strokeWidth": 2}},
            {"mark": square, "encoding": {"size": area}},
            {"mark": number, "encoding": {"text": {"field": "short"}}},
        ],
    }


def _funnel(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return the spec of a funnel."""
    shared = {
        "y": beside(names_of(data), _NARROW, 0.5),
        "x": quantity_of(section, chart),
        "tooltip": tooltip(section, chart),
    }
    inside = f"datum.value > {_LONG_BAR * max((each['value'] for each in data), default=0)}"
    number = {
        "type": "text",
        "align": {"expr": f"{inside} ? 'right' : 'left'"},
        "dx": {"expr": f"{inside} ? -5 : 5"},
        "color": {"expr": f"{inside} ? 'white' : {SOFT['expr']}"},
    }
    return {
        "height": {"step": _STEP},
        "layer": [
            {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": shared},
            {"mark": number, "encoding": shared | {"text": {"field": "text"}}},
        ],
    }


def _line(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return the spec of lines."""
    numeric = all(isinstance(each["label0"], int | float) for each in data)
    across = {
        "field": "label0",
        "type": "quantitative" if numeric else "nominal",
        "title": section.sheet.head(chart.labels[0]),
        "axis": {"tickCount": {"expr": "narrow ? 4 : 8"}, "labelAngle": 0},
        **({"scale": {"zero": False}} if numeric else {"sort": None}),
    }
    shared = {
        "x": across,
        "color": colour_of(section, chart, data),
        "tooltip": tooltip(section, chart),
    }
    quantity = upright(quantity_of(section, chart)) | {"scale": {"zero": False}}
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
    """Return the spec of a scatter plot."""
    across, down = (
        quantity_of(section, Chart(chart.shape, chart.labels, values, chart.series))
        for values in (chart.values[:1], chart.values[1:])
    )
    shares = all(section.sheet.kinds[section.sheet.at(name)] is Kind.SHARE for name in chart.values)
    scale: Spec = {} if shares else {"scale": {"zero": False, "padding": _STEP}}
    alone = len({each["x"] for each in data}) == 1  # an axis of one number has no ends
    shared = {
        "x": across | {"field": "x"} | ({} if alone else scale),
        "y": upright(down) | scale,
        "opacity": pale(chart),
        "tooltip": tooltip(section, chart),
    }
    colour = {"color": colour_of(section, chart, data)} if chart.series else {}
    name = {
        "type": "text",
        "align": {"expr": "datum.right ? 'right' : 'left'"},
        "dx": {"expr": "datum.right ? -8 : 8"},
        "limit": {"expr": "width * 0.45"},
        "color": SOFT,
    }
    names = [{"mark": name, "encoding": shared | {"text": {"field": "label"}}}]
    return {
        "height": _TALL,
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "size": 90, "color": COLOURS[0]},
                "encoding": shared | colour,
            },
            *(names if len(data) <= _NAMED_POINTS else []),
        ],
    }


def _histogram(section: Section, chart: Chart, data: list[Datum]) -> Spec:
    """Return counts by bin, a panel for each series as high as its own largest count."""
    names = list(dict.fromkeys(each["series"] for each in data))
    most = {name: max(e["value"] for e in data if e["series"] == name) or 1 for name in names}
    for each in data:
        panel = len(names) - 1 - names.index(each["series"])
        each |= {"base": panel, "top": panel + 0.75 * each["value"] / most[each["series"]]}
    across = names_of(data) | {"title": section.sheet.head(chart.labels[0])}
    across["scale"] = {"paddingInner": 0.05}
    across["axis"] |= {"labelOverlap": True}
    up: Spec = {"type": "quantitative", "axis": None, "scale": {"domain": [0, len(names)]}}
    bar = {"y": up | {"field": "top"}, "y2": {"field": "base"}, "tooltip": tooltip(section, chart)}
    titles = [{"name": name, "top": len(names) - at - 0.05} for at, name in enumerate(names)]
    title = {"type": "text", "align": "left", "baseline": "top", "color": SOFT}
    named = {"x": {"value": 0}, "y": up | {"field": "top"}, "text": {"field": "name"}}
    return {
        "height": _PANEL * len(names),
        "layer": [
            {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": across} | bar},
            {"mark": title, "data": {"values": titles}, "encoding": named},
        ],
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

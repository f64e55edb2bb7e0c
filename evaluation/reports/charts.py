"""Charts of a report as Vega-Lite specifications, and as SVG and PNG files.

A specification is a JSON value: a screen and a notebook draw it as it is, `vl-convert` makes files
of it without a browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from errors import UserError
from evaluation.reports.chart_data import chart_data, described, drawn_rows
from evaluation.reports.encodings import LOOK, PARAMS, Spec
from evaluation.reports.report import Section, Shape
from evaluation.reports.shapes import SHAPES, WIDTH

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_OUTER = ("$schema", "config", "padding", "params")  # of a specification that stands alone
_PAPER = ("#ffffff", "#15181c")  # light, dark
_SCALE = 2.0  # pixels of a PNG for each of the specification's
_FONTS = (
    "Noto Sans CJK KR, Noto Sans KR, NanumGothic, Apple SD Gothic Neo, Malgun Gothic, sans-serif"
)
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")


def chart_spec(section: Section, width: int | str = "container") -> Spec:
    """Return the Vega-Lite specification of a section's chart. Raises ValueError without one.

    Every datum has the number of its `row` in the section's table.
    """
    if section.picture is not None:
        return {"$schema": SCHEMA, "config": LOOK, "params": PARAMS, **section.picture}
    chart = section.chart
    if chart is None:
        raise ValueError(f"section {section.name} has no chart")
    data = chart_data(section, chart)
    drawn = SHAPES[chart.shape](section, chart, data)
    if width == "container" and chart.shape is Shape.HEAT:
        drawn |= {"autosize": {"type": "fit-x", "contains": "padding"}}
    rows, of = drawn_rows(section)
    first = {"title": {"text": f"1–{len(rows)} / {of:,}", "anchor": "start"}}
    return {
        "$schema": SCHEMA,
        "config": {"mark": {"aria": False}} | LOOK,  # the description says what is drawn
        "description": described(section, data),
        "padding": {"left": 5, "right": 5, "top": 5, "bottom": 4},
        "params": PARAMS,
        "data": {"values": data},
        "width": width,
        **(first if len(rows) < of else {}),
        **drawn,
    }


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
    params = [*PARAMS, {"name": "width", "value": WIDTH}]
    shared = {"$schema": SCHEMA, "resolve": scales, "params": params}
    return picture_file({"vconcat": parts, **shared}, ending, dark)


def _part(section: Section) -> Spec:
    """Return a section's chart under its title; a picture has its own."""
    spec = chart_spec(section, WIDTH)
    title = {"text": section.title, "anchor": "start"}
    inner = {name: v for name, v in spec.items() if name not in _OUTER}
    if section.picture is None and "title" in inner:  # which of the rows are drawn
        inner["title"] = title | {"subtitle": inner["title"]["text"]}
    return {"title": title} | inner


def picture_file(spec: Spec, ending: str, dark: bool = False) -> bytes:
    """Return a specification as ``.svg`` or ``.png``; equal ones give equal bytes."""
    _find_fonts()
    config: Spec = {"background": _PAPER[dark], "font": _FONTS, "view": {"stroke": None}} | LOOK
    if dark:
        config["axis"] = config["axis"] | {"gridColor": "#30363d"}
        config["text"] = {"color": "#e4e6e8"}
    look: Spec = {"config": config, "theme": "dark" if dark else None}
    clean = _printable({"params": PARAMS} | spec)
    try:
        return _converted(clean, ending, look)
    except ValueError:  # a long text was cut within a letter above U+FFFF
        return _converted(_printable(clean, "\uffff"), ending, look)


def _converted(spec: Spec, ending: str, look: Spec) -> bytes:
    """Render a chart as PNG or SVG."""
    import vl_convert

    if ending == ".png":
        png: bytes = vl_convert.vegalite_to_png(spec, scale=_SCALE, **look)
        return png
    return str(vl_convert.vegalite_to_svg(spec, **look)).encode()


def _printable(value: Any, last: str = "\U0010ffff") -> Any:
    """Return JSON values without letters that no file of a picture can hold, or above `last`."""
    if isinstance(value, str):
        kept = (c if c <= last else "\ufffd" for c in value)
        return "".join(c if c.isprintable() else " " * c.isspace() for c in kept)
    if isinstance(value, Mapping):
        return {name: _printable(each, last) for name, each in value.items()}
    return [_printable(each, last) for each in value] if isinstance(value, list | tuple) else value


@cache
def _find_fonts() -> None:
    """Let the converter find Korean fonts, wherever the system keeps them."""
    import vl_convert

    for folder in _FOLDERS:
        if Path(folder).is_dir():
            vl_convert.register_font_directory(folder)

"""Charts show the values of the table, and files of them are pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from evaluation.figure import Figure
from evaluation.reports.chart_data import width
from evaluation.reports.charts import chart_file, chart_spec, pictures
from evaluation.reports.encodings import COLOURS, INK, OUTCOMES, REST, SOFT, WHITE_ON
from evaluation.reports.report import PICTURES, Chart, Kind, Section, Shape, Sheet, Word
from tests.evaluation.reports.test_report import F1, FULL, NONE, SHAPES, Heads

HOSTILE = "<img src=x onerror=alert(1)> $x$ & -- \u0000\ud800"


def section(shape: Shape, name: str = "scores") -> Section:
    sheet = Sheet.of(FULL, Heads(), {"share": Kind.SHARE})  # type: ignore[arg-type]
    return Section(name, "Scores", sheet, "Lead.", SHAPES[shape])


def spec_of(rows: Sequence[Mapping[str, object]], chart: Chart, **kinds: Kind) -> Any:
    """Return what is drawn of these rows."""
    sheet = Sheet.of(rows, Heads(), kinds)  # type: ignore[arg-type]
    return chart_spec(Section("x", "X", sheet, chart=chart))


def values(shape: Shape) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = chart_spec(section(shape))["data"]["values"]
    return data


def test_the_first_series_of_a_histogram_is_the_uppermost() -> None:
    rows = [{"state": "x", "system": name, "n": n} for name, n in (("C", 3), ("B", 2))]
    data = spec_of(rows, SHAPES[Shape.HISTOGRAM])["data"]["values"]
    assert [(e["series"], e["base"], e["top"]) for e in data] == [("C", 1, 1.75), ("B", 0, 0.75)]


MARKS: dict[Shape, list[dict[str, float]]] = {  # numbers of the marks; others have none
    Shape.FOREST: [{"strokeWidth": 2}, {"filled": True, "size": 70}],
    Shape.STACK: [{"strokeWidth": 1}, {}],
    Shape.HEAT: [
        {"strokeWidth": 2},
        {"opacity": 1, "xOffset": 32},
        {"fontSize": 20, "xOffset": -4},
    ],
    Shape.LINE: [{"opacity": 0.18}, {"point": True}],
    Shape.SCATTER: [{"filled": True, "size": 90}, {}],
}


def numbers(mark: Mapping[str, Any]) -> dict[str, float]:
    return {name: each for name, each in mark.items() if isinstance(each, int | float)}


@pytest.mark.parametrize("kind", Shape)
def test_every_shape_becomes_a_picture(kind: Shape) -> None:
    spec = chart_spec(section(kind))
    assert [numbers(layer["mark"]) for layer in spec["layer"]] == MARKS.get(kind, [{}, {}])
    svg = chart_file(section(kind), ".svg").decode()
    assert svg.startswith("<svg") and "NaN" not in svg
    for ending in PICTURES if kind is Shape.FOREST else ():  # equal values give equal bytes
        assert chart_file(section(kind), ending) == chart_file(section(kind), ending)
    assert re.match(r"Scores\. Lead\. .*: \S*\d", spec["description"])  # the numbers as well


def test_a_text_that_is_cut_within_a_letter_becomes_a_picture() -> None:
    for text in ("\U0001d54b" * 200, "a" + "\U0001d54b" * 200):  # one of them is cut in its middle
        heads = replace(section(Shape.BARS), title=text, sheet=Sheet(*_headed(text)))
        for ending in PICTURES:
            assert chart_file(heads, ending)


def _headed(text: str) -> tuple[Any, ...]:
    sheet = section(Shape.BARS).sheet
    return sheet.names, tuple(text for _ in sheet.names), sheet.kinds, sheet.rows


def test_the_picture_has_the_values_of_the_table_and_no_missing_one_as_zero() -> None:
    forest = values(Shape.FOREST)
    assert [(e["row"], e["series"], e["value"]) for e in forest] == [
        (0, "F1", 0.71),
        (0, "SHARE", 0.75),
        (1, "SHARE", 0.75),
    ]
    assert (forest[0]["low"], forest[0]["high"], forest[0]["n"]) == (0.63, 0.78, 40)
    assert [e["value"] for e in values(Shape.STACK)] == [3, 1, 4]  # nothing of 0 to see
    assert [e["label0"] for e in values(Shape.LINE)] == [3]
    assert [(e["x"], e["value"]) for e in values(Shape.SCATTER)] == [(0.71, 0.75)]


def test_a_stack_has_numbers_where_there_is_room_and_may_be_one_bar_of_all_rows() -> None:
    rows = [{"of": "A", "n": 60, "left": 1}, {"of": "B", "n": 2}]
    one = spec_of(rows, Chart(Shape.STACK, (), ("n",), "of"))
    several = spec_of(rows, Chart(Shape.STACK, ("of",), ("n", "left"), rest="left"))
    names = [[e["name"] for e in spec["data"]["values"]] for spec in (one, several)]
    assert names == [["60", "2"], ["60", "", "2"]]
    assert [e["place"] for e in several["data"]["values"]] == [0, 1, 0]
    alone, number = (each["encoding"] for each in one["layer"])
    assert (one["height"], alone["y"]["axis"], len(one["transform"])) == ({"step": 44}, None, 1)
    assert {"named": "B 2", "share": 2 / 62, "wide": 3}.items() <= one["data"]["values"][1].items()
    up = {"field": "value", "type": "quantitative", "title": " "}
    axes = {"format": "%", "tickCount": 5}, {"tickMinStep": 1} | WIDE
    x = several["layer"][0]["encoding"]["x"]
    assert x == up | {"stack": "normalize", "axis": axes[0]} and not several["transform"]
    x = up | {"stack": "zero", "axis": axes[1], "scale": {"nice": False}, "bandPosition": 0.5}
    white = {"test": {"field": "series", "oneOf": ["A"]}, "value": "white"}
    assert number["x"] == x and number["color"] == {"condition": white, "value": "black"}
    assert [each["field"] for each in alone["tooltip"]] == ["series", "text", "n"]
    single = spec_of(rows, Chart(Shape.STACK, ("of",), ("n",)))["layer"]
    assert numbers(single[2]["mark"]) == {"dx": 4} and len(several["layer"]) == 2
    assert single[2]["encoding"]["x"]["bandPosition"] == 1


def test_a_stack_has_a_line_where_a_row_has_a_mark() -> None:
    rows = [{"of": "A", "n": 6, "left": 4, "due": 0.8}, {"of": "B", "n": 2, "left": 1}]
    chart = Chart(Shape.STACK, ("of",), ("n", "left"), rest="left", mark="due")
    line = spec_of(rows, chart, due=Kind.SHARE)["layer"][-1]
    assert line["mark"]["type"] == "tick"
    drawn = [(each["label"], each["at"], each["text"]) for each in line["data"]["values"]]
    assert drawn == [("A", 0.8, "80.0 %")]


def test_a_chart_draws_only_the_rows_that_it_names() -> None:
    few = replace(SHAPES[Shape.FOREST], only=("system", "B"))
    drawn = chart_spec(replace(section(Shape.FOREST), chart=few))["data"]["values"]
    assert [(e["row"], e["value"]) for e in drawn] == [(1, 0.75)]
    few = replace(few, only=None, first=1)
    drawn = chart_spec(replace(section(Shape.FOREST), chart=few))["data"]["values"]
    assert {e["row"] for e in drawn} == {0}


def test_a_cell_of_a_heat_map_has_a_figure_without_its_interval() -> None:
    heat = spec_of(FULL, Chart(Shape.HEAT, ("state", "system"), ("share",)), share=Kind.SHARE)
    assert [e["short"] for e in heat["data"]["values"]] == ["75.0 %", "75.0 %"]


WIDE, NICE = {"tickCount": {"expr": "narrow ? 4 : 8"}}, {"zero": False}


def test_a_forest_has_names_beside_its_points_and_those_of_few_observations_are_pale() -> None:
    spec = chart_spec(section(Shape.FOREST))
    encoding = spec["layer"][0]["encoding"]
    names, legend = encoding["y"], encoding["color"]["legend"]
    quantity = {"field": "low", "type": "quantitative", "title": " ", "axis": WIDE, "scale": NICE}
    few = {"test": "isValid(datum.n) && datum.n < 10", "value": 0.6}
    assert [each["field"] for each in encoding["tooltip"]] == ["full", "series", "text", "n"]
    assert encoding["x"] == quantity and encoding["yOffset"] == {"field": "series", "sort": None}
    assert encoding["opacity"] == {"condition": few, "value": 1}
    assert spec["height"] == {"step": 13, "for": "offset"}
    assert "? 0.37 : 0.15" in str(names["scale"]) and "? -19 : 0" in str(names["axis"])
    assert (names["axis"]["labelAngle"], names["axis"]["labelFlush"]) == (0, False)
    assert " : 256) / 8.5)" in names["axis"]["labelExpr"]
    room = "(containerSize()[0] ? containerSize()[0] - (narrow ? 50 : 57) : width)"
    columns = f"{room} > 111 ? 2 : max(1, min(2, floor({room} / 65)))"
    assert legend["columns"] == {"expr": columns} and f"{room} - 30)) / 6.2)" in legend["labelExpr"]
    assert (legend["symbolLimit"], legend["symbolOpacity"]) == (16, 1)


@pytest.mark.parametrize("kind", [Shape.FUNNEL, Shape.SCATTER])
def test_names_of_marks_are_read_in_a_dark_theme_too(kind: Shape) -> None:
    assert SOFT["expr"] in chart_spec(section(kind))["layer"][1]["mark"]["color"]["expr"]


def test_bars_of_several_series_stand_side_by_side_over_names_in_two_lines() -> None:
    figures = (("a long name", "A", 0.5), ("a long name", "B", 0.6), ("y", "A", 0.2))
    rows = [{"state": at, "system": s, "f1": Figure("f1", v, 9)} for at, s, v in figures]
    bar, whisker = spec_of(rows, SHAPES[Shape.BARS])["layer"]
    assert bar["mark"]["width"] == {"band": 1} and " : 70)" in str(bar["encoding"]["color"])
    assert bar["encoding"]["xOffset"]["scale"] == {"paddingInner": 0.15}
    assert whisker["encoding"]["y"]["axis"] == {"tickCount": 5}
    at = '[indexof(["a long name", "y"], datum.label)]'
    lines = f'[["a long", "name"], ["", "y"]]{at}'
    wide = f"[58, 5]{at} > max(30, width / 2 - 4) ? {lines} : datum.label"
    assert whisker["encoding"]["x"]["axis"]["labelExpr"] == wide


def test_a_cell_is_as_dark_as_its_number_and_its_ink_is_read_on_it() -> None:
    rows = [{"a": a, "b": "x", "n": n} for a, n in (("first", 4.5), ("second", 30.25), ("c", 0.0))]
    chart = Chart(Shape.HEAT, ("a", "b"), ("n",))
    none = spec_of([{"a": "x", "b": "y", "n": None}], chart)
    specs = (spec_of(rows, chart), 30.25, 12, 10.8), (spec_of(rows[:1], chart), 4.5, 20, "3.0")
    for spec, most, size, wide in (*specs, (none, 0, 20, 0.6)):
        white = f"dark != (datum.value > {most} * (dark ? 0.45 : 0.7))"
        cell, number = spec["layer"]
        assert cell["encoding"]["color"]["scale"]["domainMin"] == 0 and spec["autosize"]
        assert number["encoding"]["color"]["condition"] == {"test": white, "value": "white"}
        fitted = f"width / {wide} < 6 ? 0 : min({size}, width / {wide})"
        assert (spec["height"], number["mark"]["fontSize"]) == ({"step": 52}, {"expr": fitted})
    assert spec["encoding"]["x"]["scale"] == {"range": [0, {"expr": "min(width, 160)"}]}
    many = [{"a": "x", "b": str(at), "n": 0.5 + at} for at in range(5)]
    assert spec_of(many, chart)["height"] == {"step": 34}


def test_lines_points_and_panels_have_axes_of_their_numbers() -> None:
    line, scatter = (chart_spec(section(s))["layer"][1] for s in (Shape.LINE, Shape.SCATTER))
    number = {"field": "label0", "type": "quantitative", "title": "N", "scale": NICE}
    assert line["encoding"]["x"] == number | {"axis": WIDE | {"labelAngle": 0}}
    assert line["encoding"]["y"]["scale"] == NICE and "scale" not in scatter["encoding"]["x"]
    assert scatter["encoding"]["y"]["scale"] == {"zero": False, "padding": 26}
    spec = chart_spec(section(Shape.HISTOGRAM))
    bars, names = (each["encoding"] for each in spec["layer"])
    assert (spec["height"], bars["y"]["scale"]) == (180, {"domain": [0, 2]})
    assert (bars["x"]["scale"], names["x"]) == ({"paddingInner": 0.05}, {"value": 0})
    assert bars["x"]["axis"]["labelOverlap"]
    assert [each["top"] for each in spec["layer"][1]["data"]["values"]] == [1.95, 0.95]
    for shape in (Shape.FUNNEL, Shape.STACK):
        y = chart_spec(section(shape))["layer"][0]["encoding"]["y"]
        assert "? 0.50 : 0.15" in str(y["scale"]) and "? -13 : 0" in str(y["axis"])


@pytest.mark.parametrize("ink", [SOFT, INK, REST])
def test_texts_have_contrast_on_light_and_dark_paper(ink: dict[str, str]) -> None:
    dark, light = re.findall("#[0-9a-f]{6}", ink["expr"])
    least = 3 if ink is REST else 4.5
    assert contrast(light, "#ffffff") >= least and contrast(dark, "#15181c") >= least


def test_colours_are_told_apart_by_the_colour_blind_and_from_both_papers() -> None:
    for colour in COLOURS:
        assert contrast(colour, "#ffffff") >= 3 and contrast(colour, "#15181c") >= 3
        assert contrast(colour, "#ffffff" if colour in WHITE_ON else "#000000") >= 4.5  # numbers
    seen = [[lab(colour, view) for colour in COLOURS] for view in VIEWS]
    apart = [[np.linalg.norm(a - b) for a, b in combinations(view, 2)] for view in seen]
    assert min(map(min, apart)) >= 15
    neighbours = [np.linalg.norm(a - b) for view in seen for a, b in pairwise(view)]
    assert min(neighbours) >= 20


def linear(colour: str) -> Any:
    """Return the linear red, green and blue of a colour."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2."""
    low, high = sorted(float(linear(each) @ (0.2126, 0.7152, 0.0722)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


VIEWS = (  # Machado, Oliveira and Fernandes 2009: everybody, deuteranopia, protanopia
    np.eye(3),
    np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
)
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, view: Any) -> Any:
    """Return the CIELAB coordinates of a colour as somebody sees it."""
    parts = (XYZ @ np.clip(view @ linear(colour), 0, 1)) / XYZ.sum(axis=1)
    x, y, z = np.where(parts > 0.008856, np.cbrt(parts), 7.787 * parts + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_an_axis_of_one_number_begins_at_zero() -> None:
    chart, zero = Chart(Shape.FOREST, ("system",), ("f1",)), {"zero": True}
    for value, scale in ((1.0, zero | {"domain": [0, 1]}), (2.0, zero)):
        spec = spec_of([{"system": name, "f1": Figure("f1", value, 9)} for name in "AB"], chart)
        assert spec["layer"][0]["encoding"]["x"]["scale"] == scale


def test_pictures_stand_below_one_another_with_korean_letters() -> None:
    both = [section(Shape.FOREST), section(Shape.FUNNEL, "funnel")]
    assert pictures(both, ".png").startswith(b"\x89PNG")
    svg = pictures(both, ".svg").decode()
    assert svg.count("Scores</text>") == 2 and "가 모형" in svg


def test_names_of_others_stay_text_and_the_paper_is_dark_on_request() -> None:
    rows = [{"system": HOSTILE, "f1": F1}, {"system": "B", "f1": NONE}]
    sheet = Sheet.of(rows, Heads())  # type: ignore[arg-type]
    for chart in (SHAPES[Shape.FOREST], Chart(Shape.BARS, ("system",), ("f1",), "system")):
        one = Section("x", HOSTILE, sheet, chart=replace(chart, values=("f1",)))
        svg = chart_file(one, ".svg", dark=True)
        assert b"<img" not in svg and b"&lt;img" in svg and b"$x$" in svg
        ET.fromstring(svg)  # noqa: S314
        assert b"#15181c" in svg and b"#15181c" not in chart_file(one, ".svg")


def test_differences_have_a_line_at_0_and_a_fit_is_drawn_through_points() -> None:
    forest, line = section(Shape.FOREST), section(Shape.LINE)
    zero = replace(SHAPES[Shape.FOREST], zero=True)
    assert chart_spec(replace(forest, chart=zero))["layer"][0]["encoding"]["x"]["datum"] == 0
    spec = chart_spec(replace(line, chart=replace(SHAPES[Shape.LINE], fit="m")))
    assert [each["fit"] for each in spec["data"]["values"]] == [1]
    assert spec["layer"][1]["encoding"]["y"]["field"] == "fit"
    rule, fit, point = (numbers(each["mark"]) for each in spec["layer"])
    assert (rule, fit) == ({"strokeWidth": 2, "opacity": 0.6}, {"strokeWidth": 1.3})
    assert point == {"filled": True, "size": 70}


def test_a_picture_that_no_shape_draws_is_a_specification() -> None:
    own = replace(section(Shape.BARS), chart=None, picture={"mark": "bar", "data": {"values": []}})
    assert own.drawn and chart_spec(own)["mark"] == "bar"
    none = Sheet.of([{"system": "A", "f1": NONE, "share": None}], Heads())  # type: ignore[arg-type]
    assert not replace(section(Shape.FOREST), sheet=none).drawn  # nothing to be seen
    half = Sheet.of([{"system": "A", "f1": F1, "share": None}], Heads())  # type: ignore[arg-type]
    assert not replace(section(Shape.SCATTER), sheet=half).drawn  # a point has two values
    empty = replace(section(Shape.SCATTER), title="constructor", lead="", sheet=none)
    assert chart_file(empty, ".svg").startswith(b"<svg")
    assert chart_file(own, ".svg").startswith(b"<svg")


def test_a_section_without_a_chart_has_no_picture() -> None:
    bare = Section("x", "X", Sheet.of([], Heads()))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="x"):
        chart_spec(bare)


def test_counts_of_two_by_two_are_areas_beside_their_numbers() -> None:
    rows = [
        {"across": a, "down": b, "n": n}
        for a, b, n in zip("abab", "xxyy", (4, 0, 1, 2), strict=True)
    ]
    spec = spec_of(rows, Chart(Shape.HEAT, ("across", "down"), ("n",)))
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rect", "square", "text"]
    assert spec["layer"][1]["encoding"]["size"]["scale"]["domain"] == [0, 4]


def test_on_a_phone_names_stand_above_their_marks_and_no_legend_is_cut() -> None:
    rows = [{"system": f"{'가나 ' * 100}{at}", "f1": F1, "m": 1, "n": 2} for at in range(3)]
    for shape, values in ((Shape.FOREST, ("f1", "m")), (Shape.STACK, ("n", "m"))):
        spec = spec_of(rows, Chart(shape, ("system",), values))
        encoding = spec["layer"][0]["encoding"]
        assert encoding["y"]["axis"]["labelAlign"] == {"expr": "narrow ? 'left' : 'right'"}
        assert "containerSize()[0]" in encoding["color"]["legend"]["columns"]["expr"]
        assert {param["name"] for param in spec["params"]} == {"dark", "narrow"}
        labels = {each["label"] for each in spec["data"]["values"]}
        assert len(labels) == 3 and all(label[-1] in "012" for label in labels)
        assert max(map(width, labels)) <= 46


def test_what_is_alike_in_all_rows_is_no_part_of_their_labels() -> None:
    rows = [{"judge": "one", "system": name, "f1": F1} for name in ("A", "B", "")]
    data = spec_of(rows, Chart(Shape.FOREST, ("judge", "system"), ("f1",)))["data"]["values"]
    assert [each["label"] for each in data] == ["A", "B", ""]
    assert [each["full"] for each in data] == ["one · A", "one · B", "one"]


def test_a_chart_without_a_sentence_is_described_by_its_values() -> None:
    spec = chart_spec(replace(section(Shape.FUNNEL), lead=""))
    assert spec["description"] == "Scores. 가 모형, N: 3; B, N: 4"
    spec = chart_spec(replace(section(Shape.FUNNEL), lead="4 is most."))
    assert spec["description"] == "Scores. 4 is most."


def test_differences_have_a_colour_on_either_side_of_nothing_and_labels_keep_their_order() -> None:
    pairs = (("b", "b", None), ("b", "a", 0.2), ("a", "b", -0.2), ("a", "a", None))
    rows = [{"down": down, "across": across, "n": value} for down, across, value in pairs]
    spec = spec_of(rows, Chart(Shape.HEAT, ("across", "down"), ("n",)))
    assert [each["value"] for each in spec["data"]["values"]] == [0.2, -0.2]
    assert spec["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-0.2, 0, 0.2]
    assert [spec["encoding"][axis]["sort"] for axis in "xy"] == [["b", "a"]] * 2


def test_the_middle_of_a_long_name_is_left_out_where_that_keeps_names_apart() -> None:
    first = "reader A (oracle 4 seed 34 of people over the source, free)"
    names = (first, "x" * 60 + "1", "x" * 20 + "y" * 20 + "x" * 21, "x" * 60)
    rows = [{"system": name, "f1": F1} for name in names]
    data = spec_of(rows, Chart(Shape.FOREST, ("system",), ("f1",)))["data"]["values"]
    labels = [each["label"] for each in data]
    assert [each["full"] for each in data] == list(names)
    ends = ("x" * 21 + "1", "y" + "x" * 21, "x" * 22)
    cut = [f"{'x' * 18}…{end}" for end in ends]
    assert labels == ["reader A (oracle 4…over the source, free)", *cut]
    alike = [f"{'x' * 30}{at}{'y' * 30}" for at in "ab"]
    rows = [{"system": name, "f1": F1} for name in (*alike, "z" * 44, "z" * 45)]
    data = spec_of(rows, Chart(Shape.FOREST, ("system",), ("f1",)))["data"]["values"]
    kept = [f"{'x' * 10}…x{at}{'y' * 30}" for at in "ab"]
    assert [e["label"] for e in data] == [*kept, "z" * 44, f"{'z' * 18}…{'z' * 22}"]


def test_an_outcome_has_the_same_colour_in_every_picture() -> None:
    rows = [{"layer": "A", "passed": 3, "rejected": 1, "other": 2, "waiting": 1}]
    names = ("waiting", "kept", "dropped")
    fates = [{"state": Word(name, name.title()), "n": 1} for name in names]
    one = Chart(Shape.STACK, ("layer",), ("waiting", "rejected", "passed", "other"))
    several = Chart(Shape.STACK, (), ("n",), "state")
    first, second = (
        dict(zip(scale["domain"], scale["range"], strict=True))
        for spec in (spec_of(rows, one), spec_of(fates, several))
        for scale in (spec["layer"][0]["encoding"]["color"]["scale"],)
    )
    assert first["PASSED"] == second["Kept"] == OUTCOMES["kept"]
    assert first["REJECTED"] == second["Dropped"] == OUTCOMES["dropped"]
    assert first["WAITING"] == second["Waiting"] == REST
    assert first["OTHER"] not in {OUTCOMES["kept"], OUTCOMES["dropped"]}
    assert len({str(each) for each in OUTCOMES.values()}) == 5


def test_bars_of_nothing_but_zeros_stand_on_an_axis() -> None:
    none = spec_of([{"system": "A", "share": 0.0}], Chart(Shape.BARS, ("system",), ("share",)))
    assert none["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, 1]

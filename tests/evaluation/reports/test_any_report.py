"""Any table becomes valid charts and files, and none takes long."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from functools import cache
from itertools import islice
from math import inf, nan
from typing import Any

import altair
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from evaluation.figure import Figure
from evaluation.reports.charts import chart_file, chart_spec
from evaluation.reports.files import report_file
from evaluation.reports.report import (
    ENDINGS,
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Value,
    Word,
)
from evaluation.reports.values import finite
from tests.evaluation.reports.test_charts import HOSTILE

LONG = ("x" * 300, "가" * 300, f"{'가나 ' * 99}1", f"{'가나 ' * 99}2")
TEXTS = (
    st.sampled_from(("", "A", "가 모형", "__proto__", "constructor", HOSTILE, *LONG)) | st.text()
)
NUMBERS = st.sampled_from((0.0, 1.0, nan, inf, -inf, 1e308)) | st.floats()
FIGURES = st.builds(Figure, st.just("f"), st.none() | NUMBERS, st.integers(0, 99), NUMBERS, NUMBERS)
PLAIN: st.SearchStrategy[Value] = (
    st.none() | TEXTS | NUMBERS | FIGURES | st.integers() | st.sampled_from((10**400, -(10**20)))
)
VALUES: st.SearchStrategy[Value] = (
    PLAIN | st.builds(Word, TEXTS, TEXTS) | st.builds(Marked, PLAIN, TEXTS, st.booleans())
)
NAMES = ("a", "b", "c", "d")
ROWS = st.lists(st.tuples(*[VALUES] * len(NAMES)), max_size=5)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    kinds = tuple(draw(st.sampled_from(Kind)) for _ in NAMES)
    shape = draw(st.sampled_from(Shape))
    column = st.sampled_from(NAMES)
    labels = 2 if shape is Shape.HEAT else draw(st.integers(shape is not Shape.STACK, 2))
    chart = Chart(
        shape,
        tuple(draw(column) for _ in range(max(labels, shape in (Shape.LINE, Shape.HISTOGRAM)))),
        ("c", "d") if shape is Shape.SCATTER else draw(st.sampled_from((("c",), ("c", "d")))),
        draw(st.sampled_from(("", "b"))),
        rest=draw(st.sampled_from(("", "c"))),
        zero=draw(st.booleans()),
        first=draw(st.none() | st.integers(0, 3)),
    )
    heads = tuple(f"{name} {draw(TEXTS)}" for name in NAMES)
    return Section("s", draw(TEXTS), Sheet(NAMES, heads, kinds, tuple(draw(ROWS))), "", chart)


@given(sections())
@settings(max_examples=30, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_any_table_becomes_a_valid_chart_and_every_file(section: Section) -> None:
    spec = chart_spec(section)
    altair.Chart.from_dict(json.loads(json.dumps(spec, allow_nan=False)))
    assert all(isinstance(each["value"], int | float) for each in spec["data"]["values"])
    report = Report("r", "R", (section,))
    for ending in ENDINGS:
        assert report_file(report, ending) is not None
    json.loads(report_file(report, ".json"), parse_constant=pytest.fail)
    if section.drawn:
        ET.fromstring(chart_file(section, ".svg"))  # noqa: S314


MANY = 20_000


@cache
def very_many() -> tuple[tuple[Any, ...], ...]:
    return tuple(
        (
            f"system {at}",
            f"set {at % 50}",
            at % 7,
            Figure("f", (at % 100 + 1) / 100, 20, 0.0, 1.0),
        )
        for at in range(MANY)
    )


MOST = {Shape.LINE: 300, Shape.SCATTER: 1000, Shape.HISTOGRAM: 200}


@pytest.mark.parametrize("kind", Shape)
def test_a_picture_of_very_many_rows_shows_the_first_and_its_table_all(kind: Shape) -> None:
    kinds = (Kind.TEXT, Kind.TEXT, Kind.TEXT, Kind.SHARE)
    sheet = Sheet(NAMES, NAMES, kinds, very_many())
    labels = ("a", "b") if kind is Shape.HEAT else ("a",)
    values = ("c", "d") if kind is Shape.SCATTER else ("d",)
    section = Section("s", "Many", sheet, "", Chart(kind, labels, values))
    begun = time.perf_counter()
    spec = chart_spec(section)
    assert time.perf_counter() - begun < 0.5
    rows = {each["row"] for each in spec["data"]["values"]}
    assert rows == set(range(MOST.get(kind, 60)))
    assert spec["title"]["text"] == f"1–{len(rows)} / {MANY:,}"
    assert len(section.table().rows) == MANY
    if kind is Shape.BARS:  # the title is written by the same hand for all
        assert f"1–{len(rows)} / {MANY:,}" in chart_file(section, ".svg").decode()


def test_what_is_no_number_is_missing_everywhere_and_never_zero() -> None:
    assert finite(Figure("f", 0.5, 9, nan, 1.0)) == Figure("f", 0.5, 9)
    values = (nan, inf, -inf, None, Figure("f", nan, 9), Marked(inf, "far"))
    sheet = Sheet(("a", "c"), ("A", "C"), (Kind.TEXT, Kind.TEXT), tuple(("x", v) for v in values))
    section = Section("s", "S", sheet, "", Chart(Shape.FUNNEL, ("a",), ("c",)))
    assert not section.drawn and chart_spec(section)["data"]["values"] == []
    report = Report("r", "R", (section,))
    assert "0" not in report_file(report, ".csv").decode().replace("far", "")
    rows = [row["c"] for row in json.loads(report_file(report, ".json"))["s"]]
    assert rows[:4] == [None] * 4 and rows[4]["value"] is None and rows[5]["value"] is None
    assert [str(row[1]) for row in islice(section.table().rows, 6)] == ["–"] * 5 + ["– (far)"]

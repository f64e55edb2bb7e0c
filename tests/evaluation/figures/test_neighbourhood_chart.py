"""The picture of a question's neighbourhood: its marks, arrows and words, in both languages."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from evaluation.figures.neighbourhood import Neighbourhood, Panel, Point, Role
from evaluation.figures.neighbourhood_chart import letters, neighbourhood_picture
from evaluation.reports.charts import picture_file
from tests.evaluation.figures.test_neighbourhood import made
from tests.evaluation.reports.test_charts import HOSTILE

NAMES = {"g": "소방법 제2조", "s2": "건축법 제3조"}


def panel(at: int) -> list[list[dict[str, Any]]]:
    """Return the data of a panel's edges and points."""
    layers = neighbourhood_picture(made()[1], "질문?", NAMES, "en")["hconcat"][at]["layer"]
    return [layers[place]["data"]["values"] for place in (0, 2)]


def test_seeds_have_their_rank_and_gold_units_their_letter() -> None:
    assert letters(made()[1]) == {"s2": "A", "g": "B"}
    _, points = panel(1)
    labels = {each["name"]: each["label"] for each in points}
    assert labels == {"far": "", "": "", "s1": "1", "건축법 제3조": "2A", "소방법 제2조": "B"}
    assert [each["name"] for each in points if each["both"]] == ["건축법 제3조"]
    assert points[0]["role"] == "Neighbour of a seed"  # under all others
    drawn = [(each["size"], each["both"], each["dark"]) for each in points]
    seeds = [(260, False, True), (260, True, True)]
    assert drawn == [(40, False, False), (380, False, False), *seeds, (260, False, False)]


def test_an_arrow_ends_before_its_unit_and_hits_stand_above() -> None:
    edges, points = panel(1)
    assert [each["edge"] for each in edges] == ["Other edge", "Edge from a seed to gold"]
    (gold,) = (each for each in points if each["label"] == "B")
    (hit,) = (each for each in edges if each["hits"])
    gap = ((gold["x"] - hit["x2"]) ** 2 + (gold["y"] - hit["y2"]) ** 2) ** 0.5
    assert gap == pytest.approx(9, abs=0.1)
    assert edges[0] == {
        **{"x": 25.8, "y": 87.48, "x2": 181.52, "y2": 26.1},
        **{"angle": 111.5, "hits": False, "edge": "Other edge"},
    }


def test_hits_are_wider_and_heads_lie_where_lines_end() -> None:
    picture = neighbourhood_picture(made()[1], "질문?", NAMES, "en")["hconcat"][1]
    line, head, point, label = picture["layer"]
    hits = {"test": "datum.hits", "value": 2.4}, {"test": "datum.hits", "value": 1}
    assert line["encoding"]["strokeWidth"] == {"condition": hits[0], "value": 0.7}
    assert line["encoding"]["opacity"] == {"condition": hits[1], "value": 0.6}
    assert head["encoding"]["y"]["scale"] == {"domain": [0, 380], "nice": False}
    axis = {"title": "PC2 (22%)", "labels": False, "ticks": False, "grid": False}
    assert head["encoding"]["y"]["axis"] == axis
    filled = {"type": "point", "filled": True, "opacity": 1}
    assert head["mark"] == filled | {"shape": "triangle", "size": 45}
    assert point["mark"] == filled | {"strokeWidth": 2.5}
    assert label["mark"]["fontSize"] == 9


def test_very_many_gold_units_are_lettered_and_the_first_listed() -> None:
    points = tuple(Point(f"u{n}", Role.GOLD, 0.0, 0.0) for n in range(703))
    found = Neighbourhood(points, Panel((), (), 2), Panel((), (), 0), (0.0, 0.0))
    named = letters(found)
    assert [named[f"u{n}"] for n in (25, 26, 52, 702)] == ["Z", "AA", "BA", "AAA"]
    picture = neighbourhood_picture(found, "?", {"u5": "x" * 70}, "en")
    assert picture["title"]["subtitle"][5:] == [f"F  {'x' * 60}", "… and 697 more"]
    assert [len(each["title"]["text"]) for each in picture["hconcat"]] == [3, 2]


def test_equal_data_give_equal_files_with_korean_and_names_stay_text() -> None:
    spec = neighbourhood_picture(made()[1], "질문?", NAMES, "ko")
    svg = picture_file(spec, ".svg")
    assert svg == picture_file(spec, ".svg") and "A  건축법 제3조" in svg.decode()
    assert picture_file(spec, ".png", True).startswith(b"\x89PNG")
    hostile = neighbourhood_picture(made()[1], HOSTILE, dict.fromkeys(NAMES, HOSTILE), "en")
    drawn = picture_file(hostile, ".svg")
    assert b"<img" not in drawn and b"&lt;img" in drawn
    ET.fromstring(drawn)  # noqa: S314

"""The picture of a question's neighbourhood: its marks, arrows and words, in both languages."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

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


def test_an_arrow_ends_before_its_unit_and_hits_stand_above() -> None:
    edges, points = panel(1)
    assert [each["edge"] for each in edges] == ["Other edge", "Edge from a seed to gold"]
    (gold,) = (each for each in points if each["label"] == "B")
    (hit,) = (each for each in edges if each["hits"])
    gap = ((gold["x"] - hit["x2"]) ** 2 + (gold["y"] - hit["y2"]) ** 2) ** 0.5
    assert gap == pytest.approx(9, abs=0.1)


def test_equal_data_give_equal_files_with_korean_and_names_stay_text() -> None:
    spec = neighbourhood_picture(made()[1], "질문?", NAMES, "ko")
    svg = picture_file(spec, ".svg")
    assert svg == picture_file(spec, ".svg") and "A  건축법 제3조" in svg.decode()
    assert picture_file(spec, ".png", True).startswith(b"\x89PNG")
    hostile = neighbourhood_picture(made()[1], HOSTILE, dict.fromkeys(NAMES, HOSTILE), "en")
    drawn = picture_file(hostile, ".svg")
    assert b"<img" not in drawn and b"&lt;img" in drawn
    ET.fromstring(drawn)  # noqa: S314

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def spec(at: AppTest) -> dict[str, Any]:
    assert not at.exception
    found: dict[str, Any] = json.loads(at.main.children[0].proto.spec)
    return found


def dots() -> None:
    from evaluation.figure import Figure
    from pages.shell.interval_chart import Bar, interval_chart

    figures = [Figure("a", 0.5, 9, -0.3, 0.9), Figure("b", 0.2, 9)]
    interval_chart([Bar(figure.name, "", figure) for figure in figures], "what it shows", "chart")


def bars() -> None:
    from evaluation.figure import Figure
    from pages.shell.interval_chart import Bar, grouped_bars

    figures = [Figure("a", 0.5, 9, 0.3, 0.9), Figure("b", 0.2, 9, 0.1, 0.4)]
    grouped_bars([Bar(figure.name, "run 1", figure) for figure in figures], "shows", "chart")


def test_the_axis_reaches_below_zero_where_an_interval_does():
    found = spec(AppTest.from_function(dots).run())
    scales = [layer["encoding"]["x"]["scale"]["domain"] for layer in found["layer"]]
    assert scales == [[-0.3, 1.0], [-0.3, 1.0]]


def test_bars_run_from_nought_to_one_with_whiskers():
    found = spec(AppTest.from_function(bars).run())
    assert [layer["mark"]["type"] for layer in found["layer"]] == ["bar", "rule"]
    assert found["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0.0, 1.0]

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import agreement as benchmark
from benchmarks.agreement import complete_table, coverage, main, measured, sets, table_with_gaps


def test_every_figure_is_there_with_its_n() -> None:
    figures = {figure.name: figure for figure in measured(400, 20)}
    nominal = {"raw", "cohen_kappa", "fleiss_kappa", "alpha_nominal", "ac1"}
    assert {"annotations", "seconds", *(f"seconds_{key}" for key in nominal)} <= set(figures)
    assert {"seconds_ac1_gaps", "seconds_alpha_masi_sets", "distinct_sets"} <= set(figures)
    assert {figure.n for figure in figures.values()} == {400}
    parts = [figures[f"seconds_{key}"].value or 0 for key in ("table", *nominal)]
    assert figures["seconds"].value == pytest.approx(sum(parts))


def test_each_table_has_as_many_ratings_as_asked_for_and_nobody_rates_twice() -> None:
    for make in (complete_table, table_with_gaps, sets):
        ratings = make(1000, np.random.default_rng(0))
        assert len(ratings) == 1000
        assert len({(item, rater) for item, rater, _ in ratings}) == 1000


def test_intervals_of_many_items_hold_the_value_about_as_often_as_they_say(
    monkeypatch,
) -> None:
    monkeypatch.setattr(benchmark, "_POPULATION", 50_000)
    figures = {figure.name: figure for figure in coverage(40, 100, sizes=(200,))}
    assert len(figures) == 2 * 3
    for key in ("cohen_kappa", "alpha_nominal", "ac1"):
        figure = figures[f"coverage_{key}_200_even"]
        assert figure.n == 40
        assert figure.value is not None
        assert figure.value >= 0.8


def test_it_prints_json(capsys) -> None:
    assert main(["--annotations", "100", "--resamples", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["annotations"]["value"] == 100

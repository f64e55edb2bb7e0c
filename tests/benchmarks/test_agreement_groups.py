from __future__ import annotations

import json

import numpy as np

from benchmarks import agreement_groups as benchmark
from benchmarks.agreement_groups import CANDIDATES, coverage, drawn, main


def test_questions_have_their_candidates() -> None:
    ratings = drawn(5, np.random.default_rng(0))
    assert len(ratings.items) == 5 * CANDIDATES
    assert ratings.pairable == len(ratings.items)


def test_drawing_whole_questions_holds_the_value_more_often(monkeypatch) -> None:
    monkeypatch.setattr(benchmark, "POPULATION", 20_000)
    figures = {figure.name: figure for figure in coverage(200, 200, sizes=(100,))}
    assert len(figures) == 3 * 2
    for key in ("raw", "alpha_nominal", "ac1"):
        singly = figures[f"coverage_{key}_100_singly"].value or 0
        whole = figures[f"coverage_{key}_100_questions"].value or 0
        assert whole >= 0.88
        assert singly < whole


def test_it_prints_json(capsys, monkeypatch) -> None:
    monkeypatch.setattr(benchmark, "POPULATION", 1_000)
    assert main(["--draws", "2", "--resamples", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coverage_raw_30_questions"]["n"] == 2

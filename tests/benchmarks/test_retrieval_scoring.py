"""The scoring benchmark runs on a small case, and compares equal values only."""

from __future__ import annotations

import pytest

from benchmarks import retrieval_speed
from benchmarks.retrieval_speed import metrics_time_ratio
from evaluation.ranking.scoring import evaluate


def test_it_times_what_both_compute_alike():
    figure = metrics_time_ratio(queries=12, rounds=1)
    assert figure.name == "metrics_time_ratio" and figure.n == 12
    assert figure.value is not None and figure.value > 0


def test_other_values_are_no_comparison(monkeypatch):
    def backwards(run, qrels, measures):
        return evaluate({query: units[::-1] for query, units in run.items()}, qrels, measures)

    monkeypatch.setattr(retrieval_speed, "evaluate", backwards)
    with pytest.raises(ValueError, match="differs"):
        metrics_time_ratio(queries=3, rounds=1)

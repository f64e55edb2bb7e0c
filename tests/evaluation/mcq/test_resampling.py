"""The quick bootstrap agrees with the one that draws every observation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import interval
from evaluation.mcq.resampling import mean_figure


def test_without_observations_there_is_no_value() -> None:
    figure = mean_figure("right", [])
    assert (figure.value, figure.n, figure.low) == (None, 0, None)


@pytest.mark.parametrize(
    "values", [[0.0, 1.0] * 100, [1.0] * 30 + [0.0] * 170, [0.25, 0.5, 1] * 60]
)
def test_it_is_the_bootstrap_of_the_mean(values: list[float]) -> None:
    quick, slow = mean_figure("x", values, n=20_000), interval.mean_figure("x", values)
    low, high = interval.bootstrap(values, n=20_000)
    assert quick.value == pytest.approx(slow.value)
    assert quick.n == slow.n == len(values)
    assert quick.low == pytest.approx(low, abs=0.006)
    assert quick.high == pytest.approx(high, abs=0.006)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=1, max_size=60))
def test_the_interval_holds_the_mean_and_repeats(values: list[float]) -> None:
    figure = mean_figure("x", values)
    assert figure == mean_figure("x", list(reversed(values)))
    if len(set(values)) == 1:
        assert (figure.value, figure.low, figure.high) == (values[0], None, None)
        return
    assert figure.low is not None and figure.high is not None
    assert min(values) <= figure.low <= figure.high <= max(values)

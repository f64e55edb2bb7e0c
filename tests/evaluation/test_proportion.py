from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.proportion import share_figure, wilson


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17:857, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(right: int, n: int, low: float, high: float) -> None:
    assert wilson(right, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_is_inside_and_failures_mirror_successes(trial: tuple[int, int]) -> None:
    right, n = trial
    low, high = wilson(right, n)
    assert 0 <= low <= right / n <= high <= 1
    assert wilson(n - right, n) == pytest.approx((1 - high, 1 - low))


def test_no_trial_has_no_share() -> None:
    figure = share_figure("calibration", 0, 0)
    assert (figure.value, figure.n, figure.low) == (None, 0, None)
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)

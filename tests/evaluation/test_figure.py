"""The bootstrap: what it returns, that it repeats, and that it covers what it should."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import figure as evaluation_figure
from evaluation.figure import (
    LEAST,
    Figure,
    bootstrap,
    effective,
    mean_figure,
    median_interval,
    share_figure,
    share_of,
    wilson,
)
from tests.support.examples import scaled


def interval_of(values, **options) -> tuple[float, float]:
    """Return the interval of values that have one."""
    low, high = bootstrap(values, **options)
    assert low is not None and high is not None
    return low, high


VALUES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30).filter(
    lambda values: max(values) - min(values) > 1e-6
)


@given(VALUES)
def test_the_interval_stays_within_the_values_and_repeats(values):
    low, high = interval_of(values, n=50)
    assert min(values) - 1e-6 <= low <= high <= max(values) + 1e-6
    assert bootstrap(values, n=50) == (low, high)


def test_another_seed_draws_other_resamples():
    values = list(range(20))
    assert bootstrap(values, seed=1) != bootstrap(values, seed=0)


def test_it_equals_a_plain_loop_over_the_same_draws():
    values = np.array([0.0, 1.0, 0.5, 0.25])
    rng = np.random.default_rng(0)
    means = [values[rng.integers(0, 4, size=(1, 4))[0]].mean() for _ in range(1000)]
    assert bootstrap(values) == pytest.approx(tuple(np.quantile(means, (0.025, 0.975))))


def test_drawing_in_parts_changes_nothing(monkeypatch):
    values = list(range(50))
    whole = bootstrap(values)
    monkeypatch.setattr(evaluation_figure, "_CELLS_AT_ONCE", 150)
    assert bootstrap(values) == whole


def test_any_statistic_by_row_can_be_resampled():
    low, high = bootstrap([1, 2, 3, 4, 100], statistic=lambda rows: np.median(rows, axis=-1))
    assert (low, high) == (1, 100)


def test_undefined_resamples_are_left_out():
    most = bootstrap(
        [0.0, 1.0, 2.0],
        statistic=lambda rows: np.where(rows.sum(axis=-1) > 0, rows.max(-1), np.nan),
    )
    assert most == (1.0, 2.0)
    assert bootstrap([1.0], statistic=lambda rows: rows.sum(axis=-1) * np.nan) == (None, None)


def test_no_values_have_no_interval_and_nan_is_refused():
    assert bootstrap([]) == (None, None)
    with pytest.raises(ValueError, match="finite"):
        bootstrap([1.0, float("nan")])


def test_a_figure_leaves_unscored_observations_out_and_says_n():
    figure = mean_figure("Recall@10", [1.0, None, 0.0, 1.0])
    assert figure.value == pytest.approx(2 / 3)
    assert figure.n == 3
    assert (figure.low, figure.high) == interval_of([1.0, 0.0, 1.0])
    nothing = mean_figure("Recall@10", [None])
    assert nothing.as_json() == {"value": None, "n": 0, "ci": None}


@pytest.mark.parametrize("values", [[1.0], [0.0] * 9, [0.1 + 0.2, 0.3] * 5, [1.0] * 1000])
def test_where_all_is_alike_there_is_no_interval(values):
    """One rule for every mean: resampling equal values would claim a certainty it cannot give."""
    figure = mean_figure("Recall@10", values)
    assert figure.value == pytest.approx(values[0]) and figure.n == len(values)
    assert (figure.low, figure.high) == (None, None)
    assert bootstrap(values) == (None, None)


def test_nothing_is_drawn_where_no_interval_is_asked_for():
    assert mean_figure("x", [0.0, 1.0], n=0) == Figure("x", 0.5, 2)


@pytest.mark.parametrize(
    "values", [[0.0, 1.0] * 300, [1.0] * 90 + [0.0] * 510, [0.25, 0.5, 1] * 200]
)
def test_drawing_how_often_each_value_comes_is_the_bootstrap_of_the_mean(values):
    figure = mean_figure("x", values, n=20_000)
    low, high = interval_of(values, n=20_000)
    assert figure.value == pytest.approx(np.mean(values)) and figure.n == len(values)
    assert figure.low == pytest.approx(low, abs=0.004)
    assert figure.high == pytest.approx(high, abs=0.004)


@settings(max_examples=scaled(50), deadline=None)
@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=1, max_size=60), st.booleans())
def test_the_interval_holds_the_mean_and_repeats(values, many):
    values = values * 20 if many else values
    figure = mean_figure("x", values)
    assert figure == mean_figure("x", values)
    if len(set(values)) == 1:
        assert figure == Figure("x", values[0], len(values))
        return
    assert figure.value is not None and figure.low is not None and figure.high is not None
    assert min(values) <= figure.low <= figure.value <= figure.high <= max(values)


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


def test_alone_in_its_group_every_observation_counts() -> None:
    assert share_of("x", [True, False, True], "abc") == share_figure("x", 2, 3)
    assert share_of("x", [], []) == share_figure("x", 0, 0)
    assert share_of("x", [True, False], "aa") == Figure("x", 0.5, 2)


def test_groups_that_are_alike_throughout_count_once_each() -> None:
    hits = [True] * 400 + [False] * 400
    groups = [at // 8 for at in range(800)]
    assert effective(hits, groups) == pytest.approx(100, rel=0.02)
    found = share_of("x", hits, groups)
    assert (found.value, found.n) == (0.5, 800)
    assert (found.low, found.high) == pytest.approx(wilson(50, 100), abs=0.002)


def test_where_everything_is_a_hit_the_groups_are_the_trials() -> None:
    found = share_of("x", [True] * 20, [at // 5 for at in range(20)])
    assert (found.value, found.low, found.high) == (1.0, *wilson(4, 4))


def test_one_hit_among_many_is_not_sure_to_be_next_to_none() -> None:
    found = share_of("x", [True] + [False] * 118, [at // 2 for at in range(119)])
    assert found.high == pytest.approx(wilson(1, 119)[1], abs=0.01)


def test_the_interval_covers_what_groups_share() -> None:
    """Pairs of answers to 150 questions that are alike four times in five; truly 10 % are hits."""
    rng, covered, trials = np.random.default_rng(5), 0, 2_000
    groups = [at // 2 for at in range(300)]
    for _ in range(trials):
        first = rng.random(150) < 0.1
        second = np.where(rng.random(150) < 0.8, first, rng.random(150) < 0.1)
        hits = np.column_stack([first, second]).ravel().tolist()
        found = share_of("x", hits, groups)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.1 <= found.high
    assert 0.93 <= covered / trials <= 0.97


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=30))
def test_the_share_lies_in_its_interval(said: list[tuple[bool, int]]) -> None:
    hits, groups = [hit for hit, _ in said], [group for _, group in said]
    found = share_of("x", hits, groups)
    if found.low is None or found.high is None:
        assert len(set(groups)) == 1, "one group is one observation"
        return
    assert len(set(groups)) > 1
    assert 0 <= found.low <= (found.value or 0.0) <= found.high <= 1
    alone = share_figure("x", sum(hits), len(hits))
    assert found.high - found.low >= (alone.high or 0) - (alone.low or 0) - 1e-9


def test_a_share_of_nothing_but_no_has_an_interval_too() -> None:
    """0 % of 262 was shown as [–] on one screen and with an interval on another."""
    assert share_of("unsure", [0.0] * 262) == share_figure("unsure", 0, 262)
    assert share_of("unsure", [None, 0.0, 0.0]) == share_figure("unsure", 0, 2)
    assert share_of("unsure", [None]).n == 0


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=2, max_size=40))
def test_repeats_of_an_observation_tell_no_less_than_one_and_no_more_than_all(said) -> None:
    found = share_of("x", [sum(each) / 3 for each in said])
    most = share_figure("x", sum(map(sum, said)), 3 * len(said))
    least = wilson((found.value or 0) * len(said), len(said))
    assert found.n == len(said)
    assert found.value == pytest.approx(most.value)
    assert found.low is not None and found.high is not None
    assert least[0] - 1e-9 <= found.low <= (found.value or 0) + 1e-9
    assert (found.value or 0) - 1e-9 <= found.high <= least[1] + 1e-9


def test_a_figure_of_fewer_than_five_is_weak() -> None:
    assert [share_figure("x", 1, n).weak for n in (1, LEAST - 1, LEAST)] == [True, True, False]
    assert not Figure("x", None, 0).weak


@pytest.mark.parametrize(
    ("n", "k"),
    # H. David & H. Nagaraja, Order Statistics, and the tables of the sign test: the k-th smallest
    # and the k-th largest of n bound the median with at least 95 %.
    [(6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (15, 4), (20, 6), (25, 8), (50, 18)],
)
def test_the_median_is_bounded_by_the_order_statistics_of_the_tables(n: int, k: int) -> None:
    values = [float(value) for value in range(1, n + 1)]
    assert median_interval(values[::-1]) == (k, n + 1 - k)


def test_the_median_of_very_many_has_an_interval() -> None:
    low, high = median_interval([float(at) for at in range(2_000)])
    assert low is not None and high is not None
    assert 900 < low < 1000 < high < 1100


ENDS = st.none() | st.floats(-1, 2)


@given(st.none() | st.floats(0, 1), st.integers(0, 3), ENDS, ENDS)
def test_there_is_no_interval_of_one_observation_nor_without_width(value, n, low, high) -> None:
    """Whoever makes a figure: it is the one place that holds the rule."""
    found = Figure("x", value, n, low, high)
    kept = found.low is not None
    assert kept is (found.high is not None)
    if found.low is not None and found.high is not None:
        assert n > 1
        assert found.high - found.low > 0
        assert found.value is not None
    assert (found.as_json()["ci"] is None) is not kept
    if value is not None:
        assert found.text().endswith(f"[{low:.3f}, {high:.3f}]" if kept else " [–]")
    else:
        assert found.text() == "–"


def test_the_interval_alone_in_other_units() -> None:
    found = Figure("x", 0.5, 9, -0.25, 0.75)
    assert found.interval(100, 1) == "[-25.0, 75.0]"
    assert found.interval(digits=2, apart=";", sign="+") == "[-0.25;+0.75]"
    assert Figure("x", 0.5, 9).interval(100) == "[–]"


ROOT = Path(__file__).parents[2]
FLOORS = ("annotation", "commands", "construction", "evaluation", "pages", "services")


def test_no_other_module_writes_an_interval_of_its_own() -> None:
    written = re.compile(r"\[\{[\w.* ]*\blow\b")
    found = {
        str(path.relative_to(ROOT))
        for floor in FLOORS
        for path in (ROOT / floor).rglob("*.py")
        if written.search(path.read_text("utf-8"))
    }
    assert found == set()


def test_intervals_overlap_where_both_have_a_value_in_common() -> None:
    low, high = Figure("f", 0.3, 9, 0.1, 0.5), Figure("f", 0.7, 9, 0.5, 0.9)
    assert low.overlaps(high) and high.overlaps(low)
    assert not low.overlaps(Figure("f", 0.7, 9, 0.6, 0.9))
    assert not low.overlaps(Figure("f", 0.3, 9)), "there is no interval"

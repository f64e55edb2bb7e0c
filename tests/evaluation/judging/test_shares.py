from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.shares import effective, grouped_share
from evaluation.proportion import share_figure, wilson


def test_alone_in_its_group_every_observation_counts() -> None:
    assert grouped_share("x", [True, False, True], "abc") == share_figure("x", 2, 3)
    assert grouped_share("x", [], []) == share_figure("x", 0, 0)


def test_groups_that_are_alike_throughout_count_once_each() -> None:
    hits = [True] * 400 + [False] * 400
    groups = [at // 8 for at in range(800)]
    assert effective(hits, groups) == pytest.approx(100, rel=0.02)
    found = grouped_share("x", hits, groups)
    assert (found.value, found.n) == (0.5, 800)
    assert (found.low, found.high) == pytest.approx(wilson(50, 100), abs=0.002)


def test_where_everything_is_a_hit_the_groups_are_the_trials() -> None:
    found = grouped_share("x", [True] * 20, [at // 5 for at in range(20)])
    assert (found.value, found.low, found.high) == (1.0, *wilson(4, 4))


def test_one_hit_among_many_is_not_sure_to_be_next_to_none() -> None:
    found = grouped_share("x", [True] + [False] * 118, [at // 2 for at in range(119)])
    assert found.high == pytest.approx(wilson(1, 119)[1], abs=0.01)


def test_the_interval_covers_what_groups_share() -> None:
    """Pairs of answers to 150 questions that are alike four times in five; truly 10 % are hits."""
    rng, covered, trials = np.random.default_rng(5), 0, 2_000
    groups = [at // 2 for at in range(300)]
    for _ in range(trials):
        first = rng.random(150) < 0.1
        second = np.where(rng.random(150) < 0.8, first, rng.random(150) < 0.1)
        hits = np.column_stack([first, second]).ravel().tolist()
        found = grouped_share("x", hits, groups)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.1 <= found.high
    assert 0.93 <= covered / trials <= 0.97


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=30))
def test_the_share_lies_in_its_interval(said: list[tuple[bool, int]]) -> None:
    hits, groups = [hit for hit, _ in said], [group for _, group in said]
    found = grouped_share("x", hits, groups)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= (found.value or 0.0) <= found.high <= 1
    alone = share_figure("x", sum(hits), len(hits))
    assert found.high - found.low >= (alone.high or 0) - (alone.low or 0) - 1e-9

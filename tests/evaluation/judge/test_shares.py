from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.judge.shares import grouped_share
from evaluation.proportion import share_figure, wilson


def test_alone_in_its_group_every_observation_counts() -> None:
    assert grouped_share("x", [True, False, True], "abc") == share_figure("x", 2, 3)
    assert grouped_share("x", [], []) == share_figure("x", 0, 0)


def test_groups_that_are_alike_throughout_count_once_each() -> None:
    hits = [True] * 40 + [False] * 40
    found = grouped_share("x", hits, [at // 8 for at in range(80)])
    once = wilson(5, 10)
    assert found.value == 0.5
    assert found.n == 80
    assert abs((found.low or 0) - once[0]) < 0.06
    assert abs((found.high or 0) - once[1]) < 0.06


def test_where_drawing_shows_no_width_the_groups_are_the_trials() -> None:
    found = grouped_share("x", [True] * 20, [at // 5 for at in range(20)])
    assert (found.value, found.low, found.high) == (1.0, *wilson(4, 4))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=30))
def test_the_share_lies_in_its_interval_and_is_repeatable(said: list[tuple[bool, int]]) -> None:
    hits, groups = [hit for hit, _ in said], [group for _, group in said]
    found = grouped_share("x", hits, groups, resamples=50)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= (found.value or 0.0) <= found.high <= 1
    assert found == grouped_share("x", hits, groups, resamples=50)

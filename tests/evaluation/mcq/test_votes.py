"""The funnel, on the counts that SearchFireSafety publishes (its § 3.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.mcq.votes import funnel


def test_the_counts_of_the_paper() -> None:
    # 5,091 drafts became 3,395 items; 1,076 could be told from the first provision alone and 58
    # not even from both. What format and wording took out is not given: it is the rest.
    steps = funnel(5_091, [("wording", 562), ("told_from_a", 1_076), ("not_told", 58)])
    assert [step.left for step in steps] == [4_529, 3_453, 3_395]


def test_no_more_go_out_than_there_are() -> None:
    with pytest.raises(ValueError, match="duplicate"):
        funnel(3, [("format", 2), ("duplicate", 2)])
    with pytest.raises(ValueError, match="format"):
        funnel(3, [("format", -1)])


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 50))
def test_nothing_is_lost(outs: list[int], rest: int) -> None:
    steps = funnel(sum(outs) + rest, [(str(n), out) for n, out in enumerate(outs)])
    assert ([*steps] and steps[-1].left) in ([], rest)
    assert sum(step.out for step in steps) == sum(outs)

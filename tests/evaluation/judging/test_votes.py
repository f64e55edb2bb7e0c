from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.votes import majority

VOTES = st.lists(st.sampled_from([True, False, None]), max_size=9)


def test_more_than_half_decide_and_a_tie_is_missing() -> None:
    assert majority([True, True, False]) is True
    assert majority([False, None, None]) is False
    assert majority([True, False, None]) is None
    assert majority([None, None]) is None
    assert majority([]) is None


@given(VOTES)
def test_the_other_way_round_it_is_the_other_and_silence_changes_nothing(votes) -> None:
    found = majority(votes)
    turned = majority([None if vote is None else not vote for vote in votes])
    assert turned == (None if found is None else not found)
    assert majority([*votes, None]) == found

from __future__ import annotations

import pytest

from evaluation.agreement.sets import exact_match, mean_jaccard

S = frozenset


def test_missing_answers_take_part_in_nothing() -> None:
    assert exact_match([S("a"), None]) is None
    assert mean_jaccard([None, None]) is None


def test_two_people_who_both_find_no_provision_agree() -> None:
    assert exact_match([S(), S()]) == 1.0
    assert mean_jaccard([S(), S()]) == 1.0
    assert exact_match([S(), S("a")]) == mean_jaccard([S(), S("a")]) == 0.0


def test_three_answers_are_compared_in_pairs() -> None:
    three = [S("a"), S("a"), S("ab")]
    assert exact_match(three) == 0.0
    assert mean_jaccard(three) == pytest.approx((1 + 0.5 + 0.5) / 3)

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.drift import by_kind, by_length
from evaluation.judging.judged import Judged
from tests.evaluation.judging.judged_answers import judged


def test_each_kind_has_its_own_figures_and_those_without_come_last() -> None:
    said = judged({"tp": 4}) + judged({"tp": 3, "fn": 1}, "yes/no") + judged({"fp": 2}, "how")
    found = {each.name: each for each in by_kind(said)}
    assert list(found) == ["how", "yes/no", ""]
    assert found["yes/no"].shares.under.value == 0.25
    assert found["how"].shares.agreement.value == 0
    assert found["how"].shares.sensitivity.value is None
    assert found[""].matrix.tp == 4


def test_bands_are_of_about_as_many_answers_shortest_first() -> None:
    said = [replace(each, length=10 * at) for at, each in enumerate(judged({"tp": 10, "fn": 10}))]
    found = by_length(said[::-1])
    assert [each.matrix.n for each in found] == [5, 5, 5, 5]
    assert [(each.shortest, each.longest) for each in found][:2] == [(0, 40), (50, 90)]
    assert [each.shares.under.value for each in found] == [0, 0, 1, 1]


@given(st.lists(st.integers(0, 12), max_size=40))
def test_every_answer_is_in_one_band_and_equal_lengths_stay_together(lengths: list[int]) -> None:
    said = [Judged(at, at, True, True, "", length) for at, length in enumerate(lengths)]
    found = by_length(said)
    assert sum(each.matrix.n for each in found) == len(lengths)
    ends = [(each.shortest, each.longest) for each in found]
    assert all(a[1] < b[0] for a, b in pairwise(ends))
    assert len(found) <= 4


def test_answers_that_only_one_side_has_judged_are_in_no_group() -> None:
    said = [Judged("a", "a", None, True, "how", 5)]
    assert by_kind(said) == []
    assert by_length(said) == []

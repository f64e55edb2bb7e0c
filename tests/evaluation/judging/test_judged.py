from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figure import share_figure
from evaluation.judging.estimate import judge_and_people
from evaluation.judging.judged import (
    Cell,
    Judged,
    Matrix,
    by_kind,
    by_length,
    is_tie,
    judged_and_rated,
    majority,
    shares,
)
from tests.evaluation.judging.judged_answers import PAPER, judged, width

VOTES = st.lists(st.sampled_from([True, False, None]), max_size=9)


def test_more_than_half_decide_and_a_tie_is_missing() -> None:
    assert majority([True, True, False]) is True
    assert majority([False, None, None]) is False
    assert majority([True, False, None]) is None
    assert majority([None, None]) is None


@given(VOTES)
def test_a_tie_is_where_both_sides_have_as_many_votes(votes) -> None:
    assert is_tie(votes) is (votes.count(True) == votes.count(False) > 0)
    assert not (is_tie(votes) and majority(votes) is not None)


def test_a_tie_counts_as_agreement_with_nobody_and_leaves_no_answer_out() -> None:
    """Dropped, it would leave the majority the easy answers, and the best figure of all."""
    said = [
        *judged({"tp": 6, "tn": 2}),
        *(Judged(at, at, None, at > 1, tied=True) for at in (1, 2)),
    ]
    found, matrix = shares(said), Matrix.of(said)
    assert (matrix.n, matrix.tied) == (10, 2)
    assert found.agreement == share_figure("agreement", 8, 10)
    assert found.sensitivity == share_figure("sensitivity", 6, 7)
    assert found.specificity == share_figure("specificity", 2, 3)
    assert (found.over.value, found.under.value) == (0.0, 0.0)
    between = judge_and_people(said)
    assert between.raw.figure.value == 0.8
    assert between.kappa.figure.n == between.raw.figure.n == 10


COUNTS = st.fixed_dictionaries({cell.value: st.integers(0, 40) for cell in Cell})


def test_the_papers_table_from_counts() -> None:
    matrix = Matrix.of(judged(PAPER))
    assert matrix == Matrix(612, 9, 108, 271)
    percent = {cell.value: f"{100 * (matrix.share(cell).value or 0):.2f}" for cell in Cell}
    assert percent == {"tp": "61.20", "fp": "0.90", "fn": "10.80", "tn": "27.10"}
    found = shares(judged(PAPER))
    assert found.agreement == share_figure("agreement", 883, 1000)
    assert found.sensitivity == share_figure("sensitivity", 612, 720)
    assert found.specificity == share_figure("specificity", 271, 280)
    assert (found.over.value, found.under.value) == (0.009, 0.108)


def test_answers_to_one_question_widen_the_interval() -> None:
    alone, together = shares(judged(PAPER)), shares(judged(PAPER, each=20))
    assert together.agreement.value == alone.agreement.value
    assert width(together.agreement) > 2 * width(alone.agreement)


@given(COUNTS)
def test_every_answer_stands_in_one_cell(counts: dict[str, int]) -> None:
    matrix = Matrix.of(judged(counts))
    assert {cell.value: matrix.count(cell) for cell in Cell} == counts
    assert matrix.n == sum(counts.values())
    values = [matrix.share(cell).value for cell in Cell]
    known = [value for value in values if value is not None]
    assert not known if not matrix.n else sum(known) == pytest.approx(1)
    found = shares(judged(counts))
    assert found.over.value == matrix.share(Cell.FALSE_POSITIVE).value


def test_what_is_missing_stands_in_no_cell() -> None:
    said = [
        Judged("a", "q", None, True),
        Judged("b", "q", True, None),
        Judged("c", "q", False, True),
    ]
    assert [each.case for each in judged_and_rated(said)] == ["c"]
    assert Matrix.of(said) == Matrix(fn=1)
    assert shares(said[:2]).agreement.value is None


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

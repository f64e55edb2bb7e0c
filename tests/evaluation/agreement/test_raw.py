from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.ratings import Scale
from evaluation.agreement.raw import MeanJaccard, RawAgreement
from evaluation.agreement.sets import mean_jaccard
from evaluation.agreement.statistic import Reason, measure
from tests.evaluation.agreement.examples import by_item, of_table, slow_raw, tables


def test_of_two_raters_it_is_the_percent_agreement() -> None:
    found = measure(of_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]]), RawAgreement())
    assert found.figure.value == pytest.approx(0.89)
    assert found.figure.n == 100


@settings(deadline=None)
@given(tables(st.sampled_from("abc")))
def test_it_is_the_mean_share_of_agreeing_pairs(rows) -> None:
    found = measure(by_item(rows, Scale.NOMINAL, "abc"), RawAgreement(), resamples=0)
    expected = slow_raw(rows)
    assert found.figure.value == (None if expected is None else pytest.approx(expected))
    assert found.reason == (Reason.NO_PAIRS if expected is None else None)


@settings(deadline=None)
@given(tables(st.frozensets(st.sampled_from("abc"))))
def test_mean_jaccard_is_the_mean_over_items_of_the_mean_over_pairs(rows) -> None:
    each = [value for value in map(mean_jaccard, rows) if value is not None]
    found = measure(by_item(rows, Scale.SETS), MeanJaccard(), resamples=0)
    assert found.figure.n == len(each)
    assert found.figure.value == (pytest.approx(sum(each) / len(each)) if each else None)


def test_full_agreement_has_no_interval_made_up() -> None:
    figure = measure(by_item([["a", "a"], ["b", "b"]], Scale.NOMINAL), RawAgreement()).figure
    assert (figure.value, figure.low, figure.high) == (1.0, None, None)

"""The randomisation test against a plain enumeration and scipy; Holm's against statsmodels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation import significance
from evaluation.significance import PairedTest, Tally, holm, paired_tests, tally

DIFFERENCES = st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=1, max_size=8)


def paired_test(row, seed=0, n=significance.PERMUTATIONS):
    return paired_tests([row], seed, n)[0]


@given(DIFFERENCES)
def test_few_differences_are_tested_over_every_sign_pattern(row):
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, row, strict=True)))
        for signs in product((1, -1), repeat=len(row))
    ]
    expected = sum(each >= abs(sum(row)) for each in sums) / len(sums)
    test = paired_test(row)
    assert test.exact and test.p == pytest.approx(expected)


def test_it_is_scipys_exact_test():
    row = [0.5, 0.25, -0.1, 0.3, 0.8, -0.2, 0.4]
    theirs = stats.permutation_test(
        (row,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert paired_test(row).p == pytest.approx(theirs.pvalue)


def test_a_worked_example():
    # Patterns of 1, 1, 1: sums 3, 1, 1, 1 and their mirrors; two of the eight are 3 away from zero.
    assert paired_test([1, 1, 1]) == PairedTest(0.25, exact=True)
    # Zeros change nothing, and five of one sign are the least that reaches the 10 % level.
    assert paired_test([1, 1, 1, *([0] * 1000)]) == PairedTest(0.25, exact=True)
    assert paired_test([1] * 5).p == pytest.approx(2 / 32)


def test_many_differences_are_tested_on_random_patterns_near_the_exact_p():
    row = np.random.default_rng(5).normal(0.12, 0.5, size=60)
    test = paired_test(row, n=20_000)
    assert not test.exact
    # The t test is what the randomisation test tends to.
    assert test.p == pytest.approx(stats.ttest_1samp(row, 0).pvalue, abs=0.01)


def test_random_patterns_agree_with_all_of_them(monkeypatch):
    row = [0.5, -0.25, 0.5, 0.25, 0.75, -0.5, 0.25, 0.5]
    exact = paired_test(row).p
    monkeypatch.setattr(significance, "EXACT_UP_TO", 0)
    drawn = paired_test(row, n=20_000)
    assert not drawn.exact and drawn.p == pytest.approx(exact, abs=0.01)


def test_equal_seeds_give_equal_results_however_the_patterns_are_parted(monkeypatch):
    rows = list(np.random.default_rng(1).normal(0.1, 1, size=(3, 70)))
    tests = paired_tests(rows, seed=4, n=999)
    assert tests == [paired_test(row, seed=4, n=999) for row in rows]
    assert tests != paired_tests(rows, seed=5, n=999)
    monkeypatch.setattr(significance, "_CELLS_AT_ONCE", 700)
    assert tests == paired_tests(rows, seed=4, n=999)


def test_p_is_never_zero_and_the_sides_are_equal():
    row = [0.5] * 300
    assert paired_test(row, n=99).p == pytest.approx(1 / 100)
    assert paired_test([-value for value in row], n=99).p == pytest.approx(1 / 100)


def test_nothing_to_compare_has_no_p_and_equal_scores_have_p_one():
    assert paired_test([]) == PairedTest(None, exact=True)
    assert paired_test([0.0] * 40) == PairedTest(1.0, exact=True)
    assert paired_test([1e-12] * 40) == PairedTest(1.0, exact=True)
    with pytest.raises(ValueError, match="finite"):
        paired_test([1.0, float("nan")])


def test_holm_is_that_of_the_paper():
    """The smallest of m is multiplied by m, the next by m - 1, and none falls below the last."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.4, 0.01]) == pytest.approx([0.8, 0.8, 0.03])


@pytest.mark.long
def test_holm_is_statsmodels_holm():
    from statsmodels.stats.multitest import multipletests  # here: one process loads it

    for size in (1, 2, 5, 20):
        ps = list(np.random.default_rng(size).uniform(0, 0.2, size).round(2))
        assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


def test_holm_by_hand():
    # .01 × 3, .02 × 2, and .04 × 1, which may not fall below its predecessor.
    assert holm([0.04, None, 0.01, 0.02]) == pytest.approx([0.04, None, 0.03, 0.04])
    assert holm([]) == [] and holm([None]) == [None]
    with pytest.raises(ValueError, match="0 to 1"):
        holm([1.5])


def test_wins_ties_and_losses():
    assert tally([0.5, 0, -0.25, 1e-12, 1]) == Tally(2, 2, 1)
    assert tally([]) == Tally(0, 0, 0)

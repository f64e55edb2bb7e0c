from __future__ import annotations

from evaluation.agreement.kappa import CohenKappa
from evaluation.agreement.pairs import OF_TWO, between_pairs
from evaluation.agreement.ratings import Scale
from evaluation.agreement.raw import RawAgreement
from evaluation.agreement.statistic import Reason, measure
from tests.evaluation.agreement.examples import FOUR_OBSERVERS, by_rater


def test_every_two_raters_are_compared_over_the_items_that_both_rated() -> None:
    ratings = by_rater(FOUR_OBSERVERS, Scale.NOMINAL)
    pairs = between_pairs(ratings)
    assert [(str(pair.first)[-1], str(pair.second)[-1]) for pair in pairs] == [
        ("0", "1"), ("0", "2"), ("0", "3"), ("1", "2"), ("1", "3"), ("2", "3"),
    ]  # fmt: skip
    assert [pair.finding.figure.n for pair in pairs] == [9, 8, 9, 9, 10, 10]
    alone = by_rater(FOUR_OBSERVERS[:2], Scale.NOMINAL, "12345")
    assert pairs[0].finding == measure(alone, CohenKappa())
    assert all(pair.finding.figure.low is not None for pair in pairs[:2])


def test_two_who_share_no_item_have_no_value() -> None:
    pair = between_pairs(by_rater(["a.", ".b"], Scale.NOMINAL))[0]
    assert (pair.finding.figure.value, pair.finding.figure.n) == (None, 0)
    assert pair.finding.reason == Reason.NO_PAIRS


def test_any_statistic_can_be_asked_for() -> None:
    pair = between_pairs(by_rater(["ab", "aa"], Scale.NOMINAL), RawAgreement())[0]
    assert pair.finding.figure.value == 0.5


def test_every_scale_has_a_statistic_of_two_that_is_for_it() -> None:
    for scale in Scale:
        assert scale in OF_TWO[scale].scales

""""""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from evaluation.agreement.breakdown import (
    OF_TWO,
    between_pairs,
    by_dates,
    by_items,
    calibration,
    contained,
    meetings,
    per_item,
)
from evaluation.agreement.kappa import CohenKappa, RawAgreement
from evaluation.agreement.ratings import Ratings, Reason, Scale, measure
from evaluation.figure import wilson
from tests.evaluation.agreement.examples import FOUR_OBSERVERS, by_item, by_rater

S = frozenset


def test_least_agreed_upon_items_come_first_then_in_their_order() -> None:
    ratings = by_item(
        [["a", "a", None], ["a", "b", "a"], ["a", "b", None], ["c", None, None], ["b", "b", "b"]],
        Scale.NOMINAL,
    )
    found = per_item(ratings)
    assert [each.item for each in found] == [2, 1, 0, 4]
    assert [each.agreement for each in found] == pytest.approx([0, 1 / 3, 1, 1])
    assert [each.ratings for each in found] == [2, 3, 2, 3]
    mean = sum(each.agreement for each in found) / len(found)
    assert measure(ratings, RawAgreement()).figure.value == pytest.approx(mean)


def test_sets_are_alike_by_masi() -> None:
    ratings = by_item([[S("ab"), S("a")], [S(), S()], [S("a"), S("b")]], Scale.SETS)
    assert [(each.item, each.agreement) for each in per_item(ratings)] == [
        (2, 0.0), (0, pytest.approx(1 / 3)), (1, 1.0),
    ]  # fmt: skip


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


def test_every_scale_has_a_statistic_of_two_that_is_for_it() -> None:
    for scale in Scale:
        assert scale in OF_TWO[scale].scales


RAW = RawAgreement()


def worsening(items: int) -> Ratings:
    """Agreement on every item of the first half, on every second one after that."""
    rows = [["a", "a" if at < items / 2 or at % 2 else "b"] for at in range(items)]
    return by_item(rows, Scale.NOMINAL)


def test_each_window_has_its_own_value_n_and_interval() -> None:
    first, second = by_items(worsening(80), RAW, 40)
    assert (first.items, second.items) == (tuple(range(40)), tuple(range(40, 80)))
    assert (first.finding.figure.value, second.finding.figure.value) == (1.0, 0.5)
    assert (first.finding.figure.n, second.finding.figure.n) == (40, 40)
    for window, right in ((first, 40), (second, 20)):
        figure = window.finding.figure
        assert (figure.low, figure.high) == wilson(right, 40)


@pytest.mark.parametrize(
    ("items", "sizes"), [(0, []), (3, [3]), (10, [10]), (14, [14]), (15, [10, 5]), (24, [10, 14])]
)
def test_what_is_left_joins_the_last_window_when_it_is_short(items: int, sizes: list[int]) -> None:
    found = by_items(worsening(items), RAW, 10, resamples=10)
    assert [len(window.items) for window in found] == sizes


def test_items_with_a_single_rating_are_in_no_window() -> None:
    ratings = by_item([["a", "a"], ["a", None], ["b", "b"]], Scale.NOMINAL)
    assert [window.items for window in by_items(ratings, RAW, 2, resamples=0)] == [(0, 2)]


def test_windows_of_dates_follow_each_other_and_empty_ones_show() -> None:
    days = {0: date(2026, 3, 2), 1: date(2026, 3, 8), 2: date(2026, 3, 16)}
    found = by_dates(worsening(4), RAW, days, 7, resamples=0)
    assert [window.items for window in found] == [(0, 1), (), (2,)]
    assert [window.start for window in found] == [
        date(2026, 3, 2), date(2026, 3, 9), date(2026, 3, 16),
    ]  # fmt: skip
    assert found[0].end == found[1].start
    assert found[1].finding.reason == Reason.NO_PAIRS
    assert by_dates(worsening(4), RAW, {}, 7) == []


def test_windows_too_small_to_mean_anything_are_refused() -> None:
    with pytest.raises(ValueError, match="two items"):
        by_items(worsening(4), RAW, 1)
    with pytest.raises(ValueError, match="one day"):
        by_dates(worsening(4), RAW, {}, 0)


def test_each_rater_is_right_on_a_share_of_the_known_items_they_rated() -> None:
    ratings = Ratings.of(
        [
            ("q1", "Kim", "a"), ("q2", "Kim", "b"), ("q3", "Kim", "b"), ("q4", "Kim", "b"),
            ("q1", "Lee", "b"), ("q9", "Park", "a"),
        ],
        Scale.NOMINAL,
    )  # fmt: skip
    kim, lee, park = calibration(ratings, {"q1": "a", "q2": "b", "q3": "a", "unseen": "a"})
    assert kim.finding.figure.value == pytest.approx(2 / 3)
    assert kim.finding.figure.n == 3
    assert (kim.finding.figure.low, kim.finding.figure.high) == wilson(2, 3)
    assert kim.wrong == ("q3",)
    assert (lee.finding.figure.value, lee.wrong) == (0.0, ("q1",))
    assert park.finding.figure.value is None
    assert park.finding.reason == Reason.NO_CALIBRATION


def test_a_set_is_right_only_when_it_is_the_same_set() -> None:
    ratings = Ratings.of([(1, "Kim", frozenset("ab")), (2, "Kim", frozenset())], Scale.SETS)
    known = {1: frozenset("a"), 2: frozenset[str]()}
    assert calibration(ratings, known)[0].wrong == (1,)


GIVEN = {"i": ("yes", "no", "yes"), "j": ("no", "no", None), "k": (None, "yes", None)}


def of(given: Mapping[str, tuple[object, ...]], scale: Scale) -> Ratings:
    triples = [(i, f"r{at}", v) for i, values in given.items() for at, v in enumerate(values)]
    return Ratings.of(triples, scale)


def test_every_pair_of_ratings_is_in_one_cell() -> None:
    found = meetings(of(GIVEN, Scale.NOMINAL))
    assert [(m.first, m.second, m.share.value, m.share.n, m.rows) for m in found] == [
        ("no", "no", 0.25, 4, (1,)),
        ("no", "yes", 0.5, 4, (0,)),
        ("yes", "yes", 0.25, 4, (0,)),
    ]
    assert meetings(of({"i": ("yes", None)}, Scale.NOMINAL)) == []


def test_a_set_within_another_is_somebody_finding_more() -> None:
    a, b, both, none = (frozenset(each) for each in ("a", "b", "ab", ""))
    given = {"i": (a, both), "j": (a, b), "k": (a, a), "l": (none, a), "m": (a, None)}
    assert contained(of(given, Scale.SETS)) == (3, 2)
    assert contained(of({}, Scale.SETS)) == (0, 0)

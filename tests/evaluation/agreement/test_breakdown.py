""""""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluation.agreement.breakdown import (
    OF_TWO,
    contained,
    meetings,
    per_item,
    windows_of,
)
from evaluation.agreement.kappa import RawAgreement
from evaluation.agreement.ratings import Ratings, Scale, measure
from tests.evaluation.agreement.examples import by_item

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


def test_every_scale_has_a_statistic_of_two_that_is_for_it() -> None:
    for scale in Scale:
        assert scale in OF_TWO[scale].scales


@pytest.mark.parametrize(
    ("items", "sizes"), [(0, []), (3, [3]), (10, [10]), (14, [14]), (15, [10, 5]), (24, [10, 14])]
)
def test_what_is_left_joins_the_last_window_when_it_is_short(items: int, sizes: list[int]) -> None:
    found = windows_of(items, 10)
    assert [len(window) for window in found] == sizes
    assert [at for window in found for at in window] == list(range(items))


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

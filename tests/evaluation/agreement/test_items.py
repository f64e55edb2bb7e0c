from __future__ import annotations

import pytest

from evaluation.agreement.items import per_item
from evaluation.agreement.ratings import Scale
from evaluation.agreement.raw import RawAgreement
from evaluation.agreement.statistic import measure
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


def test_nothing_to_compare_is_nothing() -> None:
    assert per_item(by_item([["a", None]], Scale.NOMINAL)) == []

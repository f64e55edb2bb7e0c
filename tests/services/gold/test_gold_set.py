from __future__ import annotations

from typing import Any

import pytest

from services.gold.gold_set import GoldSet
from tests.services.small_gold import Gold


def gold_set(**grades: int) -> GoldSet:
    items: Any = [Gold("q", ("a", "b"), grades=grades), Gold("none")]
    return GoldSet(items, 0)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ({}, {"a": 1, "b": 1}),
        ({"a": 3, "c": 2}, {"a": 3, "b": 1}),
        ({"a": 0, "b": -1}, {"a": 1, "b": 1}),
    ],
)
def test_accepted_units_have_the_grade_of_their_source(
    grades: dict[str, int], expected: dict[str, int]
) -> None:
    assert gold_set(**grades).qrels == {"q": expected, "none": {}}


def test_hashes_tell_grades_apart_and_stay_what_they_were_without() -> None:
    plain, graded = gold_set(), gold_set(a=2)
    assert gold_set(a=1, b=0).hash == plain.hash != graded.hash
    assert plain.question_hashes["q"] != graded.question_hashes["q"]
    assert plain.question_hashes["none"] == graded.question_hashes["none"]

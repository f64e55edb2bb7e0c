from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.tagging.accuracy import (
    Compared,
    Confusion,
    Spans,
    accuracy,
    joined,
    likeness,
    overlap,
)

YES, NO, SILENT = frozenset({"yes"}), frozenset({"no"}), frozenset({"not_stated"})


def test_only_what_can_be_read_counts() -> None:
    found = accuracy(
        [
            Compared(1, YES, YES, quoted=True),
            Compared(2, YES, NO),
            Compared(3, NO, None),
            Compared(4, SILENT, SILENT),
        ],
        "not_stated",
    )
    assert found.right.value == pytest.approx(2 / 3)
    assert found.right.n == 3
    assert found.missing == 1
    assert found.baseline.value == pytest.approx(2 / 3)
    assert (found.quoted.value, found.quoted.n) == (0.5, 2)  # nothing is quoted for silence
    assert found.confusions == (Confusion(("yes",), ("no",), 1),)
    pairs = [(NO, YES), (YES, SILENT), (YES, NO), (YES, SILENT), (NO, SILENT)]
    told = accuracy([Compared(n, *pair) for n, pair in enumerate(pairs)]).confusions
    assert [each.n for each in told] == [2, 1, 1] and told[1].said == ("not_stated",)


def test_cases_answered_with_the_suggestion_in_sight_have_their_own_figure() -> None:
    found = accuracy([Compared(1, YES, YES, aided=True), Compared(2, YES, NO)])
    assert (found.right.value, found.right.n) == (0.0, 1)
    assert (found.aided.value, found.aided.n) == (1.0, 1)


def test_sets_have_partial_likeness() -> None:
    found = accuracy([Compared(1, frozenset("ab"), frozenset("a")), Compared(2, YES, YES)])
    assert found.right.value == 0.5
    assert found.likeness.value == 0.75
    assert found.likeness.low is not None


def test_nothing_compared_is_no_figure() -> None:
    found = accuracy([Compared(1, YES, None)])
    assert found.right.value is None
    assert (found.baseline.value, found.missing) == (None, 1)


SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5).map(tuple)


def characters(spans: Spans) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}


@given(SPANS, SPANS)
def test_likeness_is_that_of_the_sets_of_characters(a: Spans, b: Spans) -> None:
    assert characters(joined(a)) == characters(a)
    x, y = characters(a), characters(b)
    if x and y:
        assert likeness(a, b) == pytest.approx(len(x & y) / len(x | y))


def test_pairs_that_both_marked_count_and_one_sided_cases_are_told() -> None:
    found = overlap(
        [
            (1, "a", ((0, 10),)),
            (1, "b", ((5, 10),)),
            (2, "a", ((0, 2),)),
            (2, "b", ()),
            (3, "a", ()),
            (3, "b", ()),
            (4, "a", ((0, 2),)),
            (4, "b", ((2, 4),)),
        ]
    )
    assert (found.likeness.value, found.likeness.n) == (0.25, 2)
    assert found.meeting.value == 0.5
    assert found.one_sided == 1

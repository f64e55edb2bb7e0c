from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.tagging.evidence import Spans, joined, likeness, overlap

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

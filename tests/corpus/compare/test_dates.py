from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.compare.dates import DateOrder, Dates, date_order

EARLY, LATE, NEVER = date(2020, 1, 1), date(2026, 1, 1), date(9999, 1, 1)
DATES = st.sampled_from([None, EARLY, LATE, NEVER])
LAW = st.dictionaries(st.sampled_from("abc"), st.tuples(DATES, DATES))


@pytest.mark.parametrize(
    ("old", "new", "order"),
    [
        ((EARLY, NEVER), (LATE, EARLY), DateOrder(1, 0, 0)),
        ((EARLY, EARLY), (EARLY, NEVER), DateOrder(1, 0, 0)),
        ((None, LATE), (EARLY, EARLY), DateOrder(0, 1, 0)),
        ((None, LATE), (EARLY, None), DateOrder(0, 0, 1)),
    ],
)
def test_promulgation_counts_first_then_the_effective_date(
    old: Dates, new: Dates, order: DateOrder
) -> None:
    assert date_order({"a": old, "b": old}, {"a": new, "c": new}) == order


@given(LAW, LAW)
def test_read_the_other_way_later_is_earlier(old: dict[str, Dates], new: dict[str, Dates]) -> None:
    there, back = date_order(old, new), date_order(new, old)
    assert (there.later, there.earlier, there.same) == (back.earlier, back.later, back.same)
    assert there.later + there.earlier + there.same == len(old.keys() & new.keys())
    assert not (there.backwards and back.backwards)

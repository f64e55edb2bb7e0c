"""Ids as people count them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.natural_order import in_natural_order, natural_key


def test_numbers_within_ids_count_as_numbers():
    ids = ["q10", "q2", "q1", "q02", "q", "p2-10", "p2-9", "제10조", "제2조", "2", "10"]
    assert in_natural_order(ids) == [
        *("2", "10", "p2-9", "p2-10", "q", "q1", "q02", "q2", "q10", "제2조", "제10조"),
    ]


@given(st.lists(st.text(max_size=12), max_size=20))
def test_every_id_has_one_place_whatever_order_they_come_in(ids: list[str]):
    ordered = in_natural_order(ids)
    assert ordered == in_natural_order(reversed(ids))
    assert sorted(ordered) == sorted(ids)
    assert len({natural_key(each) for each in ids}) == len(set(ids))


@given(st.text(max_size=5), st.integers(0, 10**30), st.integers(0, 10**30))
def test_of_two_numbers_the_smaller_comes_first(head: str, one: int, other: int):
    head += "-"
    less, more = sorted((one, other))
    assert in_natural_order([f"{head}{more}", f"{head}{less}"]) == [
        f"{head}{less}",
        f"{head}{more}",
    ]

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.work.belonging import Offered, informativeness, offered, random_key, sample, spread

NUMBERS = st.lists(st.integers(1, 10_000), unique=True, max_size=30)


def test_what_is_resolved_and_found_teaches_least() -> None:
    sure = Offered(("resolved", "resolved"), frozenset({1, 2}), frozenset({1, 2, 3}))
    apart = Offered(("resolved", "resolved"), frozenset({1, 2}), frozenset({1, 3}))
    doubtful = Offered(("resolved", "ambiguous"), frozenset({1}), frozenset({2}))
    nothing = Offered((), frozenset(), frozenset({1}))
    scores = [informativeness(each) for each in (sure, apart, doubtful, nothing, None)]
    assert scores == [0.0, 0.5, 1.5, 2.0, 2.0]


def test_only_the_first_ten_of_text_search_count_as_found() -> None:
    def why(source: str, rank: int | None) -> list[dict[str, object]]:
        return [{"source": source, "rank": rank}]

    rows = [(1, why("citation", None)), (2, why("text", 10)), (3, why("text", 11))]
    seen = offered([{"status": "resolved"}], [*rows, (4, why("title", 1))])
    assert seen.cited == frozenset({1})
    assert seen.found == frozenset({2})


@given(NUMBERS, st.lists(st.integers(10_001, 20_000), unique=True), st.integers(), st.integers())
def test_random_orders_are_permutations_that_stay(
    items: list[int], later: list[int], seed: int, person: int
) -> None:
    def queue(numbers: list[int]) -> list[int]:
        return sorted(numbers, key=lambda item: random_key(seed, person, item))

    assert sorted(queue(items)) == sorted(items)
    assert [item for item in queue(items + later) if item in items] == queue(items)


def test_two_people_have_two_orders() -> None:
    items = range(1, 30)
    orders = {tuple(sorted(items, key=lambda i: random_key(7, who, i))) for who in range(1, 9)}
    assert len(orders) == 8


@given(NUMBERS, st.integers(1, 40), st.integers())
def test_a_sample_is_in_order_and_repeats_by_seed(items: list[int], size: int, seed: int) -> None:
    drawn = sample(items, size, seed)
    assert drawn == sample(items, size, seed)
    assert len(drawn) == min(size, len(items))
    assert [item for item in items if item in drawn] == drawn


@given(NUMBERS, st.lists(st.integers(10_001, 20_000), unique=True, max_size=30), st.integers())
def test_spreading_keeps_everything_and_the_order_of_the_rest(
    known: list[int], real: list[int], seed: int
) -> None:
    mixed = spread(known, real, seed)
    assert sorted(mixed) == sorted(known + real)
    assert [each for each in mixed if each in real] == real

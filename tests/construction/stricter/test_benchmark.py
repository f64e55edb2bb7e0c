"""Who asks in the benchmarks of court cases, and what are its targets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.stricter.benchmark import BenchmarkKind, Members, case_set

names = st.lists(st.text("abcdef", min_size=1, max_size=2), unique=True, max_size=7)


def test_every_other_case_of_the_group_is_a_target():
    found = case_set(
        BenchmarkKind.STANDARD, [Members("fraud.f", "fraud", ("a", "b", "c"), query="b")]
    )
    assert found.qrels == {"fraud.f/b": {"a": 1, "c": 1}}
    assert [(q.case, q.category, q.chosen) for q in found.queries] == [("b", "fraud", True)]


def test_the_stricter_group_has_the_higher_grade():
    group = Members("g", "g", ("a", "b", "c", "d"), stricter=("b", "d"), query="d")
    assert case_set(BenchmarkKind.STRICTER, [group]).qrels == {"g/d": {"a": 1, "b": 2, "c": 1}}


def test_a_chosen_query_outside_the_stricter_group_asks_only_in_the_standard_benchmark():
    group = Members("g", "g", ("a", "b", "c"), stricter=("b", "c"), query="a")
    (query,) = case_set(BenchmarkKind.STRICTER, [group]).queries
    assert query.case in "bc" and not query.chosen
    assert case_set(BenchmarkKind.STANDARD, [group]).queries[0].case == "a"


def test_a_group_of_one_asks_nothing():
    groups = [Members("g", "g", ("a",)), Members("h", "h", ("a", "b"))]
    assert {each.group for each in case_set(BenchmarkKind.STANDARD, groups).queries} == {"h"}
    assert case_set(BenchmarkKind.STRICTER, groups).queries == ()


def test_a_chosen_query_must_be_of_its_group():
    with pytest.raises(ValueError):
        case_set(BenchmarkKind.STANDARD, [Members("g", "g", ("a", "b"), query="z")])


@given(names, st.integers(1, 4), st.integers(0, 99), st.randoms())
def test_more_queries_keep_the_first_and_no_case_asks_for_itself(cases, per_group, seed, rng):
    group = Members("g", "g", tuple(cases))
    found = case_set(BenchmarkKind.STANDARD, [group], per_group, seed)
    assert len(found.queries) == (min(per_group, len(cases)) if len(cases) > 1 else 0)
    assert all(q.case not in found.qrels[q.id] for q in found.queries)
    shuffled = [*cases]
    rng.shuffle(shuffled)
    more = case_set(
        BenchmarkKind.STANDARD, [Members("g", "g", tuple(shuffled))], per_group + 1, seed
    )
    assert more.queries[: len(found.queries)] == found.queries

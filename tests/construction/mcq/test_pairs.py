from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from construction.mcq.model import Pair
from construction.mcq.pairs import LEADING, PairFilter, linked_pairs, sample_pairs
from corpus.graph.model import EdgeType
from corpus.model import Tier
from tests.construction.mcq.law import edge, pair, passage

UNITS = {
    each.unit_id: each
    for each in (
        passage("act_1"),
        passage("act_2"),
        passage("decree_1", Tier.DECREE),
        passage("rule_1", Tier.RULE),
        passage("other_1"),
        passage("short_1", text="brief"),
        passage("long_1", text="x" * 7_000),
    )
}
EDGES = [
    edge("act_1", "decree_1"),
    edge("act_1", "decree_1", EdgeType.REFERENCES),
    edge("decree_1", "act_1", EdgeType.SPECIFIES),
    edge("act_2", "rule_1"),
    edge("act_1", "act_1", EdgeType.REFERENCES),
    edge("other_1", "act_1", EdgeType.REFERENCES),
    edge("act_1", "short_1"),
    edge("long_1", "act_1"),
    edge("act_1", "act"),
    edge("act_1", "deleted_1"),
]


def ids(pairs: list[Pair]) -> list[str]:
    return [each.id for each in pairs]


def test_delegations_between_provisions_with_a_text() -> None:
    found = linked_pairs(EDGES, UNITS, PairFilter())
    assert ids(found) == ["act_1 → decree_1", "act_2 → rule_1"]


def test_edges_of_several_types_make_one_pair() -> None:
    found = linked_pairs(EDGES, UNITS, PairFilter(types=LEADING))
    assert ids(found) == ["act_1 → decree_1", "act_2 → rule_1", "other_1 → act_1"]
    assert found[0].types == (EdgeType.DELEGATES_TO, EdgeType.REFERENCES)


def test_by_tiers_statutes_and_length() -> None:
    tiers = {(Tier.ACT, Tier.RULE)}
    assert ids(linked_pairs(EDGES, UNITS, PairFilter(tiers=tiers))) == ["act_2 → rule_1"]
    other = PairFilter(types=LEADING, statutes={"other"})
    assert ids(linked_pairs(EDGES, UNITS, other)) == ["other_1 → act_1"]
    loose = linked_pairs(EDGES, UNITS, PairFilter(shortest=1, longest=10_000))
    assert {"act_1 → short_1", "long_1 → act_1"} <= set(ids(loose))


MANY = [pair(number) for number in range(60)]


@given(st.permutations(MANY), st.integers(0, 80), st.integers())
def test_a_sample_depends_on_the_seed_alone(order: list[Pair], number: int, seed: int) -> None:
    drawn = sample_pairs(order, number, seed)
    assert drawn == sample_pairs(MANY, number, seed)
    assert len(drawn) == len(set(ids(drawn))) == min(number, 60)


@given(st.integers(0, 60), st.integers(0, 60), st.integers())
def test_a_larger_sample_begins_with_the_smaller(first: int, second: int, seed: int) -> None:
    few, many = sorted((first, second))
    assert sample_pairs(MANY, many, seed)[:few] == sample_pairs(MANY, few, seed)


def test_another_seed_draws_others() -> None:
    assert sample_pairs(MANY, 20, 1) != sample_pairs(MANY, 20, 2)


def test_a_sample_is_even() -> None:
    counts = [0] * 60
    for seed in range(2000):
        for each in sample_pairs(MANY, 6, seed):
            counts[int(each.source.unit_id.split("_")[1])] += 1
    assert min(counts) > 140  # 200 expected of each
    assert max(counts) < 260


@given(st.integers(1, 4), st.integers())
def test_no_source_comes_too_often(limit: int, seed: int) -> None:
    hub = passage("act_1")
    pairs = [Pair(hub, passage(f"d_{n}", Tier.DECREE), ()) for n in range(9)] + [pair(5)]
    drawn = sample_pairs(pairs, 99, seed, per_source=limit)
    assert len(drawn) == limit + 1


def test_nothing_to_draw_from() -> None:
    assert sample_pairs([], 5, 0) == []
    assert sample_pairs(MANY, -1, 0) == []

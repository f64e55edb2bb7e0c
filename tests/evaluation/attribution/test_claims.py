"""Claim scores against values worked by hand, and what holds for all labels."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.attribution.claims import (
    MATCH,
    PARTIAL,
    Pair,
    Pairing,
    claim_score,
    pair_greedily,
    pair_optimally,
)
from evaluation.attribution.scores import MEASURES, Score, mean_score
from tests.support.examples import scaled

M, P = MATCH, PARTIAL
Relations = list[list[tuple[int, str]]]


@pytest.mark.parametrize(
    ("relations", "gold", "precision", "recall"),
    [
        ([[(0, M)], [(1, M)]], 2, 1.0, 1.0),
        ([[(0, M)], [(1, P)], []], 2, 1.5 / 3, 1.5 / 2),
        ([[(0, M)], [(0, M)], [(0, P)]], 1, 1 / 3, 1.0),  # a claim said thrice counts once
        ([[(0, P)], [(0, M)]], 2, 1 / 2, 1 / 2),  # the match is paired before the partial match
        ([[], []], 3, 0.0, 0.0),
        ([], 3, 0.0, 0.0),
    ],
)
def test_scores_are_those_worked_by_hand(
    relations: Relations, gold: int, precision: float, recall: float
) -> None:
    for pairing in Pairing:
        found = claim_score(relations, gold, pairing)
        assert found is not None
        harmonic = 2 * precision * recall / (precision + recall) if precision else 0.0
        expected = precision, recall, harmonic
        assert (found.precision, found.recall, found.f1) == pytest.approx(expected)


def test_an_optimal_pairing_finds_credit_that_the_greedy_one_gives_away() -> None:
    # Greedy pairs the first claim with gold 0, and nothing is left for the second.
    relations = [[(0, M), (1, M)], [(0, M)]]
    assert pair_greedily(relations) == [Pair(0, 0, M)]
    assert pair_optimally(relations, 2) == [Pair(0, 1, M), Pair(1, 0, M)]
    greedy, optimal = (claim_score(relations, 2, each) for each in Pairing)
    assert greedy == Score(0.5, 0.5, 0.5)
    assert optimal == Score(1.0, 1.0, 1.0)


def test_of_two_labels_of_one_pair_the_better_counts() -> None:
    relations = [[(0, P), (0, M)]]
    assert pair_greedily(relations) == pair_optimally(relations, 1) == [Pair(0, 0, M)]


def test_without_gold_claims_there_is_no_score() -> None:
    assert claim_score([[]], 0) is None


def test_a_label_of_a_gold_claim_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="not there"):
        claim_score([[(2, M)]], 2)


@st.composite
def labelled(draw: st.DrawFn) -> tuple[Relations, int]:
    gold = draw(st.integers(1, 5))
    relation = st.tuples(st.integers(0, gold - 1), st.sampled_from((M, P)))
    return draw(st.lists(st.lists(relation, max_size=5), max_size=6)), gold


@given(labelled())
@settings(max_examples=scaled(200))
def test_the_optimal_pairing_never_scores_less_and_both_pair_one_to_one(
    case: tuple[Relations, int],
) -> None:
    relations, gold = case
    greedy, optimal = (claim_score(relations, gold, each) for each in Pairing)
    assert greedy is not None
    assert optimal is not None
    assert all(getattr(optimal, m) >= getattr(greedy, m) - 1e-12 for m in MEASURES)
    for pairs in (pair_greedily(relations), pair_optimally(relations, gold)):
        assert len({each.gold for each in pairs}) == len(pairs)
        assert len({each.predicted for each in pairs}) == len(pairs)
        assert all((each.gold, each.label) in relations[each.predicted] for each in pairs)


def test_means_are_over_questions_and_f1_is_not_that_of_the_means() -> None:
    found = mean_score([Score.of(1, 1, 4), Score.of(1, 4, 1)])
    assert [each.value for each in found] == pytest.approx([0.625, 0.625, 0.4])
    assert [each.n for each in found] == [2, 2, 2]
    nothing = mean_score([])
    assert [(each.value, each.n) for each in nothing] == [(None, 0)] * 3


@pytest.mark.parametrize("credit", [-0.5, 2])
def test_a_credit_that_cannot_be_is_refused(credit: float) -> None:
    with pytest.raises(ValueError, match="credit"):
        Score.of(credit, 1, 3)

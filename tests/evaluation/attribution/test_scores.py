"""Citation scores against values worked by hand, and against published tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.attribution import (
    MATCH,
    MEASURES,
    PARTIAL,
    PERFECT,
    ClaimScores,
    LabelledClaim,
    Mistakes,
    Pair,
    Pairing,
    Score,
    citation_score,
    claim_score,
    claim_scores,
    mistakes,
    pair_greedily,
    pair_optimally,
)
from tests.support.examples import scaled


@pytest.mark.parametrize(
    ("cited", "gold", "score"),
    [
        (["a", "b"], ["a", "b"], PERFECT),
        (["a", "a"], ["a"], PERFECT),
        ([], [], PERFECT),
        (["a"], [], Score(0.0, 0.0, 0.0)),
        ([], ["a"], Score(0.0, 0.0, 0.0)),
        (["a", "b", "c"], ["a", "d"], Score(1 / 3, 1 / 2, 0.4)),
    ],
)
def test_scores_are_those_worked_by_hand(cited: list[str], gold: list[str], score: Score) -> None:
    found = citation_score(cited, gold)
    assert (found.precision, found.recall, found.f1) == pytest.approx(
        (score.precision, score.recall, score.f1)
    )


def test_false_citations_are_told_apart_by_whether_they_were_shown() -> None:
    found = mistakes(cited={"a", "x", "y"}, gold={"a", "b", "c"}, context_ids=["a", "b", "x"])
    assert found == Mistakes(inside=1, outside=1, unused=1)
    assert mistakes({"a"}, {"b"}, None) == Mistakes(None, None, None)


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
def test_scores_are_those_worked_by_hand_of_claims(
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


@pytest.mark.parametrize("credit", [-0.5, 2])
def test_a_credit_that_cannot_be_is_refused(credit: float) -> None:
    with pytest.raises(ValueError, match="credit"):
        Score.of(credit, 1, 3)


def claims(*said: tuple[str, int | None, str | None]) -> list[LabelledClaim]:
    return [
        LabelledClaim(() if gold is None else ((gold, label),), bears)
        for label, gold, bears in said
    ]


@pytest.mark.parametrize(
    ("said", "gold", "wanted"),
    [
        # 1.5 of 3 claims, 1.5 of 2 gold claims; F1 = 2 · .5 · .75 ÷ 1.25
        (
            claims(("match", 0, "yes"), ("partial", 1, "partly"), ("none", None, "uncited")),
            2,
            ClaimScores(0.5, 0.75, 0.6, 0.5),
        ),
        # One gold claim named twice counts once, for the match, whichever comes first.
        (
            claims(("partial", 0, "no"), ("match", 0, None)),
            4,
            ClaimScores(0.5, 0.25, 1 / 3, None),
        ),
        # A gold claim that is not there earns nothing.
        (claims(("match", 7, "yes"), ("none", None, "yes")), 2, ClaimScores(0.0, 0.0, 0.0, 1.0)),
        (claims(("none", 0, "no")), 1, ClaimScores(0.0, 0.0, 0.0, 0.0)),
        # A claim that says two gold claims gives one of them to the next.
        (
            [LabelledClaim(((0, "match"), (1, "match"))), LabelledClaim(((0, "partial"),))],
            2,
            ClaimScores(0.5, 0.5, 0.5, None),
        ),
        (
            [LabelledClaim(((1, "partial"), (0, "match"))), LabelledClaim(((1, "partial"),))],
            2,
            ClaimScores(0.75, 0.75, 0.75, None),
        ),
        ([], 2, ClaimScores(0.0, 0.0, 0.0, None)),
        (claims(("match", 0, "yes")), 0, ClaimScores(None, None, None, 1.0)),
    ],
)
def test_scores_by_hand(said: list[LabelledClaim], gold: int, wanted: ClaimScores) -> None:
    found = claim_scores(said, gold)
    for name in ("precision", "recall", "f1", "supported"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name)), name

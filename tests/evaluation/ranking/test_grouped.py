"""Scores over groups: own documents out, grades, groups as observations."""

import math

import pytest

from evaluation.ranking.grouped import GroupedQuery, score
from evaluation.ranking.measures import parse_measure

P2, NDCG2 = parse_measure("P@2"), parse_measure("nDCG@2")
QUERIES = [
    GroupedQuery("g1/a", "a", "g1", "fraud"),
    GroupedQuery("g1/b", "b", "g1", "fraud"),
    GroupedQuery("g2/c", "c", "g2", "fraud"),
    GroupedQuery("g3/d", "d", "g3", "drug"),
]
QRELS = {
    "g1/a": {"b": 2, "x": 1},
    "g1/b": {"a": 2, "x": 1},
    "g2/c": {"y": 2, "z": 2},
    "g3/d": {"w": 1},
}


def test_the_query_itself_takes_no_rank():
    found = score({"g1/a": ["a", "b", "x"]}, QUERIES, QRELS, [P2])
    assert found.table["g1/a"] == {"P@2": 1.0}


def test_a_higher_grade_can_be_asked_for_and_grades_still_weigh():
    found = score({"g1/a": ["x", "b"]}, QUERIES, QRELS, [P2, NDCG2], least=2)
    ideal = 2 + 1 / math.log2(3)
    assert found.table["g1/a"]["P@2"] == 0.5
    assert found.table["g1/a"]["nDCG@2"] == pytest.approx((1 + 2 / math.log2(3)) / ideal)


def test_a_query_without_a_target_is_not_scored_and_not_zero():
    found = score({"g3/d": ["w"]}, QUERIES, QRELS, [P2, NDCG2], least=2)
    assert found.table["g3/d"] == {"P@2": None, "nDCG@2": None}
    assert [(f.value, f.n) for f in found.by_category["drug"]] == [(None, 0), (None, 0)]


def test_a_group_counts_once_with_the_mean_of_its_queries():
    run = {"g1/a": ["b", "x"], "g1/b": ["q", "r"], "g2/c": ["y", "z"], "g3/d": ["w", "q"]}
    found = score(run, QUERIES, QRELS, [P2])
    assert found.figures[0].value == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert found.figures[0].n == 3
    assert found.figures[0].low is not None
    assert found.by_category["fraud"][0].value == 0.75
    assert found.by_category["fraud"][0].n == 2
    assert found.by_category["drug"][0].as_json() == {"value": 0.5, "n": 1, "ci": None}


def test_what_the_run_leaves_out_scores_zero_and_what_nobody_asked_is_named():
    found = score({"g2/c": ["y", "z"], "odd": ["y"]}, QUERIES, QRELS, [P2])
    assert (found.missing, found.unknown) == (("g1/a", "g1/b", "g3/d"), ("odd",))
    assert found.table["g1/a"] == {"P@2": 0.0}

"""Measures are values whose repr is their key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from evaluation.ranking.measures import LEADERBOARD, OFFERED, Measure, parse_measure
from evaluation.ranking.scoring import evaluate

NAMES = ["Recall", "P", "nDCG", "AP", "RR", "MRR", "AnyGold", "FullCov"]
CUTOFFS = st.integers(1, 1000)
MEASURES = st.one_of(
    st.builds(Measure, st.sampled_from(NAMES), CUTOFFS),
    st.builds(Measure, st.sampled_from(["nDCG", "AP", "RR", "MRR"])),
)


@given(MEASURES)
def test_the_key_reads_back_as_the_same_measure(measure):
    assert parse_measure(repr(measure)) == measure
    assert parse_measure(repr(measure).upper()) == measure


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("rr@10", "RR@10"),
        ("R@5", "Recall@5"),
        ("MAP", "AP"),
        (" ndcg@3 ", "nDCG@3"),
        ("AllGold@10", "FullCov@10"),
        ("success@5", "AnyGold@5"),
    ],
)
def test_other_spellings(written, key):
    assert repr(parse_measure(written)) == key


@pytest.mark.parametrize(
    "written", ["Recall", "P", "FullCov", "AnyGold", "P@0", "nDCG@-1", "F1@3", "", "P@5@5"]
)
def test_anything_else_is_refused(written):
    with pytest.raises(UserError) as refused:
        parse_measure(written)
    assert refused.value.code == "unknown_measure"


def test_the_leaderboard_shows_the_promised_measures():
    assert " ".join(map(repr, LEADERBOARD)) == (
        "Recall@1 Recall@5 Recall@10 Recall@20 Recall@50 Recall@100 nDCG@10 MRR@10"
    )


def test_no_figure_is_offered_under_two_names():
    keys = [repr(each) for each in OFFERED]
    assert len(set(keys)) == len(keys) and [key for key in keys if "RR" in key] == ["MRR@10"]
    both = [Measure("RR", 10), Measure("MRR", 10)]
    assert evaluate({"q": ["a", "b"]}, {"q": {"b": 1}}, both).table["q"] == {
        "RR@10": 0.5,
        "MRR@10": 0.5,
    }

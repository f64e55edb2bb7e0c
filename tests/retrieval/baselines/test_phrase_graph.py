"""Facts, phrases, and how HippoRAG-2 joins them: by hand, and likeness against a plain count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.baselines.phrase_graph import (
    Facts,
    cleaned,
    edges_of,
    may_be_like,
    synonyms_of,
)
from retrieval.readings.model import Triple

NONE = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)


@pytest.mark.parametrize(
    ("text", "all_scripts", "ascii_only"),
    [
        ("Fire-Alarm  No. 3", "fire alarm no 3", "fire alarm  no  3"),
        ("소방시설법 제2조", "소방시설법 제2조", "2"),
        ("소방시설(경보)", "소방시설 경보", ""),
        ("Über_§ 5", "über 5", "ber   5"),
        (" … ", "", ""),
    ],
)
def test_cleaning(text, all_scripts, ascii_only) -> None:
    assert cleaned(text) == all_scripts
    assert cleaned(text, ascii_only=True) == ascii_only


def facts_of(*units, ascii_only=False):
    return Facts.of([[Triple(*each.split("|")) for each in some] for some in units], ascii_only)


def test_facts_are_numbered_by_their_text_and_phrases_counted_by_passages() -> None:
    facts = facts_of(["B|has|A", "b!|has|a", "C|has|C"], [], ["a|is|...", "D|is|b"])
    assert facts.phrases == ("a", "b", "c", "d")
    assert facts.facts == ((1, "has", 0), (2, "has", 2), (3, "is", 1))
    assert facts.of_units == ((0, 0, 1), (), (2,))
    assert facts.passages_of.tolist() == [1, 2, 1, 1]
    assert facts.texts == ["b has a", "c has c", "d is b"]


def test_ascii_makes_every_korean_phrase_the_empty_one() -> None:
    facts = facts_of(["소방|관한|경보", "기준|관한|KFI 2"], ["피난|관한|설비"], ascii_only=True)
    assert facts.phrases == ("", "kfi 2")
    assert facts.facts == ((0, "", 0), (0, "", 1))
    assert facts.passages_of.tolist() == [2, 1]


def weights(facts, synonyms=NONE):
    edges = edges_of(facts, synonyms)
    names = [*facts.phrases, *(f"#{at}" for at in range(len(facts.of_units)))]
    ends = zip(edges.low.tolist(), edges.high.tolist(), edges.weights.tolist(), strict=True)
    return {(names[a], names[b]): weight for a, b, weight in ends}


def test_edges_by_hand() -> None:
    """x–y is read in both units and once the other way round: 3 facts, 2 each."""
    facts = facts_of(["x|r|y", "z|r|z"], ["x|r|y", "y|s|x"], [])
    standing = [("x", "#0"), ("y", "#0"), ("z", "#0"), ("x", "#1"), ("y", "#1")]
    assert weights(facts) == {("x", "y"): 6} | dict.fromkeys(standing, 1)


def test_likeness_takes_the_place_of_facts_from_the_end_that_found_it() -> None:
    facts = facts_of(["x|r|y"], ["y|s|z"])
    both = np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([0.9, 0.9, 0.8])
    found = weights(facts, both)
    assert found["x", "y"] == pytest.approx(1.8)
    assert found["x", "z"] == pytest.approx(0.8)
    one = np.array([0]), np.array([1]), np.array([0.9])
    assert weights(facts, one)["x", "y"] == pytest.approx(1.9)  # .9 from x, and 1 from y


def test_no_fact_and_no_unit() -> None:
    assert weights(facts_of()) == {} and weights(facts_of([], [])) == {}
    assert facts_of([]).passages_of.tolist() == []


def test_short_phrases_ask_for_none_like_them() -> None:
    assert may_be_like(["", "법", "경보", "a b", "abc"]).tolist() == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert may_be_like(["ab", "a b c"], ascii_only=True).tolist() == [False, True]


def angles(*degrees):
    turned = np.radians(np.array(degrees, dtype=float))
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def like(vectors, threshold, most, asking=None):
    asking = np.ones(len(vectors), bool) if asking is None else np.array(asking)
    one, other, cosines = synonyms_of(vectors, asking, threshold, most)
    return list(zip(one.tolist(), other.tolist(), cosines.round(4).tolist(), strict=True))


def test_the_nearest_above_the_threshold_count_and_none_is_like_itself() -> None:
    """cos 20° = .9397, cos 30° = .8660, cos 50° = .6428."""
    vectors = angles(0, 20, 50)
    assert like(vectors, 0.8, 100) == [
        (0, 1, 0.9397), (1, 0, 0.9397), (1, 2, 0.866), (2, 1, 0.866),
    ]  # fmt: skip
    assert like(vectors, 0.8, 1) == [(0, 1, 0.9397), (1, 0, 0.9397), (2, 1, 0.866)]
    assert like(vectors, 0.8, 1, [False, True, False]) == [(1, 0, 0.9397)]
    assert like(vectors, 0.8, 0) == [] == like(np.zeros((3, 2), np.float32), 0.3, 5)
    assert like(np.zeros((0, 2), np.float32), 0.3, 5) == []


def test_of_equally_near_ones_the_first_count() -> None:
    assert like(angles(0, 10, 350, 10), 0.9, 1) == [
        (0, 1, 0.9848), (1, 3, 1.0), (2, 0, 0.9848), (3, 1, 1.0),
    ]  # fmt: skip


@given(
    st.lists(st.integers(0, 35), max_size=25), st.sampled_from([0.3, 0.8, 0.99]), st.integers(1, 5)
)
def test_it_is_what_a_plain_count_finds(tens, threshold, most) -> None:
    vectors = angles(*(10 * each for each in tens)) if tens else np.zeros((0, 2), np.float32)
    wide = vectors.astype(np.float64)
    expected = []
    for one in range(len(wide)):
        others = [(-float((wide[one] * row).sum()), at) for at, row in enumerate(wide) if at != one]
        near = sorted(each for each in others if -each[0] >= threshold)[:most]
        expected += [(one, at, round(-cosine, 4)) for cosine, at in near]
    assert like(vectors, threshold, most) == expected

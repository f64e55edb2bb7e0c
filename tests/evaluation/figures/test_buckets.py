from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figures.buckets import QuestionHits, curve, hit_rate


def test_questions_are_counted_in_the_bucket_of_their_similarity() -> None:
    alike = {"a": 0.05, "b": 0.1, "c": 0.19, "d": 0.3, "e": 1.0}
    scores = {"a": 0.0, "b": 1.0, "c": 0.0, "d": 1.0, "e": 1.0}
    found = curve("Recall@10", alike, scores)
    told = [(round(b.low, 6), round(b.high, 6), b.figure.value, b.figure.n) for b in found.buckets]
    assert told == [
        (0.0, 0.1, 0.0, 1),
        (0.1, 0.2, 0.5, 2),
        (0.3, 0.4, 1.0, 1),
        (0.9, 1.0, 1.0, 1),
    ]


def test_what_has_no_score_or_no_similarity_is_not_counted() -> None:
    found = curve("P@5", {"a": 0.2, "b": 0.2}, {"a": None, "b": 1.0, "c": 1.0})
    assert [bucket.figure.n for bucket in found.buckets] == [1]
    # One point has no slope.
    assert (found.slope.n, found.slope.value, found.start) == (1, None, None)
    assert curve("P@5", {"a": 0.3, "b": 0.1 + 0.2}, {"a": 0.0, "b": 1.0}).slope.value is None


def test_the_line_is_that_of_least_squares_through_the_questions() -> None:
    # x 0, 0.1, 0.2 and y 0, 1, 1: mean x 0.1, mean y 2/3;
    # slope (0.1·2/3 + 0.1·1/3) / (0.01 + 0.01) = 5, start 2/3 - 0.5 = 1/6.
    found = curve("x", {"a": 0.0, "b": 0.1, "c": 0.2}, {"a": 0.0, "b": 1.0, "c": 1.0})
    assert found.slope.value == pytest.approx(5.0)
    assert found.start == pytest.approx(1 / 6)


def test_a_clear_trend_has_an_interval_that_leaves_zero_out() -> None:
    alike = {f"q{n}": n / 100 for n in range(100)}
    scores = {f"q{n}": float(n >= 50) for n in range(100)}
    slope = curve("x", alike, scores).slope
    assert slope.value is not None and slope.low is not None and slope.high is not None
    assert 0 < slope.low < slope.value < slope.high


def test_a_width_that_cannot_be_is_refused() -> None:
    for width in (0.0, -0.1, 1.5):
        with pytest.raises(ValueError, match="wide"):
            curve("x", {}, {}, width)


@given(
    st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=30),
    st.sampled_from([0.05, 0.07, 0.1, 0.3, 1.0]),
)
def test_every_question_is_in_exactly_one_bucket_that_holds_it(
    alike: dict[str, float], width: float
) -> None:
    found = curve("x", alike, dict.fromkeys(alike, 1.0), width)
    assert sum(bucket.figure.n for bucket in found.buckets) == len(alike)
    for bucket in found.buckets:
        inside = [v for v in alike.values() if bucket.low - 1e-6 <= v < bucket.high + 1e-6]
        assert len(inside) >= bucket.figure.n
        assert 0 <= bucket.low < bucket.high <= 1


# a cites b and c, b cites a, c cites nothing, d cites b, s itself.
EDGES = {"a": ["b", "c"], "b": ["a"], "d": ["b"], "s": ["s"]}


def asked(question: str, seeds: str, gold: str) -> QuestionHits:
    return QuestionHits(question, tuple(seeds), frozenset(gold))


@pytest.mark.parametrize(
    ("questions", "missed", "linked", "reached"),
    [
        # One of two reaches what it missed; a leads to two units, d to one.
        ([asked("q1", "a", "c"), asked("q2", "d", "c")], (0.5, 2), (0.5, 2), 1.5),
        # Gold that was all found is no missed one, though an edge leads to it.
        ([asked("q1", "ab", "b"), asked("q2", "a", "c")], (1.0, 1), (1.0, 2), 1.5),
        # A question without gold is not counted, one without seeds is.
        ([asked("q1", "a", ""), asked("q2", "", "c")], (0.0, 1), (0.0, 1), 0.0),
        ([asked("q", "s", "s")], (None, 0), (0.0, 1), 0.0),  # its only edge leads to itself
        ([asked("q", "ab", "c")], (1.0, 1), (1.0, 1), 1.0),  # a seed is not reached
    ],
)
def test_hits_are_edges_from_seeds_to_gold(
    questions: list[QuestionHits],
    missed: tuple[float | None, int],
    linked: tuple[float, int],
    reached: float,
) -> None:
    found = hit_rate("graph", questions, EDGES)
    assert (found.missed.value, found.missed.n) == missed
    assert (found.linked.value, found.linked.n) == linked
    assert found.reached.value == reached

from __future__ import annotations

import pytest

from evaluation.figures.hits import QuestionHits, hit_rate

# a cites b and c, b cites a, c cites nothing, d cites b.
EDGES = {"a": ["b", "c"], "b": ["a"], "d": ["b"]}


def asked(question: str, seeds: str, gold: str) -> QuestionHits:
    return QuestionHits(question, tuple(seeds), frozenset(gold))


def test_an_edge_to_a_gold_unit_that_was_missed_is_a_hit() -> None:
    found = hit_rate("graph", [asked("q1", "a", "c"), asked("q2", "d", "c")], EDGES)
    assert (found.missed.value, found.missed.n) == (0.5, 2)
    assert found.reached.value == 1.5  # a leads to two units, d to one


def test_a_question_whose_gold_was_all_found_is_not_counted_among_the_missed() -> None:
    found = hit_rate("graph", [asked("q1", "ab", "b"), asked("q2", "a", "c")], EDGES)
    assert (found.missed.value, found.missed.n) == (1.0, 1)
    assert (found.linked.value, found.linked.n) == (1.0, 2)  # a leads to b, which is gold


def test_a_question_without_gold_is_not_counted_and_one_without_seeds_is() -> None:
    found = hit_rate("graph", [asked("q1", "a", ""), asked("q2", "", "c")], EDGES)
    assert (found.missed.value, found.missed.n) == (0.0, 1)
    assert (found.linked.value, found.linked.n) == (0.0, 1)


def test_an_edge_from_a_unit_to_itself_reaches_nothing() -> None:
    found = hit_rate("graph", [asked("q", "a", "a")], {"a": ["a"]})
    assert found.missed.value is None
    assert found.linked.value == 0.0
    assert found.reached.value == 0.0


def test_what_is_a_seed_already_is_not_reached() -> None:
    assert hit_rate("graph", [asked("q", "ab", "c")], EDGES).reached.value == 1.0


def test_nothing_asked_is_missing_not_zero() -> None:
    found = hit_rate("graph", [], EDGES)
    assert found.missed.value is None
    assert found.linked.n == 0
    assert found.missed.low is None


def test_the_interval_is_around_the_share() -> None:
    many = [asked(f"q{n}", "a" if n % 4 else "d", "c") for n in range(100)]
    found = hit_rate("graph", many, EDGES).missed
    assert found.value == pytest.approx(0.75)
    assert found.low is not None
    assert found.high is not None
    assert 0.6 < found.low < 0.75 < found.high < 0.9

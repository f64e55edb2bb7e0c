"""A small run of `benchmarks/answers_concurrency.py`."""

from __future__ import annotations

from benchmarks import answers_concurrency


def test_every_question_is_answered_under_every_context() -> None:
    told = answers_concurrency.measure(questions=20, concurrency=8, delay=0.05)
    assert (told["answers"], told["missing"]) == (60, 0)
    assert 1 < told["mean_concurrency"] <= told["most_concurrency"] == 8
    assert told["share_of_allowed"] == told["mean_concurrency"] / 8

"""The one comparison of groups of answers, by hand."""

from __future__ import annotations

import pytest

from evaluation.ranking.compare import Inference
from evaluation.scores import EACH, Score, by_group, compared

FEW = Inference(100)


def scored(
    system: str, *values: float | None, measure: str = "f1", context: str = ""
) -> list[Score]:
    return [Score("", f"q{at}", system, context, measure, v) for at, v in enumerate(values)]


def test_means_are_over_questions_with_a_number() -> None:
    rows = [*scored("a", 0.4, None, 0.2), *scored("b", 0.0, 1.0, 0.5)]
    values = by_group(rows, measures=("f1",), groups=("b", "none"))
    column = compared(values, inference=FEW)["f1"]
    assert list(column.figures) == ["b", "none", "a"] and column.figures["none"].value is None
    assert column.figures["a"].value == pytest.approx(0.3)
    assert (column.figures["a"].n, column.missing["a"]) == (2, 1)
    assert (column.baseline, set(column.best)) == ("b", {"b"})


def test_groups_are_compared_on_the_questions_that_both_have() -> None:
    rows = [*scored("a", *[0.0] * 8), *scored("b", *[1.0] * 8, None), *scored("c", *[0.0] * 8)]
    values = by_group(rows)
    best = compared(values, ("f1",), inference=FEW)["f1"]
    assert best.figures["a"].high is not None  # of a share, where a mean of equal values has none
    assert {name for name, *_ in best.pairs()} == {"a", "c"}
    one = compared(values, against="a", inference=FEW)["f1"].comparison("b")
    assert one is not None and (one.n, one.verdict) == (8, 1)
    every = compared(values, against=EACH, inference=FEW)["f1"]
    pairs = [(name, against) for name, against, _ in every.pairs()]
    assert pairs == [("b", "a"), ("c", "a"), ("c", "b")]
    assert [every.beaten(name) for name in "abc"] == [0, 2, 0]
    assert not compared(values, against=EACH, inference=FEW, tested=())["f1"].tests


def test_answers_to_one_question_are_one_observation() -> None:
    rows = [
        *scored("a", 1.0, None, context="gold"),
        *scored("b", 0.0, 0.5, context="gold"),
        *scored("c", None, context="none"),
    ]
    assert by_group(rows, "context") == {
        "f1": {"gold": {"q0": 0.5, "q1": 0.5}, "none": {"q0": None}}
    }
    nothing = compared(by_group(scored("c", None)), inference=FEW)["f1"]
    assert (nothing.baseline, nothing.best, list(nothing.pairs())) == (None, frozenset(), [])
    equal = compared(by_group([*scored("a", 0.5), *scored("b", 0.5)]), inference=FEW)["f1"]
    assert (equal.baseline, equal.best) == ("a", frozenset())

"""No expression of ours runs away on a text made to hold it up."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.our_patterns import Ours, attacks, our_patterns, seconds, ways

LENGTH = 600  # characters: what tries every way of a repetition in a repetition never ends on them
LIMIT = 0.25  # seconds of processor; the slowest of ours takes a tenth of it
AWAITED = {"evaluation.reading.choices"}  # is being written anew


@pytest.fixture(scope="module")
def patterns() -> Iterator[list[Ours]]:
    yield our_patterns()


def test_the_expressions_are_found(patterns: list[Ours]) -> None:
    rooms = {each.module.split(".")[0] for each in patterns}
    assert rooms >= {"corpus", "construction", "evaluation", "retrieval", "llm", "jobs"}
    assert len(patterns) > 300


@pytest.mark.parametrize(
    "text", [r"(a|a)*$", r"(\w+\s?)+$", r"(?:가|가의)?(?:\s?(?:가의|가|의))*x"]
)
def test_an_expression_that_runs_away_is_seen(text: str) -> None:
    bad = Ours("tests", "bad", re.compile(text), frozenset())
    assert _slowest(bad) >= LIMIT


def _slowest(each: Ours) -> float:
    return max(
        seconds(call, text, LIMIT) for call in ways(each) for text in attacks(each.pattern, LENGTH)
    )


def test_no_expression_of_ours_runs_away(patterns: list[Ours]) -> None:
    tried = [each for each in patterns if each.module not in AWAITED]
    assert [repr(each) for each in tried if _slowest(each) >= LIMIT] == []

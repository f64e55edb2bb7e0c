"""Citation scores against values worked by hand, and against published tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.attribution.citations import Mistakes, citation_score, mistakes
from evaluation.attribution.scores import PERFECT, Score, mean_score


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


IDS = st.sets(st.sampled_from("abcdefgh"))


@given(IDS, IDS.filter(bool))
def test_who_cites_everything_that_is_shown_has_all_recall_and_the_precision_that_follows(
    others: set[str], gold: set[str]
) -> None:
    shown = gold | others
    found = citation_score(shown, gold)
    assert found.recall == 1.0
    assert found.precision == pytest.approx(len(gold) / len(shown))
    assert mistakes(shown, gold, shown) == Mistakes(len(others - gold), 0, 0)


@given(IDS, IDS, st.permutations("abcdefgh"))
def test_the_order_of_the_context_changes_nothing(
    cited: set[str], gold: set[str], order: list[str]
) -> None:
    assert mistakes(cited, gold, order) == mistakes(cited, gold, sorted(order))
    assert citation_score(cited, [*order[:3], *order[:3]]) == citation_score(cited, order[2::-1])


def test_false_citations_are_told_apart_by_whether_they_were_shown() -> None:
    found = mistakes(cited={"a", "x", "y"}, gold={"a", "b", "c"}, shown=["a", "b", "x"])
    assert found == Mistakes(inside=1, outside=1, unused=1)
    assert mistakes({"a"}, {"b"}, None) == Mistakes(None, None, None)


# RegOps-Bench (2026): Citation F1 by difficulty (Table 7, with its numbers of questions) and over
# all questions (Table 4). That the second follows from the first shows that it is a mean over
# questions.
COUNTS = (48, 81, 54, 67)
BY_DIFFICULTY = {
    "4B NativeRAG": ((54.4, 39.7, 24.8, 27.6), 36.0),
    "4B LightRAG": ((38.1, 29.2, 18.7, 20.9), 26.4),
    "4B HippoRAG-2": ((57.8, 40.1, 22.7, 27.5), 36.4),
    "4B PIKE-RAG": ((67.0, 55.4, 25.0, 28.8), 44.0),
    "4B RefWalk": ((68.4, 57.8, 29.0, 31.9), 46.7),
    "35B NativeRAG": ((68.2, 55.2, 30.3, 31.9), 46.1),
    "35B LightRAG": ((58.1, 50.9, 26.3, 25.2), 40.1),
    "35B HippoRAG-2": ((75.0, 53.7, 29.4, 32.1), 46.8),
    "35B PIKE-RAG": ((62.3, 52.9, 26.2, 33.1), 43.7),
    "35B RefWalk": ((79.0, 66.7, 34.2, 37.2), 54.2),
}


@pytest.mark.parametrize("system", BY_DIFFICULTY)
def test_published_means_over_all_questions_follow_from_those_by_difficulty(system: str) -> None:
    parts, expected = BY_DIFFICULTY[system]
    scores = [
        Score(0.0, 0.0, part / 100)
        for part, count in zip(parts, COUNTS, strict=True)
        for _ in range(count)
    ]
    found = mean_score(scores, resamples=0).f1
    assert found.n == 250
    assert 100 * (found.value or 0) == pytest.approx(expected, abs=0.1)  # all are rounded

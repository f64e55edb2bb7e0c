from __future__ import annotations

from dataclasses import replace

import pytest

from corpus.compare.moved import SIMILAR, moved, renamed, similarity
from corpus.model import Level, Statute, Unit
from tests.corpus.compare.law import FARE, ICE, LAMP, VEST, article, deleted, statute


def pairs(old: list[Unit], new: list[Unit]) -> list[tuple[str, str]]:
    return [(one.label, other.label) for one, other, _ in moved(old, new)]


def test_a_provision_is_found_by_its_words() -> None:
    old = [article("1", LAMP), article("2", VEST)]
    new = [article("7", VEST + " 점검표를 둔다."), article("8", LAMP), article("9", ICE)]
    assert pairs(old, new) == [("제1조", "제8조"), ("제2조", "제7조")]


def test_below_the_threshold_nothing_is_found() -> None:
    half = LAMP[: len(LAMP) // 2] + FARE[len(FARE) // 2 :]
    assert similarity(article("1", LAMP), article("2", half)) < SIMILAR
    assert pairs([article("1", LAMP)], [article("2", half)]) == []


@pytest.mark.parametrize("twin", [LAMP, LAMP + " 또는 횃불을 든다."])
def test_a_tie_is_left_open(twin: str) -> None:
    new = [article("2", twin + " 가"), article("3", twin + " 나")]
    assert pairs([article("1", twin)], new) == []
    assert pairs(new, [article("1", twin)]) == []


def test_the_exact_words_win_over_nearly_the_same() -> None:
    new = [article("2", LAMP), article("3", LAMP + ".")]
    assert pairs([article("1", LAMP)], new) == [("제1조", "제2조")]


def test_only_living_units_of_one_level_are_paired() -> None:
    annex = replace(article("2", LAMP), level=Level.ANNEX)
    assert pairs([article("1", LAMP)], [annex]) == []
    assert pairs([deleted("1")], [deleted("2")]) == []
    assert pairs([article("1", "")], [article("2", "")]) == []


def test_where_only_headings_are_known_they_must_be_equal() -> None:
    known = replace(article("1", "", "구명조끼의 수와 보관"), text_missing=True)
    near = replace(known, semantic_id="나루법_2조", heading="구명조끼의 수와 보관 장소")
    assert pairs([known], [near]) == []
    assert len(moved([known], [replace(near, heading=known.heading)])) == 1


OLD = statute(article("1", LAMP), article("2", VEST), article("3", FARE))


def names(old: list[Statute], new: list[Statute]) -> list[tuple[str, str]]:
    return [(one.title, other.title) for one, other in renamed(old, new)]


def test_half_of_the_lines_must_have_been_kept() -> None:
    most = statute(article("1", LAMP), article("2", VEST), article("3", ICE), title="강법")
    little = statute(article("1", LAMP), article("2", ICE), title="강법")
    assert names([OLD], [most]) == [("나루법", "강법")]
    assert names([OLD], [little]) == []


def test_two_that_fit_equally_well_are_left_open() -> None:
    twins = [statute(*OLD.units, title=title) for title in ("강법", "배법")]
    assert names([OLD], twins) == []
    assert names(twins, [OLD]) == []


def test_another_language_is_another_statute() -> None:
    assert names([OLD], [replace(statute(*OLD.units, title="강법"), language="en")]) == []


def test_statutes_without_text_are_never_paired() -> None:
    assert names([statute()], [statute(title="강법")]) == []

"""Classes of pairs: each by its rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.labels import Verdict, judge
from corpus.citations.find import find
from corpus.citations.labels import unit_of_label
from corpus.citations.model import CitedPlace
from corpus.citations.resolve import resolve
from corpus.model import Level, Question
from tests.corpus.citations.law import (
    ACT,
    CATALOGUE,
    DECREE,
    ENGLISH,
    OTHER,
    STANDARD,
    SUCCESSOR,
    unit,
)

OBSOLETE = "소방시설 설치ㆍ유지 및 안전관리에 관한 법률"


def verdicts(answer: str, gold: set[str], strings: tuple[str, ...] = ()) -> dict[str, Verdict]:
    question = Question("1", "질문", answer, "ko", strings)
    resolutions = resolve(find(answer), answer, CATALOGUE)
    pairs = judge(question, gold, resolutions, CATALOGUE, Level.ARTICLE)
    return {pair.unit_id: pair.verdict for pair in pairs}


A5, D5, O5 = unit(ACT, "5조"), unit(DECREE, "5조"), unit(OTHER, "5조")


@pytest.mark.parametrize(
    ("answer", "gold", "strings", "expected"),
    [
        (f"「{ACT}」 제5조", {A5}, (), {A5: Verdict.HIT}),
        (f"「{ACT}」 제5조", set(), (), {A5: Verdict.LABEL_OMITS_VERBATIM}),
        ("「수로보전법」 제5조", set(), ("「수로보전법」 제5조",), {A5: Verdict.EXTRA}),
        ("「수로보전법」 제5조", set(), (), {A5: Verdict.UNLISTED}),
        ("「수로보전법」 제5조제1항", set(), ("「수로보전법」 제5조",), {A5: Verdict.EXTRA}),
        (f"「{ACT}」에 따른다", {A5}, (), {A5: Verdict.LABEL_NOT_CITED}),
        ("제5조, 수로보전법에 따라 제5조", {A5}, (), {A5: Verdict.HIT}),
        ("「수로보전 법률안」에 관한 제5조", {O5}, (), {O5: Verdict.LABEL_OTHER_INSTRUMENT}),
        (f"「{OBSOLETE}」 제23조", {unit(SUCCESSOR, "23조")}, (), None),
        (f"{OTHER} 등 여러 법 가운데 {ACT}의 제5조", {O5}, (), None),
    ],
)
def test_verdicts(answer, gold, strings, expected) -> None:
    found = verdicts(answer, gold, strings)
    if expected is None:
        assert {found[g] for g in gold} == {Verdict.LABEL_OTHER_INSTRUMENT}
    else:
        assert found == expected


def test_a_failure_of_the_resolver_stays_a_miss() -> None:
    """A name near the labelled title, or a pointer after it, never excuses the resolver."""
    answer = f"「{ACT}」에 따르면 같은 법 제5조"
    question = Question("1", "질문", answer, "ko")
    (pair,) = judge(question, {A5}, [], CATALOGUE, Level.ARTICLE)
    assert pair.verdict is Verdict.MISSED
    unresolved = resolve(find(answer), answer, type(CATALOGUE)([]))
    (pair,) = judge(question, {A5}, unresolved, CATALOGUE, Level.ARTICLE)
    assert pair.verdict is Verdict.MISSED


def test_a_short_name_that_the_resolver_cannot_read_stays_a_miss() -> None:
    """수보법 may well be 수로의 보전… 법률, so nothing is excused."""
    assert verdicts("수보법 제5조", {A5}) == {A5: Verdict.MISSED}
    assert verdicts("수변법 제5조", {A5}) == {A5: Verdict.LABEL_OTHER_INSTRUMENT}


def test_a_branch_without_its_letter_is_written_and_its_article_is_not() -> None:
    """The answer cites article 9-2, so article 9 is no label that somebody forgot."""
    answer = f"「{ACT}」 제9조2(제목)"
    question = Question("1", "질문", answer, "ko", (f"「{ACT}」 제9조2",))
    (citation,) = find(answer)
    misread = replace(citation, places=(CitedPlace(Level.ARTICLE, "9"),))
    resolutions = resolve([misread], answer, CATALOGUE)
    gold, wrong = unit(ACT, "9조의2"), unit(ACT, "9조")
    pairs = judge(question, {gold}, resolutions, CATALOGUE, Level.ARTICLE)
    assert {p.unit_id: p.verdict for p in pairs} == {gold: Verdict.MISSED, wrong: Verdict.EXTRA}
    counted = judge(
        replace(question, answer=f"「{ACT}」 제9조2항"), {gold}, [], CATALOGUE, Level.ARTICLE
    )
    assert [p.verdict for p in counted] == [Verdict.LABEL_NOT_CITED]


@pytest.mark.parametrize(
    ("label", "place"),
    [
        ("5조", "5조"),
        ("9조의2", "9조의2"),
        ("별표1-1호의나", "별표1"),
        ("별표4의2-비고", "별표4의2"),
    ],
)
def test_labels_are_cut_down_to_units(label: str, place: str) -> None:
    title = ACT if "조" in place else DECREE
    assert unit_of_label(unit(title, label), CATALOGUE) == unit(title, place)


@pytest.mark.parametrize(
    "label", [unit(ACT, "99조"), "없는-법_5조", unit(ACT, "부칙-법률-제1호"), "5조"]
)
def test_labels_outside_the_corpus(label: str) -> None:
    assert unit_of_label(label, CATALOGUE) is None


def test_labels_of_sections_and_english_articles() -> None:
    assert unit_of_label(unit(STANDARD, "2.1"), CATALOGUE) == unit(STANDARD, "2.1")
    assert unit_of_label(unit(ENGLISH, "article-9-2"), CATALOGUE) == unit(ENGLISH, "article-9-2")

"""What the resolver and the text index make of the sample's answers is what its README says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import resolve
from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Question, Statute
from retrieval.lexical.bm25_method import BM25Index

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
QUESTIONS = read_questions(SAMPLE / "questions.jsonl")
RETRIEVED = {Level.ARTICLE, Level.SECTION, Level.ANNEX}

# Cited as background, not as what answers the question.
CONTEXT = {"ko-07": {"가온-화재안전-기본법_11조"}}
# Citations that cannot resolve, and why.
FAILING = {
    ("ko-05", "같은 영 부칙 제2조"): Reason.SEVERAL_MATCH,
    ("ko-10", "「가온 승강장치 안전법」 제20조"): Reason.NO_SUCH_INSTRUMENT,
    ("ko-12", "「가온 화재안전 기본법」 제41조제2항"): Reason.NO_SUCH_PLACE,
    ("ko-13", "별표 2"): Reason.NO_ANTECEDENT,
    ("en-08", "Article 14 of the Gaon Fire Insurance Act"): Reason.NO_SUCH_INSTRUMENT,
}
# Gold that no citation of the answer reaches.
UNCITED = {
    "ko-09": {"가온-화재안전-기본법_10조"},
    "ko-12": {"가온-화재안전-기본법_14조"},
    "ko-13": {"가온-화재안전-기본법-시행규칙_4조", "가온-화재안전-기본법-시행규칙_별표2"},
    "en-06": {
        "Gaon-Fire-Safety-Technical-Standard-for-Smoke-Curtain-Systems-GFTC-101E_2.2",
    },
}


@pytest.fixture(scope="module")
def statutes() -> list[Statute]:
    return read_tree(SAMPLE / "statutes")


@pytest.fixture(scope="module")
def catalogue(statutes: list[Statute]) -> Catalogue:
    return Catalogue.from_statutes(statutes)


def _resolved(question: Question, catalogue: Catalogue) -> list[Resolution]:
    return resolve(find(question.answer), question.answer, catalogue)


def test_citations_reach_the_gold_and_nothing_else(catalogue: Catalogue) -> None:
    for each in QUESTIONS:
        reached = {t.unit_id for r in _resolved(each, catalogue) for t in r.targets}
        gold = set(each.gold_ids) - UNCITED.get(each.external_id, set())
        assert reached == gold | CONTEXT.get(each.external_id, set()), each.external_id


def test_exactly_the_documented_citations_fail(catalogue: Catalogue) -> None:
    failing = {
        (question.external_id, one.citation.text): one.reason
        for question in QUESTIONS
        for one in _resolved(question, catalogue)
        if one.status is not Status.RESOLVED
    }
    assert failing == FAILING


def _searched(statutes: list[Statute]) -> Iterator[tuple[str, str]]:
    for statute in statutes:
        for unit in statute.units:
            if unit.level in RETRIEVED and not unit.deleted:
                text = f"{statute.title} {unit.label} {unit.heading} {unit.text}"
                yield unit.semantic_id, text


def test_the_wording_finds_what_no_citation_reaches(statutes: list[Statute]) -> None:
    ids, texts = zip(*_searched(statutes), strict=True)
    index = BM25Index.fit(ids, texts)
    for question in QUESTIONS:
        if question.external_id in UNCITED:
            found = [hit.unit_id for hit in index.search(question.text, 10)]
            assert UNCITED[question.external_id] <= set(found), question.external_id

"""Which units retrieval searches, and what it searches of them."""

from __future__ import annotations

import pytest

from storage.imports import keep_statutes
from storage.passages import outside_retrieval_corpus, passages_by_id, retrieval_corpus
from tests.small_law import ACT, RULE, SLUG, law, small_workspace

FORM, DELETED, ADDENDUM = f"{ACT}_별지1서식", f"{ACT}_3조", f"{ACT}_부칙-1"


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


def test_the_corpus_holds_articles_and_annexes_that_are_in_force(ws):
    with ws.reading() as session:
        corpus = retrieval_corpus(session, 1)
    assert [passage.unit_id for passage in corpus] == [
        f"{RULE}_article-1",
        f"{RULE}_article-2",
        *(f"{ACT}_{place}" for place in ("1조", "2조", "4조", "별표1")),
    ]


def test_what_is_searched_and_shown(ws):
    with ws.reading() as session:
        found = passages_by_id(session, 1, [f"{ACT}_2조", FORM, "absent"])
    assert set(found) == {f"{ACT}_2조", FORM}
    article = found[f"{ACT}_2조"]
    assert article.title == "나루안전법 제2조 (구명조끼)"
    assert article.searched == f"나루안전법 제2조 구명조끼 {article.text}"
    assert found[FORM].title == "나루안전법 별지 제1호서식 (나룻배 신고서)"
    assert (article.tier, article.kind, article.path) == (1, "act", ())


def test_gold_outside_the_corpus_can_be_taken_in(ws):
    with ws.reading() as session:
        outside = outside_retrieval_corpus(session, 1, [FORM, f"{ACT}_1조", DELETED, ADDENDUM])
        ids = [passage.unit_id for passage in retrieval_corpus(session, 1, outside)]
    assert outside == sorted([FORM, DELETED, ADDENDUM])
    assert len(ids) == 9 and ids == sorted(ids)


def test_a_unit_that_a_newer_snapshot_lacks_is_shown_and_never_in_its_corpus(ws):
    act, rule = law(" 새 문장.")
    keep_statutes(ws, SLUG, [act], "second")
    with ws.reading() as session:
        ids = [f"{RULE}_article-1", f"{ACT}_1조"]
        found = passages_by_id(session, 2, ids)
        corpus = retrieval_corpus(session, 2, ids)
    assert found[f"{RULE}_article-1"].text == rule.units[0].text
    assert found[f"{ACT}_1조"].text.endswith("새 문장.")
    assert {passage.statute_id for passage in corpus} == {ACT}


def test_many_ids_are_asked_for_in_batches(ws):
    with ws.reading() as session:
        ids = [f"absent-{i}" for i in range(40_000)]
        assert passages_by_id(session, 1, ids) == {}
        assert outside_retrieval_corpus(session, 1, ids[:1500]) == sorted(ids[:1500])

"""Which units retrieval searches, and what it searches of them."""

from __future__ import annotations

import pytest

from corpus.model import Level
from storage.law.imports import keep_statutes
from storage.law.passages import (
    ABSENT,
    RETRIEVED_LEVELS,
    not_searched,
    passages_by_id,
    retrieval_corpus,
    retrieval_ids,
)
from tests.projects.small_law import ACT, RULE, SLUG, law, small_workspace

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


def test_the_corpus_is_of_the_levels_that_are_asked_for(ws):
    levels = (Level.FORM, Level.ADDENDUM)
    with ws.reading() as session:
        ids = [passage.unit_id for passage in retrieval_corpus(session, 1, levels)]
        assert ids == retrieval_ids(session, 1, levels) == sorted([FORM, ADDENDUM])
        assert len(retrieval_ids(session, 1, tuple(Level))) == 8  # all but the deleted article


def test_what_is_not_searched_is_told_with_its_reason(ws):
    named = [FORM, f"{ACT}_1조", DELETED, ADDENDUM, "absent", FORM]
    with ws.reading() as session:
        outside = not_searched(session, 1, RETRIEVED_LEVELS, named)
        articles = not_searched(session, 1, (Level.ARTICLE,), [f"{ACT}_별표1", DELETED])
        forms = not_searched(session, 1, (Level.FORM,), [FORM, DELETED])
    assert outside == {
        "absent": ABSENT,
        ADDENDUM: "addendum",
        DELETED: "deleted",
        FORM: "form",
    }
    assert list(outside) == sorted(outside)
    assert articles == {f"{ACT}_별표1": "annex", DELETED: "deleted"}
    assert forms == {DELETED: "article"}


def test_a_unit_that_a_newer_snapshot_lacks_is_shown_and_never_in_its_corpus(ws):
    act, rule = law(" 새 문장.")
    keep_statutes(ws, SLUG, [act], "second")
    with ws.reading() as session:
        ids = [f"{RULE}_article-1", f"{ACT}_1조"]
        found = passages_by_id(session, 2, ids)
        corpus = retrieval_corpus(session, 2)
    assert found[f"{RULE}_article-1"].text == rule.units[0].text
    assert found[f"{ACT}_1조"].text.endswith("새 문장.")
    assert {passage.statute_id for passage in corpus} == {ACT}


def test_many_ids_are_asked_for_in_batches(ws):
    with ws.reading() as session:
        ids = [f"absent-{i}" for i in range(40_000)]
        assert passages_by_id(session, 1, ids) == {}
        outside = not_searched(session, 1, RETRIEVED_LEVELS, ids[:1500])
        assert outside == dict.fromkeys(sorted(ids[:1500]), ABSENT)

"""Terms-and-connectors search over the law in use and the court cases of a project."""

from __future__ import annotations

import json

import pytest

from corpus.model import Level, Part, Statute, Tier, Unit
from errors import UserError
from services.cases.importing import import_court_cases
from services.research.search import Collection, authority_at, search_authorities
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project, project_by_slug

SLUG = "law"
SECOND = "② 관리자는 매년 점검하여야 한다."
TEXT = "① 관계인은 소방안전관리자를 선임하여야 한다.\n  1. 신고\n  2. 과태료의 부과\n" + SECOND
PARTS = (
    Part("1항", 0, TEXT.index(SECOND)),
    Part("1항/1호", TEXT.index("1."), TEXT.index("2.")),
    Part("1항/2호", TEXT.index("2."), TEXT.index(SECOND)),
    Part("2항", TEXT.index(SECOND), len(TEXT)),
)


def law(text: str = TEXT) -> list[Statute]:
    article = Unit("소방법_1조", "소방법", Level.ARTICLE, "제1조", "선임", text, 1, parts=PARTS)
    other = Unit("소방법_2조", "소방법", Level.ARTICLE, "제2조", "", "과태료를 부과한다.", 2)
    gone = Unit("소방법_3조", "소방법", Level.ARTICLE, "제3조", "", "과태료", 3, deleted=True)
    units = (article, other, gone)
    return [Statute("소방법", "소방법", "act", Tier.ACT, "ko", units, file="a.md")]


@pytest.fixture
def ws(tmp_path, clock) -> Workspace:
    ws = Workspace(tmp_path / "w", clock)
    migrate(ws)
    create_project(ws, SLUG, "Law")
    return ws


def ids(ws: Workspace, query: str, collection: Collection = Collection.STATUTES) -> list[str]:
    (found,) = search_authorities(ws, SLUG, query, [collection]).found
    assert found.texts == len(found.hits)
    return [hit.authority.id for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("과태료", ["소방법_1조", "소방법_2조"]),
        ("과태료 & 소방법", ["소방법_1조", "소방법_2조"]),
        ("선임! /p 과태료", ["소방법_1조"]),
        ("선임! /s 과태료", []),
        ("선임! /p 점검!", []),
        ("과태료 /s 부과!", ["소방법_1조", "소방법_2조"]),
        ("신고 /s 부과", []),
        ("과태료 % 점검", ["소방법_2조"]),
    ],
)
def test_paragraphs_and_sentences_are_those_of_the_law(ws, query, found) -> None:
    keep_statutes(ws, SLUG, law(), "a")
    assert ids(ws, query) == found


def test_matches_are_spans_of_title_and_text(ws) -> None:
    keep_statutes(ws, SLUG, law(), "a")
    (found,) = search_authorities(ws, SLUG, "선임! +s 한다 점검!", [Collection.STATUTES]).found
    hit = found.hits[0]
    assert [hit.authority.text[a:b] for a, b in hit.in_text] == ["선임하여야 한다"]
    (found,) = search_authorities(ws, SLUG, "선임", [Collection.STATUTES]).found
    assert [found.hits[0].authority.title[a:b] for a, b in found.hits[0].in_title] == ["선임"]
    assert (found.searched, found.texts, found.matches) == (2, 1, 2)


def test_another_law_has_another_index(ws) -> None:
    assert search_authorities(ws, SLUG, "과태료").found == ()
    keep_statutes(ws, SLUG, law(), "a")
    assert ids(ws, "벌금") == []
    keep_statutes(ws, SLUG, law("벌금"), "b")
    assert ids(ws, "벌금") == ["소방법_1조"]
    assert len(list(ws.indexes.glob("connectors-statutes-*"))) == 2


def test_court_cases_are_searched_as_they_come(ws, tmp_path) -> None:
    file = tmp_path / "cases.jsonl"
    body = "첫 문장이다. 고의가 있다.\n손해배상 책임이 있다."
    for number in (1, 2):
        row = {"id": f"c{number}", "title": "손해배상(기)", "text": f"{body} {number}"}
        file.write_text(json.dumps(row), encoding="utf-8")
        import_court_cases(ws, SLUG, file)
        assert len(ids(ws, "고의 & 손해배상", Collection.CASES)) == number
    assert ids(ws, "고의 /p 손해배상", Collection.CASES) == []
    project = project_by_slug(ws, SLUG).id
    assert authority_at(ws, project, 0, Collection.CASES, "c1").text == f"{body} 1"
    with pytest.raises(UserError, match="c9"):
        authority_at(ws, project, 0, Collection.CASES, "c9")
    with pytest.raises(UserError, match="소방법_1조"):
        authority_at(ws, project, 0, Collection.STATUTES, "소방법_1조")


def test_a_query_that_cannot_be_read_is_refused_before_any_index_is_made(ws) -> None:
    keep_statutes(ws, SLUG, law(), "a")
    with pytest.raises(UserError) as caught:
        search_authorities(ws, SLUG, "과태료 /s")
    assert caught.value.code == "connectors_missing"
    assert not ws.indexes.exists()

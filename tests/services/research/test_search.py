"""Terms-and-connectors search over the law in use and the court cases of a project."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from annotation.work.queue_service import open_item
from corpus.model import Statute
from errors import UserError
from services.cases.importing import import_court_cases
from services.research.export import export_research
from services.research.search import (
    Collection,
    authority_at,
    look_for_item,
    make_research_items,
    open_for_item,
    research_counts,
    search_authorities,
    search_for_item,
)
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project, project_by_slug
from tests.projects.research_project import (
    OTHER,
    RULE,
    SLUG,
    TEXT,
    ResearchHouse,
    build,
    law,
    passage,
    submitted,
)
from tests.support.refusals import code_of

SLUG_OF_SEARCH = "law"


def law_of_search(text: str = TEXT) -> list[Statute]:
    """Return the project's act with a plainer second article and a deleted third."""
    [statute] = law(text)
    article, other = statute.units
    other = replace(other, heading="", text="과태료를 부과한다.")
    gone = replace(other, semantic_id="소방법_3조", label="제3조", order=3, deleted=True)
    return [replace(statute, units=(article, other, gone))]


@pytest.fixture
def ws(tmp_path, clock) -> Workspace:
    ws = Workspace(tmp_path / "w", clock)
    migrate(ws)
    create_project(ws, SLUG_OF_SEARCH, "Law")
    return ws


def ids(ws: Workspace, query: str, collection: Collection = Collection.STATUTES) -> list[str]:
    (found,) = search_authorities(ws, SLUG_OF_SEARCH, query, [collection]).found
    assert found.texts == len(found.hits)
    return [hit.authority.id for hit in found.hits]


def test_paragraphs_and_sentences_are_those_of_the_law_and_matches_are_spans(ws) -> None:
    keep_statutes(ws, SLUG_OF_SEARCH, law_of_search(), "a")
    search = partial(search_authorities, ws, SLUG_OF_SEARCH, collections=[Collection.STATUTES])
    assert code_of(search, "과태료 /s") == "connectors_missing"
    assert not ws.indexes.exists(), "refused before any index is made"
    for query, found in (
        ("과태료", ["소방법_1조", "소방법_2조"]),
        ("과태료 & 소방법", ["소방법_1조", "소방법_2조"]),
        ("선임! /p 과태료", ["소방법_1조"]),
        ("선임! /s 과태료", []),
        ("선임! /p 훈련!", []),
        ("과태료 /s 부과!", ["소방법_1조", "소방법_2조"]),
        ("신고 /s 부과", []),
        ("과태료 % 훈련", ["소방법_2조"]),
    ):
        assert ids(ws, query) == found, query
    hit = search("선임! +s 한다 훈련!").found[0].hits[0]
    assert [hit.authority.text[a:b] for a, b in hit.in_text] == ["선임하여야 한다"]
    (titled,) = search("선임").found
    assert [titled.hits[0].authority.title[a:b] for a, b in titled.hits[0].in_title] == ["선임"]
    assert (titled.searched, titled.texts, titled.matches) == (2, 1, 2)


def test_another_law_has_another_index(ws) -> None:
    assert search_authorities(ws, SLUG_OF_SEARCH, "과태료").found == ()
    keep_statutes(ws, SLUG_OF_SEARCH, law_of_search(), "a")
    assert ids(ws, "벌금") == []
    keep_statutes(ws, SLUG_OF_SEARCH, law_of_search("벌금"), "b")
    assert ids(ws, "벌금") == ["소방법_1조"]
    assert len(list(ws.indexes.glob("connectors-statutes-*"))) == 2


def test_court_cases_are_searched_as_they_come(ws, tmp_path) -> None:
    file = tmp_path / "cases.jsonl"
    body = "첫 문장이다. 고의가 있다.\n손해배상 책임이 있다."
    for number in (1, 2):
        row = {"id": f"c{number}", "title": "손해배상(기)", "text": f"{body} {number}"}
        file.write_text(json.dumps(row), encoding="utf-8")
        import_court_cases(ws, SLUG_OF_SEARCH, file)
        assert len(ids(ws, "고의 & 손해배상", Collection.CASES)) == number
    assert ids(ws, "고의 /p 손해배상", Collection.CASES) == []
    project = project_by_slug(ws, SLUG_OF_SEARCH).id
    assert authority_at(ws, project, 0, Collection.CASES, "c1").text == f"{body} 1"
    with pytest.raises(UserError, match="c9"):
        authority_at(ws, project, 0, Collection.CASES, "c9")
    with pytest.raises(UserError, match="소방법_1조"):
        authority_at(ws, project, 0, Collection.STATUTES, "소방법_1조")


@pytest.fixture
def house(tmp_path, clock) -> ResearchHouse:
    return build(tmp_path / "w", clock)


def trail(house: ResearchHouse, who: int, item: int) -> list[dict[str, object]]:
    steps: list[dict[str, object]] = open_item(house.ws, who, item).answers.get("trail", [])
    return steps


def test_every_step_is_kept_in_the_draft(house) -> None:
    where = house.ws, house.ann, house.items[0]
    found = search_for_item(*where, "선임!   /s   관계인")
    assert [each.texts for each in found.found] == [1, 1]
    opened = open_for_item(*where, Collection.STATUTES, "소방법_1조")
    assert opened.text == TEXT
    open_for_item(*where, Collection.STATUTES, "소방법_1조")
    search_for_item(*where, "없는말")
    assert trail(house, *where[1:]) == [
        {
            "step": "query",
            "query": "선임! /s 관계인",
            "found": {"cases": [1, 2], "statutes": [1, 2]},
        },
        {"step": "open", "collection": "statutes", "id": "소방법_1조"},
        {"step": "query", "query": "없는말", "found": {"cases": [0, 0], "statutes": [0, 0]}},
    ]
    assert trail(house, house.ben, house.items[0]) == []


def test_what_cannot_be_searched_or_opened_leaves_no_step(house) -> None:
    where = house.ws, house.ann, house.items[0]
    with pytest.raises(UserError):
        search_for_item(*where, "a /s")
    with pytest.raises(UserError):
        open_for_item(*where, Collection.CASES, "none")
    assert trail(house, *where[1:]) == []
    with pytest.raises(UserError):
        search_for_item(house.ws, house.lead, house.items[0], "선임!")


def test_a_draft_is_researched_in_the_law_it_was_begun_on(house) -> None:
    where = house.ws, house.ann, house.items[0]
    search_for_item(*where, "선임!")
    keep_statutes(house.ws, SLUG, law("새 법이다."), "new")
    assert search_for_item(*where, "새").found[0].texts == 0
    assert look_for_item(*where, Collection.STATUTES, "소방법_1조").text == TEXT


def test_submitted_work_is_looked_at_and_not_searched_on(house) -> None:
    where = house.ws, house.ann, house.items[0]
    submitted(house, house.ann, house.items[0], passage())
    assert look_for_item(*where, Collection.STATUTES, "소방법_1조").text == TEXT
    with pytest.raises(UserError):
        search_for_item(*where, "선임!")


def test_items_are_made_once(house) -> None:
    assert research_counts(house.ws, SLUG) == make_research_items(house.ws, SLUG, 2)
    assert research_counts(house.ws, SLUG).items == 3


def test_the_export_has_offsets_and_trails(house, tmp_path) -> None:
    alike, apart, _ = house.items
    for who in (house.ann, house.ben):
        search_for_item(house.ws, who, alike, "선임!")
        submitted(house, who, alike, passage())
    submitted(house, house.ann, apart, passage())
    submitted(
        house, house.ben, apart, passage(OTHER, OTHER, collection="statutes", id="소방법_2조")
    )
    done = export_research(house.ws, SLUG, tmp_path / "out")
    assert (done.gold, done.complete, done.disputed) == (1, 2, 1)
    (gold,) = map(json.loads, (tmp_path / "out" / "passages.jsonl").read_text("utf-8").splitlines())
    (place,) = gold["passages"]
    assert TEXT[place["start"] : place["end"]] == place["quote"] == RULE
    assert gold["overlap"] == [{"token_f1": 1.0, "exact": 1.0, "authority": 1.0}]
    assert (gold["choices"][0], gold["snapshot"], gold["decided"]) == ("관계인", "law", False)
    lines = (tmp_path / "out" / "trails.jsonl").read_text("utf-8").splitlines()
    trails = [json.loads(line) for line in lines]
    assert [each["person"] for each in trails] == ["Ann", "Ben", "Ann", "Ben"]
    assert trails[0]["trail"][0]["query"] == "선임!"
    before = [file.read_bytes() for file in sorted((tmp_path / "out").iterdir())]
    export_research(house.ws, SLUG, tmp_path / "again")
    assert before == [file.read_bytes() for file in sorted((tmp_path / "again").iterdir())]

"""Researching a question: what is searched and opened is kept; items; the export."""

from __future__ import annotations

import json

import pytest

from annotation.work.queue_service import open_item
from errors import UserError
from services.research.export import export_research
from services.research.search import Collection
from services.research.work import (
    look_for_item,
    make_research_items,
    open_for_item,
    research_counts,
    search_for_item,
)
from storage.law.imports import keep_statutes
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


@pytest.fixture
def house(tmp_path, clock) -> ResearchHouse:
    return build(tmp_path / "w", clock)


def trail(house: ResearchHouse, who: int, item: int) -> list[dict[str, object]]:
    steps: list[dict[str, object]] = open_item(house.ws, who, item).answers.get("trail", [])
    return steps


def test_every_step_is_kept_in_the_draft(house) -> None:
    where = house.ws, house.ann, house.items[0]
    found = search_for_item(*where, "선임!   /s   관계인")
    assert [(each.collection, each.texts) for each in found.found] == [
        ("statutes", 1),
        ("cases", 1),
    ]
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
    for call, given in (
        (search_for_item, ("a /s",)),
        (open_for_item, (Collection.CASES, "none")),
    ):
        with pytest.raises(UserError):
            call(*where, *given)
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

"""Versions of what people say for datasheets."""

from __future__ import annotations

import pytest

from annotation.people.members import add_person
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.datasheet_form import as_yaml
from storage.projects import project_by_slug
from tests.projects.small_law import SLUG, small_workspace
from tests.support.refusals import code_of


def save(ws, slug, said, *rest):
    return DATASHEET_ANSWERS.save(ws, slug, as_yaml(said), *rest)


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


def now(ws):
    with ws.reading() as session:
        return DATASHEET_ANSWERS.current(session, project_by_slug(ws, SLUG).id)


def test_versions_stay_and_the_newest_holds(ws):
    lead = add_person(ws, SLUG, "Rae", "researcher").id
    assert now(ws) == (1, {})
    assert save(ws, SLUG, {"funding": "Grant 1\nand 2 ", "contact": " "}, "begun", 1, lead) == 2
    assert now(ws) == (2, {"funding": "Grant 1\nand 2"})
    assert save(ws, SLUG, {"contact": "a@b.kr"}, "", 2) == 3
    assert now(ws) == (3, {"contact": "a@b.kr"})
    found = DATASHEET_ANSWERS.editions(ws, SLUG)
    assert [(each.number, each.person, each.note) for each in found] == [
        (3, None, ""),
        (2, "Rae", "begun"),
        (1, None, ""),
    ]
    assert "Grant 1" in DATASHEET_ANSWERS.edition(ws, SLUG, 2).text


def test_only_leads_fill_it_in(ws):
    judge = add_person(ws, SLUG, "Judge", "adjudicator").id
    assert code_of(lambda: save(ws, SLUG, {"funding": "x"}, "", 1, judge)) == "not_allowed"


def test_what_is_nothing_new_or_overtaken_is_refused(ws):
    assert code_of(lambda: save(ws, SLUG, {}, "", 1)) == "document_same"
    save(ws, SLUG, {"funding": "x"}, "", 1)
    assert code_of(lambda: save(ws, SLUG, {"funding": "y"}, "", 1)) == "document_stale"
    assert code_of(lambda: save(ws, SLUG, {"funding": "x"}, "", 2)) == "document_same"
    assert code_of(lambda: save(ws, SLUG, {"funding": "y"}, "n" * 1001, 2)) == "text_too_long"
    assert code_of(lambda: save(ws, SLUG, {"funding": "y" * 4001}, "", 2)) == "text_too_long"

"""Whoever tagged a case is told on *My work* and in the case that it came into one more group."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import PersonView, add_person
from annotation.work import commands
from annotation.work.versioned_texts import TYPOLOGY
from messages import say
from pages.shell.guard import md_literal
from services.tagging.items import make_items
from tests.annotation.tagging.test_tags import NEW, ONE_MORE, item_of, tag
from tests.conftest import FakeClock
from tests.pages.screens import opened, person_of, told
from tests.pages.small_project import shown
from tests.services.cases.grouped_cases import SLUG, Grouped, bring_in, build


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    made = build(tmp_path / "workspace", clock)
    bring_in(made.ws, SLUG, [("2022-1", "", ("모욕", "무고"), ())])
    make_items(made.ws, SLUG)
    return made


def lawyer(house: Grouped) -> PersonView:
    return add_person(house.ws, SLUG, "Lawyer", "lawyer")


def my_work(house: Grouped, person: PersonView) -> str:
    return shown(opened("start", house.ws, person, SLUG))


def test_the_lawyer_of_a_case_is_told_where_they_work_and_in_the_case(house: Grouped) -> None:
    item, ann = item_of(house, "2022-1"), lawyer(house)
    other = person_of(house.ws, SLUG, house.annotator)
    tag(house, ann.id, item)
    which = md_literal(say("start.tasks.joined_which", name="2022-1", count=1))
    assert which not in my_work(house, ann)
    TYPOLOGY.save(house.ws, SLUG, ONE_MORE, "one more", 2, house.researcher)
    make_items(house.ws, SLUG)
    assert which in my_work(house, ann)
    assert which not in my_work(house, other)  # who has not tagged it
    found = told("factor_tagging", house.ws, ann, item, SLUG)["fixed"]
    assert found["joined"] == [NEW]
    names = dict(found["groups"])
    assert names[NEW].endswith("Libel")
    commands.take_back(house.ws, ann.id, item)
    tag(house, ann.id, item)
    assert told("factor_tagging", house.ws, ann, item, SLUG)["fixed"]["joined"] == []
    assert which not in my_work(house, ann)

"""A case that the typology puts into one more group tells whoever tagged it."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.forms.submissions import form_submissions
from annotation.people.members import add_person
from annotation.tagging.codebook import book_of
from annotation.tagging.form import asking_of
from annotation.tagging.regrouped import joined_by, shown_when_made_anew
from annotation.tagging.tags import tagged
from annotation.work import commands
from annotation.work.versioned_texts import TYPOLOGY
from services.tagging.items import make_items
from storage.projects import find_project
from storage.subjects import shown_items
from storage.tables.core import Item
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.services.cases.grouped_cases import INSULT, SLUG, Grouped, bring_in, build

NEW = "honour.libel"
ONE_MORE = SMALL.replace(
    "- key: sexual\n",
    "  - key: libel\n    label: {en: Libel, ko: 무고}\n- key: sexual\n",
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    made = build(tmp_path / "workspace", clock)
    bring_in(made.ws, SLUG, [("2022-1", "", ("모욕", "무고"), ())])
    return made


def tag(house: Grouped, person: int, item: int) -> None:
    """Answer what is asked of the item now and is not answered yet, and submit it."""
    with house.ws.reading() as session:
        asked = asking_of(session, session.get_one(Item, item)).asked({})
    for key, sub in asked.items():
        option = "not_mentioned" if sub.claim else "not_stated"
        value = {"options": [option], "evidence": []}
        form_commands.answer(house.ws, person, item, key, value)
    commands.submit(house.ws, person, item)


def item_of(house: Grouped, name: str) -> int:
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        return next(
            e.item_id
            for e in shown_items(session, project, Task.FACTOR_TAGGING)
            if e.external_id == name
        )


def groups(house: Grouped, item: int) -> tuple[str, ...]:
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        book, _ = book_of(session, project)
        (case,) = tagged(session, project, book, item)
        return case.groups


@pytest.mark.parametrize("complete", [False, True])
def test_who_has_submitted_is_told_until_they_have_answered_the_rest(
    house: Grouped, complete: bool
) -> None:
    make_items(house.ws, SLUG)
    item, ann = item_of(house, "2022-1"), house.annotator
    other = item_of(house, "2021-3")
    ben = add_person(house.ws, SLUG, "Ben", "annotator").id
    tag(house, ann, item)
    tag(house, ann, other)
    if complete:
        tag(house, ben, item)
    TYPOLOGY.save(house.ws, SLUG, ONE_MORE, "one more", 2, house.researcher)
    assert joined_by(house.ws, ann) == [], "not before the items show it"
    make_items(house.ws, SLUG)
    (told,) = joined_by(house.ws, ann)
    assert (told.external_id, told.groups) == ("2022-1", (NEW,))
    assert len(joined_by(house.ws, ben)) == complete
    if complete:
        assert groups(house, item) == (INSULT,), "what was agreed stands as it is"
        return
    commands.take_back(house.ws, ann, item)
    assert joined_by(house.ws, ann) == []
    tag(house, ann, item)
    assert joined_by(house.ws, ann) == []
    tag(house, ben, item)
    assert set(groups(house, item)) == {INSULT, NEW}
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        said = form_submissions(session, project, Task.FACTOR_TAGGING, item)[item]
        (anew,) = shown_when_made_anew(session, said).values()
    assert anew["groups"] == [INSULT, NEW], "all that was asked when it was made anew"
    assert check(house.ws, SLUG) == []


def test_a_case_that_only_left_a_group_tells_nobody(house: Grouped) -> None:
    make_items(house.ws, SLUG)
    item = item_of(house, "2021-2")
    tag(house, house.annotator, item)
    fewer = SMALL.replace("  - key: insult\n    label: {en: Insult, ko: 모욕}\n", "")
    TYPOLOGY.save(house.ws, SLUG, fewer, "fewer", 2, house.researcher)
    make_items(house.ws, SLUG)
    assert joined_by(house.ws, house.annotator) == []

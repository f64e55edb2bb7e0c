"""Making items of court cases: of which groups, how many, and what each shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annotation.people.members import add_person
from annotation.tagging.suggestion_visibility import set_suggestions
from annotation.work.versioned_texts import TYPOLOGY
from errors import UserError
from services.tagging.items import MadeItems, make_items
from storage.projects import find_project
from storage.subjects import shown_items
from storage.tasks import Task
from tests.annotation.tagging.test_tags import item_of, tag
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.services.cases.grouped_cases import FACT, INSULT, SLUG, Grouped, bring_in, build
from tests.support.refusals import code_of
from touchstone import app

FALSE = "honour.defamation.falsehood"


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    return build(tmp_path / "workspace", clock)


def shown(house: Grouped) -> list[tuple[str, dict[str, Any]]]:
    with house.ws.reading() as session:
        found = shown_items(session, find_project(session, SLUG).id, Task.FACTOR_TAGGING)
    return [(each.external_id, each.shown) for each in found]


def test_cases_of_groups_become_items_that_say_what_they_show(house: Grouped) -> None:
    set_suggestions(house.ws, SLUG, "shown", house.researcher)
    assert make_items(house.ws, SLUG, by=house.researcher) == MadeItems(4, 0, 0, 0, 2)
    told = {"typology": 2, "suggestions": "shown", "suggested": 0}
    assert shown(house) == [
        ("2021-2", told | {"groups": [FACT, INSULT]}),
        ("2021-3", told | {"groups": [FACT]}),
        ("2021-4", told | {"groups": [FALSE]}),
        ("2021-1", told | {"groups": [INSULT]}),
    ], "one group after the other"
    assert make_items(house.ws, SLUG) == MadeItems(0, 4, 0, 0, 2)


def test_groups_charges_and_categories_are_named_by_their_keys(house: Grouped) -> None:
    assert make_items(house.ws, SLUG, [FALSE]).made == 1
    assert make_items(house.ws, SLUG, ["honour.defamation"]) == MadeItems(2, 1, 0, 0, 2)
    assert make_items(house.ws, SLUG, ["honour"]).made == 1
    for wrong in ("honour.defam", "hono", "*.x", ""):
        assert code_of(make_items, house.ws, SLUG, [wrong]) == "tag_group"


def test_a_sample_hangs_on_the_seed_and_grows_by_the_rest(house: Grouped, tmp_path: Path) -> None:
    assert make_items(house.ws, SLUG, limit=2, seed=5) == MadeItems(2, 0, 0, 2, 2)
    first = shown(house)
    twin = build(tmp_path / "twin", FakeClock())
    make_items(twin.ws, SLUG, limit=2, seed=5)
    assert shown(twin) == first
    assert make_items(house.ws, SLUG, limit=9, seed=1) == MadeItems(2, 2, 0, 0, 2)
    assert shown(house)[:2] == first


def test_a_case_that_the_typology_moved_shows_its_groups_now(house: Grouped) -> None:
    make_items(house.ws, SLUG)
    bring_in(house.ws, SLUG, [("2022-1", "모욕", (), ())])
    lines = SMALL.replace("insult", "affront")
    assert lines != SMALL
    TYPOLOGY.save(house.ws, SLUG, lines, "renamed", 2, house.researcher)
    assert make_items(house.ws, SLUG) == MadeItems(1, 4, 2, 0, 2)
    assert dict(shown(house))["2021-1"]["groups"] == ["honour.affront"]
    assert dict(shown(house))["2021-1"]["typology"] == 3
    assert dict(shown(house))["2021-3"]["typology"] == 2, "what did not move stays as it was"


def test_a_case_that_is_complete_keeps_the_groups_it_was_tagged_under(house: Grouped) -> None:
    make_items(house.ws, SLUG, [INSULT])
    ben = add_person(house.ws, SLUG, "Ben", "annotator").id
    for who in (house.annotator, ben):
        tag(house, who, item_of(house, "2021-1"))
    text = SMALL.replace("insult", "affront")
    TYPOLOGY.save(house.ws, SLUG, text, "renamed", 2, house.researcher)
    assert make_items(house.ws, SLUG, ["honour.affront"]).moved == 1
    assert [each["groups"] for _, each in shown(house)] == [[FACT, "honour.affront"], [INSULT]]


def test_the_command_says_what_it_made(house: Grouped) -> None:
    where = ["--workspace", str(house.ws.folder), "--project", SLUG, "factors", "items"]
    done = CliRunner().invoke(app, [*where, "--group", "honour.defamation", "--limit", "2"])
    assert done.exit_code == 0, done.output
    assert "2 new items; 0 were there before." in done.output
    assert "1 more are in these groups" in done.output
    assert "2 court cases are in no group" in done.output
    wrong = CliRunner().invoke(app, [*where, "--group", "nothing"])
    assert isinstance(wrong.exception, UserError)

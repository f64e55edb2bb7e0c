"""Every place of the app on the sample in the middle of its life shows what it is for."""

from __future__ import annotations

import pytest

from annotation.people.members import PersonView, list_people
from annotation.people.roles import may
from app import ONLY_FOR, PAGES
from services.sample.loading import load_worked_sample
from services.sample.people import SLUG
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from tests.pages.small_project import page

_TOGETHER = ("Han Bora", "Choi Yuna", "Lee Sora", "Kim Ara")  # one of them sees each place
_OWN = {"start": "Kim Ara", "adjudication": "Lee Sora"}
# What shows a project's work: tables, figures, drawings, and panes of the product's own.
_SHOWN = ("dataframe", "metric", "vega_lite_chart", "bidi_component")
# Places that begin with a choice, or that show the product or its settings rather than work.
_CHOICES = {"start", "figures", "research", "models", "parallel_groups"}
# What these say while something is still to be chosen, or set.
_INVITES = {"corpus", "augment", "reformulation"}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp("worked") / "workspace")
    migrate(ws)
    assert load_worked_sample(ws)
    return ws


def who_sees(ws: Workspace, name: str) -> PersonView:
    people = {each.name: each for each in list_people(ws, SLUG)}
    act = ONLY_FOR.get(name)
    for person in (_OWN.get(name, ""), *_TOGETHER):
        if person and (act is None or may(people[person].role, act)):
            return people[person]
    raise AssertionError(name)


@pytest.mark.parametrize("name", PAGES)
def test_every_place_shows_what_it_is_for(worked: Workspace, name: str) -> None:
    at = page(name, worked, who_sees(worked, name), "en", SLUG).run(timeout=60)
    assert not at.exception
    assert not at.error
    if name not in _CHOICES:
        assert any(at.get(kind) for kind in _SHOWN), "an empty form"
    if name not in _CHOICES | _INVITES:
        assert not at.info, [each.value for each in at.info]

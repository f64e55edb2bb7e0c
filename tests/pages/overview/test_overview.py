"""The overview on screen: what it says to whom, and that its numbers are those of other pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, add_person
from errors import UserError
from messages import say
from pages.shell.guard import plain
from services.overview.report import agreement_lines, overview, revision
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    empty_project,
    leader,
    page,
    shown,
)


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return annotated_project(Workspace(tmp_path / "workspace", FakeClock()))


def opened(small: Small | Workspace, person: PersonView, language: str = "en") -> AppTest:
    at = page("overview", small, person, language).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("role", ["researcher", "administrator", "adjudicator"])
def test_it_says_what_to_do_next_and_how_far_things_are(
    small: Small, role: str, language: str
) -> None:
    at = opened(small, add_person(small.workspace, SLUG, "Han Bora", role), language)
    words = shown(at)
    settles = role == "adjudicator"
    people = "Lee Sora, Han Bora" if settles else "Lee Sora"
    key = "disputes" if settles else "disputes_wait"
    assert plain(say(f"overview.next.{key}", language, count="2", people=people)) in words
    assert ("(./adjudication?" in words and "task=citation_mapping" in words) == settles
    assert ("(./agreement?" in words) != settles
    work = at.dataframe[0].value
    assert list(work[say("overview.done", language)]) == ["9 / 12"]
    assert list(work[say("overview.by", language)]) == ["Kim Ara 5, Park Jun 4"]
    assert say("overview.sum", language, final="2", pending="4", total="6") in words
    states = at.dataframe[1].value
    named = dict(
        zip(
            states[say("overview.state_of", language)],
            states[say("overview.count", language)],
            strict=True,
        )
    )
    assert named == {
        say(f"overview.state.{state}", language): 1
        for state in ("gold", "no_provision", "dispute", "flagged", "waiting", "not_assigned")
    }


@pytest.mark.parametrize("role", ["annotator", "lawyer"])
def test_who_annotates_learns_nothing_of_others(small: Small, role: str) -> None:
    person = add_person(small.workspace, SLUG, "Seo Yeon", role)
    at = opened(small, person)
    assert not at.dataframe and say("overview.only") in shown(at)
    assert "Park Jun" not in shown(at)
    for told in (
        lambda: overview(small.workspace, SLUG, person.id),
        lambda: agreement_lines(small.workspace, SLUG, (), person.id),
        lambda: revision(small.workspace, SLUG, person.id),
    ):
        with pytest.raises(UserError) as refused:
            told()
        assert refused.value.code == "not_allowed"


def test_a_project_without_anything_says_where_to_begin(tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "workspace", FakeClock())
    empty_project(ws)
    at = opened(ws, leader(ws))
    assert plain(say("overview.next.law")) in shown(at)
    assert not at.dataframe

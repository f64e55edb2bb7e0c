"""The overview on screen: what it says to whom, and that its numbers are those of other pages."""

from __future__ import annotations

import pytest

from annotation.people.members import add_person
from errors import UserError
from messages import say
from pages.shell.guard import md_literal
from services.overview.report import agreement_lines, overview, revision
from storage.db.workspace import Workspace
from tests.pages.screens import opened, table
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    empty_project,
    leader,
    shown,
)


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return annotated_project(workspace)


@pytest.mark.parametrize("role", ["researcher", "adjudicator"])
def test_it_says_what_to_do_next_and_how_far_things_are(small: Small, role: str) -> None:
    at = opened("overview", small, add_person(small.workspace, SLUG, "Han Bora", role))
    words = shown(at)
    settles = role == "adjudicator"
    people = "Lee Sora, Han Bora" if settles else "Lee Sora"
    key = "disputes" if settles else "disputes_wait"
    assert md_literal(say(f"overview.next.{key}", count="2", people=people)) in words
    assert ("(./adjudication?" in words and "task=citation_mapping" in words) == settles
    assert ("(./agreement?" in words) != settles
    work = table(at, say("overview.done"))
    assert list(work[say("overview.done")]) == ["9 / 12"]
    assert list(work[say("overview.by")]) == ["Kim Ara 5, Park Jun 4"]
    assert say("overview.sum", final="2", pending="4", total="6") in words
    states = table(at, say("overview.state_of"))
    counts = dict(zip(states[say("overview.state_of")], states[say("overview.count")], strict=True))
    assert counts == {
        say(f"overview.state.{state}"): 1
        for state in ("gold", "no_provision", "dispute", "flagged", "waiting", "not_assigned")
    }


def test_who_annotates_learns_nothing_of_others(small: Small) -> None:
    person = add_person(small.workspace, SLUG, "Seo Yeon", "lawyer")
    at = opened("overview", small, person)
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


def test_a_project_without_anything_says_where_to_begin(workspace: Workspace) -> None:
    empty_project(workspace)
    at = opened("overview", workspace, leader(workspace))
    assert md_literal(say("overview.next.law")) in shown(at)
    assert not at.dataframe

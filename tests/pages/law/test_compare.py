from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.people.members import PersonView
from corpus.model import Statute
from pages.shell.guard import plain
from services.law.activation import to_check, use_snapshot
from storage.db.workspace import Workspace
from storage.law.corpus import load_statutes
from storage.law.imports import keep_statutes
from tests.conftest import FakeClock
from tests.pages.small_project import (
    HOSTILE,
    SLUG,
    Small,
    annotated_project,
    leader,
    page,
    shown,
    small_project,
)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


@pytest.fixture
def amended(workspace: Workspace) -> Small:
    """Return the annotated project with 제1조 reworded and 제3조 moved to 제5조."""
    small = annotated_project(workspace)
    amend(workspace)
    return small


def amend(workspace: Workspace) -> None:
    with workspace.reading() as session:
        law = load_statutes(session, 1)[0]
    first, second, third = law.units
    units = (
        replace(first, text=first.text.replace("층마다", "방마다") + HOSTILE),
        second,
        replace(third, semantic_id=third.semantic_id.replace("3조", "5조"), label="제5조"),
    )
    new: Statute = replace(law, units=units, number="2")
    keep_statutes(workspace, SLUG, [new], "second")


def select(at: AppTest, row: int) -> AppTest:
    at.session_state["compare-units"] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def opened(small: Small, person: PersonView, language: str = "en") -> AppTest:
    at = page("compare", small, person, language).run()
    assert not at.exception
    return at


def test_with_one_snapshot_it_says_what_to_do(workspace: Workspace) -> None:
    small = small_project(workspace)
    assert "needs two snapshots" in opened(small, small.ara).info[0].value


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_snapshot_in_use_is_compared_with_the_one_before(amended: Small, language: str) -> None:
    at = opened(amended, amended.sora, language)
    assert [each.value for each in at.metric] == ["1", "0", "0", "1"]
    assert [each.value for each in at.selectbox][:2] == [1, 2]
    assert "second" in at.caption[0].value
    provisions = at.dataframe[1].value
    assert provisions.iloc[:, 1].tolist() == ["제1조", "제5조"]
    assert provisions.iloc[:, 4].tolist() == ["", "제3조"]


def test_a_row_shows_both_wordings_with_what_differs_marked(amended: Small) -> None:
    at = select(opened(amended, amended.ara), 0)
    assert not at.exception
    pieces = str([each.proto for each in at.get("bidi_component")])
    assert "removed" in pieces
    assert "inserted" in pieces
    assert "<img src=x" not in shown(at), "statute text goes to the browser as data only"


def test_the_filters_leave_what_was_asked_for(amended: Small) -> None:
    at = opened(amended, amended.ara)
    at.button_group(key="compare-show").set_value("renumbered").run()
    assert at.dataframe[1].value["Provision"].tolist() == ["제5조"]
    at.button_group(key="compare-show").set_value("added").run()
    assert len(at.dataframe[1].value) == 0


def test_an_adjudicator_sees_what_rests_on_it_and_who_decided(amended: Small) -> None:
    decide(amended.workspace, amended.sora.id, amended.items["q2"], [], True, "none", 3)
    at = opened(amended, amended.sora)
    queue = at.dataframe[-1].value
    assert queue["Id"].tolist() == ["q1", "q2", "q3"]
    assert queue["Provision"].tolist() == ["화재안전법 제1조", "–", "–"]
    assert queue["Why"].tolist() == [
        "what it rests on was amended",
        *["waiting for candidates from this law"] * 2,
    ]
    assert queue["Gold"].tolist() == [True] * 3
    assert plain("3 questions, 3 of them gold before") in shown(at)
    assert plain("Of these, 2 were answered") in shown(at)
    assert "to-check-finish" not in [each.key for each in at.button], "that is for who leads"
    assert "Kim Ara 2026-01-05" in queue["Who and when (UTC)"][0]
    assert queue["Open"][0].startswith("gold?")


def test_a_decision_by_hand_is_opened_where_it_was_made(amended: Small) -> None:
    first = amended.unit("q1", "제1조")
    decide(amended.workspace, amended.sora.id, amended.items["q2"], [first], False, "so", 3)
    queue = opened(amended, amended.sora).dataframe[-1].value
    assert queue["Open"][1].startswith("adjudication?")
    assert queue["Open"][1].endswith(f"&item={amended.items['q2']}")


def test_an_annotator_sees_their_own_decisions_without_names(amended: Small) -> None:
    at = opened(amended, amended.ara)
    queue = at.dataframe[-1].value
    assert queue["Id"].tolist() == ["q1", "q2", "q3", "q5"]
    assert "4 of your questions" in shown(at)
    assert not {"Gold", "Who and when (UTC)"} & set(queue.columns)
    there = f"project={SLUG}&person={amended.ara.id}&lang=en&item={amended.items['q1']}"
    assert queue["Open"][0] == f"citation_mapping?{there}"
    assert "Park Jun" not in shown(at)


def test_who_leads_makes_the_candidates_that_are_lacking(amended: Small) -> None:
    lead = leader(amended.workspace)
    at = opened(amended, lead)
    at = at.button(key="to-check-finish").click().run()
    assert not at.exception
    assert "to-check-finish" not in [each.key for each in at.button]
    assert "no_candidates" not in {
        each.reason for each in to_check(amended.workspace, SLUG).entries
    }
    counts = to_check(amended.workspace, SLUG, lead.id).counts
    assert plain(counts.lines()[0]) in shown(at)


def test_other_law_than_that_in_use_is_told_as_it_would_be(amended: Small) -> None:
    lead = leader(amended.workspace)
    use_snapshot(amended.workspace, SLUG, 1, lead.id)
    at = opened(amended, lead)
    at.selectbox(key="compare-older").set_value(1)
    at.selectbox(key="compare-newer").set_value(2).run()
    assert "Shown as if snapshot 2 were in use" in shown(at)


def test_nothing_to_check_is_said(workspace: Workspace) -> None:
    small = small_project(workspace)
    amend(workspace)
    assert "No decision rests on" in opened(small, small.sora).success[0].value


def test_a_snapshot_and_itself_cannot_be_chosen(amended: Small) -> None:
    at = opened(amended, amended.ara)
    at.selectbox(key="compare-older").set_value(2).run()
    assert "cannot be compared with itself" in at.error[0].value


def test_backwards_is_said_to_be_so(workspace: Workspace) -> None:
    small = small_project(workspace)
    with workspace.reading() as session:
        law = load_statutes(session, 1)[0]
    for year in (2025, 2020):
        keep_statutes(workspace, SLUG, [replace(law, effective=date(year, 1, 1))], str(year))
    at = opened(small, small.ara)
    assert "1 have an earlier date there" in at.warning[0].value
    assert "Both snapshots have the same content" in at.success[0].value


def test_the_older_snapshot_is_put_in_use(amended: Small) -> None:
    at = opened(amended, amended.sora)
    assert not at.button, "adjudicators do not choose the law"
    at = opened(amended, leader(amended.workspace))
    assert not [each for each in at.button if each.key == "compare-use-2"], "it is in use"
    at = at.button(key="compare-use-1").click().run()
    assert not at.exception
    assert "in use now" in at.success[0].value
    assert at.button(key="compare-use-2")

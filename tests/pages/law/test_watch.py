"""The queue of amended law on the Amendments page, for items of tasks with a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, add_person
from messages import say
from pages.shell.guard import plain
from services.law.watch import law_watch
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import page, shown
from tests.services.law.test_watch import amend, mcq
from tests.services.mcq.mcq_project import SLUG, checks, generated, people


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a project of four questions, two of them submitted on, whose law was amended."""
    made = Workspace(tmp_path / "workspace", clock)
    generated(made, 4)
    ann, ben = people(made)
    checks(made, mcq(made, 1), ann, ben)
    amend(made)
    return made


def opened(ws: Workspace, person: PersonView, language: str = "en") -> AppTest:
    at = page("compare", ws, person, language, project=SLUG).run()
    assert not at.exception
    return at


def select(at: AppTest, row: int) -> AppTest:
    at.session_state["compare-rechecks"] = {
        "selection": {"rows": [row], "columns": [], "cells": []}
    }
    return at.run()


def row_of(at: AppTest, provision: str) -> int:
    found: list[str] = at.dataframe[-1].value["Provision"].tolist()
    return found.index(provision)


FIRST = "도료안전법 시행령 제1조"


def test_who_leads_sees_the_counts_of_each_task_and_confirms(ws: Workspace) -> None:
    lead = add_person(ws, SLUG, "Lead", "researcher")
    at = opened(ws, lead)
    counts = at.dataframe[-2].value.iloc[0].tolist()
    assert counts == ["MCQ solvability", 4, 3, 0, 0, 0, 0, 1, 0]
    assert plain("3 multiple-choice questions") in shown(at)
    at = select(at, row_of(at, FIRST))
    pieces = str([each.proto for each in at.get("bidi_component")])
    assert "watch-old" in pieces
    assert "watch-new-0" in pieces
    entry = next(each for each in law_watch(ws, SLUG).entries if each.place == FIRST)
    key = f"watch-{entry.item_id}-{entry.unit_id}"
    refused = at.button(key=f"{key}-set_aside").click().run()
    assert "Enter a reason" in refused.error[0].value
    done = at.button(key=f"{key}-confirm").click().run()
    assert not done.exception
    assert "is confirmed for the law in use" in shown(done)
    assert done.dataframe[-2].value.iloc[0]["Confirmed"] == 1
    assert FIRST not in done.dataframe[-1].value["Provision"].tolist()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_annotates_reads_and_decides_nothing(ws: Workspace, language: str) -> None:
    from annotation.people.members import list_people

    ann = next(each for each in list_people(ws, SLUG) if each.name == "Ann")
    at = opened(ws, ann, language)
    assert len(at.dataframe[-1].value) == 1, "what they have submitted"
    assert say("compare.pick", language) in shown(at)
    assert say("watch.pick", language) not in shown(at), "it would promise what they may not do"
    at = select(at, 0)
    assert not at.button
    assert "Ben" not in shown(at)

"""The reformulation screen: what becomes of questions, and approving options side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.people.members import list_people
from corpus.model import Choice, Question
from services.reformulation.wording import outline, propose
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions
from storage.law.imports import keep_questions
from storage.projects import create_project, find_project
from tests.pages.small_project import HOSTILE, SLUG, leader, page

CHOICES = (Choice("A", f"{HOSTILE}", True), Choice("B", "All of the above"))
QUESTIONS = [
    Question("h1", f"Which? {HOSTILE} Which?", "", "en", choices=CHOICES),
    Question("h2", "Why?", "So.", "en"),
]


@pytest.fixture
def ws(tmp_path, clock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    migrate(workspace)
    create_project(workspace, SLUG, "Small project")
    leader(workspace)
    return workspace


def opened(ws, state=""):
    (person,) = list_people(ws, SLUG)
    at = page("reformulation", ws, person, project=SLUG).run()
    if state:
        at = at.segmented_control(key="reformulation-state").set_value(state).run()
    return at


def test_options_are_worded_approved_changed_and_refused(ws):
    keep_questions(ws, SLUG, QUESTIONS, "q.jsonl")
    at = opened(ws).button(key="reformulation-propose").click().run()
    assert at.success
    assert len(at.text_area) == 2
    assert len(at.warning) == 1  # the option that speaks of others
    at = at.button(key="reformulation-1-approve").click().run()
    assert "h1" in at.success[0].value
    at = at.text_area(key="reformulation-2-wording").set_value("Are both right?").run()
    at = at.text_input(key="reformulation-2-reason").set_value("speaks of others").run()
    at = at.button(key="reformulation-2-refuse").click().run()
    assert outline(ws, SLUG).states() == {"unworded": 0, "open": 0, "approved": 1, "refused": 1}
    at = opened(ws, "refused")
    assert any("speaks of others" in each.value for each in at.caption)
    at = at.text_area(key="reformulation-2-wording").set_value("Are both right?").run()
    at = at.button(key="reformulation-2-approve").click().run()
    with ws.reading() as session:
        asked = load_questions(session, find_project(session, SLUG).id)
    assert asked["h1-o2"].text == "Are both right?"
    assert HOSTILE in asked["h1-o1"].text
    at = opened(ws, "approved")
    assert not at.text_area


def test_many_questions_are_shown_a_few_at_a_time(ws):
    several = [replace(QUESTIONS[0], external_id=f"h{at}") for at in range(12)]
    keep_questions(ws, SLUG, several, "q.jsonl")
    propose(ws, SLUG)
    at = opened(ws)
    assert len(at.text_area) == 20
    assert any("first 10 of 12" in each.value for each in at.caption)

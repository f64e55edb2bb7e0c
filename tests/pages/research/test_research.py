"""Research as each kind of person finds it, and what the browser is told of a search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pages.research.research import RESEARCH_ACTS
from pages.task.acts import TaskSession
from services.research.search import research_counts
from storage.tables.core import QuestionRow
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.screens import opened, told
from tests.projects.research_project import HOSTILE, SLUG, TEXT, ResearchHouse, build


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> ResearchHouse:
    return build(tmp_path / "w", clock)


def test_who_annotates_is_told_question_choices_and_answer(house) -> None:
    data = told("research", house.ws, house.ann, project=SLUG)
    panes = [pane for _kind, pane in data["fixed"]["panes"]]
    assert ["관계인", HOSTILE] in panes
    assert panes[-1][0]["text"] == "관계인이 선임합니다."
    assert data["words"]["option_found"] and data["words"]["help_but_not"]


def test_a_search_and_a_text_are_told_in_pieces(house) -> None:
    session = TaskSession(SLUG, house.ann, task=Task.RESEARCH)
    act: dict[str, Any] = {"item": house.items[0], "query": "선임! /s 관계인"}
    RESEARCH_ACTS["search"](house.ws, session, act)
    found = session.told["found"]
    (hit,) = found["collections"][0]["hits"]
    assert (hit["id"], hit["matches"]) == ("소방법_1조", 2)
    assert [text for text, matches in hit["excerpt"] if matches] == ["관계인은", "선임하여야"]
    act = {"item": house.items[0], "collection": "statutes", "id": "소방법_1조"}
    RESEARCH_ACTS["read"](house.ws, session, act)
    assert session.told["authority"]["text"] == TEXT
    assert [TEXT[a:b] for a, b in hit["marks"]] == ["관계인은", "선임하여야"]


def test_who_leads_makes_items(house) -> None:
    with house.ws.writing() as session:
        session.add(
            QuestionRow(project_id=1, external_id="q9", text="?", answer="!", language="ko")
        )
    at = opened("research", house.ws, house.lead, SLUG)
    assert not at.get("bidi_component")
    at.button[-1].click().run()
    counts = research_counts(house.ws, SLUG)
    assert (counts.items, counts.waiting) == (4, 0)

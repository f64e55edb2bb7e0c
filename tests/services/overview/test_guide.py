"""The first steps of a new project, and how long the next one takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.batches.commands import BatchPlan, make_batch
from annotation.people.members import add_person
from services.mapping.candidates import build_candidates
from services.overview.guide import Guide
from services.overview.report import overview
from services.overview.words import rough_time
from services.pace import CANDIDATES, expected_seconds, keep_pace
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import (
    SLUG,
    annotated_project,
    empty_project,
    law_and_questions,
)
from tests.projects import mcq_project


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace", FakeClock())


def guide(ws: Workspace, slug: str = SLUG) -> Guide:
    found = overview(ws, slug).guide
    assert found is not None
    return found


def done(ws: Workspace) -> list[str]:
    return [each.name for each in guide(ws).steps if each.done]


def test_each_step_is_done_once_its_result_is_there(ws: Workspace) -> None:
    empty_project(ws)
    assert done(ws) == [] and guide(ws).next.todo.key == "law"
    law_and_questions(ws)
    assert done(ws) == ["law", "questions"]
    assert [(each.count, each.more) for each in guide(ws).steps[:2]] == [(1, 3), (6, 0)]
    assert guide(ws).next.seconds is None, "nothing was measured"
    made = build_candidates(ws, SLUG)
    assert expected_seconds(ws, CANDIDATES, made.built) == pytest.approx(made.seconds)
    assert done(ws) == ["law", "questions", "candidates"]
    assert (guide(ws).next.count, guide(ws).next.wanted) == (1, 2)
    jun = add_person(ws, SLUG, "Park Jun", "lawyer")
    assert guide(ws).next.todo.screen == "assignment"
    make_batch(ws, SLUG, BatchPlan("First", (jun.id,), overlap=1))
    assert overview(ws, SLUG).guide is None


def test_whoever_submitted_or_works_on_other_tasks_needs_no_guide(
    ws: Workspace, tmp_path: Path
) -> None:
    annotated_project(ws)
    assert overview(ws, SLUG).guide is None
    quay = mcq_project.build(tmp_path / "quay", FakeClock())
    assert overview(quay.ws, mcq_project.SLUG).guide is None


def test_a_step_takes_as_long_as_the_last_time_by_its_size(ws: Workspace) -> None:
    empty_project(ws)
    assert expected_seconds(ws, CANDIDATES, 3) is None
    keep_pace(ws, CANDIDATES, 10, 4.0)
    assert expected_seconds(ws, CANDIDATES, 25) == 10.0
    keep_pace(ws, CANDIDATES, 0, 4.0)
    assert expected_seconds(ws, CANDIDATES, 25) == 10.0, "no work tells nothing"
    (ws.cache / "pace.json").write_text('{"candidates": 3}')
    assert expected_seconds(ws, CANDIDATES, 25) is None


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (18, "20 s"), (59.9, "60 s"), (150, "2 min"), (9000, "2 h")],
)
def test_times_are_said_roughly(seconds: float, said: str) -> None:
    assert rough_time(seconds, "en") == said

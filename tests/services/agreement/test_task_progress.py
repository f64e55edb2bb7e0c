"""What a lead sees of disputes and items: each counted once, by state, and who decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.adjudication.disputes import decide
from annotation.adjudication.tasks import TASKS, open_disputes
from annotation.people.members import deactivate
from services.agreement.task_progress import disputes_report, item_lines, progress_report
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, Small, annotated_project

MAPPING = Task.CITATION_MAPPING


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return annotated_project(Workspace(tmp_path / "workspace", FakeClock()))


def states(small: Small) -> dict[str, str]:
    return {each.name: each.state for each in item_lines(small.workspace, SLUG, [MAPPING])}


def test_each_item_has_one_state(small: Small) -> None:
    assert states(small) == {
        **{"q2": "open", "q4": "open", "q5": "partly", "q6": "untouched"},
        **{"q1": "complete", "q3": "complete"},
    }
    assert next(iter(states(small))) == "q2", "what is open comes first"
    item = small.items["q2"]
    decide(small.workspace, small.sora.id, item, [small.unit("q2", "제1조")], False, "So.", 1.0)
    assert states(small)["q2"] == "decided"


def test_the_report_counts_as_many_as_are_open_and_names_who_decides(small: Small) -> None:
    report = disputes_report(small.workspace, SLUG, "en")
    assert report.lead == "2 disputes are open, for Lee Sora to decide."
    [row] = report.as_json()["disputes"]
    with small.workspace.reading() as session:
        counted = open_disputes(session, find_project(session, SLUG).id, TASKS)
    assert (row["task"], row["open"], row["decided"]) == (MAPPING, counted[MAPPING], 0)
    assert [each["item"] for each in report.as_json()["items"]] == ["q2", "q4"]
    deactivate(small.workspace, small.sora.id)
    assert "administrators decide" in disputes_report(small.workspace, SLUG, "en").lead


def test_the_items_of_a_task_add_up(small: Small) -> None:
    report = progress_report(small.workspace, SLUG, MAPPING, "en")
    assert report.lead == "9 of 12 submissions are made on 6 items."
    assert sum(each["count"] for each in report.as_json()["states"]) == 6
    assert progress_report(small.workspace, SLUG, Task.RESEARCH, "en").as_json()["items"] == []

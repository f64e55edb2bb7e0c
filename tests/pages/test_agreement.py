from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.figure import Figure
from pages.agreement import reading_of
from storage.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import (
    annotated_project,
    empty_project,
    leader,
    page,
    shown,
    small_project,
)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


def test_a_project_without_questions_says_so(workspace: Workspace):
    ara, _ = empty_project(workspace)
    at = page("agreement", workspace, ara).run()
    assert not at.exception
    assert "no questions yet" in at.info[0].value


def test_before_any_question_is_complete_there_are_no_figures(workspace: Workspace):
    small = small_project(workspace)
    at = page("agreement", small, small.ara).run()
    assert not at.exception
    assert len(at.metric) == 0
    assert "Not enough questions" in shown(at)
    assert at.dataframe[0].value["Submitted"].tolist() == [0, 0]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_figures_come_with_interval_n_and_a_reading(workspace: Workspace, language: str):
    small = annotated_project(workspace)
    at = page("agreement", small, small.ara, language).run()
    assert not at.exception
    assert [metric.value for metric in at.metric][:2] == ["0.750", "0.875"]
    assert all("95 %" in each.value and "4" in each.value for each in at.caption[:3])
    assert "75%" in shown(at)


def test_only_an_adjudicator_sees_which_questions_differ(workspace: Workspace):
    small = annotated_project(workspace)
    annotator = page("agreement", small, small.ara).run()
    assert len(annotator.dataframe) == 1
    assert "Only adjudicators see which" in shown(annotator)
    adjudicator = page("agreement", small, small.sora).run()
    differing = adjudicator.dataframe[1].value
    assert differing["Id"].tolist() == ["q2"]
    assert differing["Open"][0].startswith("adjudication?")
    assert differing["Open"][0].endswith(f"item={small.items['q2']}")
    researcher = page("agreement", small, leader(workspace)).run()
    assert list(researcher.dataframe[1].value.columns) == ["Id", "Question"]


def test_an_unknown_project_is_a_users_error(workspace: Workspace):
    ara, _ = empty_project(workspace)
    at = page("agreement", workspace, ara, project="nowhere").run()
    assert "nowhere" in at.error[0].value


@pytest.mark.parametrize(
    ("figure", "reading"),
    [
        (Figure("alpha", 0.8, 9), "alpha_high"),
        (Figure("alpha", 0.799, 9), "alpha_middle"),
        (Figure("alpha", 0.667, 9), "alpha_middle"),
        (Figure("alpha", -0.2, 9), "alpha_low"),
        (Figure("jaccard", 0.1, 9), "jaccard"),
        (Figure("alpha", None, 0), "unscored"),
    ],
)
def test_the_reading_follows_the_value(figure: Figure, reading: str):
    assert reading_of(figure) == reading

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from annotation.agreement import calibration
from annotation.agreement.calibration import Known
from annotation.agreement.views import ItemLine
from annotation.batches.commands import BatchPlan, make_batch
from annotation.mapping import commands as mapping_commands
from annotation.people.members import PersonView
from annotation.work import commands, queue_service
from messages import say
from pages.agreement.figure_table import case_address
from pages.agreement.more_statistics import PARTS
from pages.shell.context import Context
from storage.db.workspace import Workspace
from tests.pages import screens
from tests.pages.screens import select, table
from tests.pages.small_project import (
    SLUG,
    Small,
    leader,
    shown,
    small_project,
)


def opened(small: Small, person: PersonView, name: str, **state: Any) -> AppTest:
    views = (*(f"{name}_{view}" for view in ("questions", "candidates")), "times")
    tables: dict[str, Any] = {
        f"agreement-{view}-more": True for view in views
    }  # behind the pictures
    at = screens.opened("agreement", small, person, agreement_part=name, **tables, **state)
    assert not at.error
    return at


def test_nothing_is_worked_out_before_somebody_asks(small: Small) -> None:
    at = screens.opened("agreement", small, small.sora)
    assert "More statistics" in shown(at)
    assert not any("Reading" in each.value.columns for each in at.dataframe)
    for name in sorted(PARTS):
        assert say("agreement.more.title") in shown(opened(small, small.sora, name))


def test_every_part_says_when_there_is_nothing_yet(workspace: Workspace) -> None:
    small = small_project(workspace)
    for name in sorted(set(PARTS) - {"files"}):
        assert opened(small, small.sora, name).info


def test_statistics_and_times_have_figures_and_open_what_is_behind_them(small: Small) -> None:
    at = opened(small, small.sora, "statistics")
    answers = table(at, "Statistic").set_index("Statistic")
    assert answers.loc["Raw agreement", "Share"] == "(75.0 % [30.1, 95.4])"
    assert answers.loc["Raw agreement", "n"] == 4
    assert "75 %" in answers.loc["Raw agreement", "Reading"]
    assert "Per candidate decision" in shown(at)

    assert "Two annotators give the same answer on 75" in shown(at)
    at = select(at, "agreement-statistics_questions", 3)
    behind = table(at, "Similarity")
    assert behind["Id"].tolist() == ["q2", "q1", "q3", "q4"]
    assert behind["Case"].notna().tolist() == [True, False, False, True]
    assert behind["History"].str.startswith("history?").all()
    for words in ("What was compared.", "What it means.", "What to do next."):
        assert words in shown(at)

    at = opened(small, small.sora, "times")
    assert table(at, "Median seconds")["Annotator"].tolist() == ["Kim Ara", "Park Jun"]
    assert "at least 10 submissions" in shown(at)

    at = select(at, "agreement-times", 0)
    own = table(at, "Seconds")
    assert sorted(own["Id"]) == ["q1", "q2", "q3", "q4"]
    assert own["Seconds"].is_monotonic_decreasing


def test_who_annotates_sees_statistics_and_nothing_behind_them(small: Small) -> None:
    at = opened(small, small.ara, "statistics")
    assert "Only people who may read others' labels see the questions" in shown(at)
    assert not any("Similarity" in each.value.columns for each in at.dataframe)
    offered = at.get("button_group")[0].proto.options
    assert [each.content for each in offered] == ["Statistics", "Files"]


def test_pairs_windows_and_categories_are_named(small: Small) -> None:
    found = table(opened(small, small.sora, "pairs"), "With")
    assert found[["Annotator", "With", "n"]].to_numpy().tolist() == [["Kim Ara", "Park Jun", 4]]

    at = opened(small, small.sora, "drift")
    assert "fewer make a single group" in shown(at)
    assert "Per candidate decision" in shown(at)
    assert table(at, "Completed from")["n"].tolist() == [4]

    at = opened(small, small.sora, "categories")
    assert table(at, "Label")["Label"].tolist() == ["accept", "reject", "unsure"]
    assert table(at, "Provision")["n"].tolist() == [2, 2]

    cells = table(opened(small, small.sora, "confusion"), "The other's")
    assert cells[["Label", "The other's"]].to_numpy().tolist() == [
        ["accept", "accept"],
        ["reject", "reject"],
    ]


def test_calibration_counts_the_known_answers_given(workspace: Workspace) -> None:
    small = small_project(workspace)
    known = [Known(f"q{n}", ("화재안전법_1조",)) for n in range(1, 4)]
    calibration.set_known_answers(workspace, SLUG, known)
    make_batch(
        workspace, SLUG, BatchPlan(name="B", people=(small.ara.id,), calibration=0.5, overlap=1)
    )
    for entry in queue_service.queue(workspace, small.ara.id):
        unit = small.unit(entry.external_id, "제1조")
        mapping_commands.label(workspace, small.ara.id, entry.item_id, unit, "accept")
        commands.submit(workspace, small.ara.id, entry.item_id)
    found = table(opened(small, small.sora, "calibration"), "Reading")
    assert found["Annotator"].tolist() == ["Kim Ara"]
    assert found["Share"].tolist() == ["(100.0 % [43.9, 100.0])"]
    assert found["n"].tolist() == [3]


def test_files_are_there_to_take_along(small: Small) -> None:
    for person in (small.sora, small.ara):
        assert len(opened(small, person, "files").get("download_button")) == 7


def test_a_link_to_a_case_carries_who_looks_at_what(small: Small) -> None:
    context = Context(small.workspace, SLUG, small.sora, "ko")
    line = ItemLine(7, "q7", "Which?", 0.5, case=True)
    where = urlsplit(case_address(context, line) or "")
    assert where.path == "adjudication"
    assert parse_qs(where.query) == {
        "project": [SLUG],
        "person": [str(small.sora.id)],
        "lang": ["ko"],
        "item": ["7"],
    }
    assert case_address(context, ItemLine(7, "q7", "Which?", 0.5, case=False)) is None


CLICKED = {"selection": {"picked": [{"row": 0}]}}


def test_a_figure_clicked_on_in_a_chart_opens_its_questions(small: Small) -> None:
    charts = (
        ("pairs", "agreement-pairs_questions-chart"),
        ("confusion", "agreement-confusion_candidates-chart"),
        ("categories", "agreement-categories_candidates-chart"),
        ("categories", "agreement-categories_questions-chart"),
    )
    for part, chart in charts:
        at = opened(small, small.sora, part, **{chart: CLICKED})
        assert "q1" in table(at, "Similarity")["Id"].tolist()
        assert "What to do next." in shown(at)


def test_a_window_clicked_on_opens_its_questions(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.agreement.report.WINDOW", 2)
    for view, row, ids in (("questions", 0, ["q2", "q1"]), ("candidates", 1, ["q3", "q4"])):
        pressed = {"selection": {"picked": [{"row": row}]}}
        at = opened(small, small.sora, "drift", **{f"agreement-drift_{view}-chart": pressed})
        assert table(at, "Similarity")["Id"].tolist() == ids


def test_a_researcher_goes_to_the_history_and_to_no_case(small: Small) -> None:
    at = opened(
        small, leader(small.workspace), "pairs", **{"agreement-pairs_questions-chart": CLICKED}
    )
    behind = table(at, "Similarity")
    assert "Case" not in behind.columns
    assert behind["History"][0].endswith("item=q2")

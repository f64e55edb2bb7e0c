"""The Agreement screen: progress, figures with what is behind them, and more statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.agreement.known_forms import KnownForm, set_known_forms
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.forms.form import answer
from annotation.people.members import PersonView
from annotation.work.commands import submit
from messages import say
from normalization import text_width
from pages.agreement.more_statistics import PARTS
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.screens import metrics, opened, select, table
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    audited_project,
    leader,
    shown,
)
from tests.projects.mcq_project import SLUG as QUAY
from tests.projects.mcq_project import build as build_mcq
from tests.projects.mcq_project import submitted

MAIN = "agreement-main-statistics_questions"
# The tables behind the pictures.
TABLES: dict[str, Any] = {f"{key}-more": True for key in ("agreement-progress", MAIN)}


def pressed(row: int) -> dict[str, Any]:
    return {f"{MAIN}-chart": {"selection": {"picked": [{"row": row}]}}}


def test_an_annotator_reads_figures_with_interval_n_and_a_reading_and_nothing_behind(
    workspace: Workspace,
):
    small = annotated_project(workspace)
    at = opened("agreement", small, small.ara, **TABLES, **pressed(0))
    figures = table(at, "Statistic")
    assert figures["Share"].tolist()[:2] == ["(75.0 % [30.1, 95.4])", "(87.5 % [62.5, 100.0])"]
    assert figures["n"].tolist() == [4, 4, 4]
    assert "75 %" in figures["Reading"][0]
    assert "pair of answers that differ" in shown(at)
    assert not any("Similarity" in each.value.columns for each in at.dataframe)
    assert "Only people who may read others' labels see which ones" in shown(at)
    assert "Select a person" not in shown(at)
    at.button(key="agreement-methods").click().run()
    assert "The paradox of κ" in shown(at)


def test_who_reads_others_labels_opens_the_questions_behind_figures_and_progress(
    workspace: Workspace,
):
    small = annotated_project(workspace)
    at = opened("agreement", small, small.sora, **TABLES, **pressed(0))
    cases = [each.value for each in at.dataframe if "Case" in each.value.columns]
    (differing,) = (each for each in cases if "Similarity" not in each.columns)
    assert differing["Id"].tolist() == ["q2"]
    assert "On 1 of 4 complete questions" in shown(at)
    assert "1 of these waits on Adjudication; 0 are decided" in shown(at)
    place, _, said = differing["Case"][0].partition("?")
    looks = (f"project={SLUG}", f"person={small.sora.id}", "lang=en")
    assert (place, said.split("&")) == ("adjudication", [*looks, f"item={small.items['q2']}"])
    assert differing["History"][0].startswith("history?")
    assert table(at, "Unsure in")["Unsure in"].tolist() == ["(0.0 % [0.0, 49.0])"] * 2
    behind = table(at, "Similarity")
    assert behind["Id"].tolist() == ["q2", "q1", "q3", "q4"]
    assert behind["Case"].notna().tolist() == [True, False, False, True]
    for words in ("What was compared.", "What it means.", "What to do next."):
        assert words in shown(at)

    own = table(select(at, "agreement-progress", 0), "State")
    assert own["Id"].tolist() == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert own["State"].tolist() == ["submitted"] * 5 + ["not started"]
    decide(workspace, small.sora.id, small.items["q2"], [], True, "none", 3)
    researcher = opened("agreement", small, leader(workspace))
    assert "0 of these wait on Adjudication; 1 is decided" in shown(researcher)
    assert ["History", "Id", "Question"] in [list(e.value.columns) for e in researcher.dataframe]


def test_a_form_shows_progress_figures_and_calibration(tmp_path: Path, clock: FakeClock) -> None:
    house = build_mcq(tmp_path / "workspace", clock)
    task = Task.MCQ_SOLVABILITY
    set_known_forms(house.ws, QUAY, task, [KnownForm("mcq-001", {"verdict": "keep"}, "so")])
    choice = Choice(task=task)
    plan = BatchPlan("First", (house.ann, house.ben), choice, overlap=2, calibration=0.34)
    make_batch(house.ws, QUAY, plan)
    for person in (house.ann, house.ben):
        for item in house.items:
            cause = {} if person == house.ann else {"cause": "unclear"}
            submitted(house, person, item, "drop" if cause else "keep", **cause)
    of = f"agreement-{task}"
    sections = ("progress", "statistics_fields", "calibration_questions")
    shut: dict[str, Any] = {f"{of}-{section}-more": True for section in sections}
    at = opened("agreement", house.ws, house.lead, QUAY, **shut)
    at.selectbox(key="agreement-task").set_value(str(task)).run()
    progress, figures = table(at, "Submitted"), table(at, "Field")
    (calibration,) = (
        each.value
        for each in at.dataframe
        if {"Annotator", "Reading"} <= set(each.value.columns) and "Field" not in each.value
    )
    assert list(progress["Annotator"]) == list(calibration["Annotator"]) == ["Ann", "Ben"]
    assert say("forms.field.verdict") in list(figures["Field"])
    assert set(figures["n"]) <= {0, 2}
    assert list(calibration["Share"]) == ["(100.0 % [–])", "(0.0 % [–])"]
    for name in ("pairs", "categories", "confusion", "times", "files"):
        at.button_group(key=f"agreement-part-{task}").set_value(name).run()
        assert not at.error
    at.selectbox(key="agreement-task").set_value(str(Task.CURATION)).run()
    assert say("agreement.lead_form") in shown(at)


def test_an_audit_of_labels_is_drawn_and_opens_its_questions(workspace: Workspace):
    small = audited_project(workspace)
    seen: dict[str, Any] = {
        "agreement-audit-chart": {"selection": {"picked": [{"row": 0}]}},
        "agreement-audit-more": True,
    }
    at = opened("agreement", small, small.sora, **seen)
    assert not at.exception
    assert "50.0 %" in shown(at).replace("\\", "")
    figures = table(at, "Labels right")
    counts = figures[["Drawn", "Judged", "Differ from label", "Unjudged"]].iloc[0]
    assert counts.tolist() == [3, 1, 1, 1]
    cases = table(at, "Labels not accepted")
    assert [*map(list, cases["Labels not accepted"])] == [[], ["화재안전법_2조"], []]
    assert say("agreement.audit.title") not in shown(opened("agreement", small, small.ara))


def test_what_is_done_in_one_task_moves_no_figure_of_another(workspace: Workspace):
    small = annotated_project(workspace)
    with workspace.writing() as session:
        number = find_project(session, SLUG).id
        scan = Subject(7, "annex-1", "Annex 1", {"draft": None})
        (item,) = add_items(session, number, Task.OCR_CORRECTION, [scan], workspace.clock())

    def drawn(name: str) -> list[str]:
        at = opened(name, small, small.sora)
        return [shown(at), *metrics(at), *(each.value.to_csv() for each in at.dataframe)]

    before = {name: drawn(name) for name in ("agreement", "gold")}
    answer(workspace, small.ara.id, item, "blocks", [])
    submit(workspace, small.ara.id, item)
    assert {name: drawn(name) for name in before} == before


def opened_more(small: Small, person: PersonView, name: str, **state: Any) -> AppTest:
    views = (*(f"{name}_{view}" for view in ("questions", "candidates")), "times")
    tables: dict[str, Any] = {f"agreement-{view}-more": True for view in views}
    at = screens.opened("agreement", small, person, agreement_part=name, **tables, **state)
    assert not at.error
    return at


def test_nothing_is_worked_out_before_somebody_asks(small: Small) -> None:
    at = screens.opened("agreement", small, small.sora)
    assert "More statistics" in shown(at)
    assert not any("Reading" in each.value.columns for each in at.dataframe)


def test_who_annotates_sees_statistics_and_nothing_behind_them(small: Small) -> None:
    at = opened_more(small, small.ara, "statistics")
    assert "Only people who may read others' labels see the questions" in shown(at)
    assert not any("Similarity" in each.value.columns for each in at.dataframe)
    offered = at.get("button_group")[0].proto.options
    assert [each.content for each in offered] == ["Statistics", "Files"]
    assert len(opened_more(small, small.ara, "files").get("download_button")) == 7


def test_each_part_names_what_its_figures_are_of(small: Small) -> None:
    rows: dict[str, tuple[str, ...]] = {
        "statistics": ("Raw agreement", "(75.0 % [30.1, 95.4])"),
        "pairs": ("Kim Ara", "Park Jun", "4"),
        "drift": ("4",),
        "categories": ("accept", "reject", "unsure"),
        "confusion": ("accept", "reject"),
        "times": ("Kim Ara", "Park Jun"),
        "files": (),
    }
    assert {*rows, "calibration"} == set(PARTS)
    for part, words in rows.items():
        at = opened_more(small, small.sora, part)
        told = "\n".join(each.value.to_csv() for each in at.dataframe)
        assert [word for word in words if word not in told] == [], part
    assert len(at.get("download_button")) == 7


CLICKED = {"selection": {"picked": [{"row": 0}]}}


def test_a_figure_clicked_on_in_a_chart_opens_its_questions(small: Small) -> None:
    charts = (
        ("pairs", "agreement-pairs_questions-chart"),
        ("confusion", "agreement-confusion_candidates-chart"),
        ("categories", "agreement-categories_candidates-chart"),
        ("categories", "agreement-categories_questions-chart"),
    )
    for part, chart in charts:
        at = opened_more(small, small.sora, part, **{chart: CLICKED})
        assert "q1" in table(at, "Similarity")["Id"].tolist()
        assert "What to do next." in shown(at)


def test_a_syllable_is_as_wide_as_two_letters():
    assert [text_width(text) for text in ("", "few", "일치", "n = 6건")] == [0, 3, 4, 7]

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.check.project import check
from annotation.exchange.files import annotations_bytes
from annotation.exchange.foreign import Fields
from annotation.gold.derivation import derive
from annotation.mapping.candidate_views import CandidateView
from annotation.people.members import PersonView, add_person
from annotation.work.queue_service import open_item, queue
from pages.shell.guard import md_literal
from services.exchange.label_guides import Guide
from services.exchange.label_import import import_labels
from storage.db.workspace import Workspace
from tests.pages import screens
from tests.pages.screens import metrics, opened, press, select, table
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    leader,
    shown,
    small_project,
)
from tests.projects import own_project
from tests.services.exchange.label_studio import annotation, chose, result, task

FIXTURES = Path(__file__).parents[2] / "fixtures" / "labels"


def head(workspace: Workspace) -> PersonView:
    return add_person(workspace, SLUG, "Seo Jin", "administrator")


def with_labels(small: Small, who: PersonView) -> AppTest:
    at = opened("exchange", small, who)
    content = (FIXTURES / "label_studio.json").read_bytes()
    return at.file_uploader(key="labels-file").upload("labels.json", content).run()


def answered(small: Small, at: AppTest) -> AppTest:
    """Answer the form for all that the file holds."""
    units = {each.label: each.semantic_id for each in candidates(small)}
    assert at.selectbox(key="labels-comment").value == "why"
    at.selectbox(key="labels-user-10").select("Kim Ara")
    at.selectbox(key="labels-user-ben@example.org").select("Park Jun")
    at.text_input(key="labels-unit-Article 1").set_value(units["제1조"])
    at.selectbox(key="labels-meaning-not Article 2").select("reject")
    at.text_input(key="labels-unit-not Article 2").set_value(units["제2조"])
    return at.selectbox(key="labels-meaning-Nothing").select("no_provision").run()


def candidates(small: Small) -> tuple[CandidateView, ...]:
    return open_item(small.workspace, small.ara.id, small.items["q1"]).candidates


def test_labels_come_in_once_the_form_says_what_they_mean(workspace: Workspace):
    small = small_project(workspace)
    at = with_labels(small, leader(workspace))
    assert metrics(at) == ["0", "0", "0", "0", "0", "3"]
    assert at.button(key="labels-import").disabled
    assert len(table(at, "Why")) == 3
    at = answered(small, at)
    assert metrics(at) == ["2", "0", "1", "0", "0", "0"]
    at = at.button(key="labels-import").click().run()
    assert "3" in at.success[0].value
    states = {each.external_id: each.status for each in queue(workspace, small.ara.id)}
    assert (states["q1"], states["q2"], states["q3"]) == ("submitted", "submitted", "todo")
    assert check(workspace, SLUG) == []


def test_choices_that_are_provisions_ids_are_asked_once_and_what_does_not_fit_is_left_out(
    workspace: Workspace,
):
    small = small_project(workspace)
    unit = candidates(small)[0].semantic_id
    at = opened("exchange", small, leader(workspace))
    tasks = [task(name, annotation(10, chose(unit))) for name in ("q1", "gone", "q2")]
    at.file_uploader(key="labels-file").upload("labels.json", json.dumps(tasks).encode()).run()
    at.selectbox(key="labels-user-10").select("Kim Ara").run()
    assert at.checkbox(key="labels-unit-ids").value
    assert not [each for each in at.text_input if each.key == f"labels-unit-{unit}"]
    assert metrics(at) == ["2", "0", "0", "0", "0", "1"]
    at.checkbox(key="labels-unit-ids").uncheck().run()
    assert at.text_input(key=f"labels-unit-{unit}").value == unit
    at.checkbox(key="labels-unit-ids").check().run()
    assert at.button(key="labels-import").disabled
    assert "gone" in str(table(at, "Why")["Why"][0])
    at.checkbox(key="labels-leave-out").check().run()
    at.button(key="labels-import").click().run()
    said = " ".join(each.value for each in at.success)
    assert "Imported 2 labels" in said
    assert "1 label was left out" in said
    (file,) = table(at, "File").to_dict("records")
    assert (file["File"], file["Tool"]) == ("labels.json", "Label Studio")
    assert check(workspace, SLUG) == []


def test_annotations_are_for_administrators(workspace: Workspace):
    small = annotated_project(workspace)
    at = opened("exchange", small, leader(workspace))
    assert not at.download_button
    assert len(at.file_uploader) == 1
    at = opened("exchange", small, small.ara)
    assert not at.file_uploader
    at = opened("exchange", small, head(workspace))
    assert [each.label for each in at.download_button] == ["Download annotations (.jsonl)"]


def test_annotations_come_into_a_project_without_work(workspace: Workspace, tmp_path: Path):
    small = annotated_project(workspace)
    file = annotations_bytes(workspace, SLUG)
    there = small_project(Workspace(tmp_path / "there", workspace.clock))
    # Made candidates are work of the project; it has none where annotations are to come in.
    at = opened("exchange", there, head(there.workspace))
    at.file_uploader(key="exchange-file").upload("annotations.jsonl", file)
    press(at, "Import annotations")
    assert md_literal("already has people or work") in shown(at)
    at = opened("exchange", small, head(workspace))
    press(at, "Import annotations")
    assert "Choose a file first" in at.warning[0].value
    file = annotations_bytes(workspace, SLUG)
    at.file_uploader(key="exchange-file").upload("annotations.jsonl", file)
    press(at, "Import annotations")
    assert "already here" in at.success[0].value


def gold(ws: Workspace) -> list[tuple[str, str | None, tuple[str, ...]]]:
    return [(each.external_id, each.outcome, each.units) for each in derive(ws, SLUG)]


def test_labels_of_an_own_task_are_asked_with_guesses_and_shown(tmp_path: Path):
    own = own_project.build(tmp_path / "workspace")
    rated = result("rating", "rating", rating=3)
    part = result("parts", "labels", start=0, end=2, text="난간", labels=["Yes"])
    made = annotation({"email": "ann@example.org"}, rated, part), annotation(7, rated)
    file = json.dumps([task("p1", *made, key="id")]).encode()
    at = screens.opened("exchange", own.ws, own.lead, own_project.SLUG)
    at.selectbox(key="labels-task").select(own_project.TASK)
    at.file_uploader(key="labels-file").upload("labels.json", file).run()
    assert any("1 of them names an item" in each.value for each in at.markdown)
    assert at.selectbox(key="labels-item").value == "id"
    assert at.selectbox(key="labels-user-ann@example.org").value == "Ann"
    assert at.selectbox(key="labels-field-relevance").value == "rating"
    assert at.selectbox(key="labels-value-relevance-rating-3").value == 3
    assert at.selectbox(key="labels-field-evidence").value == "parts"
    assert at.selectbox(key="labels-column-evidence").value == "provision"
    assert metrics(at) == ["0", "0", "0", "0", "0", "2"]
    at.selectbox(key="labels-value-evidence-parts-Yes").select("answers")
    at.selectbox(key="labels-user-7").select("Ben").run()
    assert metrics(at) == ["1", "0", "0", "0", "0", "1"]
    (row,) = table(at, "Item").to_dict("records")
    answers = "How relevant is it?: 3 · evidence: answers: 난간"
    assert (row["Item"], row["Person"], row["Answers"]) == ("p1", "Ann", answers)
    at.checkbox(key="labels-leave-out").check().run()
    at.button(key="labels-import").click().run()
    assert "Imported 1 label" in " ".join(each.value for each in at.success)
    assert open_item(own.ws, own.ann, own.items[0]).answers["relevance"] == 3
    assert check(own.ws, own_project.SLUG) == []


def bring_in_labels(small: Small, folder: Path, *questions: tuple[str, bool]) -> None:
    """Bring in labels of two users: alike where a question says so, else different ones."""
    first, second, *_ = (
        each.semantic_id
        for each in open_item(small.workspace, small.ara.id, small.items["q1"]).candidates
    )
    tasks = [
        task(
            name,
            annotation("1", chose(first)),
            annotation("<b>2</b>", chose(first if alike else second)),
        )
        for name, alike in questions
    ]
    file = folder / "labels.json"
    file.write_text(json.dumps(tasks))
    people = {"1": "Kim Ara", "<b>2</b>": "Park Jun"}
    guide = Guide(Fields("question_id", "provisions"), people, {}, "accept")
    import_labels(small.workspace, SLUG, file, "label-studio", guide)


def test_adjudication_gold_and_agreement_tell_what_came_from_another_tool(
    workspace: Workspace, tmp_path: Path
) -> None:
    small = small_project(workspace)
    lead, column = leader(workspace), "From another tool"
    state: dict[str, Any] = {"agreement-progress-more": True}
    at = opened("agreement", small, lead, **state)
    assert not any(column in each.value.columns for each in at.dataframe)
    bring_in_labels(small, tmp_path, ("q1", True), ("q2", False))
    at = opened("agreement", small, lead, **state)
    assert table(at, column)[column].tolist() == [2, 2]

    said = "Made in another tool; time not measured"
    at = opened("adjudication", small, small.sora)
    assert sum(said in each.value for each in at.caption) == 2

    at = select(opened("gold", small, lead), "gold-table", 0)
    told = [each.value for each in at.text if "labels.json" in each.value]
    assert len(told) == 2
    assert all("Label Studio" in each and "2024-05-01 09:00 UTC" in each for each in told)
    assert any("<b>2</b>" in each for each in told), "a name is text"

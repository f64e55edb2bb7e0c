from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.consent import set_naming
from errors import UserError, Where
from pages.shell.guard import md_literal
from services.bundle import exports_folder
from storage.db.workspace import Workspace
from tests.pages.screens import metrics, opened, select, table
from tests.pages.small_project import (
    SLUG,
    annotated_project,
    shown,
    small_project,
)


def test_before_anything_is_settled_there_is_nothing_to_export(workspace: Workspace):
    small = small_project(workspace)
    at = opened("gold", small, small.sora)
    assert metrics(at) == ["0", "0", "0", "6"]
    assert at.button(key="gold-export").disabled
    assert at.toggle(key="gold-datasheet").disabled


def test_an_annotator_reads_what_is_gold_and_no_decision_of_a_pending_question(
    workspace: Workspace,
):
    small = annotated_project(workspace)
    at = opened("gold", small, small.jun)
    assert metrics(at) == ["2", "0", "0", "4"]
    assert any(each.value.startswith("Final: 2 of 6 questions. 1 has") for each in at.caption)
    gold = table(at, "Outcome")
    assert [len(units) for units in gold["Provisions"]] == [1, 0, 0, 0, 0, 0]
    assert gold["Outcome"][1] == "Pending: with the adjudicator"
    at = select(at, "gold-table", 1)
    assert "Decisions are shown once" in shown(at)
    assert "Kim Ara" not in shown(at)
    at = select(at, "gold-table", 0)
    assert {"**Kim Ara**", "**Park Jun**"} <= {each.value for each in at.markdown}
    assert "snapshot" in shown(at)
    del at.session_state["gold-table"]
    at.button_group(key="gold-show").set_value("settled").run()
    assert table(at, "Outcome")["Id"].tolist() == ["q1", "q3"]


def test_who_decides_reads_pending_questions_and_exports_what_they_choose(workspace: Workspace):
    small = annotated_project(workspace)
    at = select(opened("gold", small, small.sora), "gold-table", 1)
    assert "**Kim Ara**" in shown(at)
    assert table(at, "Outcome")["Outcome"][1] == "Pending: annotators differ"
    at = opened("gold", small, small.sora)
    at.button(key="gold-export").click().run()
    listed = table(at, "File")
    assert "corpus.jsonl" in listed["File"].tolist()
    size = (exports_folder(workspace, SLUG) / "corpus.jsonl").stat().st_size
    assert size in listed["Bytes"].tolist()
    assert at.download_button[0].label == "Download as .zip"
    assert "The qrels leave these out." not in shown(at)
    at.checkbox(key="gold-positives").check()
    at.checkbox(key="gold-searchable").check()
    at.button(key="gold-export").click().run()
    assert "The qrels leave these out." in shown(at) and ", 0 rejected by all." in shown(at)


def test_the_datasheet_is_read_before_exporting_and_exported_as_read(workspace: Workspace):
    small = annotated_project(workspace)
    at = opened("gold", small, small.sora)
    at.text_input(key="gold-licence").set_value("My *own* <b>terms</b>").run()
    at.toggle(key="gold-datasheet").set_value(True).run()
    assert "- Licence: My *own* <b>terms</b>" in sheet(at)
    assert "annotator 1" in sheet(at) and "Kim Ara" not in sheet(at)
    set_naming(workspace, small.jun.id, True)
    at.checkbox(key="gold-names").check().run()
    assert "annotator 1" in sheet(at) and "Park Jun" in sheet(at)
    at.button(key="gold-export").click().run()
    folder = exports_folder(workspace, SLUG)
    told = json.loads((folder / "datasheet.json").read_text("utf-8"))
    assert told["distribution"]["licence"] == "My *own* <b>terms</b>"
    for name in ("datasheet.md", "gold.jsonl"):
        assert "Kim Ara" not in (folder / name).read_text("utf-8")


def sheet(at: AppTest) -> str:
    """Return the datasheet's text, which reaches the browser as data of a component."""
    parts = [json.loads(each.proto.json)["spans"] for each in at.get("bidi_component")]
    return "\n".join(span["text"] for spans in parts for span in spans)


def test_a_failed_export_shows_the_error_and_no_files(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    small = annotated_project(workspace)
    error = UserError("upload_not_a_zip", Where(file="*out*.jsonl"))

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("pages.gold.export.export_gold", refuse)
    at = opened("gold", small, small.sora)
    at.button(key="gold-export").click().run()
    assert md_literal("*out*.jsonl") in at.error[0].value
    assert len(at.dataframe) == 1

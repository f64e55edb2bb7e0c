from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from errors import UserError, Where
from pages.shell.guard import plain
from services.bundle import exports_folder
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import (
    SLUG,
    annotated_project,
    empty_project,
    page,
    shown,
    small_project,
)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


def select(at: AppTest, row: int) -> AppTest:
    at.session_state["gold-table"] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def metrics(at: AppTest) -> list[str]:
    return [metric.value for metric in at.metric]


def test_a_project_without_questions_says_so(workspace: Workspace):
    ara, _ = empty_project(workspace)
    at = page("gold", workspace, ara).run()
    assert "no questions yet" in at.info[0].value


def test_before_anything_is_settled_there_is_nothing_to_export(workspace: Workspace):
    small = small_project(workspace)
    at = page("gold", small, small.sora).run()
    assert not at.exception
    assert metrics(at) == ["0", "0", "0", "6"]
    assert at.button(key="gold-export").disabled


@pytest.mark.parametrize("language", ["en", "ko"])
def test_counts_and_table_tell_what_is_gold(workspace: Workspace, language: str):
    small = annotated_project(workspace)
    at = page("gold", small, small.sora, language).run()
    assert not at.exception
    assert metrics(at) == ["2", "0", "0", "4"]
    told = {"en": "Final: 2 of 6 questions. 1 has", "ko": "질문 6건 중 2건이 확정"}[language]
    assert any(each.value.startswith(told) for each in at.caption)
    assert [len(units) for units in at.dataframe[0].value.iloc[:, 3]] == [1, 0, 0, 0, 0, 0]


def test_the_filter_leaves_what_is_settled(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("gold", small, small.ara).run()
    at.button_group(key="gold-show").set_value("settled").run()
    assert at.dataframe[0].value["Id"].tolist() == ["q1", "q3"]


def test_a_row_opens_its_lineage(workspace: Workspace):
    small = annotated_project(workspace)
    at = select(page("gold", small, small.ara).run(), 0)
    assert not at.exception
    assert {"**Kim Ara**", "**Park Jun**"} <= {each.value for each in at.markdown}
    assert "snapshot" in shown(at)


def test_annotators_see_no_decisions_of_a_pending_question(workspace: Workspace):
    small = annotated_project(workspace)
    at = select(page("gold", small, small.jun).run(), 1)
    assert "Decisions are shown once" in shown(at)
    assert "Kim Ara" not in shown(at)
    assert at.dataframe[0].value["Outcome"][1] == "Pending: with the adjudicator"
    at = select(page("gold", small, small.sora).run(), 1)
    assert "**Kim Ara**" in shown(at)
    assert at.dataframe[0].value["Outcome"][1] == "Pending: annotators differ"


def test_export_writes_the_files_and_offers_them_as_a_zip(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("gold", small, small.sora).run()
    at.button(key="gold-export").click().run()
    assert not at.exception
    folder = exports_folder(workspace, SLUG)
    listed = at.dataframe[0].value
    assert "corpus.jsonl" in listed["File"].tolist()
    assert (folder / "corpus.jsonl").stat().st_size in listed["Bytes"].tolist()
    assert at.download_button[0].label == "Download as .zip"


def test_what_is_exported_is_chosen_and_said(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("gold", small, small.sora).run()
    at.button(key="gold-export").click().run()
    assert "The qrels leave these out." not in shown(at)
    at.checkbox(key="gold-positives").check()
    at.checkbox(key="gold-searchable").check()
    at.button(key="gold-export").click().run()
    assert not at.exception
    assert "The qrels leave these out." in shown(at) and ", 0 rejected by all." in shown(at)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_datasheet_is_read_before_exporting_and_exported_as_read(
    workspace: Workspace, language: str
):
    small = annotated_project(workspace)
    at = page("gold", small, small.sora, language).run()
    at.text_input(key="gold-licence").set_value("My *own* <b>terms</b>").run()
    at.toggle(key="gold-datasheet").set_value(True).run()
    assert not at.exception
    assert "- Licence: My *own* <b>terms</b>" in sheet(at)
    assert "Kim Ara" in sheet(at)
    at.checkbox(key="gold-pseudonyms").check().run()
    assert "annotator 1" in sheet(at) and "Kim Ara" not in sheet(at)
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


def test_before_anything_is_settled_there_is_no_datasheet(workspace: Workspace):
    small = small_project(workspace)
    at = page("gold", small, small.sora).run()
    assert at.toggle(key="gold-datasheet").disabled


def test_a_failed_export_shows_the_error_and_no_files(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    small = annotated_project(workspace)
    error = UserError("upload_not_a_zip", Where(file="*out*.jsonl"))

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("pages.gold.export.export_gold", refuse)
    at = page("gold", small, small.sora).run()
    at.button(key="gold-export").click().run()
    assert plain("*out*.jsonl") in at.error[0].value
    assert len(at.dataframe) == 1

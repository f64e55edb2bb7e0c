"""The Gold screen: what is gold and why, exports, releases, splits and the datasheet."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people, set_naming
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.datasheet_form import as_yaml
from construction.gold.splitting import Recipe, Way
from errors import UserError, Where
from pages.shell.guard import md_literal
from services.bundle import exports_folder, releases_folder
from services.gold.release import kept_releases
from services.gold.splits import make_split, split_state
from storage.db.workspace import Workspace
from tests.pages.screens import metrics, opened, select, table
from tests.pages.small_project import (
    SLUG,
    annotated_project,
    page,
    shown,
    small_project,
)
from tests.projects.small_law import ACT
from tests.projects.split_project import SLUG as SPLIT_SLUG
from tests.projects.split_project import harbour, settle


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
    drawn = " ".join(each.label for each in at.expander)
    assert not [words for words in ("Release", "Train, dev", "Datasheet") if words in drawn]
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


SAID = {"name": "lake-law", "version": "1.0", "licence": "MIT", "description": "Law of the lake."}


def filled(at: AppTest, **said: str) -> AppTest:
    for key, text in said.items():
        boxes = at.text_area if key in ("description", "authors") else at.text_input
        boxes(key=f"release-{key}").set_value(text)
    at.button(key="release-run").click().run()
    return at


def plain(text: str) -> str:
    return text.replace("\\", "")


def test_a_release_is_made_and_the_next_lists_its_changes(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = opened("gold", small, small.sora, release_open=True)
    said = plain(filled(at, **SAID | {"licence": ""}).error[0].value)
    assert "lacks: licence, authors" in said
    at = filled(at, licence="MIT", authors="Kim\nLee")
    assert "Released lake-law-1.0" in plain(at.success[0].value) and "errors" in shown(at)
    folder = releases_folder(workspace, SLUG) / "lake-law-1.0"
    assert json.loads((folder / "release.json").read_text("utf-8"))["authors"] == ["Kim", "Lee"]
    assert [each.label for each in at.download_button if "zip" in each.label]
    assert "has been released already" in plain(filled(at).error[0].value)
    at = filled(at, version="1.1", licence="", authors="", description="")
    assert "Since version 1.0: 0 added" in plain(shown(at))
    assert kept_releases(workspace, SLUG) == ["lake-law-1.1", "lake-law-1.0"]


def test_names_are_written_after_a_second_yes(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = opened("gold", small, small.sora, release_open=True)
    at.checkbox(key="release-names").check().run()
    assert at.button(key="release-run").disabled and "Nobody has agreed" in at.info[0].value
    set_naming(workspace, small.jun.id, True)
    at.run()
    assert at.button(key="release-run").disabled
    at.checkbox(key="release-sure").check().run()
    filled(at, **SAID, authors="Kim")
    readme = releases_folder(workspace, SLUG) / "lake-law-1.0" / "README.md"
    assert "Park Jun" in readme.read_text("utf-8") and "Kim Ara" not in readme.read_text("utf-8")


def state_of(ws):
    """Return the division that there is."""
    found = split_state(ws, SPLIT_SLUG)
    assert found is not None
    return found


@pytest.fixture
def ws(tmp_path, clock):
    return harbour(tmp_path / "ws", clock)


def people(ws):
    return {each.name: each for each in list_people(ws, SPLIT_SLUG)}


def gold(ws, name="Rae"):
    at = page("gold", ws, people(ws)[name], project=SPLIT_SLUG)
    at.session_state["split-open"] = True  # the panel has been opened
    return at


def test_a_lead_splits_and_places_what_comes_later(ws):
    at = gold(ws, "Rae").run()
    at.number_input(key="split-share-train").set_value(90).run()
    at.button(key="split-make").click().run()
    assert md_literal("90/10/20") in at.error[0].value, "they make no hundred"
    assert split_state(ws, SPLIT_SLUG) is None
    at.number_input(key="split-share-train").set_value(50)
    at.number_input(key="split-share-dev").set_value(0)
    at.number_input(key="split-share-test").set_value(50)
    at.text_input(key="split-note").set_value("first").run()
    at.button(key="split-make").click().run()
    assert not at.error
    state = state_of(ws)
    assert state.view.note == "first" and state.view.recipe.shares == (50, 0, 50)
    settle(ws, "q8", f"{ACT}_2조")
    at = gold(ws, "Rae").run()
    at.button(key="split-leaks").click().run()
    assert at.button(key="split-make").disabled  # until somebody says that questions may move
    at.button(key="split-extend").click().run()
    assert not at.error
    assert state_of(ws).parts["q8"] == "train"
    gold(ws, "Rae").run()


def test_a_lead_splits_all_again_once_they_say_that_questions_may_move(ws):
    make_split(ws, SPLIT_SLUG, Recipe(Way.STATUTE, (50, 0, 50)))
    at = gold(ws).run()
    at.button_group(key="split-by").set_value("date").run()
    assert at.selectbox(key="split-column").options == ["asked"], "the columns with dates"
    at.checkbox(key="split-again-sure").check().run()
    at.button(key="split-make").click().run()
    assert not at.error
    view = state_of(ws).view
    assert (view.number, view.recipe.way, view.recipe.column) == (2, Way.DATE, "asked")
    assert "moved" in at.success[0].value


def test_a_lead_fills_in_the_datasheet(ws):
    at = gold(ws, "Rae").run()
    hostile = "<b>x</b> **y** $z$"
    at.text_area(key=f"datasheet-edit-{SPLIT_SLUG}-1-funding").set_value(hostile).run()
    at.text_input(key="datasheet-note").set_value("begun")
    at.button(key="datasheet-save").click().run()
    assert not at.error
    found = DATASHEET_ANSWERS.editions(ws, SPLIT_SLUG)[0]
    assert (found.number, found.person, found.note) == (2, "Rae", "begun")
    again = gold(ws, "Rae").run()
    assert again.text_area(key=f"datasheet-edit-{SPLIT_SLUG}-2-funding").value == hostile
    labels = [each.label for each in again.expander if "18" in each.label and "19" in each.label]
    assert len(labels) == 1


def test_what_another_saved_meanwhile_is_kept(ws):
    at = gold(ws).run()
    funding, contact = (f"datasheet-edit-{SPLIT_SLUG}-1-{key}" for key in ("funding", "contact"))
    at.text_area(key=funding).set_value("mine").run()
    theirs = as_yaml({"contact": "theirs", "funding": "theirs"})
    DATASHEET_ANSWERS.save(ws, SPLIT_SLUG, theirs, "", 1, people(ws)["Rae"].id)
    at.text_area(key=funding).set_value("mine, longer").run()
    assert not [each for each in at.button if each.key == "datasheet-save"]
    at.button(key="datasheet-go-on").click().run()
    funding, contact = (each.replace("-1-", "-2-") for each in (funding, contact))
    assert at.text_area(key=funding).value == "mine, longer"
    assert at.text_area(key=contact).value == "theirs"
    at.button(key="datasheet-save").click().run()
    assert not at.error
    newest = DATASHEET_ANSWERS.editions(ws, SPLIT_SLUG)[0].text
    assert "mine, longer" in newest and "theirs" in newest

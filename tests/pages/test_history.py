from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.history import PAGE
from annotation.people import add_person, change_role, rename
from storage.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import HOSTILE, SLUG, annotated_project, leader, page, shown
from words import catalogue


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_researcher_reads_what_is_complete(workspace: Workspace, language: str):
    small = annotated_project(workspace)
    at = page("history", small, leader(workspace), language).run()
    assert not at.exception
    table = at.dataframe[0].value
    assert 10 < len(table) <= PAGE
    assert HOSTILE not in shown(at)  # only ever in cells and plain text
    at.text_input(key="history-item").input("q5").run()  # one submission of two
    words = [str(each) for each in at.dataframe[0].value.iloc[:, 3]]
    assert "Kim Ara" not in words


def test_an_annotator_finds_no_act_of_another_and_no_download(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.ara).run()
    assert not at.exception
    assert "your own acts" in shown(at)
    assert set(at.dataframe[0].value["By"]) <= {"Kim Ara", "operator", "–"}
    assert not [box for box in at.selectbox if box.key == "history-person"]
    assert not at.get("download_button")


def test_pages_turn_and_filters_may_find_nothing(workspace: Workspace):
    small = annotated_project(workspace)
    head = leader(workspace)
    for number in range(PAGE):
        add_person(workspace, SLUG, f"Person {number}", "annotator")
    rename(workspace, head.id, "Han")
    change_role(workspace, head.id, "administrator")
    at = page("history", small, replace(head, role="administrator")).run()
    first = at.dataframe[0].value
    for number in (2, 99):  # after the last page comes none
        at.number_input(key="history-page").set_value(number).run()
        assert not at.exception
        assert not at.dataframe[0].value.equals(first)
    at.multiselect(key="history-kinds").select("run").run()
    at.number_input(key="history-page").set_value(1).run()
    assert "Nothing that happened" in at.info[0].value


def test_an_unknown_question_is_said(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.sora).run()
    at.text_input(key="history-item").input("nope").run()
    assert not at.exception
    assert "nope" in shown(at)


def test_nobody_is_named_for_what_nobody_signed(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, leader(workspace)).run()
    at.multiselect(key="history-kinds").select("candidates").run()
    assert set(at.dataframe[0].value["By"]) == {"–"}


def test_a_link_opens_the_history_of_one_question(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.sora)
    at.query_params["item"] = "q2"
    at.run()
    assert not at.exception
    assert at.text_input(key="history-item").value == "q2"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_may_export_the_history_checks_it_and_is_told_what_to_do(
    workspace: Workspace, language: str
):
    small = annotated_project(workspace)
    head = leader(workspace)
    at = page("history", small, head, language).run()
    at.button(key="history-check").click().run()
    assert not at.exception
    assert at.success
    with closing(sqlite3.connect(workspace.database)) as database:
        database.execute("UPDATE person SET role = 'lawyer' WHERE name = 'Kim Ara'")
        database.commit()
    at.button(key="history-check").click().run()
    assert not at.exception
    assert "1" in at.error[0].value
    problem, remedy = at.dataframe[0].value.iloc[0]
    assert "Kim Ara" in problem
    assert "backup" in remedy or "백업" in remedy


def test_an_annotator_has_no_check(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.ara).run()
    assert not [each for each in at.button if each.key == "history-check"]


def test_everything_that_can_happen_to_a_batch_has_words():
    events = {key.rpartition(".")[2] for key in catalogue() if key.startswith("assignment.events.")}
    assert events
    assert {f"history.kind.batch.{each}" for each in events} <= set(catalogue())

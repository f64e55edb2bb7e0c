from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

from annotation.history.reading import PAGE
from annotation.people.members import add_person, change_role, rename
from storage.db.workspace import Workspace
from tests.pages.screens import buttons, opened, table
from tests.pages.small_project import HOSTILE, SLUG, annotated_project, leader, page, shown


def test_a_researcher_reads_what_is_complete(workspace: Workspace):
    small = annotated_project(workspace)
    at = opened("history", small, leader(workspace))
    assert 10 < len(table(at, "By")) <= PAGE
    assert HOSTILE not in shown(at)  # only ever in cells and plain text
    at.text_input(key="history-item").input("q5").run()  # one submission of two
    assert "Kim Ara" not in table(at, "By")["By"].tolist()
    at.text_input(key="history-item").input("").run()
    at.multiselect(key="history-kinds").select("candidates").run()
    assert set(table(at, "By")["By"]) == {"–"}, "nobody is named for what nobody signed"


def test_an_annotator_finds_no_act_of_another_and_no_download(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.ara)
    at.query_params["item"] = "q2"  # as a link has it
    at.run()
    assert at.text_input(key="history-item").value == "q2"
    at.text_input(key="history-item").input("nope").run()
    assert "nope" in shown(at)
    at.text_input(key="history-item").input("").run()
    assert "what you did yourself" in shown(at)
    assert set(table(at, "By")["By"]) <= {"Kim Ara", "operator", "–"}
    assert not [box for box in at.selectbox if box.key == "history-person"]
    assert not at.get("download_button")
    assert "history-check" not in buttons(at)


def test_pages_turn_and_filters_may_find_nothing(workspace: Workspace):
    small = annotated_project(workspace)
    head = leader(workspace)
    for number in range(PAGE):
        add_person(workspace, SLUG, f"Person {number}", "annotator")
    rename(workspace, head.id, "Han")
    change_role(workspace, head.id, "administrator")
    at = page("history", small, replace(head, role="administrator")).run()
    first = table(at, "What")
    for number in (2, 99):  # after the last page comes none
        at.number_input(key="history-page").set_value(number).run()
        assert not table(at, "What").equals(first)
    at.multiselect(key="history-kinds").select("run").run()
    at.number_input(key="history-page").set_value(1).run()
    assert "Nothing matches" in at.info[0].value


def test_who_may_export_the_history_checks_it_and_is_told_what_to_do(workspace: Workspace):
    small = annotated_project(workspace)
    head = leader(workspace)
    at = opened("history", small, head)
    at.button(key="history-check").click().run()
    assert at.success
    with closing(sqlite3.connect(workspace.database)) as database:
        database.execute("UPDATE person SET role = 'lawyer' WHERE name = 'Kim Ara'")
        database.commit()
    at.button(key="history-check").click().run()
    assert "1" in at.error[0].value
    found = table(at, "Problem")
    assert "Kim Ara" in found["Problem"][0] and "backup" in found["What to do"][0]

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import messages
from annotation.history.reading import PAGE, Entry, read
from annotation.people.members import add_person, change_role, rename
from messages import catalogue
from services.history.words import in_words
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
    at = opened("history", small, small.ara)
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


def test_a_link_opens_the_history_of_one_question(workspace: Workspace):
    small = annotated_project(workspace)
    at = page("history", small, small.sora)
    at.query_params["item"] = "q2"
    at.run()
    assert at.text_input(key="history-item").value == "q2"
    at.text_input(key="history-item").input("nope").run()
    assert "nope" in shown(at)


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


def test_everything_that_can_happen_to_a_batch_has_words():
    events = {key.rpartition(".")[2] for key in catalogue() if key.startswith("assignment.events.")}
    assert events
    assert {f"history.kind.batch.{each}" for each in events} <= set(catalogue())


def test_details_are_told_in_the_words_of_the_reader(workspace: Workspace):
    small = annotated_project(workspace)
    head, told = leader(workspace), {}
    for language in ("en", "ko"):
        at = opened("history", small, head, language=language)
        column = {"en": "Details", "ko": "상세"}[language]
        told[language] = " ".join(table(at, column)[column])
        assert not set(told[language]) & set('{}"')
    assert "Decisions: " in told["en"]
    assert "판단: " in told["ko"]
    assert " = 채택" in told["ko"]
    assert "해당 조문 없음: 아니요" in told["ko"]
    entries = read(workspace, SLUG, limit=10_000).entries
    fields = {field for entry in entries for field in entry.details}
    assert {f"history.field.{field}" for field in fields} <= set(catalogue())


def entry_of(kind: str, **details: Any) -> Entry:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Entry(f"{kind}-1", at, kind, None, None, None, details)


def test_what_people_wrote_and_what_has_no_word_stays_as_it_is():
    def say(key: str) -> str:
        return messages.say(key, "ko")

    made = entry_of("draft.migrate", reason="accept", odd=HOSTILE, answers={"accept": None})
    assert in_words(say, made) == [
        "이유: accept",
        f"odd: {HOSTILE}",
        "답을 어떻게 옮기는지: 채택 = 다시 답함",
    ]
    role = entry_of("person.role", before="annotator", after="lawyer")
    assert in_words(say, role) == ["바뀌기 전: 주석자", "바뀐 뒤: 법률가"]
    name = entry_of("person.renamed", before="annotator", after="lawyer")
    assert in_words(say, name) == ["바뀌기 전: annotator", "바뀐 뒤: lawyer"]

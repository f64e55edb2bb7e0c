"""The guidelines screen as each kind of person finds it."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.guidelines.documents import IN_YAML, TASK, read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrations
from annotation.guidelines.versions import list_versions
from annotation.work import queue_service
from messages import say
from pages.guidelines.versions import mapping_words
from pages.shell.context import Context
from pages.shell.guard import md_literal
from storage.tasks import Task
from tests.pages.screens import opened, table
from tests.pages.small_project import SLUG, Small, leader, shown
from tests.projects.other_guideline import began_otherwise

HOSTILE = "# New\n\n<script>alert(1)</script> ![x](http://example.org/x.png) **only**"


def test_a_project_of_other_words_is_offered_the_text_of_now(small: Small) -> None:
    head = leader(small.workspace)
    assert say("guidelines.builtin") not in shown(opened("guidelines", small, head))
    began_otherwise(small.workspace, SLUG)
    at = opened("guidelines", small, head)
    assert say("guidelines.builtin") in shown(at)
    at.button(key="guidelines-builtin").click().run()
    assert not at.error
    assert md_literal(say("guidelines.saved", number=2)) in shown(at)
    assert say("guidelines.builtin") not in shown(at)
    newest = list_versions(small.workspace, SLUG, "guideline", TASK)[0]
    assert (newest.number, newest.note) == (2, say("guidelines.builtin_note"))
    assert not opened("guidelines", small, small.ara).button


def view(at: AppTest, name: str) -> AppTest:
    return at.button_group(key="guidelines-view").set_value(name).run()


def texts(at: AppTest) -> list[list[dict[str, Any]]]:
    """Return what the plain texts on the page are told."""
    return [json.loads(each.proto.json)["spans"] for each in at.get("bidi_component")]


def test_everybody_reads_the_text_that_holds_as_text_and_never_html(small: Small) -> None:
    at = opened("guidelines", small, small.ara)
    (spans,) = texts(at)
    assert spans[0]["marks"] == ["title"]
    assert say("guidelines.title") in at.title[0].value
    options = at.button_group(key="guidelines-view").options
    assert len(options) == 2  # no editing
    new_version(small.workspace, SLUG, "guideline", TASK, {"en": HOSTILE}, "why", 1)
    at = opened("guidelines", small, small.ara)
    (spans,) = texts(at)
    told = "".join(each["text"] for each in spans)
    assert "<script>alert(1)</script> ![x](http://example.org/x.png) only" in told
    assert "<script>" not in shown(at)


def test_versions_say_what_changed_and_what_was_decided(small: Small) -> None:
    new_version(small.workspace, SLUG, "guideline", TASK, {"en": HOSTILE}, "shorter", 1)
    at = view(opened("guidelines", small, small.sora), "versions")
    versions = table(at, say("guidelines.number"))
    assert list(versions[say("guidelines.number")]) == [2, 1]
    assert list(versions[say("guidelines.submissions")]) == [0, 9]
    assert next(iter(versions[say("guidelines.note")])) == "shorter"
    (spans,) = texts(at)
    assert {mark for each in spans for mark in each["marks"]} == {"removed", "inserted"}
    assert say("guidelines.decisions", number=2, count=0) in shown(at)


def test_who_may_edits_and_a_stale_edit_is_refused_with_its_text_kept(small: Small) -> None:
    lead = leader(small.workspace)
    at = view(opened("guidelines", small, lead), "edit")
    at.text_area[0].set_value(HOSTILE).run()
    at.text_input[0].set_value("clearer").run()
    new_version(small.workspace, SLUG, "guideline", TASK, {"ko": "다른 글"}, "other", 1)
    at.button(key="guidelines-save").click().run()
    assert "saved meanwhile" in shown(at)
    assert at.text_area[0].value == HOSTILE
    at.button(key="guidelines-start-over").click().run()
    at.text_area[0].set_value(HOSTILE).run()
    at.text_input[0].set_value("clearer").run()
    at.button(key="guidelines-save").click().run()
    assert "Version 3 is now in use" in shown(at)
    assert read_document(small.workspace, SLUG, "guideline", TASK, "en").text.strip() == HOSTILE
    assert list_versions(small.workspace, SLUG, "guideline", TASK)[0].person == lead.name


def test_a_codebook_that_is_not_sound_is_said_before_it_is_saved(small: Small) -> None:
    at = opened("guidelines", small, small.sora)
    at = at.button_group(key="guidelines-kind").set_value("codebook").run()
    keys = table(at, say("guidelines.key"))[say("guidelines.key")].tolist()
    assert keys == ["accept", "reject", "unsure"]
    at = view(at, "edit")
    at.text_area[0].set_value("[[options]]\nkey").run()
    assert "not valid TOML" in shown(at)


def test_taking_answers_over_is_previewed_and_then_done(small: Small) -> None:
    new_version(small.workspace, SLUG, "guideline", TASK, {"en": "New."}, "why", 1)
    at = view(opened("guidelines", small, small.sora), "migrate")
    assert [(each.label, each.value) for each in at.metric] == [("The same", "9")]
    at.selectbox(key="guidelines-answer-guideline-accept").set_value("again").run()
    assert {each.label: each.value for each in at.metric} == {
        "The same": "2",
        "To be answered again": "7",
    }
    fates = table(at, say("guidelines.becomes_what"))[say("guidelines.becomes_what")].tolist()
    assert fates[-1] == say("guidelines.fate.hidden")  # q5 has one submission of two
    at.button(key="guidelines-migrate").click().run()
    assert migrations(small.workspace, SLUG, "guideline", TASK) == []  # a reason is missing
    at.text_input(key="guidelines-reason-guideline").set_value("clearer").run()
    at.button(key="guidelines-migrate").click().run()
    (made,) = migrations(small.workspace, SLUG, "guideline", TASK)
    assert (made.person, made.reason) == ("Lee Sora", "clearer")
    item = queue_service.open_item(small.workspace, small.ara.id, small.items["q1"])
    assert item.again == ("guideline", 2, "clearer")


def test_every_task_has_a_text_to_read_and_to_edit(small: Small) -> None:
    at = opened("guidelines", small, leader(small.workspace))
    for task in Task:
        at.selectbox(key="guidelines-task").set_value(str(task)).run()
        at.button_group(key="guidelines-kind").set_value("guideline").run()
        assert texts(at), task
        at.button_group(key="guidelines-kind").set_value("codebook").run()
        if task in IN_YAML:
            assert any("(factor_codebook?" in each.value for each in at.markdown)  # its own screen
        elif at.button_group(key="guidelines-view").options:
            view(at, "edit")
            assert at.text_area, task


def test_what_became_of_answers_to_a_form_is_told_in_words(small: Small) -> None:
    context = Context(small.workspace, SLUG, small.sora, "en")
    said = mapping_words(
        context, {"cause.unclear": "outdated", "verdict": "again"}, "mcq_solvability"
    )
    assert said == "Cause: Badly worded → Cites the wrong provision, Verdict → to be answered again"

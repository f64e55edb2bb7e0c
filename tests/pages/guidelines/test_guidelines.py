"""The guidelines screen as each kind of person finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.guidelines.documents import IN_YAML, TASK, read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrations
from annotation.guidelines.versions import list_versions
from annotation.work import queue_service
from annotation.work.commands import submit
from messages import say
from pages.guidelines.versions import mapping_words
from pages.shell.context import Context
from pages.shell.guard import md_literal
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.screens import opened, table
from tests.pages.small_project import SLUG, Small, leader, shown
from tests.projects.other_guideline import began_otherwise
from tests.projects.tagging_project import SLUG as TAGGED
from tests.projects.tagging_project import answer, build, value

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


@pytest.mark.parametrize("kind", ["guideline", "codebook"])
def test_every_task_has_a_text_to_read_and_to_edit(small: Small, kind: str) -> None:
    lead = leader(small.workspace)
    for task in Task:
        at = opened("guidelines", small, lead)
        at.selectbox(key="guidelines-task").set_value(str(task)).run()
        at.button_group(key="guidelines-kind").set_value(kind).run()
        if kind == "codebook" and task in IN_YAML:
            assert any("(factor_codebook?" in each.value for each in at.markdown)  # its own screen
            continue
        assert shown(at) if kind == "codebook" else texts(at)
        assert len(at.button_group(key="guidelines-view").options) == 4
        for name in ("migrate", "edit", "versions"):
            view(at, name)


def test_answers_to_a_form_are_taken_over_with_what_changed_chosen_already(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build(tmp_path / "workspace", clock)
    task = str(Task.FACTOR_TAGGING)
    for item, chosen in zip(house.items[:2], ("manner_12", "manner_11"), strict=True):
        said = [("deceived", value("yes")), ("manner", value(chosen))]
        answer(house, house.ann, item, [*said, ("insanity", value("not_mentioned"))])
        submit(house.ws, house.ann, item)
    book = read_document(house.ws, TAGGED, "codebook", task, "mul").text
    new = "".join(line for line in book.splitlines(keepends=True) if "key: manner_12" not in line)
    new = new.replace("When Manner 11.", "When it is the eleventh.")
    new_version(house.ws, TAGGED, "codebook", task, {"mul": new}, "why", 2)
    at = opened("guidelines", house.ws, house.lead, TAGGED)
    at.selectbox(key="guidelines-task").set_value(task).run()
    at.button_group(key="guidelines-kind").set_value("codebook").run()
    assert at.multiselect(key=f"guidelines-again-{task}-codebook-2-3").value == ["manner.manner_11"]
    assert {each.label: each.value for each in at.metric} == {say("guidelines.fate.again"): "2"}
    why = table(at, say("guidelines.why_again"))[say("guidelines.why_again")].tolist()
    assert why == ["", ""]  # until both have submitted
    at.multiselect(key=f"guidelines-again-{task}-codebook-2-3").set_value([]).run()
    at.selectbox(key=f"guidelines-gone-{task}-codebook-2-3-manner.manner_12").set_value(
        "manner_10"
    ).run()
    assert {each.label: each.value for each in at.metric} == {
        say("guidelines.fate.same"): "1",
        say("guidelines.fate.mapped"): "1",
    }
    at.multiselect(key=f"guidelines-items-{task}-codebook-2-3").set_value(["case-002"]).run()
    at.text_input(key="guidelines-reason-codebook").set_value("clearer").run()
    at.button(key="guidelines-migrate").click().run()
    (made,) = migrations(house.ws, TAGGED, "codebook", task)
    assert (made.person, made.answers) == (
        "Dora",
        {"manner.manner_11": "same", "manner.manner_12": "manner_10"},
    )
    states = [queue_service.open_item(house.ws, house.ann, item).status for item in house.items[:2]]
    assert states == ["submitted", "draft"]
    at.selectbox(key="guidelines-task").set_value(str(Task.MCQ_SOLVABILITY)).run()
    at.selectbox(key="guidelines-task").set_value(task).run()
    assert say("guidelines.nothing_to_migrate") in shown(at)


def test_what_became_of_answers_to_a_form_is_told_in_words(small: Small) -> None:
    context = Context(small.workspace, SLUG, small.sora, "en")
    said = mapping_words(
        context, {"cause.unclear": "outdated", "verdict": "again"}, "mcq_solvability"
    )
    assert said == "Cause: Badly worded → Cites the wrong provision, Verdict → to be answered again"

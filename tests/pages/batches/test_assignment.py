from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import BatchPlan, make_batch, move_out
from annotation.batches.sampling import Choice, preview
from annotation.batches.views import list_batches, open_batch
from annotation.forms import form as form_commands
from annotation.people.members import PersonView, add_person
from annotation.work import commands
from annotation.work.queue_service import open_item, queue
from storage.db.workspace import Workspace
from storage.projects import find_project, project_by_slug
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.pages.screens import opened, table
from tests.pages.small_project import (
    HOSTILE,
    SLUG,
    Small,
    annotated_project,
    label_questions,
    shown,
)
from tests.pages.small_project import small_project as fresh

UNIT = "화재안전법_1조"


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return fresh(workspace)


@pytest.fixture
def lead(small: Small) -> PersonView:
    return add_person(small.workspace, SLUG, "Han Lead", "administrator")


def run(small: Small, person: PersonView) -> AppTest:
    return opened("assignment", small, person)


def test_labels_of_the_data_are_audited_blind(small: Small, lead: PersonView) -> None:
    assert "assign-audit" not in {each.key for each in run(small, lead).selectbox}
    label_questions(small)
    at = run(small, lead)
    at.text_input(key="assign-name").set_value("Audit")
    at.number_input(key="assign-sample").set_value(3)
    at.selectbox(key="assign-audit").set_value("labels").run()
    at.button(key="assign-create").click().run()
    assert not at.exception
    assert not at.error
    (made,) = list_batches(small.workspace, SLUG)
    assert made.items == 3
    kinds = [each.kind for each in open_batch(small.workspace, SLUG, made.id).events]
    assert "audit" in kinds


def test_a_batch_is_made_in_the_form(small: Small, lead: PersonView) -> None:
    at = run(small, lead)
    assert "**6" in shown(at)
    at.button(key="assign-create").click().run()
    assert "1 to 80" in at.error[0].value
    at.text_input(key="assign-name").set_value(HOSTILE)
    at.number_input(key="assign-overlap").set_value(3)
    at.button(key="assign-create").click().run()
    assert "2 people" in at.error[0].value
    assert list_batches(small.workspace, SLUG) == []
    at.number_input(key="assign-overlap").set_value(2)
    at.number_input(key="assign-sample").set_value(4)
    at.selectbox(key="assign-order").set_value("random")
    at.button(key="assign-create").click().run()
    assert not at.error
    (made,) = list_batches(small.workspace, SLUG)
    assert (made.items, made.sequence, made.people, made.overlap) == (4, "random", 2, 2)
    assert "**2" in shown(at)


def test_questions_in_no_batch_are_opened_and_closed(small: Small, lead: PersonView) -> None:
    assert not any(each.key == "assignment-open-pool" for each in run(small, lead).toggle)
    choice = Choice(external_ids=("q1",))
    make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id,), choice, overlap=1))
    for is_open in (True, False):
        run(small, lead).toggle(key="assignment-open-pool").set_value(is_open).run()
        assert project_by_slug(small.workspace, SLUG).open_pool is is_open
        assert len(queue(small.workspace, small.ara.id)) == (6 if is_open else 1)


def test_a_practice_round_counts_known_answers_only(small: Small, lead: PersonView) -> None:
    set_known_answers(small.workspace, SLUG, [Known("q2", (UNIT,))])
    at = run(small, lead)
    at.toggle(key="assign-practice").set_value(True).run()
    assert "**1**" in shown(at)
    at.text_input(key="assign-name").set_value("Practice")
    at.button(key="assign-create").click().run()
    (made,) = list_batches(small.workspace, SLUG)
    assert (made.practice, made.items) == (True, 1)


def test_settled_gold_becomes_known_answers(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    head = add_person(small.workspace, SLUG, "Han Lead", "researcher")
    at = run(small, head)
    at.button(key="assign-known-gold").click().run()
    assert "2" in at.success[0].value


def rated(small: Small) -> list[int]:
    """Make two answers to rate."""
    with small.workspace.writing() as session:
        project = find_project(session, SLUG)
        subjects = [Subject(n, f"a{n}", HOSTILE, {}) for n in (1, 2)]
        at = small.workspace.clock()
        return add_items(session, project.id, Task.ANSWER_RATING, subjects, at)


def test_a_task_with_a_form_has_known_answers_and_practice(small: Small, lead: PersonView) -> None:
    item, _ = rated(small)
    at = run(small, lead)
    at.selectbox(key="assign-known-task").select(Task.ANSWER_RATING).run()
    known = {"item": "a1", "answers": {"rating": "correct"}, "explanation": HOSTILE}
    content = json.dumps(known).encode()
    at.file_uploader(key="assign-known-file").upload("known.jsonl", content).run()
    at.button(key="assign-known-read").click().run()
    assert "1" in at.success[0].value
    at.selectbox(key="assign-task").select(Task.ANSWER_RATING).run()
    at.toggle(key="assign-practice").set_value(True).run()
    at.text_input(key="assign-name").set_value("Practice")
    at.button(key="assign-create").click().run()
    (made,) = list_batches(small.workspace, SLUG)
    assert (made.practice, made.items, made.task) == (True, 1, Task.ANSWER_RATING)
    form_commands.answer(small.workspace, small.ara.id, item, "rating", "incorrect")
    assert not practised(small).expander
    commands.submit(small.workspace, small.ara.id, item)
    told = practised(small)
    words = ("not quite", "Correct is right", "you answered Incorrect")
    seen = told.expander[0].label + shown(told)
    assert [word for word in words if word not in seen] == [], seen


def practised(small: Small) -> AppTest:
    """Return what the screen of the task tells of the last practice item."""
    return drawn(_practised, small, small.ara)


def _practised(seen):
    from pages.shell.context import Context
    from pages.task.batch_banner import draw_feedback
    from storage.tasks import Task

    draw_feedback(Context(**seen), Task.ANSWER_RATING)


def details(small: Small, person: PersonView, batch_id: int) -> AppTest:
    """Return the detail of a batch: a test cannot select a row of a table."""
    return drawn(_detail, small, person, at=batch_id)


def drawn(script: Callable[..., None], small: Small, person: PersonView, **more: Any) -> AppTest:
    """Draw a part of a screen."""
    seen = {"person": person, "workspace": small.workspace, "language": "en", "project": SLUG}
    at = AppTest.from_function(script, default_timeout=100, kwargs={"seen": seen} | more).run()
    return at


def _detail(seen, at):
    from pages.batches.batch_detail import draw_detail
    from pages.shell.context import Context

    draw_detail(Context(**seen), at, "assignment-notice")


def test_the_detail_shows_who_holds_what(small: Small, lead: PersonView) -> None:
    people = (small.ara.id, small.jun.id)
    made = make_batch(small.workspace, SLUG, BatchPlan(HOSTILE, people), lead.id)
    open_item(small.workspace, small.ara.id, small.items["q1"])
    at = details(small, lead, made)
    assert "Kim Ara" in shown(at)
    assert "q1" in shown(at)
    assert "Han Lead" in shown(at)
    assert "<img" not in shown(at).replace("\\<img", "")


def test_changing_a_batch(small: Small, lead: PersonView) -> None:
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id, small.jun.id)))
    at = details(small, lead, made)
    at.number_input(key=f"assign-new-overlap-{made}").set_value(1)
    at.button(key="assign-overlap-save").click().run()
    at.multiselect(key="assign-remove").set_value([small.jun.id])
    at.button(key="assign-people-save").click().run()
    at.button(key="assign-close").click().run()
    seen = open_batch(small.workspace, SLUG, made)
    assert (seen.batch.overlap, seen.batch.closed) == (1, True)
    assert [member.name for member in seen.members] == ["Kim Ara"]
    assert seen.events[-1].by == "Han Lead"


def test_an_adjudicator_looks_and_an_annotator_is_told_who_may(small: Small) -> None:
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id, small.jun.id)))
    assert not details(small, small.sora, made).button
    at = run(small, small.sora)
    assert "researchers and administrators" in shown(at)
    assert table(at, "Batch")["Batch"].tolist() == ["First"]
    at = run(small, small.ara)
    assert "researchers and administrators" in shown(at)
    assert not at.button


def test_questions_are_taken_out_by_their_ids(small: Small, lead: PersonView) -> None:
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id, small.jun.id)))
    at = details(small, lead, made)
    at.text_input(key=f"assign-out-{made}").set_value("q1, q2").run()
    at.button(key="assign-out-save").click().run()
    assert not at.error
    assert list_batches(small.workspace, SLUG)[0].items == 4
    at = details(small, lead, made)
    at.text_input(key=f"assign-out-{made}").set_value("q1").run()
    at.button(key="assign-out-save").click().run()
    assert "not in this batch" in at.error[0].value.replace("\\", "")


def test_one_known_answer_is_set_in_a_form(small: Small, lead: PersonView) -> None:
    at = run(small, lead)
    at.text_input(key="assign-known-question").set_value("q1")
    at.text_area(key="assign-known-units").set_value(UNIT)
    at.text_area(key="assign-known-explanation").set_value(HOSTILE)
    at.button(key="assign-known-set").click().run()
    assert "Known answers set: 1." in shown(at).replace("\\", "")
    assert [each.external_id for each in preview(small.workspace, SLUG, Choice()).known] == ["q1"]
    at.checkbox(key="assign-known-none").check()
    at.button(key="assign-known-set").click().run()
    assert "gives both units and" in at.error[0].value.replace("\\", "")


def test_the_same_seed_draws_the_same_questions_of_a_filter(small: Small, lead: PersonView) -> None:
    drawn: list[list[int]] = []
    for seed in (7, 7, 8):
        plan = BatchPlan(f"B{len(drawn)}", (small.ara.id,), sample=3, seed=seed, overlap=1)
        at = run(small, lead)
        at.selectbox(key="assign-language").set_value("ko")
        at.text_input(key="assign-name").set_value(plan.name)
        at.number_input(key="assign-sample").set_value(3)
        at.number_input(key="assign-seed").set_value(seed)
        at.button(key="assign-create").click().run()
        assert not at.error
        made = list_batches(small.workspace, SLUG)[-1]
        event = next(
            each
            for each in open_batch(small.workspace, SLUG, made.id).events
            if each.kind == "items"
        )
        drawn.append(event.payload["added"])
        ids = [name for name, item in small.items.items() if item in drawn[-1]]
        move_out(small.workspace, SLUG, made.id, ids)
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 3

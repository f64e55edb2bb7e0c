from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice, preview
from annotation.batches.views import list_batches, open_batch
from annotation.people.members import PersonView, add_person
from annotation.work.queue_service import open_item, queue
from storage.db.workspace import Workspace
from storage.projects import project_by_slug
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


def test_a_batch_is_made_in_the_form(small: Small, lead: PersonView) -> None:
    assert "assign-audit" not in {each.key for each in run(small, lead).selectbox}
    label_questions(small)
    at = run(small, lead)
    assert "**9" in shown(at)
    at.button(key="assign-create").click().run()
    assert "1 to 80" in at.error[0].value
    at.text_input(key="assign-name").set_value(HOSTILE)
    at.number_input(key="assign-overlap").set_value(3)
    at.button(key="assign-create").click().run()
    assert "2 people" in at.error[0].value
    assert list_batches(small.workspace, SLUG) == []
    at.number_input(key="assign-overlap").set_value(2)
    at.number_input(key="assign-sample").set_value(2)
    at.number_input(key="assign-seed").set_value(7)
    at.selectbox(key="assign-order").set_value("random")
    at.selectbox(key="assign-audit").set_value("labels").run()
    at.button(key="assign-create").click().run()
    assert not at.error
    (made,) = list_batches(small.workspace, SLUG)
    assert (made.items, made.sequence, made.people, made.overlap) == (2, "random", 2, 2)
    events = open_batch(small.workspace, SLUG, made.id).events
    assert "audit" in [each.kind for each in events], "labels of the data are audited blind"
    assert "**7" in shown(at)


def test_questions_in_no_batch_are_opened_and_closed(small: Small, lead: PersonView) -> None:
    assert not any(each.key == "assignment-open-pool" for each in run(small, lead).toggle)
    choice = Choice(external_ids=("q1",))
    make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id,), choice, overlap=1))
    for is_open in (True, False):
        run(small, lead).toggle(key="assignment-open-pool").set_value(is_open).run()
        assert project_by_slug(small.workspace, SLUG).open_pool is is_open
        assert len(queue(small.workspace, small.ara.id)) == (6 if is_open else 1)


def test_known_answers_come_from_gold_or_from_the_form_for_practice(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = run(small, add_person(small.workspace, SLUG, "Han Lead", "researcher"))
    at.button(key="assign-known-gold").click().run()
    assert "2" in at.success[0].value
    at.text_input(key="assign-known-question").set_value("q6")
    at.text_area(key="assign-known-units").set_value(UNIT)
    at.text_area(key="assign-known-explanation").set_value(HOSTILE)
    at.button(key="assign-known-set").click().run()
    assert "Known answers set: 1." in shown(at).replace("\\", "")
    known = [each.external_id for each in preview(small.workspace, SLUG, Choice()).known]
    assert known == ["q1", "q3", "q6"]
    at.checkbox(key="assign-known-none").check()
    at.button(key="assign-known-set").click().run()
    assert "gives both units and" in at.error[0].value.replace("\\", "")
    at.toggle(key="assign-practice").set_value(True).run()
    assert "**3**" in shown(at), "a practice round counts known answers only"


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
    at.text_input(key=f"assign-out-{made}").set_value("q1, q2").run()
    at.button(key="assign-out-save").click().run()
    assert not at.error
    at.multiselect(key="assign-remove").set_value([small.jun.id])
    at.button(key="assign-people-save").click().run()
    at.button(key="assign-close").click().run()
    seen = open_batch(small.workspace, SLUG, made)
    assert (seen.batch.overlap, seen.batch.items, seen.batch.closed) == (1, 4, True)
    assert [member.name for member in seen.members] == ["Kim Ara"]
    assert seen.events[-1].by == "Han Lead"
    at = details(small, lead, made)
    at.text_input(key=f"assign-out-{made}").set_value("q1").run()
    at.button(key="assign-out-save").click().run()
    assert "not in this batch" in at.error[0].value.replace("\\", "")


def test_an_adjudicator_looks_and_an_annotator_is_told_who_may(small: Small) -> None:
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id, small.jun.id)))
    assert not details(small, small.sora, made).button
    at = run(small, small.sora)
    assert "researchers and administrators" in shown(at)
    assert table(at, "Batch")["Batch"].tolist() == ["First"]
    at = run(small, small.ara)
    assert "researchers and administrators" in shown(at)
    assert not at.button

from __future__ import annotations

from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import BatchPlan, close, make_batch
from annotation.batches.sampling import Choice
from annotation.mapping.commands import label, set_no_provision
from annotation.work.commands import submit
from services.batches import deadline_of
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import HOSTILE, SLUG, Small, shown, small_project


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def banner(small: Small, item: int | None) -> str:
    seen = {"person": small.ara, "workspace": small.workspace, "language": "en"}
    seen |= {"project": SLUG}
    at = AppTest.from_function(_script, default_timeout=100, kwargs={"seen": seen, "item": item})
    at.run()
    return shown(at) + "".join(each.label for each in at.expander)


def _script(seen, item):
    from pages.shell.context import Context
    from pages.task.batch_banner import draw_batch, draw_feedback
    from storage.tasks import Task

    context = Context(**seen)
    draw_batch(context, item)
    draw_feedback(context, Task.CITATION_MAPPING)


def test_the_batch_its_deadline_and_the_days_left_are_named(small: Small) -> None:
    assert banner(small, small.items["q1"]) == banner(small, None) == "", "there is no batch"
    clock = small.workspace.clock
    assert isinstance(clock, FakeClock)
    day = (clock.now + timedelta(days=3)).date().isoformat()
    plan = BatchPlan("First", (small.ara.id, small.jun.id), deadline=deadline_of(day))
    make_batch(small.workspace, SLUG, plan)
    for after, words in ((0, "3 days left"), (3, "due today"), (2, "2 days overdue")):
        clock.now += timedelta(days=after)
        said = banner(small, small.items["q1"]).replace("\\", "")
        assert "First" in said and day in said and words in said


def test_a_finished_and_a_closed_batch_say_so(small: Small) -> None:
    choice = Choice(external_ids=("q1",))
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id,), choice, overlap=1))
    where = (small.workspace, small.ara.id, small.items["q1"])
    set_no_provision(*where, True)
    submit(*where)
    assert "finished" in banner(small, None)
    close(small.workspace, SLUG, made)
    assert "closed" in banner(small, None)


def test_feedback_follows_a_practice_submission(small: Small) -> None:
    known = Known("q1", ("화재안전법_1조",), explanation=HOSTILE)
    set_known_answers(small.workspace, SLUG, [known])
    make_batch(small.workspace, SLUG, BatchPlan("Practice", (small.ara.id,), practice=True))
    where = (small.workspace, small.ara.id, small.items["q1"])
    assert HOSTILE[:8] not in banner(small, where[2])
    label(*where, small.unit("q1", "제2조"), "accept")
    submit(*where)
    said = banner(small, None).replace("\\", "")
    assert all(words in said for words in ("제1조", "제2조", HOSTILE[:8]))
    assert "<img" not in banner(small, None).replace("\\<img", "")

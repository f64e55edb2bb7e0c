from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import BatchPlan, close, make_batch
from annotation.batches.sampling import Choice
from annotation.mapping.commands import label, set_no_provision
from annotation.work.commands import submit
from services.batches.assigning import deadline_of
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import HOSTILE, SLUG, Small, shown, small_project


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return small_project(Workspace(tmp_path / "workspace", FakeClock()))


def banner(small: Small, item: int | None, language: str = "en") -> str:
    seen = {"person": small.ara, "workspace": small.workspace, "language": language}
    seen |= {"project": SLUG}
    at = AppTest.from_function(_script, default_timeout=100, kwargs={"seen": seen, "item": item})
    at.run()
    assert not at.exception
    return shown(at) + "".join(each.label for each in at.expander)


def _script(seen, item):
    from pages.shell.context import Context
    from pages.task.batch_banner import draw_banner

    draw_banner(Context(**seen), item)


def test_nothing_is_said_where_there_is_no_batch(small: Small) -> None:
    assert banner(small, small.items["q1"]) == ""
    assert banner(small, None) == ""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_batch_and_its_deadline_are_named(small: Small, language: str) -> None:
    plan = BatchPlan("First", (small.ara.id, small.jun.id), deadline=deadline_of("2100-01-31"))
    make_batch(small.workspace, SLUG, plan)
    said = banner(small, small.items["q1"], language).replace("\\", "")
    assert "First" in said
    assert "2100-01-31" in said


@pytest.mark.parametrize(
    ("after", "en", "ko"),
    [
        (timedelta(), "3 days left", "3일 남음"),
        (timedelta(days=3), "due today", "오늘까지"),
        (timedelta(days=5), "2 days overdue", "2일 지남"),
    ],
)
def test_the_days_left_are_counted(small: Small, after: timedelta, en: str, ko: str) -> None:
    clock = small.workspace.clock
    assert isinstance(clock, FakeClock)
    day = (clock.now + timedelta(days=3)).date().isoformat()
    plan = BatchPlan("First", (small.ara.id, small.jun.id), deadline=deadline_of(day))
    make_batch(small.workspace, SLUG, plan)
    clock.now += after
    assert en in banner(small, small.items["q1"]).replace("\\", "")
    assert ko in banner(small, small.items["q1"], "ko").replace("\\", "")


def test_a_finished_and_a_closed_batch_say_so(small: Small) -> None:
    choice = Choice(external_ids=("q1",))
    made = make_batch(small.workspace, SLUG, BatchPlan("First", (small.ara.id,), choice, overlap=1))
    where = (small.workspace, small.ara.id, small.items["q1"])
    set_no_provision(*where, True)
    submit(*where)
    assert "finished" in banner(small, None)
    close(small.workspace, SLUG, made)
    assert "closed" in banner(small, None)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_feedback_follows_a_practice_submission(small: Small, language: str) -> None:
    known = Known("q1", ("화재안전법_1조",), explanation=HOSTILE)
    set_known_answers(small.workspace, SLUG, [known])
    make_batch(small.workspace, SLUG, BatchPlan("Practice", (small.ara.id,), practice=True))
    where = (small.workspace, small.ara.id, small.items["q1"])
    assert HOSTILE[:8] not in banner(small, where[2], language)
    label(*where, small.unit("q1", "제2조"), "accept")
    submit(*where)
    said = banner(small, None, language).replace("\\", "")
    assert "제1조" in said
    assert "제2조" in said
    assert HOSTILE[:8] in said
    assert "<img" not in banner(small, None, language).replace("\\<img", "")

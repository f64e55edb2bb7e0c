"""Nothing that Ann can reach tells what others or judges said of an answer before she has rated it.

Two worlds differ only in what Ben, a reviewer and a judge said; every page must send Ann the same.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import app
from annotation.people.members import list_people
from annotation.work import threads
from annotation.work.queue_service import open_item
from pages.judging.viewer import review_part
from pages.task.acts import ACTS, TaskSession, carry_out
from storage.tasks import Task
from tests.annotation.judging.answered import SLUG, Answered, build, verdict
from tests.conftest import FakeClock
from tests.pages.small_project import page
from tests.reliability.test_blindness import drawn
from tests.reliability.two_worlds import copied

WORDS = ("LEFTWORD", "RIGHTWORD")


def world(folder: Path, word: str, correct: bool) -> Answered:
    """Return the project: Ben has rated, a judge has judged, a reviewer has settled."""
    folder.mkdir()
    clock = FakeClock()
    answered = build(folder, clock)
    answered.judge(verdict("q1", correct, "little-judge") | {"raw": word})
    answered.rate(answered.ben, correct)
    threads.say(answered.ws, answered.ben, answered.state().rating_item or 0, word)
    answered.review(correct, "fair", f"{'missing_entity' if correct else 'wrong_figure'}")
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)
    open_item(answered.ws, answered.ann, answered.state().rating_item or 0)
    return answered


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Answered]:
    """Return both worlds, to be copied and never to be changed."""
    folder = tmp_path_factory.mktemp("sides")
    sides = zip(WORDS, (True, False), strict=True)
    return [world(folder / f"side-{word}", word, correct) for word, correct in sides]


@pytest.fixture
def worlds(made: list[Answered], tmp_path: Path) -> list[Answered]:
    return [copied(house, tmp_path / f"side-{n}" / "workspace") for n, house in enumerate(made)]


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_every_page_sends_ann_the_same(worlds: list[Answered], name: str) -> None:
    def sent(answered: Answered) -> list[bytes]:
        people = list_people(answered.ws, SLUG)
        ann = next(each for each in people if each.id == answered.ann)
        return drawn(page(name, answered.ws, ann, project=SLUG).run())

    left, right = (sent(each) for each in worlds)
    told = repr(left + right)
    for word in (*WORDS, "little-judge", "missing_entity", "wrong_figure"):
        assert word not in told
    assert left == right


def test_a_reviewer_is_told(worlds: list[Answered]) -> None:
    """Or else the test above would prove nothing."""
    answered = worlds[0]
    where = answered.ws, answered.adjudicator
    item = open_item(*where, answered.state().review_item or 0)
    told = repr(review_part(*where, item, "en"))
    assert "little-judge" in told
    assert "LEFTWORD" in told


@pytest.mark.parametrize("kind", ["matrix", "answer", "open", "thread"])
def test_no_message_opens_a_review_to_a_rater(worlds: list[Answered], kind: str) -> None:
    answered = worlds[0]
    item = answered.state().review_item or 0
    act: dict[str, Any] = {"kind": kind, "item": item, "field": "consensus", "value": "correct"}
    sitting = TaskSession(SLUG, answered.ann, task=Task.ANSWER_RATING)
    message = {"client": "x", "person": answered.ann, "acts": [{**act, "seq": 1}]}
    carry_out(answered.ws, sitting, message, "en", ACTS)
    assert "LEFTWORD" not in repr(sitting.told) + repr(sitting.thread)
    if kind == "answer":
        assert [each["seq"] for each in sitting.failed] == [1]

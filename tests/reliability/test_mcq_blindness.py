"""Nothing that Ann can reach tells what others or models said of a question before she has.

Two worlds differ only in what Ben and a model said; every page must send Ann the same.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import app
from annotation.adjudication.giving_back import give_back
from annotation.adjudication.tasks import recall, refer, to_send
from annotation.people.members import list_people
from annotation.work import threads
from annotation.work.commands import submit, take_back
from annotation.work.queue_service import open_item
from pages.mcq.mcq_solvability import fixed_part
from pages.task.acts import ACTS, TaskSession, carry_out
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import page
from tests.projects.mcq_project import SECOND, SLUG, WHY, McqHouse, answer, build, submitted, vote
from tests.reliability.test_blindness import drawn
from tests.reliability.two_worlds import copied

FIX = {"query": "LEFTWORD?", "options": ["1", "2", "3", "4"], "answer": 0}
WORLDS: tuple[dict[str, Any], ...] = (
    {"verdict": "fix", "cause": "unclear", "fix": FIX, "reason": "LEFTWORD"},
    {"verdict": "drop", "cause": "other", "reason": "RIGHTWORD"},
)


def world(folder: Path, said: dict[str, Any], choice: int) -> McqHouse:
    """Return the project: Ben has answered, a model too, and Ann stands at the second step."""
    clock = FakeClock()
    house = build(folder / "workspace", clock)
    submitted(house, house.ben, house.items[0], **said)
    threads.say(house.ws, house.ben, house.items[0], said["reason"])
    vote(house, house.mcqs[0], "little-model", "ab", choice)
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)  # what Ben did took longer in one of them
    answer(house, house.ann, house.items[0], [("alone_answerable", "no")])
    return house


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[McqHouse]:
    """Return both worlds, to be copied and never to be changed."""
    folder = tmp_path_factory.mktemp("sides")
    return [world(folder / f"side-{number}", said, number) for number, said in enumerate(WORLDS, 1)]


@pytest.fixture
def worlds(made: list[McqHouse], tmp_path: Path) -> list[McqHouse]:
    return [copied(house, tmp_path / f"side-{n}" / "workspace") for n, house in enumerate(made)]


def sent(house: McqHouse, name: str) -> list[bytes]:
    ann = next(each for each in list_people(house.ws, SLUG) if each.id == house.ann)
    return drawn(page(name, house.ws, ann, project=SLUG).run())


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_every_page_sends_ann_the_same(worlds: list[McqHouse], name: str) -> None:
    left, right = (sent(house, name) for house in worlds)
    told = repr(left + right)
    for word in ("LEFTWORD", "RIGHTWORD", "little-model"):
        assert word not in told
    assert left == right


def test_the_page_does_tell_once_it_may(worlds: list[McqHouse]) -> None:
    """Or else the test above would prove nothing."""
    house = worlds[0]
    submitted(house, house.ann, house.items[2])
    vote(house, house.mcqs[2], "little-model", "ab", 1)
    shown = open_item(house.ws, house.ann, house.items[2])
    told = repr(fixed_part(house.ws, house.ann, shown, "en"))
    assert "little-model" in told
    assert SECOND in told
    assert WHY in told


def test_only_a_discussion_of_several_tells_what_others_said(worlds: list[McqHouse]) -> None:
    house, item = worlds[0], worlds[0].items[0]
    for act, tells in (
        (lambda: submitted(house, house.ann, item), False),
        (lambda: give_back(house.ws, house.judge, item, house.ann, "Look again."), False),
        (lambda: take_back(house.ws, house.ann, item), False),
        (lambda: submit(house.ws, house.ann, item), False),
        (lambda: refer(house.ws, house.judge, item, "Talk.", sides(house, item)), True),
        (lambda: take_back(house.ws, house.ann, item), True),
        (lambda: recall(house.ws, house.judge, item), False),
    ):
        act()
        assert ("LEFTWORD" in repr(sent(house, "mcq_solvability"))) is tells


def sides(house: McqHouse, item: int) -> list[int]:
    return list(to_send(house.ws, house.judge, item))


FORGED: tuple[dict[str, Any], ...] = (
    {"kind": "answer", "field": "revealed", "value": True},
    {"kind": "answer", "field": "compared", "value": True},
    {"kind": "answer", "field": "both_choice", "value": 1},
    {"kind": "answer", "field": "verdict", "value": "keep"},
    {"kind": "answer", "field": "fix", "value": FIX},
    {"kind": "answer", "field": "stage", "value": "done"},
    {"kind": "answer", "field": ["revealed"], "value": {"a": 1}},
    {"kind": "submit", "revision": None},
)


@pytest.mark.parametrize("act", FORGED, ids=repr)
def test_no_message_opens_a_step_before_its_turn(
    worlds: list[McqHouse], act: dict[str, Any]
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    sitting = TaskSession(SLUG, house.ann, task=Task.MCQ_SOLVABILITY)
    message = {"client": "x", "person": house.ann, "acts": [{**act, "item": item, "seq": 1}]}
    carry_out(house.ws, sitting, message, "en", ACTS)
    assert [each["seq"] for each in sitting.failed] == [1]
    shown = open_item(house.ws, house.ann, item)
    assert dict(shown.answers) == {"alone_answerable": "no"}
    told = repr(fixed_part(house.ws, house.ann, shown, "en"))
    assert SECOND not in told
    assert WHY not in told

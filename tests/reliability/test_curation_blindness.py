"""Nothing that Ann can reach tells what others or layers said of a question before she has.

Two worlds differ only in what Ben and a layer said; every page must send Ann the same.
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
from pages.curation.curation import PAGE, fixed_part
from pages.task.acts import TaskSession, carry_out
from services.curation.items import admit
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import page
from tests.projects.curation_project import (
    ALONE,
    CRANE,
    GOLD,
    LAYER,
    SLUG,
    TARGET,
    CurationHouse,
    answer,
    build,
    submitted,
)
from tests.reliability.test_blindness import drawn
from tests.reliability.two_worlds import copied

EDIT = {"question": "LEFTWORD?", "answer": "LEFTWORD."}
WORLDS: tuple[dict[str, Any], ...] = (
    {"verdict": "edit", "cause": "unclear", "edit": EDIT, "reason": "LEFTWORD"},
    {"verdict": "reject", "cause": "other", "reason": "RIGHTWORD", "difficulty": "L4"},
)


def world(folder: Path, said: dict[str, Any]) -> CurationHouse:
    """Return the project: Ben has answered, and Ann has begun the first step."""
    clock = FakeClock()
    house = build(folder / "workspace", clock)
    submitted(house, house.ben, house.items[0], **said)
    threads.say(house.ws, house.ben, house.items[0], said["reason"])
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)  # what Ben did took longer in one of them
    answer(house, house.ann, house.items[0], [("voice", "yes")])
    return house


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[CurationHouse]:
    """Return both worlds, to be copied and never to be changed."""
    folder = tmp_path_factory.mktemp("sides")
    return [world(folder / f"side-{number}", said) for number, said in enumerate(WORLDS, 1)]


@pytest.fixture
def worlds(made: list[CurationHouse], tmp_path: Path) -> list[CurationHouse]:
    return [copied(house, tmp_path / f"side-{n}" / "workspace") for n, house in enumerate(made)]


def sent(house: CurationHouse, name: str) -> list[bytes]:
    ann = next(each for each in list_people(house.ws, SLUG) if each.id == house.ann)
    return drawn(page(name, house.ws, ann, project=SLUG).run())


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_every_page_sends_ann_the_same(worlds: list[CurationHouse], name: str) -> None:
    left, right = (sent(house, name) for house in worlds)
    told = repr(left + right)
    for word in ("LEFTWORD", "RIGHTWORD", LAYER):
        assert word not in told
    assert left == right


def test_the_page_does_tell_once_it_may(worlds: list[CurationHouse]) -> None:
    """Or else the test above would prove nothing."""
    house, item = worlds[0], worlds[0].items[1]
    before = repr(fixed_part(house.ws, house.ann, open_item(house.ws, house.ann, item), "en"))
    assert LAYER not in before
    assert TARGET not in before
    answer(house, house.ann, item, [*ALONE, ("revealed", True)])
    after = repr(fixed_part(house.ws, house.ann, open_item(house.ws, house.ann, item), "en"))
    assert LAYER in after
    assert TARGET in after


def test_only_a_discussion_of_several_tells_what_others_said(
    worlds: list[CurationHouse],
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    rest = [*ALONE, ("revealed", True), ("gold", GOLD), ("verdict", "keep")]

    def submit_mine() -> None:
        answer(house, house.ann, item, rest)
        submit(house.ws, house.ann, item)

    for act, tells in (
        (submit_mine, False),
        (lambda: give_back(house.ws, house.judge, item, house.ann, "Look again."), False),
        (lambda: take_back(house.ws, house.ann, item), False),
        (lambda: submit(house.ws, house.ann, item), False),
        (lambda: refer(house.ws, house.judge, item, "Talk.", sides(house, item)), True),
        (lambda: take_back(house.ws, house.ann, item), True),
        (lambda: recall(house.ws, house.judge, item), False),
    ):
        act()
        assert ("LEFTWORD" in repr(sent(house, "curation"))) is tells


def sides(house: CurationHouse, item: int) -> list[int]:
    return list(to_send(house.ws, house.judge, item))


def test_what_is_admitted_tells_who_has_not_answered_nothing_of_its_gold(
    worlds: list[CurationHouse],
) -> None:
    """Of a question that one person alone curated, the others learn that it is there."""
    house, item = worlds[0], worlds[0].items[1]
    gold = {**GOLD, CRANE: "yes"}
    for who in (house.ann, house.ben):
        submitted(house, who, item, gold=gold)
    admit(house.ws, SLUG)
    assert CRANE not in repr(sent(house, "gold"))


FORGED: tuple[dict[str, Any], ...] = (
    {"kind": "answer", "field": "revealed", "value": True},
    {"kind": "answer", "field": "gold", "value": GOLD},
    {"kind": "answer", "field": "verdict", "value": "keep"},
    {"kind": "answer", "field": "edit", "value": EDIT},
    {"kind": "answer", "field": "stage", "value": "done"},
    {"kind": "answer", "field": ["revealed"], "value": {"a": 1}},
    {"kind": "submit", "revision": None},
)


@pytest.mark.parametrize("act", FORGED, ids=repr)
def test_no_message_opens_the_second_step_before_its_turn(
    worlds: list[CurationHouse], act: dict[str, Any]
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    sitting = TaskSession(SLUG, house.ann, task=Task.CURATION)
    message = {"client": "x", "person": house.ann, "acts": [{**act, "item": item, "seq": 1}]}
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    assert [each["seq"] for each in sitting.failed] == [1]
    shown = open_item(house.ws, house.ann, item)
    assert dict(shown.answers) == {"voice": "yes"}
    told = repr(fixed_part(house.ws, house.ann, shown, "en"))
    assert LAYER not in told
    assert TARGET not in told

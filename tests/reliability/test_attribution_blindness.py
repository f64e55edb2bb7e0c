"""Nothing that Ann can reach tells what others said of claims, who answered, or a label too early.

Two worlds differ only in what Ben said, and in the system and the judge of the answers.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import app
from annotation.adjudication.giving_back import give_back
from annotation.adjudication.tasks import recall, refer, to_send
from annotation.forms.form import answer
from annotation.people.members import list_people
from annotation.work import threads
from annotation.work.commands import set_comment, submit, take_back
from annotation.work.queue_service import open_item
from pages.attribution.attribution_review import PAGE, moving_part
from pages.task.acts import TaskSession, carry_out
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import page
from tests.projects.attribution_review_project import (
    JUDGE,
    SAID,
    SLUG,
    SYSTEM,
    AttributionHouse,
    build,
    submitted,
)
from tests.reliability.test_blindness import drawn
from tests.reliability.two_worlds import copied

WORLDS: tuple[dict[str, Any], ...] = (
    {"label_1": "none", "gold_1": None, "supported_1": "no"},
    {"label_1": "partial", "gold_1": 2, "supported_2": "uncited"},
)
WORDS = ("LEFTWORD", "RIGHTWORD")


def world(folder: Path, at: int) -> AttributionHouse:
    """Return the project: Ben has answered, and Ann has begun the first claim."""
    clock = FakeClock()
    house = build(folder / "workspace", clock)
    set_comment(house.ws, house.ben, house.items[0], WORDS[at])
    submitted(house, house.ben, house.items[0], **WORLDS[at])
    threads.say(house.ws, house.ben, house.items[0], WORDS[at])
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)  # what Ben did took longer in one of them
    answer(house.ws, house.ann, house.items[0], "label_1", "match")
    return house


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[AttributionHouse]:
    """Return both worlds, to be copied and never to be changed."""
    folder = tmp_path_factory.mktemp("sides")
    return [world(folder / f"side-{number}", number) for number in range(2)]


@pytest.fixture
def worlds(made: list[AttributionHouse], tmp_path: Path) -> list[AttributionHouse]:
    return [copied(house, tmp_path / f"side-{n}" / "workspace") for n, house in enumerate(made)]


def sent(house: AttributionHouse, name: str) -> list[bytes]:
    ann = next(each for each in list_people(house.ws, SLUG) if each.id == house.ann)
    return drawn(page(name, house.ws, ann, project=SLUG).run())


@pytest.mark.parametrize("name", sorted(app.PAGES))
def test_every_page_sends_ann_the_same(worlds: list[AttributionHouse], name: str) -> None:
    left, right = (sent(house, name) for house in worlds)
    told = repr(left + right)
    for word in (*WORDS, JUDGE):
        assert word not in told
    if name == "attribution_review":
        assert SYSTEM not in told
    assert left == right


def test_a_label_is_sent_once_the_claim_is_answered_and_no_other(
    worlds: list[AttributionHouse],
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    steps: tuple[tuple[str, Any, set[str]], ...] = (
        ("gold_1", 1, set()),
        ("supported_1", "yes", {"1"}),
        ("label_2", "none", {"1"}),
    )
    for field, value, told in steps:
        answer(house.ws, house.ann, item, field, value)
        shown = open_item(house.ws, house.ann, item)
        found = moving_part(house.ws, house.ann, shown, "en")["suggested"]
        assert set(found) == told


def test_only_a_discussion_of_several_tells_what_others_said(
    worlds: list[AttributionHouse],
) -> None:
    house, item = worlds[0], worlds[0].items[0]

    def submit_mine() -> None:
        for field, value in SAID.items():
            answer(house.ws, house.ann, item, field, value)
        submit(house.ws, house.ann, item)

    def refer_it() -> None:
        refer(house.ws, house.judge, item, "Talk.", list(to_send(house.ws, house.judge, item)))

    for act, tells in (
        (submit_mine, False),
        (lambda: give_back(house.ws, house.judge, item, house.ann, "Look again."), False),
        (lambda: take_back(house.ws, house.ann, item), False),
        (lambda: submit(house.ws, house.ann, item), False),
        (refer_it, True),
        (lambda: take_back(house.ws, house.ann, item), True),
        (lambda: recall(house.ws, house.judge, item), False),
    ):
        act()
        assert ("LEFTWORD" in repr(sent(house, "attribution_review"))) is tells


FORGED: tuple[dict[str, Any], ...] = (
    {"kind": "answer", "field": "label_9", "value": "match"},
    {"kind": "answer", "field": "gold_1", "value": 9},
    {"kind": "answer", "field": "suggested_1", "value": True},
    {"kind": "answer", "field": ["label_1"], "value": {"a": 1}},
    {"kind": "submit", "revision": None},
)


@pytest.mark.parametrize("act", FORGED, ids=repr)
def test_no_message_says_what_the_form_does_not_take(
    worlds: list[AttributionHouse], act: dict[str, Any]
) -> None:
    house, item = worlds[0], worlds[0].items[0]
    sitting = TaskSession(SLUG, house.ann, task=Task.ATTRIBUTION)
    message = {"client": "x", "person": house.ann, "acts": [{**act, "item": item, "seq": 1}]}
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    assert [each["seq"] for each in sitting.failed] == [1]
    shown = open_item(house.ws, house.ann, item)
    assert dict(shown.answers) == {"label_1": "match"}
    assert moving_part(house.ws, house.ann, shown, "en")["suggested"] == {}

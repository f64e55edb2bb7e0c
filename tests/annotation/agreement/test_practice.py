from __future__ import annotations

import pytest

from annotation.agreement.calibration import Known, accuracy
from annotation.agreement.known_forms import UnitFeedback, feedback, latest_feedback
from annotation.batches.commands import close
from annotation.gold.derivation import derive
from annotation.work import commands, queue_service
from errors import UserError
from tests.annotation.crew import batch, know, queue_of, submit
from tests.annotation.house import SLUG, House


def closed(house: House, person: int, item: int) -> bool:
    with pytest.raises(UserError) as caught:
        feedback(house.ws, person, house.items[item])
    return caught.value.code == "feedback_closed"


def test_feedback_comes_with_the_submission_and_only_then(house: House) -> None:
    know(house)
    batch(house, practice=True)
    assert closed(house, house.ann, 2)
    queue_service.open_item(house.ws, house.ann, house.items[2])
    assert closed(house, house.ann, 2)
    submit(house, house.ben, house.items[2], 1)
    assert closed(house, house.ann, 2)
    submit(house, house.ann, house.items[2], 2, 3)
    seen = feedback(house.ws, house.ann, house.items[2])
    assert not seen.right
    assert seen.explanation == "Article 1 is about lamps."
    assert seen.units == (
        UnitFeedback("lake-act_article-1", "Lake Act Article 1", None, "missed"),
        UnitFeedback("lake-act_article-2", "Lake Act Article 2", "accept", "wrong"),
        UnitFeedback("lake-act_article-3", "Lake Act Article 3", "accept", "wrong"),
    )
    assert feedback(house.ws, house.ben, house.items[2]).right
    assert latest_feedback(house.ws, house.ann) == seen
    commands.take_back(house.ws, house.ann, house.items[2])
    assert closed(house, house.ann, 2)
    assert latest_feedback(house.ws, house.ann) is None


def test_practice_comes_first_and_what_follows_waits_for_it(house: House) -> None:
    batch(house, ids=("q1", "q2"))
    know(house)
    made = batch(house, house.ann, practice=True, name="Practice")
    assert queue_of(house, house.ann) == [2, 0, 1]
    assert queue_service.next_item(house.ws, house.ann) == house.items[2]
    commands.skip(house.ws, house.ann, house.items[2])
    assert queue_service.next_item(house.ws, house.ann, house.items[2]) is None
    assert queue_service.next_item(house.ws, house.ann) == house.items[2]
    submit(house, house.ann, house.items[2], 1)
    assert queue_service.next_item(house.ws, house.ann, house.items[2]) == house.items[0]
    assert queue_service.next_item(house.ws, house.ben) == house.items[0]
    submit(house, house.ann, house.items[0], 1)
    assert latest_feedback(house.ws, house.ann) is None
    commands.take_back(house.ws, house.ann, house.items[2])
    close(house.ws, SLUG, made)
    assert queue_service.next_item(house.ws, house.ann) == house.items[1]


def test_practice_makes_neither_gold_nor_calibration(house: House) -> None:
    know(house, *(Known(f"q{n}", (), no_provision=True) for n in (1, 2, 3)))
    batch(house, practice=True)
    for person in (house.ann, house.ben, house.cho):
        submit(house, person, house.items[0])
    assert [item.outcome for item in derive(house.ws, SLUG)] == ["pending"] * 3
    assert accuracy(house.ws, SLUG) == []
    assert feedback(house.ws, house.ann, house.items[0]).no_provision


def test_an_ordinary_item_has_no_feedback_though_its_answer_is_known(house: House) -> None:
    know(house)
    batch(house, calibration=1 / 3)
    submit(house, house.ann, house.items[2], 1)
    assert closed(house, house.ann, 2)

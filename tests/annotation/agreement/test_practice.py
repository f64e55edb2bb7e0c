from __future__ import annotations

from annotation.agreement.calibration import Known, accuracy
from annotation.agreement.known_forms import UnitFeedback, feedback, latest_feedback
from annotation.batches.commands import close
from annotation.gold.derivation import derive
from annotation.work import commands, queue_service
from tests.annotation.crew import batch, know, queue_of, submit
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of


def test_feedback_comes_with_the_submission_and_only_then(house: House) -> None:
    know(house)
    batch(house, practice=True)
    where = house.ws, house.ann, house.items[2]
    submit(house, house.ben, house.items[2], 1)
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
    assert code_of(feedback, *where) == "feedback_closed"
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

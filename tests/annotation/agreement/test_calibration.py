from __future__ import annotations

import pytest

from annotation.adjudication.disputes import decide
from annotation.agreement.calibration import (
    Known,
    accuracy,
    known_from_gold,
    set_known_answers,
    standing_answers,
)
from annotation.agreement.known_forms import Feedback, UnitFeedback, feedback, latest_feedback
from annotation.batches.commands import close
from annotation.gold.derivation import derive
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from tests.annotation.crew import batch, know, queue_of, submit
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of


def test_exactly_the_known_units_are_right(house: House) -> None:
    know(house, Known("q2", ("lake-act_article-2",)))
    made = batch(house, calibration=1 / 3)
    item = house.items[1]
    submit(house, house.ann, item, 2)
    submit(house, house.ben, item, 1, 2)
    mapping_commands.label(house.ws, house.cho, item, house.units[2], "unsure")
    commands.submit(house.ws, house.cho, item)
    found = accuracy(house.ws, SLUG, house.judge, made)
    assert [each.person for each in found] == ["Ann", "Ben", "Cho"]
    wrong = 0, (), ("q2",)
    said = [(each.right, each.known, each.wrong) for each in found]
    assert said == [(1, ("q2",), ()), wrong, wrong]
    assert found[0].share.value == 1.0
    assert found[0].share.low is found[0].share.high is None, "one question says nothing of others"


def test_no_provision_can_be_the_right_answer(house: House) -> None:
    know(house, Known("q3", (), no_provision=True))
    batch(house, calibration=1 / 3)
    submit(house, house.ann, house.items[2])
    submit(house, house.ben, house.items[2], 1)
    assert [each.right for each in accuracy(house.ws, SLUG)] == [1, 0]


def test_a_newer_answer_supersedes_and_an_equal_one_is_not_kept(house: House) -> None:
    first = Known("q1", ("lake-act_article-1",))
    other = Known("q3", (), no_provision=True)
    assert set_known_answers(house.ws, SLUG, [other, first]) == 2
    assert set_known_answers(house.ws, SLUG, [first]) == 0
    second = Known("q1", ("lake-act_article-2", "lake-act_article-1"))
    assert set_known_answers(house.ws, SLUG, [second, second]) == 1
    with house.ws.reading() as session:
        found = {item: row.answer for item, row in standing_answers(session, 1).items()}
    assert found == {
        house.items[0]: {"units": sorted(second.units), "no_provision": False},
        house.items[2]: {"units": [], "no_provision": True},
    }


@pytest.mark.parametrize(
    ("known", "code"),
    [
        (Known("q9", ("lake-act_article-1",)), "questions_unknown"),
        (Known("q1", ("sea-act_article-1",)), "known_unit_unknown"),
        (Known("q1", ()), "known_answer_unfit"),
        (Known("q1", ("lake-act_article-1",), no_provision=True), "known_answer_unfit"),
        (Known("q1", ("lake-act_article-1",), explanation="x" * 5001), "text_too_long"),
    ],
)
def test_one_bad_answer_refuses_all(house: House, known: Known, code: str) -> None:
    good = Known("q2", ("lake-act_article-1",))
    assert code_of(set_known_answers, house.ws, SLUG, [good, known]) == code
    assert set_known_answers(house.ws, SLUG, [good]) == 1


def test_settled_gold_can_be_taken(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    assert known_from_gold(house.ws, SLUG) == []
    submit(house, house.ben, house.items[0], 1)
    agreed = Known("q1", ("lake-act_article-1",))
    assert known_from_gold(house.ws, SLUG) == [agreed]
    for person, article in ((house.ann, 1), (house.ben, 2)):
        submit(house, person, house.items[2], article)
    decide(house.ws, house.judge, house.items[2], [house.units[2]], False, "So it says.", 1.0)
    decided = Known("q3", ("lake-act_article-2",), explanation="So it says.")
    assert known_from_gold(house.ws, SLUG) == [agreed, decided]
    assert known_from_gold(house.ws, SLUG, ["q1"]) == [agreed]
    assert code_of(known_from_gold, house.ws, SLUG, ["q2"]) == "gold_unsettled"


def test_feedback_comes_with_the_submission_and_only_then(house: House) -> None:
    know(house)
    batch(house, practice=True)
    where = house.ws, house.ann, house.items[2]
    submit(house, house.ben, house.items[2], 1)
    submit(house, house.ann, house.items[2], 2, 3)
    seen = feedback(house.ws, house.ann, house.items[2])
    units = (
        UnitFeedback("lake-act_article-1", "Lake Act Article 1", None, "missed"),
        UnitFeedback("lake-act_article-2", "Lake Act Article 2", "accept", "wrong"),
        UnitFeedback("lake-act_article-3", "Lake Act Article 3", "accept", "wrong"),
    )
    about = house.items[2], "q3", "Which boats need a lamp, case 3?", "Article 1 is about lamps."
    assert seen == Feedback(*about, right=False, units=units)
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
    seen = feedback(house.ws, house.ann, house.items[0])
    assert (seen.right, seen.no_provision, seen.said_none) == (True, True, True)

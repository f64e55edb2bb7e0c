"""Ratings on which people differ: the queue of them, one with its sides, settling it."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.adjudication.undoing import undo
from annotation.judging.disputes import DISPUTES
from annotation.judging.state import Outcome
from errors import UserError
from tests.annotation.judging.answered import Answered, build
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Answered:
    made = build(tmp_path, clock)
    for question in ("q1", "q2", "q3"):
        made.rate(made.ann, True, question)
    made.rate(made.ben, False, "q1")
    made.rate(made.ben, True, "q2")
    return made


def test_differing_ratings_are_settled_and_opened_again(house: Answered) -> None:
    ws, judge = house.ws, house.adjudicator
    [entry] = DISPUTES.queue(ws, judge)
    assert (entry.causes, entry.state) == (("differ",), "open")
    case = DISPUTES.open_dispute(ws, judge, entry.item_id)
    assert [each.person for each in case.sides] == ["Ann", "Ben"]
    assert case.question.answer.startswith("The small model")
    assert not hasattr(case.question, "system"), "who gave it is not told"
    seen = case.annotation_ids, case.before
    assert DISPUTES.decide(ws, judge, entry.item_id, {"rating": "correct"}, "So.", *seen) == 0
    assert house.state("q1").outcome == Outcome.SETTLED
    assert DISPUTES.queue(ws, judge)[0].state == "decided"
    undo(ws, judge, entry.item_id)
    assert house.state("q1").outcome == Outcome.DIFFER
    assert DISPUTES.queue(ws, judge)[0].state == "open"


def test_what_agrees_is_owed_or_was_reviewed_is_no_dispute(house: Answered) -> None:
    for question in ("q2", "q3"):
        item = house.state(question).rating_item or 0
        with pytest.raises(UserError) as caught:
            DISPUTES.open_dispute(house.ws, house.adjudicator, item)
        assert caught.value.code == "case_closed_to_you"
    for call in (DISPUTES.queue, lambda ws, by: DISPUTES.open_dispute(ws, by, item)):
        with pytest.raises(UserError) as caught:
            call(house.ws, house.ann)
        assert caught.value.code == "not_allowed"


def test_a_reviewed_answer_needs_no_decision(house: Answered) -> None:
    house.judge({"id": "q1", "system": "small", "judge": "gpt", "verdict": "correct"})
    house.review(True, "fair")
    assert house.state("q1").outcome == Outcome.REVIEWED
    assert DISPUTES.queue(house.ws, house.adjudicator) == []

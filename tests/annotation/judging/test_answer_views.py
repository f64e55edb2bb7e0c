"""What is read of a judged answer: blind for raters, open for reviewers."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from annotation.adjudication.tasks import undo
from annotation.forms import form as form_commands
from annotation.judging.answer_views import DISPUTES, OpenCase, blind_case, open_case
from annotation.judging.state import Outcome
from annotation.people.members import add_person
from annotation.people.roles import NotAllowedError
from annotation.work import queue_service
from storage.projects import create_project
from tests.annotation.judging.answered import SLUG, Answered, case, verdict
from tests.support.refusals import code_of, refused


def opened(answered: Answered) -> OpenCase:
    """Open the review of the first answer as its reviewer."""
    where = answered.ws, answered.adjudicator
    item = queue_service.open_item(*where, answered.state().review_item or 0)
    return open_case(*where, item)


def test_a_rater_reads_the_texts_and_nothing_else(answered: Answered) -> None:
    answered.judge(verdict("q1", True))
    answered.rate(answered.ben, False)
    shown = asdict(blind_case(answered.ws, answered.ann, answered.state().id))
    line = case("q1", "small")
    assert shown.pop("provisions") == tuple(line["provisions"])
    assert shown == {name: line[name] for name in ("question", "reference", "answer", "language")}
    told = json.dumps(shown)
    assert not any(word in told for word in ("gpt", "verdict", "Ben", SLUG))


def test_an_answer_of_another_project_is_refused(answered: Answered) -> None:
    create_project(answered.ws, "other", "Other", 2)
    stranger = add_person(answered.ws, "other", "Cho", "annotator").id
    for person, number in ((stranger, answered.state().id), (answered.ann, 999)):
        assert code_of(blind_case, answered.ws, person, number) == "item_unknown"


def test_only_reviewers_open_a_case(answered: Answered) -> None:
    where = answered.ws, answered.adjudicator
    item = queue_service.open_item(*where, answered.state().review_item or 0)
    assert open_case(answered.ws, answered.researcher, item).system == "small"
    with pytest.raises(NotAllowedError):
        open_case(answered.ws, answered.ann, item)


def test_the_verdicts_are_those_that_the_review_was_begun_on(answered: Answered) -> None:
    assert (opened(answered).verdicts, opened(answered).verdict) == ((), None)
    pair = {"id": "q1", "system": "small", "judge": "gpt", "other": "large", "verdict": "second"}
    answered.judge(verdict("q1", True), verdict("q1", True, "two"), pair | {"swapped": True})
    answered.judge(pair | {"judge": "two"})
    found = opened(answered)
    assert [(each.judge, each.kind, each.verdict) for each in found.verdicts] == [
        ("gpt", "binary", "correct"),
        ("two", "binary", "correct"),
        ("gpt", "pairwise", "second"),
        ("two", "pairwise", "second"),
    ]
    assert (found.verdicts[2].other, found.verdicts[2].swapped) == ("large", True)
    assert found.verdict is True
    item = answered.state().review_item or 0
    form_commands.answer(answered.ws, answered.adjudicator, item, "consensus", "correct")
    answered.judge(verdict("q1", False), verdict("q1", False, "two"))
    assert opened(answered).verdict is True, "a draft in progress keeps what it was begun on"


def test_judges_that_tie_say_nothing_together(answered: Answered) -> None:
    answered.judge(verdict("q1", True), verdict("q1", False, "two"))
    assert opened(answered).verdict is None


@pytest.fixture
def house(answered: Answered) -> Answered:
    for question in ("q1", "q2", "q3"):
        answered.rate(answered.ann, True, question)
    answered.rate(answered.ben, False, "q1")
    answered.rate(answered.ben, True, "q2")
    return answered


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
        with refused("case_closed_to_you"):
            DISPUTES.open_dispute(house.ws, house.adjudicator, item)
    for call in (DISPUTES.queue, lambda ws, by: DISPUTES.open_dispute(ws, by, item)):
        with refused("not_allowed"):
            call(house.ws, house.ann)


def test_a_reviewed_answer_needs_no_decision(house: Answered) -> None:
    house.judge({"id": "q1", "system": "small", "judge": "gpt", "verdict": "correct"})
    found = opened(house)
    assert (found.so_far, found.wanted) == (2, 2)
    assert [each.person for each in found.ratings] == ["Ann", "Ben"]
    house.review(True, "fair")
    assert house.state("q1").outcome == Outcome.REVIEWED
    assert DISPUTES.queue(house.ws, house.adjudicator) == []

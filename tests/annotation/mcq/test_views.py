"""What is told of a question at each step, and settling where people differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.giving_back import give_back
from annotation.check.project import check
from annotation.forms.adjudication import settle
from annotation.mcq.disputes import DISPUTES
from annotation.mcq.solvability import Fix
from annotation.mcq.state import Dispute, Fate, McqState, mcq_states
from annotation.mcq.views import McqView, own_view
from annotation.work import commands
from annotation.work.queue_service import open_item
from errors import UserError
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.projects.mcq_project import (
    ALONE,
    BOTH,
    SLUG,
    McqHouse,
    answer,
    build,
    steps,
    submitted,
    vote,
)

FIX: dict[str, Any] = {
    "query": "난간은 몇 미터까지인가?",
    "options": ["1", "2", "3", "4"],
    "answer": 0,
}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    return build(tmp_path / "workspace", clock)


def code(call: Any, *args: Any) -> str:
    with pytest.raises(UserError) as caught:
        call(*args)
    return caught.value.code


def view(house: McqHouse, who: int, item: int) -> McqView:
    return own_view(house.ws, who, open_item(house.ws, who, item))


def states(house: McqHouse) -> list[McqState]:
    with house.ws.reading() as session:
        found = mcq_states(session, find_project(session, SLUG).id)
    assert list(found) == list(house.mcqs)
    return list(found.values())


def test_each_step_tells_what_belongs_to_it_and_no_more(house: McqHouse) -> None:
    item, mcq = house.items[0], house.mcqs[0]
    vote(house, mcq, "small", "a", 4)
    vote(house, mcq, "small", "ab", None)
    vote(house, mcq, "small", "zero", 3, wording="corrected")
    seen = view(house, house.ann, item)
    assert seen.a.text.startswith("부두의 관계인은")
    assert (seen.b, seen.stored, seen.explanation, seen.votes) == (None, None, None, None)
    answer(house, house.ann, item, [*ALONE, ("revealed", True)])
    seen = view(house, house.ann, item)
    assert seen.b is not None
    assert seen.b.text.startswith("시행령이 정한")
    assert (seen.stored, seen.explanation, seen.votes) == (None, None, None)
    answer(house, house.ann, item, [*BOTH, ("compared", True)])
    seen = view(house, house.ann, item)
    assert seen.stored == 1
    assert seen.explanation
    assert seen.votes is None
    answer(house, house.ann, item, [("stored_right", "yes"), ("verdict", "keep")])
    commands.submit(house.ws, house.ann, item)
    (small,) = view(house, house.ann, item).votes or ()
    assert (small.model, small.said) == ("small", {"a": (4,), "ab": (None,)})
    assert view(house, house.ben, item).b is None, "another person's steps open nothing"


def test_a_step_that_was_opened_cannot_be_undone(house: McqHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item, [*ALONE, ("revealed", True)])
    seen = open_item(house.ws, house.ann, item)
    assert not seen.can_undo
    assert code(commands.undo, house.ws, house.ann, item) == "nothing_to_undo"
    answer(house, house.ann, item, BOTH)
    commands.undo(house.ws, house.ann, item)
    assert "both_sure" not in open_item(house.ws, house.ann, item).answers
    for _ in BOTH[:-1]:
        commands.undo(house.ws, house.ann, item)
    assert code(commands.undo, house.ws, house.ann, item) == "nothing_to_undo"
    seen = open_item(house.ws, house.ann, item)
    assert dict(seen.answers) == {**dict(ALONE), "revealed": True}
    assert code(answer, house, house.ann, item, [("alone_choice", 1)]) == "mcq_closed"
    assert check(house.ws, SLUG) == []


def test_a_submission_that_was_taken_back_leaves_the_steps_closed(house: McqHouse) -> None:
    item = house.items[0]
    submitted(house, house.ann, item)
    commands.take_back(house.ws, house.ann, item)
    assert view(house, house.ann, item).votes is None
    assert code(answer, house, house.ann, item, [("both_choice", 0)]) == "mcq_closed"
    answer(house, house.ann, item, [("verdict", "drop"), ("cause", "unclear")])
    commands.undo(house.ws, house.ann, item)
    assert dict(open_item(house.ws, house.ann, item).answers)["verdict"] == "drop"
    assert check(house.ws, SLUG) == []


def test_the_state_follows_from_what_people_said(house: McqHouse) -> None:
    first, second, third = house.items
    for who in (house.ann, house.ben):
        submitted(house, who, first)
        submitted(house, who, second, "fix", fix=FIX, cause="unclear")
    submitted(house, house.ann, third, "drop", cause="unanswerable")
    assert [each.fate for each in states(house)] == [Fate.KEPT, Fate.FIXED, Fate.WAITING]
    assert states(house)[1].fix == Fix(FIX["query"], ("1", "2", "3", "4"), 0)
    submitted(house, house.ben, third)
    assert states(house)[2].fate is Fate.DISPUTED
    assert states(house)[2].disputes == (Dispute.VERDICT,)


def test_a_correction_that_changes_nothing_is_refused(house: McqHouse) -> None:
    item = house.items[0]
    seen = view(house, house.ann, item)
    same = {"query": seen.query, "options": list(seen.options[:4]), "answer": 1}
    answer(house, house.ann, item, steps("fix", fix=same, cause="unclear"))
    assert code(commands.submit, house.ws, house.ann, item) == "mcq_fix_same"
    changed = same | {"answer": 2}
    answer(house, house.ann, item, [("fix", changed)])
    commands.submit(house.ws, house.ann, item)
    submitted(house, house.ben, item)
    said = {"verdict": "fix", "cause": "unclear", "fix": same}
    assert code(settle, house.ws, house.judge, item, said, "why") == "mcq_fix_same"
    settle(house.ws, house.judge, item, said | {"fix": changed}, "why")
    assert states(house)[0].fate is Fate.FIXED


def test_an_adjudicator_settles_what_is_disputed(house: McqHouse) -> None:
    first, second, third = house.items
    for item in (first, second):
        submitted(house, house.ann, item)
    submitted(house, house.ben, first, "drop", cause="unclear")
    submitted(house, house.ben, second, flag="cut off")
    submitted(house, house.ann, third, "drop", cause="unclear")
    found = DISPUTES.queue(house.ws, house.judge)
    assert [each.item_id for each in found] == [first, second]
    case = DISPUTES.open_dispute(house.ws, house.judge, first)
    assert [each.person for each in case.sides] == ["Ann", "Ben"]
    assert case.question.b is not None
    assert case.question.stored == 1
    unfit: tuple[dict[str, Any], ...] = (
        {},
        {"verdict": "drop"},
        {"verdict": "keep", "both_choice": 1},
        {"verdict": "drop", "cause": "house_rule"},
    )
    for answers in unfit:
        with pytest.raises(UserError):
            settle(house.ws, house.judge, first, answers, "why")
    settle(house.ws, house.judge, first, {"verdict": "drop", "cause": "outdated"}, "게시 전 법")
    settle(house.ws, house.judge, first, {"verdict": "fix", "cause": "unclear", "fix": FIX}, "고침")
    state = states(house)[0]
    assert (state.fate, state.causes, state.settled) == (Fate.FIXED, ("unclear",), True)
    assert state.disputes == (Dispute.VERDICT,)
    case = DISPUTES.open_dispute(house.ws, house.judge, first)
    assert case.settled is not None
    assert case.settled.reason == "고침"
    assert check(house.ws, SLUG) == []


def test_nobody_else_sees_what_is_disputed(house: McqHouse) -> None:
    first, second, _ = house.items
    submitted(house, house.ann, first)
    submitted(house, house.ben, first, "drop", cause="unclear")
    for who in (house.ann, house.ben, house.lead):
        for call in (DISPUTES.queue, lambda ws, by: DISPUTES.open_dispute(ws, by, first)):
            assert code(call, house.ws, who) == "not_allowed"
    assert code(DISPUTES.open_dispute, house.ws, house.judge, second) == "case_closed_to_you"
    submitted(house, house.ann, second)
    assert code(DISPUTES.open_dispute, house.ws, house.judge, second) == "case_closed_to_you"


def test_what_does_not_hold_together_is_not_submitted(house: McqHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item, steps(right="no"))
    assert code(commands.submit, house.ws, house.ann, item) == "mcq_keep_reason"
    answer(house, house.ann, item, [("reason", "보기 순서만 다름")])
    commands.submit(house.ws, house.ann, item)


def test_a_cause_is_one_of_the_codebook(house: McqHouse) -> None:
    item = house.items[0]
    said = steps("drop")
    answer(house, house.ann, item, said)
    assert code(answer, house, house.ann, item, [("cause", "house_rule")]) == "mcq_value"
    answer(house, house.ann, item, [("cause", "unclear")])
    commands.submit(house.ws, house.ann, item)


def test_what_changed_since_it_was_shown_is_not_settled(house: McqHouse) -> None:
    item = house.items[0]
    submitted(house, house.ann, item)
    submitted(house, house.ben, item, "drop", cause="unclear")
    seen = [each.annotation_id for each in DISPUTES.open_dispute(house.ws, house.judge, item).sides]
    give_back(house.ws, house.judge, item, house.ben, "Look again.")
    commands.take_back(house.ws, house.ben, item)
    answer(house, house.ben, item, [("cause", "outdated")])
    commands.submit(house.ws, house.ben, item)
    said = {"verdict": "keep"}, "why", seen
    assert code(settle, house.ws, house.judge, item, *said) == "case_changed"
    sides = DISPUTES.open_dispute(house.ws, house.judge, item).sides
    assert [(each.person, each.taken_back) for each in sides] == [("Ann", 0), ("Ben", 1)]
    fresh = [each.annotation_id for each in sides]
    settle(house.ws, house.judge, item, {"verdict": "keep"}, "why", fresh)

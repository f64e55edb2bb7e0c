"""What is told of a question at each step, and settling where people differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.check.project import check
from annotation.forms.adjudication import settle
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import packaged
from annotation.mcq.solvability import Fix
from annotation.mcq.state import (
    CAUSES,
    DISPUTES,
    Fate,
    McqState,
    McqView,
    mcq_states,
    own_view,
    state_of,
)
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
from tests.support.refusals import code_of

SOUND = {"alone_answerable": "no", "both_answerable": "yes", "stored_right": "yes"}
FIX = {"query": "q?", "options": ["a", "b", "c", "d"], "answer": 1}


@dataclass(frozen=True)
class Said:
    annotation_id: int
    answers: Mapping[str, Any] = field(default_factory=dict)
    flag: str = ""


def said(number: int, verdict: str, flag: str = "", **more: Any) -> Said:
    return Said(number, {**SOUND, "verdict": verdict, **more}, flag)


FIXED = said(1, "fix", fix=FIX, cause="unclear")
AGREED: dict[str, tuple[list[Said], Fate, tuple[str, ...], Fix | None]] = {
    "all keep it": ([said(7, "keep"), said(3, "keep")], Fate.KEPT, (), None),
    "all drop it, the weightiest cause comes first": (
        [said(n, "drop", cause=each) for n, each in enumerate(("house_rule", *CAUSES[1::-1]), 1)],
        *(Fate.DROPPED, (*CAUSES[:2], "house_rule"), None),
    ),
    "all correct it alike": (
        [FIXED, said(2, "fix", fix=dict(FIX), cause="unclear")],
        *(Fate.FIXED, ("unclear",), Fix("q?", ("a", "b", "c", "d"), 1)),
    ),
    "a correction that was begun before it was dropped is none": (
        [said(1, "drop", fix=FIX, cause="unclear")],
        *(Fate.DROPPED, ("unclear",), None),
    ),
    "a cause chosen before it was kept after all is none": (
        [said(1, "keep", cause="unclear")],
        *(Fate.KEPT, (), None),
    ),
    "how sure people were and what they guessed is no difference": (
        [said(1, "keep", alone_choice=4, both_sure=5), said(2, "keep", alone_choice=1)],
        *(Fate.KEPT, (), None),
    ),
}


@pytest.mark.parametrize("case", AGREED)
def test_where_all_say_the_same_that_is_its_fate(case: str) -> None:
    many, *wanted = AGREED[case]
    state = state_of(many)
    assert [state.fate, state.causes, state.fix] == wanted
    assert state.annotation_ids == tuple(sorted(each.annotation_id for each in many))


@pytest.mark.parametrize(
    ("both", "why"),
    [
        ([said(1, "keep"), said(2, "drop", cause="unclear")], ("verdict",)),
        ([said(1, "keep"), said(2, "keep", alone_answerable="yes")], ("soundness",)),
        ([said(1, "keep"), said(2, "keep", stored_right="unsure")], ("soundness",)),
        ([said(1, "keep", flag="cut off"), said(2, "keep")], ("flagged",)),
        ([said(1, "keep", flag="cut off")], ("flagged",)),
        ([FIXED, said(2, "fix", fix={**FIX, "answer": 2}, cause="unclear")], ("fix",)),
        (
            [said(1, "keep"), said(2, "fix", "cut off", fix=FIX, cause="unclear")],
            ("verdict", "flagged"),
        ),
    ],
)
def test_where_people_differ_it_is_disputed_until_it_is_settled(
    both: list[Said], why: tuple[str, ...]
) -> None:
    state = state_of(both)
    assert (state.fate, state.disputes, state.settled) == (Fate.DISPUTED, why, False)
    assert state.fix is None
    settled = state_of(both, {"verdict": "drop", "cause": "unanswerable"})
    assert (settled.fate, settled.causes) == (Fate.DROPPED, ("unanswerable",))
    assert (settled.disputes, settled.settled) == (why, True)


VERDICT = st.sampled_from(["keep", "fix", "drop"])
ONE = st.builds(
    lambda verdict, flag, sure, cause: said(
        1, verdict, flag, stored_right=sure, cause=cause, fix=FIX
    ),
    VERDICT,
    st.sampled_from(["", "cut off"]),
    st.sampled_from(["yes", "no"]),
    st.sampled_from([*CAUSES, "mine"]),
)


@given(st.lists(ONE, max_size=5), st.randoms())
def test_the_order_of_submissions_says_nothing(many: list[Said], random: Any) -> None:
    mixed = list(many)
    random.shuffle(mixed)
    assert state_of(many) == state_of(mixed)


def test_the_packaged_codebook_names_the_causes() -> None:
    text = packaged("codebook", "mcq_solvability")
    assert text is not None
    options = parse(text.texts["mul"], "mcq_solvability").options
    assert tuple(each.key for each in options) == CAUSES


VIEWS_FIX: dict[str, Any] = {
    "query": "난간은 몇 미터까지인가?",
    "options": ["1", "2", "3", "4"],
    "answer": 0,
}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    return build(tmp_path / "workspace", clock)


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
    assert not open_item(house.ws, house.ann, item).can_undo
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


def test_a_correction_that_changes_nothing_is_refused(house: McqHouse) -> None:
    item = house.items[0]
    seen = view(house, house.ann, item)
    same = {"query": seen.query, "options": list(seen.options[:4]), "answer": 1}
    answer(house, house.ann, item, steps("fix", fix=same, cause="unclear"))
    assert code_of(commands.submit, house.ws, house.ann, item) == "mcq_fix_same"
    changed = same | {"answer": 2}
    answer(house, house.ann, item, [("fix", changed)])
    commands.submit(house.ws, house.ann, item)
    submitted(house, house.ben, item)
    said = {"verdict": "fix", "cause": "unclear", "fix": same}
    assert code_of(settle, house.ws, house.judge, item, said, "why") == "mcq_fix_same"
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
    settle(
        house.ws,
        house.judge,
        first,
        {"verdict": "fix", "cause": "unclear", "fix": VIEWS_FIX},
        "고침",
    )
    state = states(house)[0]
    assert (state.fate, state.causes, state.settled) == (Fate.FIXED, ("unclear",), True)
    assert state.disputes == ("verdict",)
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
            assert code_of(call, house.ws, who) == "not_allowed"
    assert code_of(DISPUTES.open_dispute, house.ws, house.judge, second) == "case_closed_to_you"
    submitted(house, house.ann, second)
    assert code_of(DISPUTES.open_dispute, house.ws, house.judge, second) == "case_closed_to_you"

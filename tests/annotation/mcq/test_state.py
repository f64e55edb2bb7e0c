from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.guidelines.builtin_documents import packaged
from annotation.guidelines.codebook_tree import parse
from annotation.mcq.solvability import Fix
from annotation.mcq.state import CAUSES, WAITING, Dispute, Fate, state_of

SOUND = {"alone_answerable": "no", "both_answerable": "yes", "stored_right": "yes"}
FIX = {"query": "q?", "options": ["a", "b", "c", "d"], "answer": 1}


@dataclass(frozen=True)
class Said:
    annotation_id: int
    answers: Mapping[str, Any] = field(default_factory=dict)
    flag: str = ""


def said(number: int, verdict: str, flag: str = "", **more: Any) -> Said:
    return Said(number, {**SOUND, "verdict": verdict, **more}, flag)


def test_an_item_waits_until_somebody_whose_submission_counts_has_answered() -> None:
    assert state_of([]) == WAITING


def test_all_keep_it() -> None:
    state = state_of([said(7, "keep"), said(3, "keep")])
    assert (state.fate, state.causes, state.annotation_ids) == (Fate.KEPT, (), (3, 7))


def test_all_drop_it_for_causes_the_weightiest_of_which_comes_first() -> None:
    both = [
        said(1, "drop", cause="house_rule"),
        said(2, "drop", cause="unclear"),
        said(3, "drop", cause="answerable_alone"),
    ]
    state = state_of(both)
    assert state.fate is Fate.DROPPED
    assert state.causes == ("answerable_alone", "unclear", "house_rule")


def test_all_fix_it_alike_or_it_is_disputed() -> None:
    first = said(1, "fix", fix=FIX, cause="unclear")
    state = state_of([first, said(2, "fix", fix=dict(FIX), cause="unclear")])
    assert state.fate is Fate.FIXED
    assert state.fix == Fix("q?", ("a", "b", "c", "d"), 1)
    other = said(2, "fix", fix={**FIX, "answer": 2}, cause="unclear")
    state = state_of([first, other])
    assert (state.fate, state.disputes, state.fix) == (Fate.DISPUTED, (Dispute.FIX,), None)


def test_what_was_typed_into_a_correction_and_then_dropped_is_no_correction() -> None:
    state = state_of([said(1, "drop", fix=FIX, cause="unclear")])
    assert (state.fate, state.fix) == (Fate.DROPPED, None)


def test_a_cause_chosen_before_it_was_kept_after_all_is_no_cause() -> None:
    assert state_of([said(1, "keep", cause="unclear")]).causes == ()


@pytest.mark.parametrize(
    ("both", "why"),
    [
        ([said(1, "keep"), said(2, "drop", cause="unclear")], (Dispute.VERDICT,)),
        ([said(1, "keep"), said(2, "keep", alone_answerable="yes")], (Dispute.SOUNDNESS,)),
        ([said(1, "keep"), said(2, "keep", stored_right="unsure")], (Dispute.SOUNDNESS,)),
        ([said(1, "keep", flag="cut off"), said(2, "keep")], (Dispute.FLAGGED,)),
        ([said(1, "keep", flag="cut off")], (Dispute.FLAGGED,)),
        (
            [said(1, "keep"), said(2, "fix", "cut off", fix=FIX, cause="unclear")],
            (Dispute.VERDICT, Dispute.FLAGGED),
        ),
    ],
)
def test_where_people_differ_it_is_disputed_until_it_is_settled(
    both: list[Said], why: tuple[Dispute, ...]
) -> None:
    state = state_of(both)
    assert (state.fate, state.disputes, state.settled) == (Fate.DISPUTED, why, False)
    settled = state_of(both, {"verdict": "drop", "cause": "unanswerable"})
    assert (settled.fate, settled.causes) == (Fate.DROPPED, ("unanswerable",))
    assert (settled.disputes, settled.settled) == (why, True)


def test_how_sure_people_were_and_what_they_guessed_is_no_difference() -> None:
    both = [said(1, "keep", alone_choice=4, both_sure=5), said(2, "keep", alone_choice=1)]
    assert state_of(both).fate is Fate.KEPT


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


@given(st.lists(ONE, min_size=1, max_size=5))
def test_whatever_was_said_a_settlement_decides(many: list[Said]) -> None:
    assert state_of(many, {"verdict": "keep"}).fate is Fate.KEPT


def test_the_packaged_codebook_names_the_causes() -> None:
    text = packaged("codebook", "mcq_solvability")
    assert text is not None
    options = parse(text.texts["mul"], "mcq_solvability").options
    assert tuple(each.key for each in options) == CAUSES

"""What the form of curation adds to declared forms (`tests/annotation/tasks/test_form.py`)."""

from __future__ import annotations

from annotation.curation.state import CRITERIA, FORM, Edited, Stage, edited_of, gold_of, stage_of
from tests.support.refusals import code_and_field as code

ALONE = {**dict.fromkeys(CRITERIA, "yes"), "difficulty": "L2"}
TOLD = {**ALONE, "revealed": True, "gold": {"a_1": "yes", "a_2": "no"}, "verdict": "keep"}
EDIT = {"question": "무엇을 해야 합니까?", "answer": "신고합니다."}


def test_a_question_that_is_rejected_needs_no_gold_and_has_none() -> None:
    said = {**TOLD, "verdict": "reject", "cause": "unclear"}
    del said["gold"]
    FORM.fit(said)
    assert gold_of({**said, "gold": TOLD["gold"]}) == ()
    FORM.fit_decided({"verdict": "reject", "cause": "unclear"})
    del said["cause"]
    assert code(FORM.fit, said) == ("curation_unanswered", "cause")


def test_a_question_that_fails_a_criterion_is_kept_for_a_reason() -> None:
    FORM.fit(TOLD)
    said = {**TOLD, "voice": "no"}
    assert code(FORM.fit, said) == ("curation_keep_reason", "reason")
    FORM.fit({**said, "reason": "Clerks do write like this."})
    FORM.fit({**said, "verdict": "edit", "edit": EDIT, "cause": "not_practitioner"})
    rejected = {**TOLD, "verdict": "reject", "cause": "other"}
    assert code(FORM.fit, rejected) == ("curation_unanswered", "reason")


def test_stages_follow_the_seal() -> None:
    assert stage_of(ALONE) is Stage.ALONE
    assert stage_of(TOLD) is Stage.TOLD
    assert stage_of(TOLD, submitted=True) is Stage.DONE


def test_a_correction_counts_only_where_it_is_to_be_edited() -> None:
    assert edited_of({**TOLD, "edit": EDIT}) is None
    assert edited_of({**TOLD, "verdict": "edit", "edit": EDIT}) == Edited(*EDIT.values())


def test_a_decision_says_all_that_is_published_of_what_stands() -> None:
    decided = {name: value for name, value in TOLD.items() if name != "revealed"}
    FORM.fit_decided(decided)
    del decided["voice"]
    assert code(FORM.fit_decided, decided) == ("curation_unanswered", "voice")

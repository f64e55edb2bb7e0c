from __future__ import annotations

from typing import Any

import pytest

from annotation.curation.form import (
    ALONE_FIELDS,
    CRITERIA,
    FORM,
    Edited,
    Stage,
    edited_of,
    gold_of,
    stage_of,
)
from errors import UserError

ALONE = {**dict.fromkeys(CRITERIA, "yes"), "difficulty": "L2"}
TOLD = {**ALONE, "revealed": True, "gold": {"a_1": "yes", "a_2": "no"}, "verdict": "keep"}
EDIT = {"question": "무엇을 해야 합니까?", "answer": "신고합니다."}


def code(call: Any, *args: Any) -> tuple[str, str | None]:
    with pytest.raises(UserError) as caught:
        call(*args)
    return caught.value.code, caught.value.where.field


def without(answers: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {name: value for name, value in answers.items() if name not in fields}


def test_a_question_that_stands_can_be_submitted() -> None:
    FORM.fit(TOLD)


@pytest.mark.parametrize("field", sorted(TOLD))
def test_what_is_missing_is_named(field: str) -> None:
    assert code(FORM.fit, without(TOLD, field)) == ("curation_unanswered", field)


@pytest.mark.parametrize("field", ALONE_FIELDS)
def test_more_is_shown_to_nobody_who_has_not_judged_the_question(field: str) -> None:
    assert FORM.check("revealed", True, ALONE) is True
    assert code(FORM.check, "revealed", True, without(ALONE, field)) == (
        "curation_unanswered",
        field,
    )


@pytest.mark.parametrize("field", ALONE_FIELDS)
def test_what_was_said_before_more_was_shown_stays(field: str) -> None:
    assert code(FORM.check, field, ALONE[field], TOLD) == ("curation_closed", field)
    assert code(FORM.clear, field, TOLD) == ("curation_closed", field)


@pytest.mark.parametrize("field", ["gold", "verdict", "cause", "reason", "edit"])
def test_the_second_step_is_not_open_before(field: str) -> None:
    assert code(FORM.check, field, TOLD.get(field, "x"), ALONE) == ("curation_not_open", field)


def test_what_was_shown_cannot_be_hidden_again() -> None:
    for value in (False, None, "", 0):
        assert code(FORM.check, "revealed", value, ALONE) == ("curation_value", "revealed")
    assert code(FORM.clear, "revealed", TOLD) == ("curation_closed", "revealed")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("voice", "maybe"),
        ("voice", ["yes"]),
        ("difficulty", "L5"),
        ("difficulty", 1),
    ],
)
def test_a_value_that_no_answer_has_is_refused(field: str, value: Any) -> None:
    assert code(FORM.check, field, value, {}) == ("curation_value", field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("gold", {"a": "perhaps"}),
        ("gold", ["a"]),
        ("gold", {"": "yes"}),
        ("gold", {1: "yes"}),
        ("gold", {f"a_{at}": "yes" for at in range(201)}),
        ("verdict", "drop"),
        ("cause", "no such key"),
        ("cause", 3),
        ("reason", "  "),
        ("edit", {"question": "?"}),
        ("edit", {**EDIT, "answer": "\u200b"}),
        ("edit", {**EDIT, "more": "x"}),
    ],
)
def test_a_value_of_the_second_step_that_no_answer_has_is_refused(field: str, value: Any) -> None:
    name, _ = code(FORM.check, field, value, {**ALONE, "revealed": True})
    incomplete = field == "edit" and set(value) != {"question", "answer"}
    assert name == ("curation_edit_parts" if incomplete else "curation_value")


def test_gold_is_kept_in_order_and_texts_composed() -> None:
    told = {**ALONE, "revealed": True}
    assert list(FORM.check("gold", {"b": "no", "a": "yes"}, told)) == ["a", "b"]
    assert FORM.check("edit", {"question": " 가? ", "answer": "나"}, told)["question"] == "가?"


def test_a_question_that_is_rejected_needs_no_gold_and_has_none() -> None:
    said = {**without(TOLD, "gold"), "verdict": "reject", "cause": "unclear"}
    FORM.fit(said)
    assert gold_of({**said, "gold": TOLD["gold"]}) == ()
    assert code(FORM.fit, without(said, "cause")) == ("curation_unanswered", "cause")


def test_a_question_that_stands_has_some_gold() -> None:
    assert code(FORM.fit, {**TOLD, "gold": {"a_1": "no"}}) == ("curation_gold_none", "gold")


def test_a_question_that_fails_a_criterion_is_kept_for_a_reason() -> None:
    said = {**TOLD, "voice": "no"}
    assert code(FORM.fit, said) == ("curation_keep_reason", "reason")
    FORM.fit({**said, "reason": "Clerks do write like this."})
    FORM.fit({**said, "verdict": "edit", "edit": EDIT, "cause": "not_practitioner"})


def test_another_cause_is_told_in_words() -> None:
    said = {**TOLD, "verdict": "reject", "cause": "other"}
    assert code(FORM.fit, said) == ("curation_unanswered", "reason")
    FORM.fit({**said, "reason": "A duplicate."})


def test_stages_follow_the_seal() -> None:
    assert stage_of(ALONE) is Stage.ALONE
    assert stage_of(TOLD) is Stage.TOLD
    assert stage_of(TOLD, submitted=True) is Stage.DONE


def test_a_correction_counts_only_where_it_is_to_be_edited() -> None:
    assert edited_of({**TOLD, "edit": EDIT}) is None
    assert edited_of({**TOLD, "verdict": "edit", "edit": EDIT}) == Edited(*EDIT.values())


def test_a_decision_says_all_that_is_published_and_no_steps() -> None:
    FORM.fit_decided(without(TOLD, "revealed"))
    assert code(FORM.fit_decided, TOLD) == ("curation_part", None)
    assert code(FORM.fit_decided, without(TOLD, "revealed", "voice")) == (
        "curation_unanswered",
        "voice",
    )
    FORM.fit_decided({"verdict": "reject", "cause": "unclear"})


def test_what_can_be_right_or_wrong_is_no_words() -> None:
    said = {**TOLD, "reason": "so", "edit": EDIT}
    assert FORM.graded(said) == {**ALONE, "verdict": "keep", "gold": ["a_1"]}


def test_gold_is_compared_as_a_set() -> None:
    assert FORM.options_named("gold", TOLD["gold"]) == ("a_1",)
    assert FORM.options_named("verdict", "keep") == ("keep",)

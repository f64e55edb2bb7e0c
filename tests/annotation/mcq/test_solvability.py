from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.mcq.solvability import (
    ABSTENTION,
    ASKED,
    FORM,
    SEALS,
    Fix,
    Stage,
    fix_of,
    stage_of,
)
from errors import UserError

ALONE = {"alone_answerable": "no", "alone_choice": 4, "alone_sure": 3}
BOTH = {**ALONE, "revealed": True, "both_answerable": "yes", "both_choice": 1, "both_sure": 5}
COMPARED = {**BOTH, "compared": True, "stored_right": "yes", "verdict": "keep"}
FIX = {"query": "무엇인가?", "options": ["가", "나", "다", "라"], "answer": 2}


def code(call: Any, *args: Any) -> tuple[str, str | None]:
    with pytest.raises(UserError) as caught:
        call(*args)
    return caught.value.code, caught.value.where.field


def without(answers: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in answers.items() if name != field}


def test_an_item_that_holds_can_be_submitted() -> None:
    FORM.fit(COMPARED)


@pytest.mark.parametrize("field", sorted(COMPARED))
def test_what_is_missing_is_named(field: str) -> None:
    assert code(FORM.fit, without(COMPARED, field)) == ("mcq_unanswered", field)


@pytest.mark.parametrize("field", [field for fields in ASKED.values() for field in fields])
def test_a_step_is_closed_by_the_next_and_not_open_before_it(field: str) -> None:
    order = list(ASKED)
    step = next(stage for stage in order if field in ASKED[stage])
    given: tuple[dict[str, Any], ...] = ({}, {"revealed": True}, dict(COMPARED))
    for stage, answers in zip(order, given, strict=True):
        if order.index(stage) > order.index(step):
            assert code(FORM.check, field, COMPARED[field], answers)[0] == "mcq_closed"
            assert code(FORM.clear, field, answers)[0] == "mcq_closed"
        elif order.index(stage) < order.index(step):
            assert code(FORM.check, field, COMPARED[field], answers)[0] == "mcq_not_open"
        else:
            assert FORM.check(field, COMPARED[field], answers) == COMPARED[field]


@pytest.mark.parametrize("field", ASKED[Stage.ALONE])
def test_the_second_provision_is_shown_to_nobody_who_has_not_answered(field: str) -> None:
    assert FORM.check("revealed", True, ALONE) is True
    assert code(FORM.check, "revealed", True, without(ALONE, field)) == ("mcq_unanswered", field)


@pytest.mark.parametrize("field", ASKED[Stage.BOTH])
def test_the_stored_answer_is_shown_to_nobody_who_has_not_answered(field: str) -> None:
    assert FORM.check("compared", True, BOTH) is True
    assert code(FORM.check, "compared", True, without(BOTH, field)) == ("mcq_unanswered", field)


@pytest.mark.parametrize("seal", sorted(SEALS))
def test_what_was_shown_cannot_be_hidden_again(seal: str) -> None:
    for value in (False, None, "", 0):
        before = ALONE if seal == "revealed" else BOTH
        assert code(FORM.check, seal, value, before) == ("mcq_value", seal)
        assert code(FORM.check, seal, value, COMPARED) == ("mcq_closed", seal)
    assert code(FORM.clear, seal, COMPARED) == ("mcq_closed", seal)


def test_answerable_does_not_go_with_cannot_be_determined() -> None:
    said = ALONE | {"alone_answerable": "yes", "alone_choice": ABSTENTION}
    assert code(FORM.check, "revealed", True, said) == ("mcq_answerable_abstains", "alone_choice")
    said = BOTH | {"both_choice": ABSTENTION}
    assert code(FORM.check, "compared", True, said) == ("mcq_answerable_abstains", "both_choice")


def test_a_guess_goes_with_not_answerable() -> None:
    assert FORM.check("revealed", True, ALONE | {"alone_choice": 2}) is True


@pytest.mark.parametrize(
    "change",
    [
        {"alone_answerable": "yes", "alone_choice": 1},
        {"both_answerable": "no"},
        {"stored_right": "no"},
        {"stored_right": "unsure"},
    ],
)
def test_keeping_an_item_against_ones_own_answers_takes_words(change: dict[str, Any]) -> None:
    said = COMPARED | change
    assert code(FORM.fit, said) == ("mcq_keep_reason", "reason")
    FORM.fit(said | {"reason": "B only repeats A."})


@pytest.mark.parametrize("verdict", ["fix", "drop"])
def test_fixing_and_dropping_take_a_cause_and_another_cause_takes_words(verdict: str) -> None:
    said = COMPARED | {"verdict": verdict, "fix": FIX}
    assert code(FORM.fit, said) == ("mcq_unanswered", "cause")
    FORM.fit(said | {"cause": "unclear"})
    assert code(FORM.fit, said | {"cause": "other"}) == ("mcq_unanswered", "reason")
    FORM.fit(said | {"cause": "other", "reason": "asks for a phone number"})


def test_fixing_takes_the_fixed_item() -> None:
    said = COMPARED | {"verdict": "fix", "cause": "unclear"}
    assert code(FORM.fit, said) == ("mcq_unanswered", "fix")
    assert fix_of(said | {"fix": FIX}) == Fix("무엇인가?", ("가", "나", "다", "라"), 2)
    assert fix_of(said | {"fix": FIX, "verdict": "drop"}) is None


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"query": "  "}, ("mcq_value", "query")),
        ({"query": 3}, ("mcq_value", "query")),
        ({"options": ["가", "나", "다"]}, ("mcq_value", "options")),
        ({"options": ["가", "나", "다", ""]}, ("mcq_value", "options")),
        ({"options": ["가", "나", "Da ", " da"]}, ("mcq_options_alike", "options")),
        ({"answer": 4}, ("mcq_value", "answer")),
        ({"answer": True}, ("mcq_value", "answer")),
        ({"more": 1}, ("mcq_value", "fix")),
        ({"query": "가" * 5_001}, ("text_too_long", "query")),
    ],
)
def test_a_fix_is_a_whole_item(change: dict[str, Any], found: tuple[str, str]) -> None:
    assert code(FORM.check, "fix", FIX | change, COMPARED) == found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("alone_choice", 5),
        ("alone_choice", -1),
        ("alone_choice", "1"),
        ("alone_choice", True),
        ("alone_sure", 0),
        ("alone_sure", 6),
        ("alone_answerable", "maybe"),
        ("alone_answerable", ["yes"]),
    ],
)
def test_other_values_are_refused(field: str, value: Any) -> None:
    assert code(FORM.check, field, value, {}) == ("mcq_value", field)


def test_an_unknown_field_is_refused() -> None:
    assert code(FORM.check, "stored", 1, COMPARED)[0] == "mcq_field"
    assert code(FORM.clear, "stored", COMPARED)[0] == "mcq_field"


def test_a_verdict_takes_what_belongs_to_it() -> None:
    FORM.fit_decided({"verdict": "keep"})
    FORM.fit_decided({"verdict": "fix", "fix": FIX, "cause": "unclear"})
    assert code(FORM.fit_decided, {"verdict": "drop"}) == ("mcq_unanswered", "cause")
    assert code(FORM.fit_decided, {}) == ("mcq_unanswered", "verdict")


ANYTHING = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
FIELD = st.sampled_from([*COMPARED, "cause", "reason", "fix", "nothing"])


@given(st.lists(st.tuples(FIELD, ANYTHING | st.sampled_from([*COMPARED.values()])), max_size=40))
def test_whatever_is_sent_no_step_opens_before_the_one_before_it_is_answered(
    sent: list[tuple[str, Any]],
) -> None:
    answers: dict[str, Any] = {}
    frozen: dict[str, Any] = {}
    for field, value in sent:
        try:
            if value is None:
                FORM.clear(field, answers)
                answers.pop(field, None)
            else:
                answers[field] = FORM.check(field, value, answers)
        except UserError:
            continue
        if field in SEALS:
            frozen = dict(answers)
        order = list(ASKED)
        for stage in order[: order.index(stage_of(answers))]:
            assert all(each in answers for each in ASKED[stage])
        assert frozen.items() <= answers.items()

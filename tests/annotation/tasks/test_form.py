"""What every declared form takes: values by kind, stages in their order, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tasks.form import DeclaredForm
from annotation.tasks.own import own_units
from annotation.tasks.reading import read_spec
from annotation.work.queue_service import open_item
from errors import UserError
from storage.law.imports import keep_statutes
from tests.annotation.house import SLUG, House, statute
from tests.support.refusals import fault_of

EVERY = """\
task: every
codes: curation
stages:
- stage: alone
  fields:
  - {field: sure, kind: scale, least: 1, most: 5}
  - {field: right, kind: yes_no_unsure, decided: no}
  seal: revealed
- stage: told
  fields:
  - {field: verdict, kind: choice, options: [keep, edit]}
  - {field: gold, kind: units, least: 1, most: 3}
  - {field: picks, kind: choices, options: [a, b], most: 3}
  - {field: parts, kind: spans, options: [who]}
  - {field: cause, kind: choice, codebook: yes, required: no}
  - {field: reason, kind: text, blank: yes, required_when: {verdict: edit}}
  - field: fix
    kind: edit
    shown_when: {verdict: edit}
    parts:
    - {field: query, kind: text}
    - {field: options, kind: texts, count: 2}
    - {field: answer, kind: number, most: 1}
"""
FORM = DeclaredForm(read_spec(EVERY), "own:every")
SPAN = {"column": "text", "start": 0, "end": 3, "label": "who"}
FIX = {"query": "q?", "options": ["a", "b"], "answer": 1}
ALONE: dict[str, Any] = {"sure": 3, "right": "unsure"}
OPEN = ALONE | {"revealed": True}
TOLD = OPEN | {"verdict": "keep", "gold": {"a": "yes", "b": "no"}, "picks": ["a"], "parts": [SPAN]}
EDITED = TOLD | {"verdict": "edit", "fix": FIX, "reason": "unclear"}


def code(call: Any, *args: Any) -> tuple[str, str | None]:
    said, _, field = fault_of(call, *args)
    return said, field


def without(answers: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {name: value for name, value in answers.items() if name not in fields}


def test_provisions_are_shown_as_the_law_of_the_item_words_them(house: House) -> None:
    keep_statutes(house.ws, SLUG, [statute(" Lamps are red.")], "second")
    first, item = statute().units[0], open_item(house.ws, house.ann, house.items[0])
    found = own_units(house.ws, house.ann, item, [first.semantic_id])
    assert found == {first.semantic_id: ("Lake Act Article 1 Lamps", first.text)}


def test_what_is_missing_is_named() -> None:
    FORM.fit(TOLD)
    FORM.fit(EDITED)
    FORM.fit(TOLD | {"fix": FIX})  # hidden now, and so neither asked for nor in the way
    for field in EDITED:
        assert code(FORM.fit, without(EDITED, field)) == ("curation_unanswered", field)
    assert code(FORM.fit, TOLD | {"gold": {"a": "no"}}) == ("curation_gold_none", "gold")


def test_a_stage_is_open_until_it_is_sealed_and_the_next_only_then() -> None:
    for field, value in ALONE.items():
        assert code(FORM.check, "revealed", True, without(ALONE, field)) == (
            "curation_unanswered",
            field,
        )
        assert code(FORM.check, field, value, TOLD) == ("curation_closed", field)
        assert code(FORM.clear, field, TOLD) == ("curation_closed", field)
    for field in without(EDITED, *OPEN):
        assert code(FORM.check, field, EDITED[field], ALONE) == ("curation_not_open", field)
    assert FORM.check("revealed", True, ALONE) is True
    for value in (False, None, "", 0):
        assert code(FORM.check, "revealed", value, ALONE) == ("curation_value", "revealed")
    assert code(FORM.clear, "revealed", TOLD) == ("curation_closed", "revealed")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("sure", (0, 6, "3", True, 2.0, [3])),
        ("right", ("maybe", ["yes"], True)),
        ("verdict", ("drop", None, 1)),
        (
            "gold",
            ({"a": "perhaps"}, ["a"], {"": "yes"}, {1: "yes"}, {f"a{n}": "no" for n in "1234"}),
        ),
        ("picks", ("a", ["c"], [1], ["a"] * 4)),
        ("parts", (SPAN, [SPAN | {"start": 3}], [SPAN | {"label": "x"}], [SPAN | {"more": 1}])),
        ("cause", ("no such key", 3, "")),
        ("reason", (3, ["x"])),
        ("fix", (FIX | {"more": 1}, without(FIX, "query"), "x")),
        ("query", ("  ", "\u200b", 3)),
        ("options", (["a"], ["a", ""], "ab")),
        ("answer", (2, -1, True)),
    ],
)
def test_a_value_that_no_answer_has_is_refused(field: str, values: tuple[Any, ...]) -> None:
    for value in values:
        sent = (field, value) if field not in FIX else ("fix", FIX | {field: value})
        assert code(FORM.check, *sent, ALONE if field in ALONE else OPEN) == (
            "curation_value",
            field,
        )


def test_values_are_kept_in_one_form() -> None:
    later = SPAN | {"start": 5, "end": 7}
    for field, sent, kept in (
        ("gold", {"b": "no", "a": "yes"}, {"a": "yes", "b": "no"}),
        ("picks", ["b", "a", "b"], ["a", "b"]),
        ("parts", [later, SPAN, later], [SPAN, later]),
        ("reason", " 가\0 \ud800 ", "가 ?"),
        ("reason", " \n", None),
    ):
        assert FORM.check(field, sent, OPEN) == kept
    assert list(FORM.check("gold", {"b": "no", "a": "yes"}, OPEN)) == ["a", "b"]
    assert code(FORM.check, "reason", "가" * 5_001, OPEN) == ("text_too_long", "reason")
    for call in (lambda: FORM.check("stored", 1, TOLD), lambda: FORM.clear("stored", TOLD)):
        assert code(call)[0] == "curation_field"


def test_a_decision_has_what_an_adjudicator_decides_and_no_stages() -> None:
    decided = without(TOLD, "revealed", "right")
    FORM.fit_decided(decided)
    assert code(FORM.fit_decided, TOLD)[0] == "curation_part"
    assert code(FORM.fit_decided, without(decided, "verdict")) == ("curation_unanswered", "verdict")


def test_what_can_be_right_or_wrong_is_compared_on_its_scale_and_words_are_not() -> None:
    assert FORM.graded(EDITED) == {
        **{"sure": 3, "verdict": "edit", "gold": ["a"]},
        **{"picks": ["a"], "parts": [SPAN]},
    }
    assert FORM.options_named("gold", TOLD["gold"]) == ("a",)
    assert FORM.options_named("verdict", "keep") == ("keep",)
    assert FORM.options_named("parts", [SPAN]) == ("text:0-3:who",)


ANYTHING = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
FIELD = st.sampled_from([*EDITED, "cause", "nothing"])


@given(st.lists(st.tuples(FIELD, ANYTHING | st.sampled_from([*EDITED.values()])), max_size=40))
def test_whatever_is_sent_a_stage_is_complete_before_the_next_and_stays_as_it_was(
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
        if field == "revealed":
            frozen = dict(answers)
        assert frozen.items() <= answers.items()
        assert ALONE.keys() <= answers.keys() or "revealed" not in answers

"""Answers provision by provision: what is read, and why something is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.replies.per_provision import Form, bare_id, read_per_provision
from normalization import composed
from tests.support.examples import scaled

SHOWN = ("나루법_1조", "나루법_2조")
GOOD = {"나루법_1조": ["[제1항] 신고한다.", "[예외] 뗏목."], "나루법_2조": [], "answer": " 신고. "}


def test_claims_stand_under_each_id_and_the_answer_beside() -> None:
    found = read_per_provision(json.dumps(GOOD), SHOWN)
    assert found.form is Form.READ
    assert found.claims == {"나루법_1조": ("[제1항] 신고한다.", "[예외] 뗏목."), "나루법_2조": ()}
    assert (found.answer, found.missing, found.unknown) == ("신고.", (), ())


def test_words_around_the_object_and_thoughts_are_passed_over() -> None:
    text = f'<think>{{"answer": "no"}}</think>```json\n{json.dumps(GOOD)}\n```'
    assert read_per_provision(text, SHOWN).answer == "신고."


def test_ids_are_read_without_brackets_and_told_apart() -> None:
    said = {
        "answer": "예",
        "[나루법_1조]": "[제1항] 한다.",
        "나루법_1조": ["또"],
        "나루법_9조": None,
    }
    found = read_per_provision(json.dumps(said), SHOWN)
    assert found.claims == {"나루법_1조": ("[제1항] 한다.", "또"), "나루법_9조": ()}
    assert (found.missing, found.unknown) == (("나루법_2조",), ("나루법_9조",))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", Form.NO_JSON),
        ("신고합니다.", Form.NO_JSON),
        (json.dumps(GOOD)[:-4], Form.NO_JSON),
        (f"{json.dumps(GOOD)} {json.dumps({'answer': 'other'})}", Form.SEVERAL),
        (json.dumps({"나루법_1조": []}), Form.NO_ANSWER),
        (json.dumps({"answer": ["a"]}), Form.NO_ANSWER),
        (json.dumps({"나루법_1조": [1], "answer": "a"}), Form.CLAIMS),
        (json.dumps({"나루법_1조": {"claim": "x"}, "answer": "a"}), Form.CLAIMS),
    ],
)
def test_what_is_no_such_object_is_not_guessed_at(text: str, form: Form) -> None:
    found = read_per_provision(text, SHOWN)
    assert (found.form, found.answer, dict(found.claims)) == (form, "", {})


def test_the_same_object_twice_is_one() -> None:
    assert read_per_provision(json.dumps(GOOD) * 2, SHOWN).form is Form.READ


TEXT = st.text('가나다 ab[]{}"\\\n', max_size=8).map(composed)


@settings(max_examples=scaled(80))
@given(st.dictionaries(TEXT, st.lists(TEXT, max_size=3), max_size=4), TEXT, st.booleans())
def test_what_is_written_as_json_is_read_back(
    claims: dict[str, list[str]], answer: str, escaped: bool
) -> None:
    claims.pop("answer", None)
    text = json.dumps(claims | {"answer": answer}, ensure_ascii=escaped)
    found = read_per_provision(text, [bare_id(each) for each in claims])
    told: dict[str, tuple[str, ...]] = {}
    for key, each in claims.items():
        kept = tuple(one.strip() for one in each if one.strip())
        told[bare_id(key)] = (*told.get(bare_id(key), ()), *kept)
    assert found.form is Form.READ
    assert (dict(found.claims), found.answer) == (told, answer.strip())
    assert found.missing == found.unknown == ()


@settings(max_examples=scaled(80))
@given(st.text(max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    assert read_per_provision(text, SHOWN).form in Form

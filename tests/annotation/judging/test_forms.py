"""The forms of answer rating and of judge review: what they take, and when they are complete."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.guidelines.codebook_tree import FIXED, parse
from annotation.guidelines.documents import packaged
from annotation.guidelines.editing import new_version
from annotation.judging.forms import (
    CATEGORIES,
    FIELDS,
    Estimate,
    Rating,
    estimate_of,
    found_correct,
)
from annotation.judging.forms import RATING_FORM as RATING
from annotation.judging.forms import REVIEW_FORM as REVIEW
from errors import UserError
from storage.projects import find_project
from storage.tables.core import Item
from storage.tasks import Task
from tests.annotation.house import SLUG, House

FULL = {
    "consensus": "incorrect",
    "estimate": "over",
    "categories": ["missing_entity"],
    "rationale": "The ministry is not named.",
}
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.lists(st.sampled_from(["b", "a", "a", "B", ""]), max_size=3)
    | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2)
)


def refused(code: str, act: Any, *said: Any) -> None:
    with pytest.raises(UserError) as caught:
        act(*said)
    assert caught.value.code == code
    for language in ("en", "ko"):
        assert caught.value.what(language)
        assert caught.value.remedy(language)


def test_a_rating_is_correct_or_incorrect_and_nothing_else() -> None:
    assert RATING.check("rating", "correct", {}) == "correct"
    wrong: tuple[Any, ...] = (True, 1, "yes", "Correct", ["correct"], {})
    for value in wrong:
        refused("judge_value", RATING.check, "rating", value, {})
    refused("judge_field", RATING.check, "verdict", "correct", {})
    refused("rating_missing", RATING.fit, {})
    RATING.fit({"rating": "incorrect"})


def test_what_a_rating_found() -> None:
    assert found_correct({"rating": "correct"}) is True
    assert found_correct({"rating": "incorrect"}) is False
    assert found_correct({}) is None


def test_the_codebook_of_rating_has_the_ratings() -> None:
    assert FIXED["answer_rating"] == tuple(Rating)
    found = packaged("codebook", Task.JUDGE_REVIEW)
    assert found is not None
    assert len(parse(found.texts["mul"], Task.JUDGE_REVIEW).options) == 10


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("consensus", "correct", "correct"),
        ("estimate", "fair", "fair"),
        ("categories", ["b", "a", "b"], ["a", "b"]),
        ("categories", [], None),
        ("rationale", "  why\0 \ud800 ", "why ?"),
        ("rationale", " \n", None),
    ],
)
def test_what_a_review_keeps(field: str, value: Any, kept: Any) -> None:
    assert REVIEW.check(field, value, {}) == kept


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("consensus", "over", "judge_value"),
        ("estimate", "correct", "judge_value"),
        ("estimate", 1, "judge_value"),
        ("categories", "a", "review_categories_form"),
        ("categories", ["A"], "review_categories_form"),
        ("categories", [1], "review_categories_form"),
        ("categories", [f"k{n}" for n in range(21)], "review_categories_form"),
        ("rationale", ["text"], "review_rationale_form"),
        ("rationale", "x" * 5_001, "text_too_long"),
        ("verdict", "correct", "judge_field"),
    ],
)
def test_what_a_review_refuses(field: str, value: Any, code: str) -> None:
    refused(code, REVIEW.check, field, value, {})


@pytest.mark.parametrize("missing", FIELDS)
def test_a_judge_that_was_off_needs_every_field(missing: str) -> None:
    REVIEW.fit(FULL)
    without = {field: value for field, value in FULL.items() if field != missing}
    refused(f"review_{missing}_missing", REVIEW.fit, without)


@pytest.mark.parametrize("consensus", Rating)
def test_a_fair_judge_needs_no_reason(consensus: Rating) -> None:
    REVIEW.fit({"consensus": consensus, "estimate": "fair"})


def test_the_direction_follows_from_the_consensus() -> None:
    refused("review_over_against", REVIEW.fit, FULL | {"consensus": "correct"})
    refused("review_under_against", REVIEW.fit, FULL | {"estimate": "under"})
    REVIEW.fit(FULL | {"estimate": "under", "consensus": "correct"})


@given(st.booleans(), st.booleans())
def test_what_a_verdict_implies_can_be_submitted(verdict: bool, consensus: bool) -> None:
    found = estimate_of(verdict, consensus)
    assert (found is Estimate.FAIR) == (verdict == consensus)
    said = "correct" if consensus else "incorrect"
    REVIEW.fit(FULL | {"consensus": said, "estimate": found})


@given(st.sampled_from([*FIELDS, "rating", "other"]), ANYTHING)
def test_a_form_answers_anything_with_what_it_keeps_or_an_error(field: str, value: Any) -> None:
    for form in (RATING, REVIEW):
        try:
            kept = form.check(field, value, {})
        except UserError:
            continue
        assert kept is None or form.check(field, kept, {}) == kept


def test_categories_are_those_of_the_project_codebook(house: House) -> None:
    text = (
        'options = [{key = "odd_one", label = {en = "Odd", ko = "이상함"}, '
        'meaning = {en = "Odd.", ko = "이상함."}}]'
    )
    with house.ws.reading() as session:
        project = find_project(session, SLUG)
        item = Item(project_id=project.id, task=Task.JUDGE_REVIEW, order=1)
        where = session, item, CATEGORIES
        assert REVIEW.check_in(*where, ["missing_entity"], {}) == ["missing_entity"]
        refused("review_category_unknown", REVIEW.check_in, *where, ["odd_one"], {})
    new_version(house.ws, SLUG, "codebook", Task.JUDGE_REVIEW, {"mul": text}, "", 1)
    with house.ws.reading() as session:
        where = session, item, CATEGORIES
        assert REVIEW.check_in(*where, ["odd_one"], {}) == ["odd_one"]
        refused("review_category_unknown", REVIEW.check_in, *where, ["missing_entity"], {})
        before = {"categories": ["missing_entity"]}
        kept = REVIEW.check_in(*where, ["missing_entity", "odd_one"], before)
        assert kept == ["missing_entity", "odd_one"]

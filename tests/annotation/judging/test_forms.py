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
from tests.support.refusals import code_of

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


def test_values_that_a_rating_or_a_review_has_not() -> None:
    assert code_of(RATING.fit, {}) == "rating_missing"
    assert code_of(RATING.check, "rating", "Correct", {}) == "judge_value"
    assert code_of(RATING.check, "verdict", "correct", {}) == "judge_field"
    for value in ("a", ["A"], [1], [f"k{n}" for n in range(21)]):
        assert code_of(REVIEW.check, "categories", value, {}) == "review_categories_form"
    assert code_of(REVIEW.check, "rationale", ["text"], {}) == "review_rationale_form"
    assert REVIEW.check("categories", [], {}) is REVIEW.check("rationale", " ", {}) is None


def test_what_a_rating_found() -> None:
    assert found_correct({"rating": "correct"}) is True
    assert found_correct({"rating": "incorrect"}) is False
    assert found_correct({}) is None


def test_the_codebook_of_rating_has_the_ratings() -> None:
    assert FIXED["answer_rating"] == tuple(Rating)
    found = packaged("codebook", Task.JUDGE_REVIEW)
    assert found is not None
    assert len(parse(found.texts["mul"], Task.JUDGE_REVIEW).options) == 10


@pytest.mark.parametrize("missing", FIELDS)
def test_a_judge_that_was_off_needs_every_field(missing: str) -> None:
    REVIEW.fit(FULL)
    without = {field: value for field, value in FULL.items() if field != missing}
    assert code_of(REVIEW.fit, without) == f"review_{missing}_missing"


@pytest.mark.parametrize("consensus", Rating)
def test_a_fair_judge_needs_no_reason(consensus: Rating) -> None:
    REVIEW.fit({"consensus": consensus, "estimate": "fair"})


def test_the_direction_follows_from_the_consensus() -> None:
    assert code_of(REVIEW.fit, FULL | {"consensus": "correct"}) == "review_over_against"
    assert code_of(REVIEW.fit, FULL | {"estimate": "under"}) == "review_under_against"
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
        unknown = code_of(REVIEW.check_in, *where, ["odd_one"], {})
        assert unknown == "review_category_unknown"
    new_version(house.ws, SLUG, "codebook", Task.JUDGE_REVIEW, {"mul": text}, "", 1)
    with house.ws.reading() as session:
        where = session, item, CATEGORIES
        assert REVIEW.check_in(*where, ["odd_one"], {}) == ["odd_one"]
        gone = code_of(REVIEW.check_in, *where, ["missing_entity"], {})
        assert gone == "review_category_unknown"
        before = {"categories": ["missing_entity"]}
        kept = REVIEW.check_in(*where, ["missing_entity", "odd_one"], before)
        assert kept == ["missing_entity", "odd_one"]

"""When a model's labels are seen: enforced where they are read, claim by claim."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select

from annotation.attribution.form import own_case, own_suggestions
from annotation.attribution.suggestion_setting import read_setting, set_suggestions
from annotation.forms.form import answer, take_up
from annotation.work.queue_service import open_item
from storage.tables.answers import AttributionCase
from tests.projects.attribution_review_project import (
    DUTY,
    FINE,
    JUDGE,
    LABELS,
    SLUG,
    SYSTEM,
    AttributionHouse,
    add_labels,
    build,
    submitted,
)
from tests.support.refusals import code_of


def told(house: AttributionHouse, who: int, at: int = 0) -> dict[int, dict[str, Any]]:
    return own_suggestions(house.ws, who, open_item(house.ws, who, house.items[at]))


FIRST = {"label": "match", "gold": 1, "supported": "yes"}


def test_labels_come_once_a_claim_is_answered_in_full(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    item = house.items[0]
    assert read_setting(house.ws, SLUG) == "after"
    for field, value in {"label_1": "partial", "supported_1": "no", "label_3": "none"}.items():
        answer(house.ws, house.ann, item, field, value)
        assert told(house, house.ann) == {}
    answer(house.ws, house.ann, item, "gold_1", 2)
    assert told(house, house.ann) == {1: FIRST}
    answer(house.ws, house.ann, item, "supported_3", "uncited")
    assert told(house, house.ann)[3] == {"label": "none", "gold": None, "supported": None}
    assert told(house, house.ben) == {}


@pytest.mark.parametrize(("setting", "count"), [("shown", 3), ("hidden", 0)])
def test_they_are_shown_at_once_or_never(tmp_path, clock, setting, count) -> None:
    house = build(tmp_path / "w", clock, suggestions=setting)
    assert len(told(house, house.ann)) == count
    submitted(house, house.ann, house.items[0])
    assert len(told(house, house.ann)) == count


def test_another_setting_shows_what_is_not_complete_anew(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    done, begun, _ = house.items
    for who in (house.ann, house.ben):
        submitted(house, who, done)
    answer(house.ws, house.ann, begun, "label_1", "none")
    assert set_suggestions(house.ws, SLUG, "shown") == 2
    assert read_setting(house.ws, SLUG) == "shown"
    assert open_item(house.ws, house.ann, done).shown["suggestions"] == "after"
    assert told(house, house.ann, 1) == {}  # what was begun goes on as it was begun
    take_up(house.ws, house.ann, begun)
    assert len(told(house, house.ann, 1)) == 3
    assert code_of(set_suggestions, house.ws, SLUG, "shown") == "suggestions_same"
    assert code_of(set_suggestions, house.ws, SLUG, "blinking") == "suggestions_setting"


def test_newer_labels_of_the_same_judge_are_shown(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock, answers=1)
    with house.ws.writing() as session:
        case = session.exec(select(AttributionCase.id).order_by(col(AttributionCase.id))).one()
        now = [{"label": "none", "gold": None, "supported": False}] * 3
        for judge, labels in ((JUDGE, now), ("another", now), (JUDGE, [])):
            add_labels(session, case or 0, judge, labels, clock())
    assert set_suggestions(house.ws, SLUG, "shown") == 1
    assert told(house, house.ann)[1] == {"label": "none", "gold": None, "supported": "no"}
    assert told(house, house.ann)[1] != LABELS[0]


def test_claims_are_shown_with_the_provisions_that_they_cite(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    case = own_case(house.ws, house.ann, open_item(house.ws, house.ann, house.items[0]))
    first, second, third = (claim.cited for claim in case.claims)
    assert [(each.unit, each.written) for each in first] == [(DUTY, DUTY)]
    assert [(each.unit, bool(each.text)) for each in second] == [(FINE, True), ("", False)]
    assert second[0].written == f"[{FINE}/1항]"
    assert third == ()
    assert SYSTEM not in repr(case)
    assert JUDGE not in repr(case)

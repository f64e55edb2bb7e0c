"""Which answers become items of attribution review, in which order, and under which names."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from annotation.attribution.form import own_suggestions
from annotation.work.queue_service import open_item
from services.attribution.corrected import corrected
from services.attribution.items import ReviewCounts, make_review_items, review_settings
from storage.db.rows import add_row
from storage.tables.answers import AttributionCase, JudgeCase
from storage.tables.core import Item
from storage.tasks import Task, of_task
from tests.projects.attribution_review_project import (
    JUDGE,
    SLUG,
    SYSTEM,
    AttributionHouse,
    add_labels,
    answered,
    build,
)
from tests.support.refusals import code_of


def subjects(house: AttributionHouse) -> list[tuple[int, str]]:
    with house.ws.reading() as session:
        query = select(Item.subject_id, Item.external_id).where(of_task(1, Task.ATTRIBUTION))
        return [(a or 0, b or "") for a, b in session.exec(query.order_by(col(Item.order)))]


@pytest.fixture
def house(tmp_path, clock) -> AttributionHouse:
    """Return a project of ten answers by two systems, none of which is an item."""
    made = build(tmp_path / "w", clock, answers=0)
    with made.ws.writing() as session:
        for number in range(5):
            for system in (SYSTEM, "other"):
                answered(session, 1, f"q{number}", clock(), system=system)
        answered(session, 1, "empty", clock(), claims=(), labels=())
    return made


def test_a_sample_grows_into_all_and_is_drawn_by_its_seed(house, tmp_path, clock) -> None:
    assert make_review_items(house.ws, SLUG, 4, seed=7) == ReviewCounts(4, 6, 1, 4)
    first = subjects(house)
    assert make_review_items(house.ws, SLUG, seed=7) == ReviewCounts(10, 0, 1, 6)
    whole = subjects(house)
    assert whole[:4] == first
    assert sorted(number for number, _ in whole) == list(range(1, 11))
    assert [number for number, _ in whole] != list(range(1, 11))
    assert make_review_items(house.ws, SLUG, seed=8).items == 10


def test_labels_of_the_judge_named_are_shown(house) -> None:
    assert code_of(make_review_items, house.ws, SLUG, judge="nobody") == "attribution_judge"
    assert subjects(house) == []
    found = review_settings(house.ws, SLUG)
    assert (found.counts, found.judges) == (ReviewCounts(0, 10, 1), (JUDGE,))
    assert (found.suggestions, found.systems) == ("after", (SYSTEM, "other"))
    make_review_items(house.ws, SLUG, judge=JUDGE, suggestions="shown")
    with house.ws.reading() as session:
        first = session.exec(select(Item.id).order_by(col(Item.order))).first()
    told = own_suggestions(house.ws, house.ann, open_item(house.ws, house.ann, first or 0))
    assert told[2] == {"label": "match", "gold": 2, "supported": "yes"}


def test_an_answer_that_two_judges_cut_is_one_item_of_the_newest_cut(house) -> None:
    with house.ws.writing() as session:
        old = session.exec(select(AttributionCase).order_by(col(AttributionCase.id))).first()
        assert old is not None
        again = AttributionCase(
            project_id=1,
            case_id=old.case_id,
            predicted_id=old.gold_id,
            gold_id=old.predicted_id,
            at=house.ws.clock(),
        )
        number = add_row(session, again)
        none = {"label": "none", "gold": None, "supported": None}
        add_labels(session, number, "another", [none] * 2, house.ws.clock())
    assert make_review_items(house.ws, SLUG) == ReviewCounts(10, 0, 1, 10)
    assert number in [each for each, _ in subjects(house)]
    assert make_review_items(house.ws, SLUG, judge=JUDGE).items == 11
    found = {each.judge: each for each in corrected(house.ws, SLUG, SYSTEM)}
    other = found["another"]
    assert (other.answers, other.no_claim, other.unlabelled) == (6, 1, 4)
    assert found[JUDGE].unlabelled == 0


def test_neither_name_nor_order_rests_on_the_system(tmp_path, clock) -> None:
    found = []
    for systems in (("one", "two", "three"), ("three", "four", "five")):
        made = build(tmp_path / systems[0], clock, answers=0)
        with made.ws.writing() as session:
            for at, system in enumerate(systems):
                answered(session, 1, "q1", clock(), claims=[(f"{at // 2}", ())], system=system)
        make_review_items(made.ws, SLUG, seed=7)
        found.append(subjects(made))
    assert found[0] == found[1]
    assert len({name for _, name in found[0]}) == 3  # two answers are alike
    assert not any(each in name for _, name in found[0] for each in ("one", "two", "three"))


def test_a_sample_is_drawn_of_one_system_or_of_each(house) -> None:
    assert code_of(make_review_items, house.ws, SLUG, systems=("nobody",)) == "attribution_system"
    assert make_review_items(house.ws, SLUG, 3, systems=("other",)).added == 3
    assert make_review_items(house.ws, SLUG, 2, each_system=True).added == 4
    with house.ws.reading() as session:
        cases = [session.get_one(AttributionCase, number) for number, _ in subjects(house)]
        systems = [session.get_one(JudgeCase, each.case_id).system for each in cases]
    assert systems[:3] == ["other"] * 3
    assert sorted(systems[3:]) == [SYSTEM] * 2 + ["other"] * 2

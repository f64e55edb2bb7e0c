"""Claim scores as a model labels them, and corrected by a sample that people reviewed."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select

from annotation.attribution.form import DISPUTES
from evaluation.judging.accuracy import Withheld
from evaluation.reports.report import Words
from services.attribution.corrected import CorrectedScores, corrected
from services.attribution.corrected_table import estimate_note
from services.attribution.items import make_review_items
from storage.tables.core import Item
from tests.projects.attribution_review_project import (
    DUTY,
    JUDGE,
    SLUG,
    SYSTEM,
    AttributionHouse,
    answered,
    build,
    submitted,
)

WORDS = Words("attribution_corrected", "en")
ONE = [("관계인이 선임한다.", (DUTY,))]
RIGHT = [{"label": "match", "gold": 0, "supported": True}]
WRONG = [{"label": "none", "gold": None, "supported": False}]
NOTHING = {f"{name}_{n}": None for n in (1, 2, 3) for name in ("label", "gold", "supported")}
SAME: dict[str, Any] = {"label_1": "match", "gold_1": 1, "supported_1": "yes"}
HALF = SAME | {"label_1": "partial", "supported_1": "no"}
NONE = {"label_1": "none", "supported_1": "no"}


@pytest.fixture
def house(tmp_path, clock) -> AttributionHouse:
    """Return a project of 25 answers of one claim, every fifth of which is labelled none."""
    made = build(tmp_path / "w", clock, answers=0)
    with made.ws.writing() as session:
        for at in range(25):
            labels = RIGHT if at % 5 else WRONG
            answered(session, 1, f"q{at}", clock(), labels, ONE, ["관계인이 둔다."])
        answered(session, 1, "empty", clock(), (), ())
        answered(session, 1, "no-gold", clock(), RIGHT, ONE, ())
        answered(session, 1, "unlabelled", clock(), (), ONE)
    return made


def review(house: AttributionHouse, count: int) -> list[tuple[int, int]]:
    """Let both review so many answers: of those labelled match each second is partial.

    Returns the items with the numbers of their questions; one more item is there than is reviewed.
    """
    make_review_items(house.ws, SLUG, suggestions="hidden")
    with house.ws.reading() as session:
        names = session.exec(select(Item.id, Item.external_id).order_by(col(Item.order))).all()
    found = [
        (item or 0, int(name.partition("·")[0][1:]))
        for item, name in names
        if name and name.startswith("q")
    ]
    for at, (item, number) in enumerate(found[:count]):
        said = NONE if number % 5 == 0 else (HALF, SAME)[at % 2]
        for who in (house.ann, house.ben):
            submitted(house, who, item, **{**NOTHING, **said})
    return found[: count + 1]


def one(house: AttributionHouse) -> CorrectedScores:
    (found,) = corrected(house.ws, SLUG)
    return found


def test_without_people_there_is_the_model_s_figure_alone(house) -> None:
    found = one(house)
    assert (found.system, found.judge) == (SYSTEM, JUDGE)
    counts = found.answers, found.no_claim, found.no_gold, found.unlabelled, found.reviewed
    assert counts == (27, 1, 1, 1, 0)
    mean = found.means["claim_precision"]
    assert (mean.judged.value, mean.judged.n) == (20 / 26, 26)  # one is silent
    assert found.means["supported"].judged.n == 25
    assert (mean.withheld, mean.corrected.value) == (Withheld.TOO_FEW, None)
    assert corrected(house.ws, SLUG, system="another") == []


def test_a_sample_that_people_reviewed_corrects_it(house) -> None:
    sampled = [number for _, number in review(house, 14)[:14]]
    found = one(house)
    assert (found.reviewed, found.seen, found.anchored) == (14, {"hidden": 28}, False)
    mean = found.means["claim_precision"]
    assert mean.withheld is None
    people = mean.people.value
    assert people is not None
    assert mean.judged.value == 20 / 26
    # By hand: the others' mean, and what people changed, each by a half.
    halved = mean.differing
    others = [number for number in range(25) if number not in sampled]
    wanted = sum(number % 5 != 0 for number in others) / len(others) - 0.5 * halved / 14
    assert mean.corrected.value == pytest.approx(wanted * 25 / 26)
    assert mean.corrected.n == 14
    assert found.means["claim_recall"].corrected == mean.corrected  # one claim each
    supported = found.means["supported"]
    assert supported.differing == halved  # a partial one was found not to be borne


def test_answers_on_which_people_differ_wait_until_they_are_settled(house) -> None:
    _, (other, _) = review(house, 1)
    submitted(house, house.ann, other, **{**NOTHING, **SAME})
    submitted(house, house.ben, other, **{**NOTHING, **NONE})
    mean = one(house).means["claim_f1"]
    assert (mean.waiting, mean.withheld, mean.people.value) == (1, Withheld.UNSETTLED, None)
    DISPUTES.decide(house.ws, house.judge, other, dict(SAME), "It is the same.")
    mean = one(house).means["claim_f1"]
    assert (mean.waiting, mean.withheld, mean.people.n) == (0, Withheld.TOO_FEW, 2)


def test_every_gold_claim_that_a_label_names_counts(tmp_path, clock) -> None:
    made = build(tmp_path / "w", clock, answers=0)
    both = {"label": "match", "gold": 0, "supported": True, "also": [{"gold": 1, "label": "match"}]}
    first = {"label": "match", "gold": 0, "supported": None}
    with made.ws.writing() as session:
        answered(
            session, 1, "q1", clock(), [both, first], [*ONE, ("두 번째 주장", ())], ["가", "나"]
        )
    means = one(made).means
    # The first claim takes the first gold claim, which leaves none for the second.
    assert means["claim_precision"].judged.value == 0.5
    assert means["supported"].judged.value == 0.5  # the other cites nothing
    with made.ws.writing() as session:
        answered(
            session, 1, "q2", clock(), [first, both], [*ONE, ("두 번째 주장", ())], ["가", "나"]
        )
    assert one(made).means["claim_recall"].judged.value == 0.75  # .5, and 1: here each has one


def test_what_no_model_judged_is_unknown_and_people_s_figure_stands_alone(tmp_path, clock) -> None:
    made = build(tmp_path / "w", clock, answers=0)
    silent = [{"label": "none", "gold": None, "supported": None}]
    with made.ws.writing() as session:
        for at in range(4):
            answered(session, 1, f"q{at}", clock(), silent, [("예.", ())], ["관계인이 둔다."])
    assert one(made).means["supported"].judged.value is None
    make_review_items(made.ws, SLUG)
    for who in (made.ann, made.ben):
        for item in (1, 2):
            submitted(made, who, item, **{**NOTHING, **NONE, "supported_1": "uncited"})
    mean = one(made).means["supported"]
    assert (mean.people.value, mean.people.n, mean.people.low) == (0, 2, None)
    assert [estimate_note(mean, way, WORDS) for way in ("judged", "corrected", "tuned")] == [""] * 3
    assert (
        estimate_note(mean, "people", WORDS) == "no interval: 10 reviewed answers needed, 2 so far"
    )
    few = estimate_note(one(made).means["claim_f1"], "corrected", WORDS)
    assert few == "withheld: 10 reviewed answers needed, 2 so far"

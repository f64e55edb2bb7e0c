"""What may be said of an answer's claims, when it can be submitted, and what is in dispute."""

from __future__ import annotations

import pytest

from annotation.adjudication.tasks import disputes_of
from annotation.attribution.form import FORM, SPEC, judged
from annotation.forms.disputes import FormDisputeView
from annotation.forms.form import answer
from annotation.guidelines.documents import EVERY, packaged
from annotation.tasks.spec import MOST_PARTS
from annotation.work import commands
from annotation.work.queue_service import open_item
from storage.tasks import Task
from tests.projects.attribution_review_project import (
    SAID,
    AttributionHouse,
    build,
    submitted,
)
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path, clock) -> AttributionHouse:
    return build(tmp_path / "w", clock)


def test_a_field_is_of_a_claim_that_is_there(house) -> None:
    where = house.ws, house.ann, house.items[0]
    for field, value, code in (
        ("colour_1", "red", "attribution_field"),
        ("label_0", "match", "attribution_field"),
        ("label_01", "match", "attribution_field"),
        (f"label_{MOST_PARTS + 1}", "match", "attribution_field"),
        ("label_4", "match", "attribution_claim"),
        ("gold_1", 3, "attribution_claim"),
        ("gold_1", 0, "attribution_value"),
        ("gold_1", True, "attribution_value"),
        ("gold_1", "1", "attribution_value"),
        ("label_1", "yes", "attribution_value"),
        ("label_1", ["match"], "attribution_value"),
        ("supported_1", "match", "attribution_value"),
    ):
        assert code_of(answer, *where, field, value) == code
    assert open_item(*where).answers == {}


def test_what_is_asked_follows_from_the_label() -> None:
    assert SPEC.repeated(2).missing({"label_2": "partial"}) == [
        "label_1",
        "supported_1",
        "gold_2",
        "supported_2",
    ]
    assert judged({"label_1": "none", "supported_1": "no"}, 1)
    assert not judged({"label_1": "match", "supported_1": "no"}, 1)
    assert judged({"label_1": "match", "gold_1": 1, "supported_1": "no"}, 1)


def test_every_claim_is_judged_before_it_is_submitted(house) -> None:
    where = house.ws, house.ann, house.items[0]
    assert code_of(commands.submit, *where) == "attribution_nothing"
    for field, value in SAID.items():
        answer(*where, field, value)
    for left_out, code in (
        ("label_2", "attribution_gold_idle"),
        ("gold_2", "attribution_gold_missing"),
        ("supported_3", "attribution_supported_missing"),
        ("label_3", "attribution_label_missing"),
    ):
        answer(*where, left_out, None)
        assert code_of(commands.submit, *where) == code
        answer(*where, left_out, SAID[left_out])


def test_people_differ_claim_by_claim_and_a_decision_completes_what_they_agree_on(house) -> None:
    alike, apart, _ = house.items
    for who in (house.ann, house.ben):
        submitted(house, who, alike)
    submitted(house, house.ann, apart)
    submitted(house, house.ben, apart, label_2="none", gold_2=None, supported_1="no")
    disputes = disputes_of(Task.ATTRIBUTION)
    (line,) = disputes.queue(house.ws, house.judge)
    assert (line.item_id, line.causes) == (apart, ("label", "gold", "supported"))
    case = disputes.open_dispute(house.ws, house.judge, apart)
    assert isinstance(case, FormDisputeView)
    assert len(case.question.claims) == 3
    short = {"label_2": "none"}
    assert (
        code_of(disputes.decide, house.ws, house.judge, apart, short, "it says 500")
        == "attribution_supported_missing"
    )
    made = {"label_2": "none", "supported_1": "yes"}
    disputes.decide(house.ws, house.judge, apart, made, "it says 500")
    (line,) = disputes.queue(house.ws, house.judge)
    assert line.state == "decided"
    decision = line.decision
    assert decision is not None
    kept = {field: value for field, value in SAID.items() if field != "gold_2"}
    assert decision.answers == kept | {"label_2": "none"}


def test_a_reworded_option_is_named_once_for_all_claims() -> None:
    found = packaged("codebook", Task.ATTRIBUTION)
    assert found is not None
    text = found.texts[EVERY]
    reworded = text.replace("The text of the provisions that it cites says it", "It says it")
    changed = FORM.changed(text, reworded)
    assert [(name, each.now) for name, each in changed.items()] == [("supported.yes", "again")]
    assert FORM.coded_as("supported_7") == "supported"

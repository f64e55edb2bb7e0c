"""A blind audit of a source's labels: drawn, judged blind, adjudicated."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from annotation.adjudication import disputes
from annotation.agreement.label_audit import AUDIT_STATES, label_audits
from annotation.batches.commands import BatchPlan, move_out
from annotation.batches.sampling import Choice, draw_audit
from annotation.batches.views import open_batch
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.history.reading import everything
from annotation.work import queue_service
from annotation.work.audits import audited_labels
from errors import UserError
from services.agreement.report import audit_section
from services.gold.gold_set import gold_set
from services.mapping.candidate_methods import LABELS
from services.mapping.candidates import build_candidates, make_audit
from storage.law.imports import keep_questions
from storage.tables.core import CandidateRow, CandidateSet, Item
from tests.annotation.crew import batch, submit
from tests.annotation.house import SLUG, House, build, question
from tests.conftest import FakeClock
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return the house with six more questions, which cite nothing and have one or two labels."""
    made = build(tmp_path / "workspace", clock)
    gold = {4: (4,), 5: (5,), 6: (4, 5), 7: (2,), 8: (3, 4), 9: (9,)}
    more = [
        replace(
            question(number),
            answer="Ask the harbour master.",
            gold_ids=tuple(f"lake-act_article-{each}" for each in articles),
        )
        for number, articles in gold.items()
    ]
    keep_questions(made.ws, SLUG, more, "benchmark.jsonl")
    with made.ws.reading() as session:
        found = session.exec(select(Item.id).order_by(col(Item.order)))
        made.items = [number for number in found if number]
    return made


def audit(house: House, strata: str = "all", **more: Any) -> int:
    plan = {"name": "Audit", "people": (house.ann, house.ben), **more}
    return make_audit(house.ws, SLUG, BatchPlan(**plan), strata)


def pool(house: House, item: int) -> dict[int, list[dict[str, Any]]]:
    """Return the reasons of the newest candidates of an item, by article."""
    with house.ws.reading() as session:
        query = select(CandidateSet.id).where(CandidateSet.item_id == item)
        newest = max(number or 0 for number in session.exec(query))
        rows = session.exec(select(CandidateRow).where(CandidateRow.candidate_set_id == newest))
        names = {number: name for name, number in house.units.items()}
        return {names[row.unit_id]: row.why for row in rows}


def outcome(house: House, item: int) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    found = next(each for each in derive(house.ws, SLUG) if each.item_id == item)
    return found.outcome, found.pending, found.units


def test_labels_are_candidates_with_nothing_to_tell_them_by(house: House) -> None:
    audit(house)
    for item, labels in ((house.items[3], {4}), (house.items[5], {4, 5})):
        found = pool(house, item)
        assert labels <= found.keys()
        assert len({json.dumps(why) for why in found.values()}) == 1
    cited = {why["source"] for why in pool(house, house.items[0])[1]}
    assert cited == {"citation", "title"}
    # Another build, by whatever method, leaves the pools as they are.
    before = pool(house, house.items[3])
    assert build_candidates(house.ws, SLUG, spec=LABELS).built == 1  # q9, outside of the law
    assert pool(house, house.items[3]) == before


def test_the_same_seed_draws_the_same_questions_with_known_probabilities(house: House) -> None:
    def drawn(seed: int, size: int | None = 5, strata: str = "labels") -> Any:
        return draw_audit(house.ws, SLUG, Choice(), size, seed, strata)

    first = drawn(1)
    assert first == drawn(1)
    assert any(drawn(seed).stratum != first.stratum for seed in range(2, 9))
    assert first.strata == {"1": 6, "other": 2}  # two of eight would not be two of the five drawn
    assert sum(first.drawn.values()) == 5
    assert first.left_out == {"outside": 1}
    everything = drawn(1, None)
    assert everything.strata == dict(everything.drawn) == {"1": 6, "2": 2}
    assert drawn(1, None, "statute").strata == {"lake-act": 8}
    assert drawn(1, None, "jurisdiction").strata == {"other": 8}
    assert drawn(1, 1).drawn.total() == 1


def test_what_cannot_be_audited_blind_is_refused(house: House) -> None:
    def draw(size: int | None = None, strata: str = "all", *ids: str) -> str:
        choice = Choice(external_ids=ids or None)
        return code_of(draw_audit, house.ws, SLUG, choice, size, 0, strata)

    assert draw(9) == "audit_too_large"
    assert draw(-1) == draw(0) == "sample_size"
    assert draw(None, "colour") == "audit_strata_unknown"
    assert draw(None, "all", "q9") == "audit_without_labels"
    submit(house, house.ann, house.items[0], 1)
    assert draw(None, "all", "q1") == "audit_without_labels"  # begun
    build_candidates(house.ws, SLUG, spec=LABELS)
    assert draw() == "audit_without_labels"  # all have been shown
    assert code_of(audit, house) == "audit_without_labels"


def test_an_audit_that_is_refused_leaves_the_candidates_as_they_are(house: House) -> None:
    batch(house, house.ann, house.ben, ids=("q9",), name="Taken")
    before = [pool(house, item) for item in house.items[:3]]
    assert code_of(audit, house, overlap=3) == "batch_overlap"
    assert code_of(audit, house, name="Taken") == "batch_exists"
    assert code_of(audit, house, deadline=datetime(2000, 1, 1, tzinfo=UTC)) == "deadline_past"
    assert [pool(house, item) for item in house.items[:3]] == before


def test_an_audit_is_blind_until_submitted_and_a_difference_is_a_dispute(house: House) -> None:
    number = audit(house, name="Audit", choice=Choice(external_ids=("q4", "q5", "q6")))
    right, wrong, partly = house.items[3:6]
    for person in (house.ann, house.ben):
        submit(house, person, right, 4)
        submit(house, person, wrong, 2)
    submit(house, house.ann, partly, 4)
    assert outcome(house, right) == ("agreed", (), ("lake-act_article-4",))
    assert outcome(house, wrong) == ("pending", ("source",), ())
    assert outcome(house, partly)[1] == ("waiting",)
    seen = {each.item_id: each for each in derive(house.ws, SLUG, by=house.ann)}
    assert seen[wrong].pending == ("adjudication",)
    # The source's label counts until a decision takes its place.
    both = gold_set(house.ws, SLUG, name="people-over-source")
    assert both.qrels["q5"].keys() == {"lake-act_article-5"}
    assert [each.item_id for each in disputes.queue(house.ws, house.judge)] == [wrong]
    case = disputes.open_case(house.ws, house.judge, wrong)
    assert case.causes == ("source",)
    assert [side.source for side in case.sides] == [False, False, True]
    assert case.sides[-1].decisions == {house.units[5]: "accept"}
    assert check(house.ws, SLUG) == []
    disputes.decide(house.ws, house.judge, wrong, [house.units[2]], False, "Two is.", 1.0)
    assert outcome(house, wrong)[::2] == ("adjudicated", ("lake-act_article-2",))
    both = gold_set(house.ws, SLUG, name="people-over-source")
    assert both.qrels["q5"].keys() == {"lake-act_article-2"}
    assert both.qrels["q6"].keys() == {"lake-act_article-4", "lake-act_article-5"}
    assert check(house.ws, SLUG) == []
    kinds = [each.kind for each in open_batch(house.ws, SLUG, number).events]
    assert kinds == ["made", "audit", "items", "people"]


def test_no_label_is_told_to_annotators_or_in_histories(house: House) -> None:
    number = audit(house)
    item = house.items[3]
    for person in (house.ann, house.ben):
        opened = queue_service.open_item(house.ws, person, item)
        assert {why.source for unit in opened.candidates for why in unit.why} == {"pool"}
        submit(house, person, item, 2)
    told = [each for each in everything(house.ws, SLUG) if each.kind == "batch.audit"]
    assert len(told) == 1
    assert "article" not in json.dumps(told[0].as_dict())
    assert code_of(disputes.open_case, house.ws, house.ann, item) == "not_allowed"
    moved = house.items[4]  # a question moved out is audited no more
    move_out(house.ws, SLUG, number, ["q5"])
    with house.ws.reading() as session:
        assert moved not in audited_labels(session, 1)
    batch(house, house.ann, ids=("q5",), name="Plain", overlap=1)
    submit(house, house.ann, moved, 2)
    assert outcome(house, moved)[0] == "single"
    assert check(house.ws, SLUG) == []


def test_the_report_estimates_precision_and_what_is_missing(house: House) -> None:
    audit(house, "labels", overlap=1)  # all: six questions of one label, two of two
    q1, q2, q3, q4, q5, q6, _, q8 = house.items[:8]
    answers = {q1: (1,), q2: (1, 2), q3: (1,), q4: (4,), q6: (4, 5), q8: (3,)}
    for item, articles in answers.items():
        submit(house, house.ann, item, *articles)
    submit(house, house.ann, q5)  # "no provision"
    first, one, two = label_audits(house.ws, SLUG)
    drawn = [(row.stratum, row.questions, len(row.cases)) for row in (first, one, two)]
    assert drawn == [("all", 8, 8), ("1", 6, 6), ("2", 2, 2)]
    assert [first.count(state) for state in AUDIT_STATES] == [4, 3, 0, 1]
    # Of stratum 1 five of six are judged, with 4 of 5 labels right; of stratum 2 both, 3 of 4.
    assert one.precision.value == pytest.approx(4 / 5)
    assert two.precision.value == pytest.approx(3 / 4)
    assert first.precision.value == pytest.approx((6 * 4 / 5 + 3) / (6 + 4))
    assert first.recall.value == pytest.approx((6 * 4 / 5 + 3) / (6 * 5 / 5 + 3))
    assert first.missing.value == pytest.approx((6 / 5 + 0) / 8)
    assert two.precision.low is None  # all is known
    assert (first.missing.low, f"{one.precision.high:.2f}") == (0, "0.94")
    lacking = {case.item.external_id: case.missing for case in first.cases if case.missing}
    assert lacking == {"q2": ("lake-act_article-2",)}
    section = audit_section([first, one, two], "en")
    assert section.drawn and "78.0 %" in section.lead
    with pytest.raises(UserError):
        label_audits(house.ws, SLUG, house.ann)

"""Completing augmented gold by rule, as the cascade does."""

from __future__ import annotations

from pathlib import Path

import pytest

from messages import say
from services.closure.completion import close_references
from services.closure.report import check, decide
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.closure import ClosureDecision
from tests.conftest import FakeClock
from tests.projects.closure_law import COMPANY, UNIVERSITY
from tests.projects.closure_project import SLUG, Ferry, ferry


@pytest.fixture
def project(tmp_path: Path, clock: FakeClock) -> Ferry:
    return ferry(tmp_path / "ws", clock)


def test_a_question_is_completed_once_and_its_row_stays(project: Ferry) -> None:
    ws = project.ws
    tried = close_references(ws, SLUG, ["aug-0001"], store=False)["aug-0001"]
    made = close_references(ws, SLUG, ["aug-0001", "aug-0099"])
    assert made == {"aug-0001": tried} and tried.outcome == "passed"
    assert [each["unit"] for each in tried.gold] == [UNIVERSITY, COMPANY]
    assert tried.gold[1]["role"] == "r2_parallel"
    assert tried.reasons == (
        {
            "code": "closure_added",
            "values": {"unit": COMPANY, "rule": "r2_parallel", "words": ["indirect_costs"]},
        },
    )
    again = close_references(ws, SLUG, ["aug-0001"])["aug-0001"]
    assert (again.gold, again.reasons) == (tried.gold, ())
    with ws.reading() as session:
        assert len(session.get_one(AugmentedQuestion, 1).gold) == 1
        assert session.get(ClosureDecision, 2) is None
    assert check(ws, SLUG, kinds=["augmented"]).queue == ()


def test_only_the_rules_that_are_named_complete(project: Ferry) -> None:
    made = close_references(project.ws, SLUG, ["aug-0001"], only=["r3_pre_approval", "r4_sanction"])
    assert len(made["aug-0001"].gold) == 1 and made["aug-0001"].reasons == ()


def test_what_a_person_dismissed_stays_out(project: Ferry) -> None:
    act = "dismissed", "augmented", "aug-0001", [COMPANY]
    decide(project.ws, SLUG, *act, "one institution alone", by=project.lead)  # type: ignore[arg-type]
    made = close_references(project.ws, SLUG, ["aug-0001"])["aug-0001"]
    assert len(made.gold) == 1 and made.outcome == "passed"


def test_gold_that_the_law_does_not_have_is_rejected_and_nothing_is_kept(project: Ferry) -> None:
    ws = project.ws
    with ws.writing() as session:
        row = session.get_one(AugmentedQuestion, 1).model_dump(exclude={"id"})
        gold = [*row["gold"], {"unit": "없는법_1조", "pinpoint": "", "role": "governing"}]
        session.add(AugmentedQuestion(**(row | {"external_id": "aug-0002", "gold": gold})))
    made = close_references(ws, SLUG, ["aug-0002"])["aug-0002"]
    assert made.outcome == "rejected"
    assert made.reasons[0] == {"code": "closure_unknown_gold", "values": {"unit": "없는법_1조"}}
    with ws.reading() as session:
        assert session.get(ClosureDecision, 1) is None


def test_a_pinpoint_that_its_provision_does_not_have_is_told(project: Ferry) -> None:
    ws = project.ws
    with ws.writing() as session:
        row = session.get_one(AugmentedQuestion, 1).model_dump(exclude={"id"})
        gold = [{"unit": UNIVERSITY, "pinpoint": "제3항", "role": "governing"}]
        session.add(AugmentedQuestion(**(row | {"external_id": "aug-0002", "gold": gold})))
    made = close_references(ws, SLUG, ["aug-0002"])["aug-0002"]
    (leak,) = made.leaks
    assert leak == {"code": "closure_leaked", "values": {"unit": UNIVERSITY, "pinpoint": "3항"}}
    assert made.outcome == "passed" and len(made.reasons) == 1
    for reason in (*made.reasons, leak):  # the catalogue has words for each
        assert say(f"closure.reason.{reason['code']}", "ko", **reason["values"])

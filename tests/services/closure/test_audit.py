"""The audit of paragraph references over a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.closure.decisions import decide
from messages import say
from services.closure.audit import audit_references, close_references
from services.closure.report import check
from services.closure.report_tables import audit_report
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision
from tests.conftest import FakeClock
from tests.projects.closure_law import COMPANY, FINE, INSPECTION, REPORT, UNIVERSITY
from tests.projects.closure_project import SLUG, Ferry, ferry


@pytest.fixture
def project(tmp_path: Path, clock: FakeClock) -> Ferry:
    return ferry(tmp_path / "ws", clock)


def augmented(project: Ferry, name: str, **changes: Any) -> None:
    """Add another like aug-0001 but for these changes."""
    with project.ws.writing() as session:
        row = session.get_one(AugmentedQuestion, 1).model_dump(exclude={"id"})
        session.add(AugmentedQuestion(**(row | {"external_id": name} | changes)))


def test_a_paragraph_that_an_article_does_not_have_is_found_in_an_answer(project: Ferry) -> None:
    found = audit_references(project.ws, SLUG, project.lead)
    (one,) = found.queue
    assert (one.kind, one.external_id) == ("question", "q3")
    (leak,) = one.found.leaks
    assert (leak.place.unit, leak.place.pinpoint, leak.kind) == (REPORT, "2항", "no_such_part")
    assert leak.of == (INSPECTION,) and one.places[INSPECTION] == "나루법 제2조"
    assert one.answer[leak.place.start : leak.place.end] == leak.place.text
    # q3 has two pinpoints, q5 one
    assert (found.leaking.value, found.leaking.n) == (1 / 2, 2)
    assert (found.references.value, found.references.n) == (1 / 3, 3)
    report = audit_report(found, "ko").as_json()
    assert [(row["of"], row["share"]["n"]) for row in report["shares"]] == [
        ("questions", 2), ("references", 3),
    ]  # fmt: skip
    (row,) = report["leaks"]
    assert (row["question"], row["unit"], row["pinpoint"]) == ("q3", REPORT, "2항")
    assert (row["leak"], row["from"]) == ("no_such_part", INSPECTION)
    assert audit_references(project.ws, SLUG, question="q5").queue == ()


def test_augmented_gold_is_held_against_what_its_answer_cites(project: Ferry) -> None:
    gold = [{"unit": INSPECTION, "pinpoint": "2항", "role": ""}, {"unit": FINE, "pinpoint": ""}]
    answer = "「나루법」 제2조제1항에 따라 검사를 받고, 제5조를 봅니다."
    augmented(project, "aug-0002", gold=gold, answer=answer)
    leaked = [*gold[:1], {"unit": FINE, "pinpoint": "제2항"}]
    augmented(project, "aug-3", gold=leaked, answer=answer)
    found = audit_references(project.ws, SLUG, kinds=["augmented"])
    assert [each.external_id for each in found.queue] == ["aug-3"]
    (leak,) = found.queue[0].found.leaks
    assert (leak.place.unit, leak.kind, leak.of) == (FINE, "no_such_part", (INSPECTION,))


def test_a_question_is_completed_once_and_its_row_stays(project: Ferry) -> None:
    ws = project.ws
    named = close_references(ws, SLUG, ["aug-0001"], only=["r3_pre_approval", "r4_sanction"])
    assert len(named["aug-0001"].gold) == 1 and named["aug-0001"].reasons == ()
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


def test_what_a_person_dismissed_stays_out(project: Ferry) -> None:
    act = "dismissed", "augmented", "aug-0001", [COMPANY]
    decide(project.ws, SLUG, *act, "one institution alone", by=project.lead)  # type: ignore[arg-type]
    made = close_references(project.ws, SLUG, ["aug-0001"])["aug-0001"]
    assert len(made.gold) == 1 and made.outcome == "passed"


def test_gold_that_the_law_does_not_have_is_rejected_and_nothing_is_kept(project: Ferry) -> None:
    ws = project.ws
    gold = [{"unit": name, "pinpoint": "", "role": ""} for name in (UNIVERSITY, "없는법_1조")]
    augmented(project, "aug-0002", gold=gold)
    made = close_references(ws, SLUG, ["aug-0002"])["aug-0002"]
    assert made.outcome == "rejected"
    assert made.reasons[0] == {"code": "closure_unknown_gold", "values": {"unit": "없는법_1조"}}
    with ws.reading() as session:
        assert session.get(ClosureDecision, 1) is None


def test_a_pinpoint_that_its_provision_does_not_have_is_told(project: Ferry) -> None:
    ws = project.ws
    augmented(project, "aug-0002", gold=[{"unit": UNIVERSITY, "pinpoint": "제3항", "role": ""}])
    made = close_references(ws, SLUG, ["aug-0002"])["aug-0002"]
    (leak,) = made.leaks
    assert leak == {"code": "closure_leaked", "values": {"unit": UNIVERSITY, "pinpoint": "3항"}}
    assert made.outcome == "passed" and len(made.reasons) == 1
    for reason in (*made.reasons, leak):  # the catalogue has words for each
        assert say(f"closure.reason.{reason['code']}", "ko", **reason["values"])

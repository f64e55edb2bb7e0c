"""Decisions on proposals: who they go back to, and when they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from annotation.closure.decisions import decide
from annotation.closure.gold_sets import completed_gold, decisions_in, gold_cases
from annotation.closure.proposals import checked_sets, scope_of
from annotation.work.commands import take_back
from annotation.work.discussions import discussions
from storage.projects import find_project
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision
from storage.tables.core import Person
from tests.conftest import FakeClock
from tests.projects.closure_law import COMPANY, CRITERIA, FINE, INSPECTION, UNIVERSITY
from tests.projects.closure_project import SLUG, Ferry, ferry
from tests.support.refusals import code_of


@pytest.fixture
def project(tmp_path: Path, clock: FakeClock) -> Ferry:
    return ferry(tmp_path / "ws", clock)


def code(project: Ferry, question: str, *units: str) -> str:
    about = "added", "question", question, units
    return code_of(decide, project.ws, SLUG, *about, by=project.lead)


def states(project: Ferry, question: str) -> dict[str, str]:
    with project.ws.reading() as session:
        found = checked_sets(scope_of(session, find_project(session, SLUG)))
    (one,) = [each for each in found if each.case.external_id == question]
    return {each.unit: each.state for each in one.proposals}


def test_a_row_keeps_the_rule_its_version_and_the_words_as_they_were_shown(project: Ferry) -> None:
    about = "dismissed", "question", "q1", [FINE], "no"
    (number,) = decide(project.ws, SLUG, *about, by=project.lead)  # type: ignore[arg-type]
    with project.ws.reading() as session:
        row = session.get_one(ClosureDecision, number)
        assert (row.rule, row.rules_number, row.snapshot_id) == ("r4_sanction", 1, 1)
        assert [each["text"] for each in row.fired] == ["과태료", "제1조"]
        assert (row.person_id, row.item_id, row.annotation_ids) == (
            *(project.lead, project.items["q1"]),
            [],
        )
        newest = decisions_in(session, 1)["question", project.items["q1"]][FINE]
        assert newest.fired[0].text == "과태료" and newest.verdict == "dismissed"


def test_what_is_with_its_annotators_is_not_sent_again(project: Ferry) -> None:
    decide(project.ws, SLUG, "added", "question", "q1", [FINE], by=project.lead)
    # the item has no gold now, so that nothing else is proposed for it either
    assert code(project, "q1", CRITERIA) == "closure_proposal_gone"
    assert code(project, "q1", FINE) == "closure_already"
    take_back(project.ws, project.ann, project.items["q1"])
    assert states(project, "q1") == {FINE: "sent_back"}


def test_an_item_of_somebody_who_left_cannot_be_sent_back(project: Ferry) -> None:
    with project.ws.writing() as session:
        session.get_one(Person, project.ben).active = False
    assert code(project, "q1", FINE) == "referral_to_nobody"
    with project.ws.reading() as session:
        assert session.exec(select(ClosureDecision)).all() == []
        assert discussions(session, 1) == {}


def test_annotators_are_told_in_the_language_of_who_sends_back(project: Ferry) -> None:
    about = "added", "question", "q2", [INSPECTION], "뗏목을 보세요."
    decide(project.ws, SLUG, *about, by=project.lead, language="ko")  # type: ignore[arg-type]
    with project.ws.reading() as session:
        reason = discussions(session, 1)[project.items["q2"]].row.reason
    first, second = reason.splitlines()
    assert first == "뗏목을 보세요." and second.startswith("나루법 제2조를 더해야 합니까?")
    assert "“제2조”" in second


def test_gold_sets_are_the_settled_questions_and_the_augmented_ones(project: Ferry) -> None:
    with project.ws.reading() as session:
        found = gold_cases(session, find_project(session, SLUG))
    assert [(each.external_id, each.settled) for each in found] == [
        *(("q1", True), ("q2", True), ("q3", True), ("q5", True), ("q6", False)),
        ("aug-0001", True),
    ]
    assert found[0].answer and found[-1].units == (UNIVERSITY,)


def test_completed_gold_is_the_row_and_what_was_added_last(project: Ferry) -> None:
    def gold() -> list[str]:
        with project.ws.reading() as session:
            row = session.get_one(AugmentedQuestion, 1)
            said = decisions_in(session, 1).get(("augmented", 1), {})
            return [each["unit"] for each in completed_gold(row, said)]

    assert gold() == [UNIVERSITY]
    act = "augmented", "aug-0001", [COMPANY]
    decide(project.ws, SLUG, "dismissed", *act, "no", by=project.lead)  # type: ignore[arg-type]
    assert gold() == [UNIVERSITY]
    decide(project.ws, SLUG, "added", *act, by=project.lead)  # type: ignore[arg-type]
    assert gold() == [UNIVERSITY, COMPANY]

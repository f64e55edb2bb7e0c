"""Administrators decide disputes while nobody else may, and every record of it says so."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from annotation.adjudication import disputes
from annotation.adjudication.tasks import disputes_of, undo
from annotation.gold.derivation import derive
from annotation.history.reading import read
from annotation.mcq.state import DISPUTES
from annotation.people.members import add_person, change_role, deactivate
from annotation.people.roles import NotAllowedError, may_adjudicate
from annotation.start.waiting import revision, waiting_for
from services.overview.report import overview
from storage.tables.people import Lease
from storage.tasks import Task
from tests.annotation.adjudication.test_disputes import _differ
from tests.annotation.crew import leader
from tests.annotation.house import SLUG, House, given_back
from tests.conftest import FakeClock
from tests.projects import mcq_project
from tests.support.refusals import code_of


@pytest.fixture
def lead(house: House) -> int:
    """Return an administrator of the project, in which Ann and Ben differ on the first question."""
    _differ(house, house.items[0])
    return leader(house)


def decide(house: House, who: int) -> int:
    return disputes.decide(house.ws, who, house.items[0], [house.units[1]], False, "why", 1.0)


def test_an_administrator_decides_only_while_nobody_else_may(house: House, lead: int) -> None:
    assert not may_adjudicate(house.ws, lead)
    with pytest.raises(NotAllowedError):
        disputes.queue(house.ws, lead)
    before = revision(house.ws, lead)
    deactivate(house.ws, house.judge)
    for role in ("researcher", "annotator", "lawyer"):
        assert not may_adjudicate(house.ws, add_person(house.ws, SLUG, role, role).id)
    assert may_adjudicate(house.ws, lead)
    assert revision(house.ws, lead) != before
    assert waiting_for(house.ws, lead).open_of == {"adjudication": 1}
    step = overview(house.ws, SLUG, lead).next
    assert (step.key, step.people, step.screen) == ("disputes", ("Administrator",), "adjudication")
    decide(house, lead)
    add_person(house.ws, SLUG, "Jin", "adjudicator")
    with pytest.raises(NotAllowedError):
        undo(house.ws, lead, house.items[0])
    with pytest.raises(NotAllowedError):
        decide(house, lead)


def test_gold_and_history_say_that_an_administrator_decided(
    house: House, lead: int, clock: FakeClock
) -> None:
    deactivate(house.ws, house.judge)
    decide(house, lead)
    [*_, entry] = derive(house.ws, SLUG)[0].lineage
    assert (entry.kind, entry.role, entry.conflict) == ("adjudication", "administrator", False)
    assert read(house.ws, SLUG).entries[0].details["administrator"] is True
    clock.now += timedelta(days=1)
    change_role(house.ws, lead, "adjudicator")
    [*_, entry] = derive(house.ws, SLUG)[0].lineage
    assert entry.role == "administrator", "the role at the time counts"
    clock.now += timedelta(days=1)
    decide(house, lead)
    [*_, entry] = derive(house.ws, SLUG)[0].lineage
    assert entry.role == "adjudicator"
    assert "administrator" not in read(house.ws, SLUG).entries[0].details


def test_whose_own_answer_is_awaited_reads_no_side(
    house: House, lead: int, clock: FakeClock
) -> None:
    item = house.items[0]
    deactivate(house.ws, house.judge)
    with house.ws.writing() as session:
        until = clock() + timedelta(minutes=30)
        session.add(Lease(item_id=item, person_id=lead, taken_at=clock(), expires_at=until))
    assert code_of(disputes.open_case, house.ws, lead, item) == "case_awaits_own"
    assert code_of(decide, house, lead) == "case_awaits_own"
    clock.now += timedelta(hours=1)
    disputes.open_case(house.ws, lead, item)


def test_an_answer_given_back_is_awaited_too(house: House) -> None:
    _differ(house, house.items[0])
    given_back(house, house.ann, house.items[0])
    deactivate(house.ws, house.judge)
    change_role(house.ws, house.ann, "administrator")
    assert code_of(disputes.open_case, house.ws, house.ann, house.items[0]) == "case_awaits_own"


def test_forms_are_decided_by_an_administrator_who_answered_them(
    tmp_path: Path, clock: FakeClock
) -> None:
    made = mcq_project.build(tmp_path / "quay", clock)
    item = made.items[0]
    mcq_project.submitted(made, made.ann, item)
    mcq_project.submitted(made, made.ben, item, "drop", cause="unclear", reason="Why?")
    change_role(made.ws, made.ann, "adjudicator")
    refused = made.ws, made.ann, item, {"verdict": "keep"}, "So."
    assert code_of(DISPUTES.decide, *refused) == "own_submission"
    change_role(made.ws, made.ann, "administrator")
    deactivate(made.ws, made.judge)
    DISPUTES.decide(*refused)
    [entry] = disputes_of(Task.MCQ_SOLVABILITY).queue(made.ws, made.ann)
    assert entry.decision is not None
    assert (entry.decision.administrator, entry.decision.conflict) == (True, True)

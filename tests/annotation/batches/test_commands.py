from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from sqlmodel import select

from annotation.adjudication import disputes
from annotation.agreement.overview import report
from annotation.batches.commands import (
    BatchPlan,
    add_people,
    close,
    make_batch,
    move_out,
    remove_person,
    reopen,
    set_deadline,
    set_overlap,
    set_pool,
)
from annotation.batches.sampling import Choice, preview
from annotation.batches.views import batch_named, batch_of, last_batch, list_batches, open_batch
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.people.members import add_person
from annotation.start.waiting import waiting_for
from annotation.work import queue_service
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.mapping import ToKeep, keep_all_candidates
from storage.projects import create_project
from storage.tables.core import Person
from storage.tables.people import Batch, BatchItem, BatchPerson
from tests.annotation.crew import batch, know, leader, queue_of, submit
from tests.annotation.house import SLUG, House, proposal, question, statute
from tests.support.refusals import code_of


def outcomes(house: House) -> list[str]:
    return [each.outcome for each in derive(house.ws, SLUG)]


def test_a_batch_has_its_own_overlap_and_the_rest_the_projects(house: House) -> None:
    batch(house, ids=("q1",), overlap=1)
    batch(house, ids=("q2",), overlap=3, name="Second")
    set_pool(house.ws, SLUG, True)
    for item in house.items:
        submit(house, house.ann, item, 1)
    assert outcomes(house) == ["single", "pending", "pending"]
    for item in house.items[1:]:
        submit(house, house.ben, item, 1)
    assert outcomes(house) == ["single", "pending", "agreed"]
    submit(house, house.cho, house.items[1], 1)
    assert outcomes(house) == ["single", "agreed", "agreed"]
    assert report(house.ws, SLUG).complete == 3
    assert check(house.ws, SLUG) == []


def test_more_overlap_reopens_and_takes_nothing_back(house: House) -> None:
    made = batch(house, overlap=1)
    submit(house, house.ann, house.items[0], 1)
    set_overlap(house.ws, SLUG, made, 2)
    assert outcomes(house)[0] == "pending"
    submit(house, house.ben, house.items[0], 1)
    assert outcomes(house)[0] == "agreed"
    set_overlap(house.ws, SLUG, made, 1)  # the second one still counts
    assert outcomes(house)[0] == "agreed"
    assert check(house.ws, SLUG) == []


def test_what_is_decided_stays_decided_whatever_overlap_is_set(house: House) -> None:
    made = batch(house)
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 2)
    disputes.decide(house.ws, house.judge, house.items[0], [house.units[1]], False, "one", 1.0)
    set_overlap(house.ws, SLUG, made, 3)
    assert outcomes(house)[0] == "adjudicated"
    assert code_of(queue_service.open_item, house.ws, house.cho, house.items[0]) == "item_full"
    assert queue_of(house, house.cho) == [1, 2]
    assert check(house.ws, SLUG) == []
    assert list_batches(house.ws, SLUG)[0].wanted == 2 + 3 + 3


def test_calibration_goes_to_everybody_and_makes_no_gold(house: House) -> None:
    know(house)
    made = batch(house, overlap=1, calibration=1 / 3)
    for person in (house.ann, house.ben, house.cho):
        submit(house, person, house.items[2], 1)
    assert outcomes(house)[2] == "pending"
    assert report(house.ws, SLUG).complete == 0
    with house.ws.reading() as session:
        rows = session.exec(select(BatchItem).where(BatchItem.batch_id == made)).all()
        assert {row.item_id: row.calibration for row in rows} == dict(
            zip(house.items, (False, False, True), strict=True)
        )
    view = list_batches(house.ws, SLUG)[0]
    assert (view.items, view.calibration, view.wanted, view.made) == (3, 1, 5, 3)


def test_gold_that_stood_before_calibration_stays(house: House) -> None:
    for person in (house.ann, house.ben):
        submit(house, person, house.items[2], 1)
    know(house)
    made = batch(house, calibration=1 / 3)
    remove_person(house.ws, SLUG, made, house.ann)
    assert list_batches(house.ws, SLUG)[0].made == 1, "only by those who have the batch"
    submit(house, house.cho, house.items[2], 2)
    assert outcomes(house)[2] == "agreed"
    assert check(house.ws, SLUG) == []


def test_orders(house: House) -> None:
    batch(house, ids=("q3", "q1"))
    set_pool(house.ws, SLUG, True)
    assert queue_of(house, house.ann) == [0, 2, 1]
    queue = queue_service.queue(house.ws, house.ann)
    assert queue_service.next_item(house.ws, house.ann, after=queue[0].item_id) == queue[1].item_id
    assert queue_service.next_item(house.ws, house.ann, after=queue[2].item_id) == queue[0].item_id


_PAGES: dict[str, Any] = {
    "project_id": 1,
    "task": "ocr_correction",
    "name": "Pages",
    "overlap": 1,
    "sequence": "given",
    "seed": 0,
}


def place(house: House, person: int, item: int) -> tuple[int, int, int, int]:
    """Return what the person at the item reads: its position of how many, how many done, open."""
    seen = queue_service.open_item(house.ws, person, house.items[item])
    return seen.position, seen.total, seen.done, seen.open


def test_who_has_a_batch_sees_nothing_outside_of_it(house: House) -> None:
    submit(house, house.ann, house.items[1], 1)  # before she had a batch
    batch(house, house.ann, ids=("q3",), overlap=1)
    assert queue_of(house, house.ann) == [2, 1]  # what she submitted stays to be looked at
    assert place(house, house.ann, 2) == (1, 1, 0, 1)
    assert code_of(queue_service.open_item, house.ws, house.ann, house.items[0]) == "pool_closed"
    assert waiting_for(house.ws, house.ann).open_of == {"citation_mapping": 1}
    assert queue_of(house, house.ben) == [0, 1]  # has no batch


def test_a_batch_that_is_done_or_closed_opens_nothing_outside(house: House) -> None:
    made = batch(house, house.ann, ids=("q3",), overlap=1)
    submit(house, house.ann, house.items[2], 1)
    assert queue_of(house, house.ann) == [2]
    close(house.ws, SLUG, made)
    assert queue_of(house, house.ann) == [2]
    assert queue_service.next_item(house.ws, house.ann) is None
    remove_person(house.ws, SLUG, made, house.ann)
    assert queue_of(house, house.ann) == [2, 0, 1]


def test_the_pool_is_opened_to_people_with_a_batch_and_closed_again(house: House) -> None:
    batch(house, house.ann, ids=("q3",), overlap=1)
    set_pool(house.ws, SLUG, True)
    assert queue_of(house, house.ann) == [2, 0, 1]
    assert place(house, house.ann, 2) == (1, 1, 0, 3)
    assert place(house, house.ann, 1) == (2, 2, 0, 3)
    set_pool(house.ws, SLUG, False)
    assert queue_of(house, house.ann) == [2]


def test_a_practice_round_and_a_batch_of_another_task_leave_the_pool_open(house: House) -> None:
    know(house)
    batch(house, house.ann, practice=True)
    with house.ws.writing() as session:
        session.add(pages := Batch(**_PAGES, created_at=house.ws.clock()))
        session.flush()
        given: dict[str, Any] = {"batch_id": pages.id, "person_id": house.ann}
        session.add(BatchPerson(**given, added_at=house.ws.clock()))
    assert queue_of(house, house.ann) == [2, 0, 1]
    assert place(house, house.ann, 0) == (1, 2, 0, 3)


def test_who_leaves_keeps_their_submissions_and_what_they_hold_elsewhere(house: House) -> None:
    batch(house, ids=("q2",), name="Before")
    made = batch(house, ids=("q1",), overlap=3)
    batch(house, ids=("q3",), name="After")
    submit(house, house.ann, house.items[0], 1)
    for person, item in ((house.ben, 0), (house.ben, 1), (house.ben, 2), (house.cho, 0)):
        queue_service.open_item(house.ws, person, house.items[item])
    for person in (house.ann, house.ben):
        remove_person(house.ws, SLUG, made, person)
    views = [open_batch(house.ws, SLUG, each.id) for each in list_batches(house.ws, SLUG)]
    held = {(each.person, each.external_id) for view in views for each in view.holders}
    assert held == {("Ben", "q2"), ("Cho", "q1"), ("Ben", "q3")}
    submit(house, house.cho, house.items[0], 1)
    set_overlap(house.ws, SLUG, made, 1)
    assert outcomes(house)[0] == "agreed"
    for person in (house.ann, house.judge):
        assert code_of(remove_person, house.ws, SLUG, made, person) == "person_not_in_batch"


def test_items_nobody_has_begun_can_be_moved_out(house: House) -> None:
    queue_service.open_item(house.ws, house.ann, house.items[1])
    made = batch(house)
    queue_service.open_item(house.ws, house.ann, house.items[0])
    assert code_of(move_out, house.ws, SLUG, made, ["q1"]) == "items_begun"
    assert code_of(move_out, house.ws, SLUG, made, ["q9"]) == "items_not_in_batch"
    assert move_out(house.ws, SLUG, made, ["q3", "q2", "q3"]) == 2
    removed = open_batch(house.ws, SLUG, made).events[-1].payload
    assert removed == {"removed": [house.items[2], house.items[1]]}
    second = batch(house, ids=("q2",), name="Second")
    assert [view.items for view in list_batches(house.ws, SLUG)] == [1, 1]
    for number, name in ((made, "q2"), (second, "q1")):
        assert code_of(move_out, house.ws, SLUG, number, [name]) == "items_not_in_batch"


def test_every_act_is_told(house: House) -> None:
    lead = leader(house)
    plan = BatchPlan(name=" First  batch ", people=(house.ann, house.ben), sample=2, seed=3)
    made = make_batch(house.ws, SLUG, plan, lead)
    add_people(house.ws, SLUG, made, [house.cho, house.ann], lead)
    until = house.ws.clock() + timedelta(days=3)
    set_deadline(house.ws, SLUG, made, until, lead)
    set_overlap(house.ws, SLUG, made, 3, lead)
    for _ in range(2):
        close(house.ws, SLUG, made, lead)
    assert list_batches(house.ws, SLUG)[0].closed
    for _ in range(2):
        reopen(house.ws, SLUG, made, lead)
    seen = open_batch(house.ws, SLUG, made, lead)
    plan_kept = {"name": "First batch", "task": "citation_mapping", "overlap": 2, "seed": 3}
    assert [(event.kind, event.payload) for event in seen.events] == [
        ("made", plan_kept | {"sequence": "given", "practice": False, "deadline": None}),
        ("items", {"added": house.items[::2], "calibration": []}),
        ("people", {"added": [house.ann, house.ben]}),
        ("people", {"added": [house.cho]}),
        ("deadline", {"deadline": until.isoformat()}),
        ("overlap", {"from": 2, "to": 3}),
        ("closed", {}),
        ("reopened", {}),
    ]
    assert {event.by for event in seen.events} == {"Administrator"}
    assert (seen.batch.name, seen.batch.items, seen.batch.closed) == ("First batch", 2, False)
    assert [member.name for member in seen.members] == ["Ann", "Ben", "Cho"]
    assert batch_named(house.ws, SLUG, "First batch") == made


def test_holders_and_finish_are_shown(house: House) -> None:
    made = batch(house, ids=("q1",), overlap=2)
    submit(house, house.ann, house.items[0], 1)
    queue_service.open_item(house.ws, house.ben, house.items[0])
    seen = open_batch(house.ws, SLUG, made)
    assert [(each.person, each.external_id) for each in seen.holders] == [("Ben", "q1")]
    assert (seen.batch.made, seen.batch.held, seen.batch.finished) == (1, 1, False)
    submit(house, house.ben, house.items[0], 1)
    assert list_batches(house.ws, SLUG)[0].finished
    own = batch_of(house.ws, house.ann, house.items[0])
    assert own is not None
    assert own == last_batch(house.ws, house.ann)
    assert batch_of(house.ws, house.ann, house.items[1]) is None


def test_a_plan_that_cannot_be_is_refused_whole(house: House) -> None:
    fit: dict[str, Any] = {"name": "First", "people": (house.ann, house.ben, house.cho)}
    for change, code in (
        ({"name": " "}, "batch_name"),
        ({"people": ()}, "batch_of_nobody"),
        ({"people": (99,)}, "person_unknown"),
        ({"overlap": 6}, "project_overlap"),
        ({"overlap": 4}, "batch_overlap"),
        ({"sequence": "upwards"}, "sequence_unknown"),
        ({"calibration": 0.6}, "calibration_share"),
        ({"calibration": -0.1}, "calibration_share"),
        ({"calibration": 0.5}, "calibration_short"),
        ({"sample": 0}, "sample_size"),
        ({"practice": True}, "batch_known_missing"),
        ({"choice": Choice(language="ko")}, "batch_empty"),
        ({"choice": Choice(external_ids=("q1", "q7"))}, "questions_unknown"),
    ):
        assert code_of(make_batch, house.ws, SLUG, BatchPlan(**fit | change)) == code
    assert list_batches(house.ws, SLUG) == []


def test_names_items_and_deadlines_that_are_taken_or_past(house: House) -> None:
    batch(house, ids=("q2",), sample=1, name="Before")
    made = batch(house, ids=("q1",))
    batch(house, ids=("q3",), name="After")
    assert code_of(batch, house) == "batch_exists"
    assert code_of(batch, house, ids=("q1",), name="Second") == "items_assigned"
    past = house.ws.clock() - timedelta(days=1)
    assert code_of(set_deadline, house.ws, SLUG, made, past) == "deadline_past"
    assert code_of(batch, house, name="Second", deadline=past) == "deadline_past"
    assert code_of(set_overlap, house.ws, SLUG, made, 4) == "batch_overlap"
    assert code_of(close, house.ws, SLUG, 0) == code_of(close, house.ws, SLUG, 9) == "batch_unknown"
    assert code_of(batch_named, house.ws, SLUG, "Third") == "batch_name_unknown"
    assert code_of(add_people, house.ws, SLUG, made, [house.judge]) == "batch_person_unfit"


def test_what_a_choice_gives(house: House) -> None:
    know(house)
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)

    def ids(choice: Choice) -> list[str]:
        return [each.external_id for each in preview(house.ws, SLUG, choice).items]

    assert ids(Choice()) == ["q1", "q2"]
    assert [each.external_id for each in preview(house.ws, SLUG, Choice()).known] == ["q3"]
    assert ids(Choice(gold=True)) == ["q1"]
    assert ids(Choice(gold=False)) == ["q2"]
    assert ids(Choice(unresolved=True)) == ["q1", "q2"]  # the Harbour Act is unknown
    assert ids(Choice(unresolved=False)) == []
    assert ids(Choice(language="en", external_ids=("q2",))) == ["q2"]


def test_a_question_without_citations_has_neither_resolved_nor_unresolved_ones(
    house: House,
) -> None:
    for statuses, unresolved, resolved in (
        ([], 0, 0),
        (["resolved"], 0, 3),
        (["ambiguous"], 3, 0),
        (["resolved", "unresolved"], 3, 0),
    ):
        chosen = proposal(1, 2)
        chosen.citations = [
            SimpleNamespace(**vars(chosen.citations[1]) | {"status": each}) for each in statuses
        ]
        chosen.candidates[0].why = ()  # it points to a citation
        with house.ws.writing() as session:
            proposed = [ToKeep(item, "cited", chosen) for item in house.items]
            keep_all_candidates(session, 1, proposed, unit_ids(session, 1), house.ws.clock())
        for choice, count in ((True, unresolved), (False, resolved)):
            assert len(preview(house.ws, SLUG, Choice(unresolved=choice)).items) == count


def test_somebody_new_is_given_the_batch_like_all_others(house: House) -> None:
    dan = add_person(house.ws, SLUG, "Dan", "annotator").id
    batch(house, dan, ids=("q1",), overlap=1, name="Before")
    made = batch(house, ids=("q2",))
    batch(house, dan, ids=("q3",), overlap=1, name="After")
    assert queue_of(house, dan) == [0, 2]
    with house.ws.writing() as session:
        session.get_one(Person, house.cho).active = False
    assert code_of(add_people, house.ws, SLUG, made, [dan, house.cho]) == "batch_person_unfit"
    assert queue_of(house, dan) == [0, 2]
    assert add_people(house.ws, SLUG, made, [dan]) == 1
    assert queue_of(house, dan) == [0, 1, 2]


def test_another_project_closes_no_pool_of_this_one(house: House) -> None:
    here = batch(house, house.ann, ids=("q1",), overlap=1)
    set_pool(house.ws, SLUG, True)
    create_project(house.ws, "river", "River law", 1)
    keep_statutes(house.ws, "river", [statute()], "first")
    keep_questions(house.ws, "river", [question(1), question(2)], "questions.jsonl")
    dan = add_person(house.ws, "river", "Dan", "annotator").id
    choice = Choice(external_ids=("q1",))
    plan = BatchPlan(name="First", people=(dan,), choice=choice, overlap=1)
    there = make_batch(house.ws, "river", plan)
    for slug, own, other, person in (
        (SLUG, here, there, dan),
        ("river", there, here, house.ann),
    ):
        assert code_of(close, house.ws, slug, other) == "batch_unknown"
        assert code_of(add_people, house.ws, slug, own, [person]) == "person_unknown"
    assert queue_of(house, house.ann) == [0, 1, 2]
    assert [each.external_id for each in queue_service.queue(house.ws, dan)] == ["q1"]

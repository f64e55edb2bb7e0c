"""What waits for a person: counts, blindness, deadlines, and where they go on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from annotation.adjudication.disputes import decide
from annotation.adjudication.tasks import refer, to_send
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.mapping.commands import label, set_no_provision
from annotation.people.members import add_person
from annotation.start.waiting import (
    OwnPace,
    OwnTask,
    ToSettle,
    Waiting,
    end_first_visit,
    idle_tasks,
    is_first_visit,
    own_pace,
    revision,
    waiting_for,
)
from annotation.work.commands import skip, submit
from annotation.work.queue_service import open_item
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.annotation.house import SLUG, House

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def none_of(house: House, person: int, item: int) -> None:
    """Submit that no provision answers the item."""
    open_item(house.ws, person, item)
    set_no_provision(house.ws, person, item, True)
    submit(house.ws, person, item)


def accepted(house: House, person: int, item: int) -> None:
    open_item(house.ws, person, item)
    label(house.ws, person, item, house.units[1], "accept")
    submit(house.ws, person, item)


def place(found: Waiting) -> tuple[int, str]:
    assert found.place is not None
    return found.place.item_id, found.place.why


def test_an_annotator_goes_on_where_they_left_off(house: House) -> None:
    first, second, third = house.items
    found = waiting_for(house.ws, house.ann)
    assert place(found) == (first, "next")
    assert found.place is not None and (found.place.name, found.place.at) == ("q1", None)
    assert found.open_of == {"citation_mapping": 3}
    open_item(house.ws, house.ann, second)
    assert place(waiting_for(house.ws, house.ann)) == (second, "left")
    before = house.ws.clock()
    label(house.ws, house.ann, second, house.units[1], "accept")
    after = house.ws.clock()
    none_of(house, house.ann, third)
    found = waiting_for(house.ws, house.ann)
    assert place(found) == (second, "draft"), "what was left last is submitted"
    assert found.place is not None and found.place.at is not None
    assert before < found.place.at < after
    done = OwnTask(
        Task.CITATION_MAPPING,
        open=2,
        drafts=1,
        skipped=0,
        discuss=0,
        submitted=1,
        batch="",
        deadline=None,
    )
    assert found.tasks == (done,)


def test_only_skipped_ones_are_left(house: House) -> None:
    for item in house.items:
        open_item(house.ws, house.ann, item)
        skip(house.ws, house.ann, item, "Later.")
    found = waiting_for(house.ws, house.ann)
    assert place(found) == (house.items[0], "skipped")
    assert found.tasks[0].skipped == 3


def test_what_others_fill_waits_no_more_and_nothing_of_theirs_is_told(house: House) -> None:
    first = house.items[0]
    accepted(house, house.ben, first)
    none_of(house, house.cho, first)
    found = waiting_for(house.ws, house.ann)
    assert found.open_of == {"citation_mapping": 2}
    assert place(found) == (house.items[1], "next")
    assert found.disputes == () and found.requests == 0


def test_what_is_due_first_is_told_and_comes_first(house: House) -> None:
    due = house.ws.clock() + timedelta(days=3)
    people = (house.ann, house.ben)
    for name, ids, until in (("Soon", ("q2",), due), ("Later", ("q3",), due + timedelta(days=9))):
        choice = Choice(external_ids=ids)
        make_batch(house.ws, SLUG, BatchPlan(name, people, choice, deadline=until))
    (task,) = waiting_for(house.ws, house.ann).tasks
    assert (task.batch, task.deadline) == ("Soon", due)
    none_of(house, house.ann, house.items[1])
    (task,) = waiting_for(house.ws, house.ann).tasks
    assert task.batch == "Later", "the part of Soon is done"
    (task,) = waiting_for(house.ws, house.cho).tasks
    assert (task.open, task.deadline) == (1, None), "batches of others are none of theirs"


def test_an_adjudicator_is_led_to_the_first_open_dispute(house: House) -> None:
    first, second, third = house.items
    for item in (first, second, third):
        accepted(house, house.ann, item)
        none_of(house, house.ben, item)
    refer(house.ws, house.judge, first, "Really?", list(to_send(house.ws, house.judge, first)))
    since = house.ws.clock()
    decide(house.ws, house.judge, third, [house.units[1]], False, "So it says.", 7.0)
    assert own_pace(house.ws, house.judge, since) == OwnPace(0, 1, 7.0)
    assert own_pace(house.ws, house.judge, house.ws.clock()) == OwnPace(0, 0, None)
    before = revision(house.ws, house.judge)
    found = waiting_for(house.ws, house.judge)
    assert place(found) == (second, "decide")
    assert found.open_of == {"adjudication": 1}
    assert found.disputes == (ToSettle(Task.CITATION_MAPPING, 1, 1, second, "q2"),)
    (told,) = waiting_for(house.ws, house.ann).tasks
    assert (told.open, told.discuss, told.submitted) == (1, 1, 3)
    assert revision(house.ws, house.judge) == before


def test_a_lead_has_nothing_of_their_own(house: House) -> None:
    lead = add_person(house.ws, SLUG, "Dora", "administrator").id
    found = waiting_for(house.ws, lead)
    assert (found.tasks, found.disputes, found.place) == ((), (), None)
    assert Task.CITATION_MAPPING not in idle_tasks(house.ws, SLUG)
    assert Task.RESEARCH in idle_tasks(house.ws, SLUG)


def test_the_pace_is_ones_own_since_a_time(house: House) -> None:
    since = house.ws.clock()
    assert own_pace(house.ws, house.ann, since).median_seconds is None
    accepted(house, house.ann, house.items[0])
    none_of(house, house.ben, house.items[0])
    accepted(house, house.cho, house.items[1])
    for person in (house.ann, house.ben):
        assert own_pace(house.ws, person, since) == OwnPace(1, 0, 2.0)
        assert own_pace(house.ws, person, house.ws.clock()) == OwnPace(0, 0, None)


def test_what_a_program_submitted_at_once_is_not_of_today(house: House) -> None:
    ws = Workspace(house.ws.folder, lambda: NOON)
    accepted(replace(house, ws=ws), house.ann, house.items[0])
    pace = own_pace(ws, house.ann, NOON - timedelta(hours=12))
    assert (pace.submitted, pace.decided, pace.median_seconds) == (0, 0, None)


def test_the_first_visit_ends_once(house: House) -> None:
    assert is_first_visit(house.ws, house.ann)
    end_first_visit(house.ws, house.ann)
    before = revision(house.ws, house.ann)
    end_first_visit(house.ws, house.ann)
    assert not is_first_visit(house.ws, house.ann)
    assert is_first_visit(house.ws, house.ben)
    assert revision(house.ws, house.ann) == before

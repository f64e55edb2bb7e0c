from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlmodel import select

from annotation.batches.commands import add_people, close, remove_person, reopen, set_overlap
from annotation.work import commands, queue_service
from annotation.work.slots import LEASE
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.people import Lease
from tests.annotation.crew import batch, queue_of, submit
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.support.refusals import code_of

LATER = LEASE + timedelta(minutes=1)


def holders(house: House, item: int = 0) -> list[int]:
    """Return who holds a slot of the item now."""
    with house.ws.reading() as session:
        now = house.ws.clock()
        query = select(Lease).where(Lease.item_id == house.items[item], Lease.expires_at > now)
        return sorted(row.person_id for row in session.exec(query))


def test_an_item_in_no_batch_is_held_by_nobody(house: House) -> None:
    for person in (house.ann, house.ben, house.cho):
        queue_service.open_item(house.ws, person, house.items[0])
    assert holders(house) == []


def test_opening_holds_a_slot_and_a_third_person_finds_none(house: House) -> None:
    batch(house)
    queue_service.open_item(house.ws, house.ann, house.items[0])
    queue_service.open_item(house.ws, house.ben, house.items[0])
    assert holders(house) == sorted([house.ann, house.ben])
    assert code_of(queue_service.open_item, house.ws, house.cho, house.items[0]) == "slot_held"
    assert code_of(commands.skip, house.ws, house.cho, house.items[0]) == "slot_held"
    assert queue_of(house, house.cho) == [1, 2]
    assert queue_service.next_item(house.ws, house.cho) == house.items[1]
    assert queue_of(house, house.ann) == [0, 1, 2]


def test_a_hold_lasts_half_an_hour(house: House, clock: FakeClock) -> None:
    batch(house, overlap=1)
    queue_service.open_item(house.ws, house.ann, house.items[0])
    clock.now += timedelta(minutes=29)
    assert code_of(queue_service.open_item, house.ws, house.ben, house.items[0]) == "slot_held"
    clock.now += timedelta(minutes=1)
    queue_service.open_item(house.ws, house.ben, house.items[0])
    assert holders(house) == [house.ben]


def test_every_act_renews_the_hold(house: House, clock: FakeClock) -> None:
    batch(house, overlap=1)
    for turn in range(4):
        clock.now += LEASE * 0.9
        commands.set_comment(house.ws, house.ann, house.items[0], f"turn {turn}")
    assert holders(house) == [house.ann]
    assert code_of(queue_service.open_item, house.ws, house.ben, house.items[0]) == "slot_held"


def test_who_finds_the_slot_taken_is_told_and_keeps_the_draft(
    house: House, clock: FakeClock
) -> None:
    batch(house, overlap=1)
    item = house.items[0]
    commands.set_comment(house.ws, house.ann, item, "half a thought")
    clock.now += LATER
    queue_service.open_item(house.ws, house.ben, item)
    assert code_of(queue_service.open_item, house.ws, house.ann, item) == "slot_taken"
    assert code_of(commands.submit, house.ws, house.ann, item) == "slot_taken"
    assert queue_service.next_item(house.ws, house.ann) == house.items[1]
    clock.now += LATER  # Ben leaves without a word
    assert queue_service.open_item(house.ws, house.ann, item).comment == "half a thought"


def test_a_draft_is_kept_even_if_the_slot_was_filled(house: House, clock: FakeClock) -> None:
    batch(house, overlap=1)
    item = house.items[0]
    commands.set_comment(house.ws, house.ann, item, "half a thought")
    clock.now += LATER
    submit(house, house.ben, item, 1)
    assert code_of(commands.set_comment, house.ws, house.ann, item, "more") == "slot_taken"
    commands.take_back(house.ws, house.ben, item)  # the slot is Ben's again, not free
    assert code_of(queue_service.open_item, house.ws, house.ann, item) == "slot_taken"
    clock.now += LATER
    assert queue_service.open_item(house.ws, house.ann, item).comment == "half a thought"


def test_a_withdrawn_submission_becomes_a_hold(house: House) -> None:
    batch(house, overlap=1)
    submit(house, house.ann, house.items[0], 1)
    commands.take_back(house.ws, house.ann, house.items[0])
    assert holders(house) == [house.ann]
    assert code_of(queue_service.open_item, house.ws, house.ben, house.items[0]) == "slot_held"


def test_others_are_refused_and_a_closed_batch_takes_nothing(house: House) -> None:
    made = batch(house, house.ann, house.ben)
    item = house.items[0]
    assert code_of(queue_service.open_item, house.ws, house.cho, item) == "batch_of_others"
    assert queue_of(house, house.cho) == []
    submit(house, house.ann, item, 1)
    commands.set_comment(house.ws, house.ben, item, "kept")
    close(house.ws, SLUG, made)
    assert code_of(commands.submit, house.ws, house.ben, item) == "batch_closed"
    assert code_of(commands.take_back, house.ws, house.ann, item) == "batch_closed"
    assert not queue_service.open_item(house.ws, house.ann, item).can_take_back
    assert queue_service.last_submitted(house.ws, house.ann) is None
    assert queue_of(house, house.ann) == [0]
    reopen(house.ws, SLUG, made)
    assert queue_service.open_item(house.ws, house.ben, item).comment == "kept"


def test_who_leaves_the_batch_gives_back_the_slot(house: House) -> None:
    made = batch(house, overlap=1)
    commands.set_comment(house.ws, house.ann, house.items[0], "kept")
    remove_person(house.ws, SLUG, made, house.ann)
    assert (
        code_of(queue_service.open_item, house.ws, house.ann, house.items[0]) == "batch_of_others"
    )
    queue_service.open_item(house.ws, house.ben, house.items[0])
    add_people(house.ws, SLUG, made, [house.ann])
    assert code_of(queue_service.open_item, house.ws, house.ann, house.items[0]) == "slot_taken"


def test_a_smaller_overlap_ends_the_newest_hold_only(house: House) -> None:
    made = batch(house, overlap=3)
    for person in (house.ben, house.ann, house.cho):
        commands.set_comment(house.ws, person, house.items[0], "draft")
    submit(house, house.ben, house.items[1], 1)
    for person in (house.ann, house.cho):
        commands.set_comment(house.ws, person, house.items[1], "draft")
    set_overlap(house.ws, SLUG, made, 2)
    assert holders(house) == sorted([house.ben, house.ann])
    assert holders(house, 1) == [house.ann], "Ben's submission takes the other slot"
    assert code_of(commands.submit, house.ws, house.cho, house.items[0]) == "slot_taken"


@pytest.mark.parametrize("overlap", [1, 2])
def test_threads_racing_for_the_last_slot(house: House, overlap: int) -> None:
    batch(house, overlap=overlap)
    people = [house.ann, house.ben, house.cho]
    for item in house.items:
        start = Barrier(len(people))

        def take(person: int, item: int = item, start: Barrier = start) -> str:
            workspace = Workspace(house.ws.folder, house.ws.clock)
            start.wait()
            try:
                queue_service.open_item(workspace, person, item)
            except UserError as error:
                return error.code
            return "held"

        with ThreadPoolExecutor(len(people)) as pool:
            said = sorted(pool.map(take, people))
        assert said == ["held"] * overlap + ["slot_held"] * (3 - overlap)
        assert len(holders(house, house.items.index(item))) == overlap

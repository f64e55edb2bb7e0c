"""Assignment under every order of acts: batches, people, leases that expire, submissions.

After every step no item may have more submissions than it takes, nor more together with the slots
that are held; every draft must be as its person left it; and a random order is a permutation that
stays.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from sqlmodel import col, func, select

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches import commands as batches_commands
from annotation.batches.sampling import Choice
from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.people.roles import annotator
from annotation.work import commands, queue_service
from annotation.work.belonging import lines
from annotation.work.draft import fold, own_events
from annotation.work.slots import LEASE
from annotation.work.submissions import is_current
from errors import UserError
from storage.tables.core import Annotation
from storage.tables.people import Batch, BatchItem, BatchPerson, Lease
from tests.annotation.house import SLUG
from tests.annotation.machine import HouseMachine, stories
from tests.annotation.work.item_by_item import same_queues

WHO = st.integers(0, 2)
WHICH = st.integers(0, 2)
PEOPLE = st.sets(WHO, min_size=1)
OVERLAP = st.integers(1, 3)
UNWORKABLE = {
    *("item_full", "slot_held", "slot_taken"),
    *("batch_closed", "batch_of_others", "pool_closed"),
}


class Assignment(HouseMachine):
    """Everything that those who lead and those who annotate can do, in any order."""

    @initialize(known=st.booleans(), begins=st.integers(0, 3), overlap=st.integers(1, 2))
    def build(self, known: bool, begins: int, overlap: int) -> None:
        self.furnish()
        self.people = [self.house.ann, self.house.ben, self.house.cho]
        self.comments: dict[tuple[int, int], str] = {}
        self.most: dict[int, int] = {}  # submissions that an item had when it got its overlap
        self.orders: dict[tuple[int, int], list[int]] = {}
        self.turn = 0
        if known:
            answer = Known("q3", ("lake-act_article-1",))
            set_known_answers(self.house.ws, SLUG, [answer])
        if begins:  # mostly, so that the story gets to the crowded places
            plan = batches_commands.BatchPlan(
                name="first", people=tuple(self.people), overlap=overlap
            )
            batches_commands.make_batch(self.house.ws, SLUG, plan)

    # Those who lead

    @rule(
        people=PEOPLE,
        overlap=OVERLAP,
        sequence=st.sampled_from(["given", "random", "informative"]),
        sample=st.sampled_from([None, 1, 2]),
        calibration=st.sampled_from([0.0, 0.3]),
        practice=st.booleans(),
        seed=st.integers(0, 3),
    )
    def make(self, people: set[int], **plan: Any) -> None:
        self.turn += 1
        chosen = tuple(self.people[each] for each in sorted(people))
        made = batches_commands.BatchPlan(
            name=f"batch {self.turn}", people=chosen, choice=Choice(), **plan
        )
        allowed = {"batch_empty", "batch_known_missing", "batch_overlap", "calibration_short"}
        before = self._made()
        self._try(lambda: batches_commands.make_batch(self.house.ws, SLUG, made), allowed)
        self._keep_most(before)

    @rule(number=st.integers(1, 3), people=PEOPLE)
    def add(self, number: int, people: set[int]) -> None:
        chosen = [self.people[each] for each in sorted(people)]
        self._lead(lambda: batches_commands.add_people(self.house.ws, SLUG, number, chosen))

    @rule(number=st.integers(1, 3), who=WHO)
    def remove(self, number: int, who: int) -> None:
        person = self.people[who]
        self._lead(lambda: batches_commands.remove_person(self.house.ws, SLUG, number, person))

    @rule(number=st.integers(1, 3), overlap=OVERLAP)
    def change_overlap(self, number: int, overlap: int) -> None:
        before = self._made()
        self._lead(lambda: batches_commands.set_overlap(self.house.ws, SLUG, number, overlap))
        self._keep_most(before)

    @rule(number=st.integers(1, 3), closes=st.integers(0, 3))
    def close_or_reopen(self, number: int, closes: int) -> None:
        act = batches_commands.reopen if closes else batches_commands.close
        self._lead(lambda: act(self.house.ws, SLUG, number))

    @rule(is_open=st.booleans())
    def open_or_close_the_pool(self, is_open: bool) -> None:
        batches_commands.set_pool(self.house.ws, SLUG, is_open)

    @rule(number=st.integers(1, 3), which=WHICH)
    def move_out(self, number: int, which: int) -> None:
        ids = [f"q{which + 1}"]
        self._lead(lambda: batches_commands.move_out(self.house.ws, SLUG, number, ids))

    # Those who annotate

    @rule(who=WHO, which=WHICH)
    def open(self, who: int, which: int) -> None:
        self._work(lambda: queue_service.open_item(self.house.ws, *self._at(who, which)))

    @rule(which=WHICH)
    def everybody_opens(self, which: int) -> None:
        for who in range(3):
            self.open(who, which)

    @rule(who=WHO, which=WHICH)
    def comment(self, who: int, which: int) -> None:
        self.turn += 1
        said = f"turn {self.turn}"
        if self._work(lambda: commands.set_comment(self.house.ws, *self._at(who, which), said)):
            self.comments[self._at(who, which)] = said

    @rule(who=WHO, which=WHICH)
    def submit(self, who: int, which: int) -> None:
        def act() -> None:
            mapping_commands.set_no_provision(self.house.ws, *self._at(who, which), True)
            commands.submit(self.house.ws, *self._at(who, which))

        self._work(act)

    @rule(who=WHO, which=WHICH)
    def withdraw(self, who: int, which: int) -> None:
        item = self._at(who, which)
        if item in self._submitted():
            act = partial(commands.take_back, self.house.ws, *item)
            self._try(act, UNWORKABLE | {"answers_all_in"})

    @rule(part=st.sampled_from([0.4, 1.1]))
    def wait(self, part: float) -> None:
        self.clock.now += LEASE * part + timedelta(seconds=1)

    # What must hold

    @invariant()
    def no_item_is_overfilled(self) -> None:
        made, held = self._made(), self._held()
        for item, (overlap, for_everybody) in self._batched().items():
            if for_everybody:
                assert not held.get(item, 0)
                continue
            most = max(overlap, self.most.get(item, 0))
            assert made.get(item, 0) <= most
            assert made.get(item, 0) + held.get(item, 0) <= most

    @invariant()
    def every_draft_is_as_it_was_left(self) -> None:
        with self.house.ws.reading() as session:
            for (person, item), said in self.comments.items():
                assert fold(own_events(session, person, item)).comment == said

    @rule()
    def look_over(self) -> None:
        """Replay everything: now and then, and when the story ends."""
        assert check(self.house.ws, SLUG) == []

    @invariant()
    def an_order_is_a_permutation_that_stays(self) -> None:
        with self.house.ws.reading() as session:
            for person in self.people:
                queue = lines(session, annotator(session, person), self.clock())
                numbers = [line.item_id for line in queue]
                assert len(numbers) == len(set(numbers))
                for batch_id in {line.batch_id for line in queue} - {None}:
                    here = [line.item_id for line in queue if line.batch_id == batch_id]
                    self._same_order(person, batch_id or 0, here)

    @invariant()
    def who_is_offered_an_item_can_open_it(self) -> None:
        for person in self.people:
            item = queue_service.next_item(self.house.ws, person)
            with self.house.ws.reading() as session:
                queue = lines(session, annotator(session, person), self.clock())
                assert item is None or item in [line.item_id for line in queue]

    @invariant()
    def a_queue_is_what_each_item_says(self) -> None:
        for person in self.people:
            same_queues(self.house.ws, person, self.house.items)

    # Helpers

    def _same_order(self, person: int, batch_id: int, now: list[int]) -> None:
        before = self.orders.setdefault((person, batch_id), now)
        both = set(now) & set(before)
        assert [item for item in now if item in both] == [i for i in before if i in both]
        if len(now) > len(before):
            self.orders[person, batch_id] = now

    def _keep_most(self, made: dict[int, int]) -> None:
        for item, count in made.items():
            self.most[item] = max(count, self.most.get(item, 0))

    def _at(self, who: int, which: int) -> tuple[int, int]:
        return self.people[who], self.house.items[which]

    def _try(self, act: Callable[[], object], allowed: set[str]) -> bool:
        try:
            act()
        except UserError as error:
            assert error.code in allowed, error.code
            return False
        return True

    def _lead(self, act: Callable[[], object]) -> None:
        allowed = {"batch_unknown", "person_not_in_batch", "batch_overlap"}
        self._try(act, allowed | {"items_begun", "items_not_in_batch"})

    def _work(self, act: Callable[[], object]) -> bool:
        return self._try(act, UNWORKABLE | {"item_submitted"})

    def _submitted(self) -> set[tuple[int, int]]:
        with self.house.ws.reading() as session:
            query = select(Annotation.person_id, Annotation.item_id).where(is_current())
            return set(session.exec(query).all())

    def _made(self) -> dict[int, int]:
        with self.house.ws.reading() as session:
            query = select(Annotation.item_id, func.count()).where(is_current())
            return dict(session.exec(query.group_by(col(Annotation.item_id))).all())

    def _held(self) -> dict[int, int]:
        with self.house.ws.reading() as session:
            query = select(Lease.item_id, func.count()).where(Lease.expires_at > self.clock.now)
            return dict(session.exec(query.group_by(col(Lease.item_id))).all())

    def _batched(self) -> dict[int, tuple[int, bool]]:
        """Return (overlap, goes to everybody) of each item of a batch that has people."""
        with self.house.ws.reading() as session:
            query = (
                select(BatchItem, Batch)
                .join(Batch)
                .where(col(Batch.id).in_(select(BatchPerson.batch_id)))
            )
            return {
                item.item_id: (batch.overlap, item.calibration or batch.practice)
                for item, batch in session.exec(query)
            }


TestAssignment = stories(Assignment)

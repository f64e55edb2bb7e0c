"""Acts of leads on batches: making and changing them, each saved whole with its event.

Work done is kept: people who leave keep their submissions, another overlap removes none. `by` is
the acting person, None for the operator. All raise UserError without permission to assign, and for
an unknown batch or person.

Making a batch, and the context of every act on one: lead, batch and event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, func, select

from annotation.batches.sampling import Choice, Match, in_informative_order, matching, shortened
from annotation.people.members import checked_name
from annotation.people.roles import Act, may, reading_as, writing_as
from annotation.work.audits import AUDIT, AuditSample
from annotation.work.belonging import sample, spread
from annotation.work.slots import act_of
from annotation.work.submissions import is_current
from errors import UserError, Where, require_known
from storage.db.columns import usable_id
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import OVERLAPS, ProjectView
from storage.tables.core import Annotation, DraftEvent, Item, Person, Project, QuestionRow
from storage.tables.people import Batch, BatchEvent, BatchItem, BatchPerson, Lease
from storage.tasks import NAME, Task, is_task

__all__ = [
    "BatchPlan",
    "add_people",
    "close",
    "make_batch",
    "move_out",
    "remove_person",
    "reopen",
    "set_deadline",
    "set_overlap",
    "set_pool",
]


@dataclass(frozen=True, slots=True)
class BatchDesk:
    """Context of a lead's act on a batch, in a writing transaction."""

    session: Session
    project: ProjectView
    by: int | None
    at: datetime
    batch: Batch

    def tell(self, kind: str, payload: dict[str, Any]) -> None:
        """Add an event to the batch."""
        row = BatchEvent(batch_id=self.number, kind=kind, payload=payload, at=self.at)
        row.by_person_id = self.by
        self.session.add(row)

    @property
    def number(self) -> int:
        """Id of the batch."""
        assert self.batch.id is not None  # noqa: S101  (it has been stored)
        return self.batch.id


@contextmanager
def leading(ws: Workspace, project_slug: str, batch_id: int, by: int | None) -> Iterator[BatchDesk]:
    """Yield the context of an act on a batch, in a writing transaction."""
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        batch = find_batch(session, project.id, batch_id)
        yield BatchDesk(session, project, by, ws.clock(), batch)


def find_batch(session: Session, project_id: int, batch_id: int) -> Batch:
    """Return the batch of that id in the project. Raises UserError if there is none."""
    query = select(Batch).where(Batch.id == usable_id(batch_id), Batch.project_id == project_id)
    found = session.exec(query).first()
    if found is None:
        raise UserError("batch_unknown", batch=batch_id)
    return found


def refuse_past(deadline: datetime | None, at: datetime) -> None:
    """Raise UserError for a deadline that is not after `at`."""
    if deadline is not None and deadline <= at:
        raise UserError("deadline_past", Where(field="deadline"), deadline=f"{deadline:%Y-%m-%d}")


def refuse_few(overlap: int, people: int) -> None:
    """Raise UserError if the overlap is above the number of people."""
    if people >= overlap:
        return
    raise UserError("batch_overlap", Where(field="overlap"), overlap=overlap, people=people)


def checked_annotators(session: Session, project_id: int, people: Sequence[int]) -> list[int]:
    """Return the people's ids, deduplicated; raise UserError unless all are active annotators.

    Also for nobody at all.
    """
    if not people:
        raise UserError("batch_of_nobody", Where(field="people"))
    for number in people:
        query = select(Person).where(
            Person.id == usable_id(number), Person.project_id == project_id
        )
        person = session.exec(query).first()
        if person is None:
            raise UserError("person_unknown", person=number)
        if not person.active or not may(person.role, Act.ANNOTATE):
            raise UserError("batch_person_unfit", Where(field="people"), name=person.name)
    return list(dict.fromkeys(people))


def give(desk: BatchDesk, people: list[int]) -> None:
    """Assign the batch to these people, who must not have it yet, and add the event."""
    desk.session.add_all(
        BatchPerson(batch_id=desk.number, person_id=person, added_at=desk.at) for person in people
    )
    desk.tell("people", {"added": people})


def batched(tasks: Iterable[str]) -> list[Task]:
    """Return those of the tasks that are given out in batches."""
    return [Task(task) for task in tasks if is_task(task) and act_of(task) == Act.ANNOTATE]


MOST_CALIBRATION = 0.5  # maximum share of a batch's items
Sequencing = Literal["given", "random", "informative"]
SEQUENCES: tuple[Sequencing, ...] = ("given", "random", "informative")


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """The parameters of a new batch.

    `sample` draws that many of the chosen items by `seed`, None takes all. `calibration` is the
    share of the batch's items with a known answer, from 0 to 0.5. A practice batch has only items
    with a known answer. `people` are ids. `audit` is the sample that the batch audits blind; its
    items are then those chosen.
    """

    name: str
    people: tuple[int, ...]
    choice: Choice = field(default_factory=Choice)
    sample: int | None = None
    seed: int = 0
    overlap: int = 2
    sequence: Sequencing = "given"
    calibration: float = 0.0
    deadline: datetime | None = None
    practice: bool = False
    audit: AuditSample | None = None


def make_batch(ws: Workspace, project_slug: str, plan: BatchPlan, by: int | None = None) -> int:
    """Make a batch; return its id.

    Raises UserError, beyond what all acts do, for an invalid or taken name, without people or
    items, for fewer people than the overlap, fewer items with a known answer than wanted, a
    deadline that has passed, and ids of questions that are unknown or in a batch already.
    """
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        at = ws.clock()
        people, real, known = _checked_plan(session, project, plan, at)
        row = Batch(
            project_id=project.id,
            task=plan.choice.task,
            name=checked_name(plan.name, "batch_name"),
            overlap=plan.overlap,
            sequence=plan.sequence,
            seed=plan.seed,
            practice=plan.practice,
            deadline=plan.deadline,
            created_at=at,
        )
        add_row(session, row)
        desk = BatchDesk(session, project, by, at, row)
        _add_items_and_people(desk, plan, real, known, people)
        return desk.number


def check_plan(ws: Workspace, project_slug: str, plan: BatchPlan, by: int | None) -> None:
    """Raise the UserError that :func:`make_batch` would, before anything is made for the batch."""
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        _checked_plan(session, project, plan, ws.clock())


def _checked_plan(
    session: Session, project: ProjectView, plan: BatchPlan, at: datetime
) -> tuple[list[int], list[Match], list[Match]]:
    """Check a plan; return the annotators' ids, the items and the calibration items."""
    name = checked_name(plan.name, "batch_name")
    _refuse_invalid(plan)
    refuse_past(plan.deadline, at)
    taken = select(Batch.id).where(Batch.project_id == project.id, Batch.name == name)
    if session.exec(taken).first() is not None:
        raise UserError("batch_exists", Where(field="name"), name=name)
    people = checked_annotators(session, project.id, plan.people)
    if not plan.practice:
        refuse_few(plan.overlap, len(people))
    return people, *_chosen_items(session, project, plan)


def _refuse_invalid(plan: BatchPlan) -> None:
    if not batched([plan.choice.task]):
        raise UserError("task_unknown", Where(field="task"), task=plan.choice.task)
    if plan.overlap not in OVERLAPS:
        raise UserError("project_overlap", Where(field="overlap"), overlap=plan.overlap)
    require_known("sequence_unknown", SEQUENCES, Where(field="order"), order=plan.sequence)
    if not 0 <= plan.calibration <= MOST_CALIBRATION:
        raise UserError("calibration_share", Where(field="calibration"), share=plan.calibration)
    if plan.sample is not None and plan.sample < 1:
        raise UserError("sample_size", Where(field="sample"), size=plan.sample)


def _chosen_items(
    session: Session, project: ProjectView, plan: BatchPlan
) -> tuple[list[Match], list[Match]]:
    """Return the items to be annotated, and the calibration items. UserError for too few."""
    fitting = matching(session, project, plan.choice)
    if plan.audit is not None:
        fitting = [each for each in fitting if each.item_id in plan.audit.stratum]
    real = [each for each in fitting if each.known == plan.practice]
    if plan.sample is not None and plan.audit is None:
        real = sample(real, plan.sample, plan.seed)
    if not real:
        raise UserError("batch_known_missing" if plan.practice else "batch_empty")
    if plan.sequence == "informative":
        real = in_informative_order(session, project.id, real)
    if plan.practice or not plan.calibration:
        return real, []
    wanted = round(len(real) * plan.calibration / (1 - plan.calibration))
    known = [
        each for each in matching(session, project, Choice(task=plan.choice.task)) if each.known
    ]
    if len(known) < wanted:
        where = Where(field="calibration")
        raise UserError("calibration_short", where, wanted=wanted, known=len(known))
    return real, sample(known, wanted, plan.seed)


def _add_items_and_people(
    desk: BatchDesk, plan: BatchPlan, real: list[Match], known: list[Match], people: list[int]
) -> None:
    """Add items and annotators to a new batch, calibration items spread among the others."""
    mixed = spread(known, real, plan.seed)
    calibration = {each.item_id for each in known}
    desk.session.add_all(
        BatchItem(
            batch_id=desk.number,
            item_id=each.item_id,
            position=position,
            calibration=each.item_id in calibration,
        )
        for position, each in enumerate(mixed, 1)
    )
    deadline = plan.deadline and plan.deadline.isoformat()
    plain = ("task", "name", "overlap", "sequence", "seed", "practice")
    made = {name: getattr(desk.batch, name) for name in plain} | {"deadline": deadline}
    desk.tell("made", made)
    if plan.audit is not None:
        desk.tell(AUDIT, plan.audit.payload())
    desk.tell(
        "items",
        {"added": [each.item_id for each in mixed], "calibration": sorted(calibration)},
    )
    give(desk, people)


def add_people(
    ws: Workspace, project_slug: str, batch_id: int, people: Sequence[int], by: int | None = None
) -> int:
    """Assign the batch to more people; return the number newly assigned."""
    with leading(ws, project_slug, batch_id, by) as desk:
        new = checked_annotators(desk.session, desk.project.id, people)
        had = set(
            desk.session.exec(select(BatchPerson.person_id).where(BatchPerson.batch_id == batch_id))
        )
        added = [person for person in new if person not in had]
        if added:
            give(desk, added)
        return len(added)


def remove_person(
    ws: Workspace, project_slug: str, batch_id: int, person_id: int, by: int | None = None
) -> None:
    """Unassign the batch from a person: submissions and drafts are kept, leases end.

    Raises UserError for a person without the batch.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        query = select(BatchPerson).where(
            BatchPerson.batch_id == batch_id, BatchPerson.person_id == usable_id(person_id)
        )
        given = desk.session.exec(query).first()
        if given is None:
            raise UserError("person_not_in_batch", person=person_id)
        desk.session.delete(given)
        for lease in _leases(desk, Lease.person_id == person_id):
            desk.session.delete(lease)
        desk.tell("people", {"removed": [person_id]})


def set_overlap(
    ws: Workspace, project_slug: str, batch_id: int, overlap: int, by: int | None = None
) -> None:
    """Set the number of submissions that each item of the batch takes from now on.

    A higher overlap reopens complete items, a lower one completes those that have enough;
    submissions are kept, and decided items stay decided. If fewer slots are left than are leased,
    the newest leases end and the drafts are kept. Raises UserError for an overlap out of bounds or
    above the number of people with the batch.
    """
    if overlap not in OVERLAPS:
        raise UserError("project_overlap", Where(field="overlap"), overlap=overlap)
    with leading(ws, project_slug, batch_id, by) as desk:
        count = select(func.count()).where(BatchPerson.batch_id == batch_id)
        people = desk.session.exec(count).one()
        if not desk.batch.practice:
            refuse_few(overlap, people)
        if overlap == desk.batch.overlap:
            return
        desk.tell("overlap", {"from": desk.batch.overlap, "to": overlap})
        desk.batch.overlap = overlap
        _end_excess_leases(desk, overlap)


def set_pool(ws: Workspace, project_slug: str, is_open: bool, by: int | None = None) -> None:
    """Open or close the items in no batch to people who have a batch.

    Their submissions and drafts there are kept.
    """
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        session.get_one(Project, project.id).open_pool = is_open


def set_evidence(ws: Workspace, project_slug: str, asked: bool, by: int | None = None) -> None:
    """Set whether citation mapping asks for the words of accepted provisions; marked ones stay."""
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        session.get_one(Project, project.id).evidence = asked


def set_deadline(
    ws: Workspace,
    project_slug: str,
    batch_id: int,
    deadline: datetime | None,
    by: int | None = None,
) -> None:
    """Set the deadline of the batch; None removes it.

    It is only shown: later work is accepted. Raises UserError for one in the past.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        refuse_past(deadline, desk.at)
        desk.tell("deadline", {"deadline": deadline and deadline.isoformat()})
        desk.batch.deadline = deadline


def close(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """Close the batch: no more work is accepted, drafts are kept. No-op on a closed one."""
    with leading(ws, project_slug, batch_id, by) as desk:
        if desk.batch.closed_at is None:
            desk.batch.closed_at = desk.at
            for lease in _leases(desk):
                desk.session.delete(lease)
            desk.tell("closed", {})


def reopen(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """Reopen a closed batch. No-op on an open one."""
    with leading(ws, project_slug, batch_id, by) as desk:
        if desk.batch.closed_at is not None:
            desk.batch.closed_at = None
            desk.tell("reopened", {})


def move_out(
    ws: Workspace,
    project_slug: str,
    batch_id: int,
    external_ids: Sequence[str],
    by: int | None = None,
) -> int:
    """Remove items without work from the batch; return how many.

    Items have work if somebody has opened them since the batch was made, or ever submitted them.
    Raises UserError, naming them, for ids that are not in the batch and for items with work.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        query = (
            select(NAME, BatchItem)
            .join(Item)
            .outerjoin(QuestionRow)
            .where(BatchItem.batch_id == batch_id)
        )
        there = dict(desk.session.exec(query).all())
        unknown = [name for name in external_ids if name not in there]
        if unknown:
            raise UserError("items_not_in_batch", ids=shortened(unknown), count=len(unknown))
        begun = _begun(desk, [there[name].item_id for name in external_ids])
        named = [name for name in external_ids if there[name].item_id in begun]
        if named:
            raise UserError("items_begun", ids=shortened(named), count=len(named))
        out = [there[name] for name in dict.fromkeys(external_ids)]
        for row in out:
            desk.session.delete(row)
        if out:
            desk.tell("items", {"removed": [row.item_id for row in out]})
        return len(out)


def _leases(desk: BatchDesk, *conditions: Any) -> Sequence[Lease]:
    """Return the leases of the batch's items that meet the conditions, oldest first."""
    query = select(Lease).join(BatchItem, col(BatchItem.item_id) == Lease.item_id)
    query = query.where(BatchItem.batch_id == desk.number, *conditions)
    return desk.session.exec(query.order_by(col(Lease.taken_at), col(Lease.id))).all()


def _end_excess_leases(desk: BatchDesk, overlap: int) -> None:
    """End the newest leases if fewer slots are left than are leased."""
    query = (
        select(Annotation.item_id, func.count())
        .join(BatchItem, col(BatchItem.item_id) == Annotation.item_id)
        .where(BatchItem.batch_id == desk.number, is_current())
        .group_by(col(Annotation.item_id))
    )
    filled = dict(desk.session.exec(query).all())
    for lease in _leases(desk, col(Lease.expires_at) > desk.at):
        filled[lease.item_id] = filled.get(lease.item_id, 0) + 1
        if filled[lease.item_id] > overlap:
            desk.session.delete(lease)


def _begun(desk: BatchDesk, items: Sequence[int]) -> set[int]:
    """Return the ids of items with a submission, or a draft begun since the batch was made."""
    submitted = select(Annotation.item_id).where(col(Annotation.item_id).in_(items))
    opened = select(DraftEvent.item_id).where(
        col(DraftEvent.item_id).in_(items), DraftEvent.at >= desk.batch.created_at
    )
    return {*desk.session.exec(submitted), *desk.session.exec(opened)}

"""SQL conditions: how many submissions an item takes, and which decision on it is in force.

An item is in at most one batch. In none, it takes the project's overlap, from anybody; in a batch,
the batch's, from its people. Calibration and practice items go to everybody of their batch, and
submissions on them since never make gold; earlier gold stays. An item that an adjudicator has
decided takes no more, whatever overlap is set later, and one whose question was admitted from
curation takes none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, case, exists, func, or_, union_all
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from storage.tables.augmentation import Admission
from storage.tables.core import (
    Adjudication,
    Annotation,
    Item,
    Project,
    Settlement,
    UndoneDecision,
)
from storage.tables.people import Batch, BatchItem, BatchPerson
from storage.tasks import ONCE

EVERYBODY = 1_000_000  # the number of submissions of an item for everybody


@cache
def required_submissions() -> ColumnElement[int]:
    """Return the number of submissions that the query's `Item` needs before it can be gold."""
    of_batch = (
        select(Batch.overlap)
        .join(BatchItem)
        .where(BatchItem.item_id == Item.id, ~_for_everybody())
        .correlate(Item)
        .scalar_subquery()
    )
    of_project = select(Project.overlap).where(Project.id == Item.project_id).correlate(Item)
    return case(
        (decided(), 0),
        (curated(), 0),
        (col(Item.task).in_(ONCE), 1),
        else_=func.coalesce(of_batch, of_project.scalar_subquery()),
    )


@cache
def curated() -> ColumnElement[bool]:
    """Return the condition that the query's `Item` is of a question admitted from curation.

    Its gold was decided there (`annotation.gold.curated`): it takes no submissions.
    """
    admitted = select(Admission.id).where(Admission.question_id == Item.question_id)
    return admitted.correlate(Item).exists()


@cache
def decided() -> ColumnElement[bool]:
    """Return the condition that an adjudicator's decision on the query's `Item` is in force."""
    tables: tuple[Any, ...] = (Adjudication, Settlement)
    made = (
        select(table.id).where(table.item_id == Item.id, ~undone(table)).correlate(Item)
        for table in tables
    )
    return or_(*(each.exists() for each in made))


def undone(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of `Adjudication` or `Settlement` was withdrawn."""
    return exists().where(getattr(UndoneDecision, f"{table.__tablename__}_id") == table.id)


@cache
def newest_not_withdrawn(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of either is its item's newest that was not withdrawn."""
    later = aliased(table)
    superseded = (later.item_id == table.item_id, later.id > table.id, ~undone(later))
    return ~undone(table) & ~exists().where(*superseded)


@cache
def total_submissions() -> ColumnElement[int]:
    """Return the total number of submissions that the query's `Item` takes."""
    everybody = (
        select(BatchItem.id)
        .join(Batch)
        .where(BatchItem.item_id == Item.id, _for_everybody())
        .correlate(Item)
    )
    return case((everybody.exists(), EVERYBODY), else_=required_submissions())


@cache
def takes_own() -> ColumnElement[bool]:
    """Return the condition that the query's `Item` may take another number than the usual one.

    It is computed from lists of such items, not per item: in a long queue few are in them.
    """
    listed: tuple[Any, ...] = (BatchItem, Adjudication, Settlement)
    apart = union_all(*(select(table.item_id) for table in listed))
    return or_(
        col(Item.id).in_(apart), col(Item.question_id).in_(select(col(Admission.question_id)))
    )


def usually_takes(task: str, overlap: int) -> int:
    """Return the usual number of submissions per item of a task, given the project's overlap."""
    return 1 if task in ONCE else overlap


@cache
def for_gold() -> ColumnElement[bool]:
    """Return the condition that an `Annotation` counts for gold: of no calibration or practice."""
    apart = (
        select(BatchItem.id)
        .join(Batch)
        .where(BatchItem.item_id == Annotation.item_id, _for_everybody())
        .where(col(Annotation.at) >= col(Batch.created_at))
        .correlate(Annotation)
    )
    return ~apart.exists()


def given_to(person_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the query's `Batch` is assigned to the person."""
    return exists().where(
        col(BatchPerson.batch_id) == col(Batch.id), col(BatchPerson.person_id) == person_id
    )


def pool_open_to(person_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the person may work on the query's `Item` if it is in no batch.

    People with a batch of the task (practice aside) may if the query's `Project` opens its pool,
    and on items that they have submitted before: these may be sent back to them.
    """
    batch = aliased(Batch)
    own_batch = exists().where(
        col(batch.project_id) == col(Item.project_id),
        col(batch.task) == col(Item.task),
        ~col(batch.practice),
        col(BatchPerson.batch_id) == col(batch.id),
        col(BatchPerson.person_id) == person_id,
    )
    submitted = exists().where(
        col(Annotation.item_id) == col(Item.id), col(Annotation.person_id) == person_id
    )
    return or_(col(Project.open_pool), ~own_batch.correlate(Item), submitted.correlate(Item))


def _for_everybody() -> ColumnElement[bool]:
    """Return the condition that every annotator gets the item: for calibration or practice."""
    return col(BatchItem.calibration) | col(Batch.practice)

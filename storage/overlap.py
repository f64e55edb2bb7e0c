"""How many submissions an item takes, and which decision on it stands, as conditions for queries.

An item is in at most one batch. In none, it takes the project's overlap, from anybody; in a batch,
the batch's, from its people. Calibration and practice items go to everybody of their batch, and
what is submitted on them since never makes gold; gold that stood before stays. An item on which an
adjudicator has decided takes no more, whatever overlap is set later, and one whose question was
admitted from curation takes none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, case, exists, func, or_, union_all
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from storage.tables.core import (
    Adjudication,
    Annotation,
    Item,
    Project,
    Settlement,
    UndoneDecision,
)
from storage.tables.curation import Admission
from storage.tables.people import Batch, BatchItem, BatchPerson
from storage.tasks import ONCE

EVERYBODY = 1_000_000  # submissions that an item takes which goes to everybody


@cache
def wanted() -> ColumnElement[int]:
    """Return how many submissions the `Item` of a query needs before it can be gold."""
    of_batch = (
        select(Batch.overlap)
        .join(BatchItem, col(BatchItem.batch_id) == Batch.id)
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
    """Return the condition that the `Item` of a query is of a question admitted from curation.

    Its gold was decided on there (`annotation.gold.curated`): it takes no submissions.
    """
    admitted = select(Admission.id).where(Admission.question_id == Item.question_id)
    return admitted.correlate(Item).exists()


@cache
def decided() -> ColumnElement[bool]:
    """Return the condition that a decision of an adjudicator stands on the `Item` of a query."""
    tables: tuple[Any, ...] = (Adjudication, Settlement)
    made = (
        select(table.id).where(table.item_id == Item.id, ~undone(table)).correlate(Item)
        for table in tables
    )
    return or_(*(each.exists() for each in made))


def undone(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of `Adjudication` or `Settlement` was withdrawn."""
    return exists().where(getattr(UndoneDecision, f"{table.__tablename__}_id") == table.id)


def standing(table: Any) -> ColumnElement[bool]:
    """Return the condition that a row of either is its item's newest that was not withdrawn."""
    later = aliased(table)
    superseded = (later.item_id == table.item_id, later.id > table.id, ~undone(later))
    return ~undone(table) & ~exists().where(*superseded)


@cache
def takes() -> ColumnElement[int]:
    """Return how many submissions the `Item` of a query takes from people in all."""
    everybody = (
        select(BatchItem.id)
        .join(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(BatchItem.item_id == Item.id, _for_everybody())
        .correlate(Item)
    )
    return case((everybody.exists(), EVERYBODY), else_=wanted())


@cache
def takes_own() -> ColumnElement[bool]:
    """Return the condition that the `Item` of a query may take another number than the usual one.

    It is told from lists of such items and not from each item: in a long queue few are in them.
    """
    listed: tuple[Any, ...] = (BatchItem, Adjudication, Settlement)
    apart = union_all(*(select(table.item_id) for table in listed))
    return or_(
        col(Item.id).in_(apart), col(Item.question_id).in_(select(col(Admission.question_id)))
    )


def usually_takes(task: str, overlap: int) -> int:
    """Return what every other item of a task takes, in a project of that overlap."""
    return 1 if task in ONCE else overlap


@cache
def for_gold() -> ColumnElement[bool]:
    """Return the condition that an `Annotation` row counts for gold and for agreement."""
    apart = (
        select(BatchItem.id)
        .join(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(BatchItem.item_id == Annotation.item_id, _for_everybody())
        .where(col(Annotation.at) >= col(Batch.created_at))
        .correlate(Annotation)
    )
    return ~apart.exists()


def given_to(person_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the `Batch` of a query is given to the person."""
    return exists().where(
        col(BatchPerson.batch_id) == col(Batch.id), col(BatchPerson.person_id) == person_id
    )


def pool_open_to(person_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the person may work on the `Item` of a query if it is in no batch.

    With a batch of the task (practice aside) they may where the `Project` of the query opens its
    pool, and on what they have submitted on before: it may be sent back to them.
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
    return col(BatchItem.calibration) | col(Batch.practice)

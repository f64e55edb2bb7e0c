"""How many submissions an item takes, as conditions for queries: said here and nowhere else.

An item is in at most one batch. In none, it takes the project's overlap, from anybody; in a batch,
the batch's, from its people. Calibration and practice items go to everybody of their batch, and
what is submitted on them since never makes gold; gold that stood before stays. An item on which an
adjudicator has decided takes no more, whatever overlap is set later.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import ColumnElement, case, exists, func, or_
from sqlmodel import col, select

from storage.tables.core import Adjudication, Annotation, Item, Project, Settlement
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
        (col(Item.task).in_(ONCE), 1),
        else_=func.coalesce(of_batch, of_project.scalar_subquery()),
    )


@cache
def decided() -> ColumnElement[bool]:
    """Return the condition that an adjudicator has decided on the `Item` of a query."""
    ruled = select(Adjudication.id).where(Adjudication.item_id == Item.id).correlate(Item)
    settled = select(Settlement.id).where(Settlement.item_id == Item.id).correlate(Item)
    return or_(ruled.exists(), settled.exists())


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


def _for_everybody() -> ColumnElement[bool]:
    return col(BatchItem.calibration) | col(Batch.practice)

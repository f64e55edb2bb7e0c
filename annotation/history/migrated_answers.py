"""Which drafts and submissions are an answer that was taken over, and who took it.

They are rows of the annotator whose answer it is, made by whoever migrated it to a new version of
a guideline or codebook (see `annotation.guidelines.migration`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ScalarSelect, Select
from sqlalchemy import select as rows_of
from sqlalchemy.orm import aliased
from sqlmodel import col

from annotation.work.draft import MIGRATE
from storage.tables.core import Annotation, DraftEvent
from storage.tables.people import DocumentMigration


def migrations_of(table: Any, ids: list[int]) -> Select[Any]:
    """Return (id, migration's id) of those rows of drafts or submissions that were taken over."""
    event = aliased(DraftEvent)
    query = rows_of(col(table.id), col(DocumentMigration.id)).join(event, _event(table, event))
    return query.join(DocumentMigration, _made(event)).where(col(table.id).in_(ids))


def taker(table: Any) -> ScalarSelect[Any]:
    """Return who took the answer of a row over, as a column: null for all other rows."""
    event = aliased(DraftEvent)
    query = rows_of(col(DocumentMigration.by_person_id)).join(event, _made(event))
    return query.where(_event(table, event)).correlate(table).scalar_subquery()


def _event(table: Any, event: Any) -> Any:
    return event.id == (table.event_id if table is Annotation else table.id)


def _made(event: Any) -> Any:
    migration = event.payload["migration_id"].as_integer()
    return (event.kind == MIGRATE) & (col(DocumentMigration.id) == migration)

"""Portable names of everything annotations refer to, valid in any database.

People go by name, questions by external id, batches by name, snapshots by content hash, units by
semantic id with their snapshot; rows of the file itself by their number in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from storage.tables.core import Item, Person, QuestionRow, Snapshot, UnitRow
from storage.tables.people import Batch
from storage.tasks import NAME, Task, of_task

TASK = "citation_mapping"
FORM_TASKS = tuple(task for task in Task if task != TASK)  # in the order of the file
FORMAT = 1
_CHUNK = 500  # ids in one query


def item_names(session: Session, project_id: int, task: str = TASK) -> dict[int, str]:
    """Return the external id of each item of a task; in citation mapping, that of its question."""
    query = (
        select(Item.id, NAME)
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .where(of_task(project_id, task))
    )
    return {number or 0: name for number, name in session.exec(query)}


def person_names(session: Session, project_id: int) -> dict[int, str]:
    """Return the name of each person of the project."""
    query = select(Person.id, Person.name).where(Person.project_id == project_id)
    return {number or 0: name for number, name in session.exec(query)}


def batch_names(session: Session, project_id: int) -> dict[int, str]:
    """Return the name of each batch of the project."""
    query = select(Batch.id, Batch.name).where(Batch.project_id == project_id)
    return {number or 0: name for number, name in session.exec(query)}


def snapshot_hashes(session: Session, project_id: int) -> dict[int, str]:
    """Return the content hash of each snapshot of the project."""
    query = select(Snapshot.id, Snapshot.content_hash).where(Snapshot.project_id == project_id)
    return {number or 0: digest for number, digest in session.exec(query)}


def units_by_id(session: Session, ids: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Return (semantic id, snapshot id) of each of these units."""
    wanted = sorted(set(ids))
    found: dict[int, tuple[str, int]] = {}
    for start in range(0, len(wanted), _CHUNK):
        query = select(UnitRow.id, UnitRow.semantic_id, UnitRow.snapshot_id)
        part = query.where(col(UnitRow.id).in_(wanted[start : start + _CHUNK]))
        found |= {number or 0: (name, snapshot) for number, name, snapshot in session.exec(part)}
    return found

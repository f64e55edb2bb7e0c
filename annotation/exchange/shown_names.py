"""Portable names of what annotations refer to, and of the material that forms show.

An item refers to rows of its subject: a page's drafts, the verdicts on an answer, models'
suggestions for a court case. In a file they are numbered within the subject, from 1.

Portable names of everything annotations refer to, valid in any database.

People go by name, questions by external id, batches by name, snapshots by content hash, units by
semantic id with their snapshot; rows of the file itself by their number in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session, col, select

from annotation.work.registry import ENTRIES, OWN_ENTRY
from normalization.grouping import grouped
from storage.db.rows import rows_with
from storage.tables.answers import ClaimLabels, Verdict
from storage.tables.augmentation import LayerResult
from storage.tables.cases import FactorSuggestion
from storage.tables.core import Item, Person, QuestionRow, Snapshot, UnitRow
from storage.tables.ocr import PageDraft
from storage.tables.people import Batch
from storage.tables.tasks import TaskDeclaration
from storage.tasks import NAME, Task, of_task

_ROW_TABLES: Mapping[str, tuple[Any, Any]] = {
    "draft": (PageDraft.id, PageDraft.page_id),
    "verdicts": (Verdict.id, Verdict.case_id),
    "suggested": (FactorSuggestion.id, FactorSuggestion.court_case_id),
    "labels": (ClaimLabels.id, ClaimLabels.attribution_case_id),
    "run": (LayerResult.cascade_run_id, LayerResult.augmented_question_id),
}


def fits_shown(task: str, material: Mapping[str, Any]) -> bool:
    """Return True if an item of the task can show this, judging by its shape."""
    shape = ENTRIES.get(task, OWN_ENTRY).shows
    groups = all(isinstance(each, str) for each in material.get("groups", ()))
    setting = material.get("suggestions", "shown") in ("shown", "hidden", "after")
    kinds = all(type(value) in shape.get(name, ()) for name, value in material.items())
    return material.keys() == shape.keys() and kinds and groups and setting


class ShownNames:
    """The rows that a task's items may refer to, and the subject of each item."""

    def __init__(self, session: Session, project_id: int, task: str) -> None:
        self._session, self._task, self._here = session, task, of_task(project_id, task)
        # The key of the subject itself, which the item names anyway.
        self._subject = ENTRIES.get(task, OWN_ENTRY).subject
        query = select(Item.id, Item.subject_id).where(self._here)
        self._subjects = {item or 0: subject or 0 for item, subject in session.exec(query)}
        self._rows: dict[str, dict[int, list[int]]] = {}

    def with_numbers(self, item_id: int, material: Mapping[str, Any]) -> dict[str, Any]:
        """Return an item's stored material with numbers in place of ids."""
        kept = {key: value for key, value in material.items() if key != self._subject}
        for key in kept.keys() & _ROW_TABLES.keys():
            places = {number: at for at, number in enumerate(self._row_ids(key, item_id), 1)}
            kept[key] = _map_numbers(kept[key], lambda number, places=places: places[number])
        return kept

    def with_ids(self, item_id: int, material: Mapping[str, Any]) -> dict[str, Any]:
        """Return a file's material with ids of this database.

        Raises KeyError or TypeError for a number without a row of the subject.
        """
        rest = dict(material)
        for key in rest.keys() & _ROW_TABLES.keys():
            ids = dict(enumerate(self._row_ids(key, item_id), 1))
            rest[key] = _map_numbers(rest[key], lambda number, ids=ids: ids[number])
        if self._subject:
            rest[self._subject] = self._subjects[item_id]
        return rest

    def add(self, item_id: int, subject_id: int) -> None:
        """Register an item made since."""
        self._subjects[item_id] = subject_id

    def _row_ids(self, key: str, item_id: int) -> list[int]:
        """Return the ids of the rows that an item's numbered names stand for, in order."""
        if key not in self._rows:
            number, subject = _ROW_TABLES[key]
            query = select(subject, number).join(Item, col(Item.subject_id) == subject).distinct()
            rows = self._session.exec(query.where(self._here).order_by(number))
            self._rows[key] = grouped(rows)
        return self._rows[key].get(self._subjects[item_id], [])


def _map_numbers(value: Any, find: Any) -> Any:
    """Apply `find` to a number, or to each of a list; None and 0 are kept."""
    if isinstance(value, list):
        return [find(each) for each in value]
    return find(value) if value else value


TASK = "citation_mapping"
FORM_TASKS = tuple(task for task in Task if task != TASK)  # in the order of the file
FORMAT = 1


def form_tasks(session: Session, project_id: int) -> list[str]:
    """Return the product's form tasks, then the project's own, as a file lists them."""
    own = select(TaskDeclaration.key).where(TaskDeclaration.project_id == project_id)
    return [*FORM_TASKS, *session.exec(own.order_by(col(TaskDeclaration.id)))]


def item_names(session: Session, project_id: int, task: str) -> dict[int, str]:
    """Return the external id of each item of a task; in citation mapping, that of its question."""
    query = select(Item.id, NAME).outerjoin(QuestionRow).where(of_task(project_id, task))
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
    query = select(UnitRow.id, UnitRow.semantic_id, UnitRow.snapshot_id)
    rows = rows_with(session, query, UnitRow.id, ids)
    return {number: (name, snapshot) for number, name, snapshot in rows}

"""The material shown by form items, with references valid outside this database.

An item refers to rows of its subject: a page's drafts, the verdicts on an answer, models'
suggestions for a court case. In a file they are numbered within the subject, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

from sqlmodel import Session, col, select

from storage.tables.attribution import ClaimLabels
from storage.tables.cascade import LayerResult
from storage.tables.cases import FactorSuggestion
from storage.tables.core import Item
from storage.tables.judging import Verdict
from storage.tables.ocr import PageDraft
from storage.tasks import Task, of_task

# The key of the subject itself, which the item names anyway.
_SUBJECT_KEYS: Mapping[str, str] = {Task.MCQ_SOLVABILITY: "mcq", Task.CURATION: "augmented"}
_ROW_TABLES: Mapping[str, tuple[Any, Any]] = {
    "draft": (PageDraft.id, PageDraft.page_id),
    "verdicts": (Verdict.id, Verdict.case_id),
    "suggested": (FactorSuggestion.id, FactorSuggestion.court_case_id),
    "labels": (ClaimLabels.id, ClaimLabels.attribution_case_id),
    "run": (LayerResult.cascade_run_id, LayerResult.augmented_question_id),
}


# Keys and value types of what each task's items show.
_SHAPES: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    Task.OCR_CORRECTION: {"draft": (int, NoneType)},
    Task.OCR_VERIFICATION: {"draft": (int, NoneType), "correction": (int,)},
    Task.MCQ_SOLVABILITY: {"mcq": (int,)},
    Task.CURATION: {"augmented": (int,), "run": (int, NoneType)},
    Task.ANSWER_RATING: {},
    Task.RESEARCH: {},
    Task.ATTRIBUTION: {"suggestions": (str,), "labels": (int,)},
    Task.JUDGE_REVIEW: {"verdicts": (list,)},
    Task.FACTOR_TAGGING: {
        "typology": (int,),
        "groups": (list,),
        "suggestions": (str,),
        "suggested": (int,),
    },
}


def fits_shown(task: str, shown: Mapping[str, Any]) -> bool:
    """Return True if an item of the task can show this, judging by its shape."""
    shape = _SHAPES[task]
    groups = all(isinstance(each, str) for each in shown.get("groups", ()))
    setting = shown.get("suggestions", "shown") in ("shown", "hidden", "after")
    kinds = all(type(value) in shape.get(name, ()) for name, value in shown.items())
    return shown.keys() == shape.keys() and kinds and groups and setting


class ShownNames:
    """The rows that a task's items may refer to, and the subject of each item."""

    def __init__(self, session: Session, project_id: int, task: str) -> None:
        self._session, self._task, self._here = session, task, of_task(project_id, task)
        query = select(Item.id, Item.subject_id).where(self._here)
        self._subjects = {item or 0: subject or 0 for item, subject in session.exec(query)}
        self._rows: dict[str, dict[int, list[int]]] = {}

    def named(self, item_id: int, shown: Mapping[str, Any]) -> dict[str, Any]:
        """Return an item's stored material with numbers in place of ids."""
        kept = {key: value for key, value in shown.items() if key != _SUBJECT_KEYS.get(self._task)}
        for key in kept.keys() & _ROW_TABLES.keys():
            places = {number: at for at, number in enumerate(self._row_ids(key, item_id), 1)}
            kept[key] = _map_numbers(kept[key], lambda number, places=places: places[number])
        return kept

    def found(self, item_id: int, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return a file's material with ids of this database.

        Raises KeyError or TypeError for a number without a row of the subject.
        """
        rest = dict(said)
        for key in rest.keys() & _ROW_TABLES.keys():
            ids = dict(enumerate(self._row_ids(key, item_id), 1))
            rest[key] = _map_numbers(rest[key], lambda number, ids=ids: ids[number])
        if self._task in _SUBJECT_KEYS:
            rest[_SUBJECT_KEYS[self._task]] = self._subjects[item_id]
        return rest

    def add(self, item_id: int, subject_id: int) -> None:
        """Register an item made since."""
        self._subjects[item_id] = subject_id

    def _row_ids(self, key: str, item_id: int) -> list[int]:
        if key not in self._rows:
            number, subject = _ROW_TABLES[key]
            query = select(subject, number).join(Item, col(Item.subject_id) == subject).distinct()
            found: dict[int, list[int]] = {}
            for owner, each in self._session.exec(query.where(self._here).order_by(number)):
                found.setdefault(owner, []).append(each)
            self._rows[key] = found
        return self._rows[key].get(self._subjects[item_id], [])


def _map_numbers(value: Any, find: Any) -> Any:
    """Apply `find` to a number, or to each of a list; None and 0 are kept."""
    if isinstance(value, list):
        return [find(each) for each in value]
    return find(value) if value else value

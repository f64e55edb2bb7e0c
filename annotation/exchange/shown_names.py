"""What an item of a form showed, by names that hold outside this database.

An item names rows that are its subject's own: a page's drafts, the verdicts on an answer, what
models suggested for a court case. In a file they go by their number among those, from 1.
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

# The subject itself, which the item names anyway.
_OWN: Mapping[str, str] = {Task.MCQ_SOLVABILITY: "mcq", Task.CURATION: "augmented"}
_ROWS: Mapping[str, tuple[Any, Any]] = {
    "draft": (PageDraft.id, PageDraft.page_id),
    "verdicts": (Verdict.id, Verdict.case_id),
    "suggested": (FactorSuggestion.id, FactorSuggestion.court_case_id),
    "labels": (ClaimLabels.id, ClaimLabels.attribution_case_id),
    "run": (LayerResult.cascade_run_id, LayerResult.augmented_question_id),
}


# What an item of each task shows, and which kinds of values that are.
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
    """Return whether an item of the task can show this, as far as its shape tells."""
    shape = _SHAPES[task]
    groups = all(isinstance(each, str) for each in shown.get("groups", ()))
    setting = shown.get("suggestions", "shown") in ("shown", "hidden", "after")
    kinds = all(type(value) in shape.get(name, ()) for name, value in shown.items())
    return shown.keys() == shape.keys() and kinds and groups and setting


class ShownNames:
    """The rows that items of a task may name, and the subject of each item."""

    def __init__(self, session: Session, project_id: int, task: str) -> None:
        self._session, self._task, self._here = session, task, of_task(project_id, task)
        query = select(Item.id, Item.subject_id).where(self._here)
        self._subjects = {item or 0: subject or 0 for item, subject in session.exec(query)}
        self._rows: dict[str, dict[int, list[int]]] = {}

    def named(self, item_id: int, shown: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is kept of an item with numbers in place of ids."""
        kept = {key: value for key, value in shown.items() if key != _OWN.get(self._task)}
        for key in kept.keys() & _ROWS.keys():
            places = {number: at for at, number in enumerate(self._of(key, item_id), 1)}
            kept[key] = _each(kept[key], lambda number, places=places: places[number])
        return kept

    def found(self, item_id: int, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a file says with ids of this database.

        Raises KeyError or TypeError for a number that is none of the subject's.
        """
        rest = dict(said)
        for key in rest.keys() & _ROWS.keys():
            ids = dict(enumerate(self._of(key, item_id), 1))
            rest[key] = _each(rest[key], lambda number, ids=ids: ids[number])
        if self._task in _OWN:
            rest[_OWN[self._task]] = self._subjects[item_id]
        return rest

    def add(self, item_id: int, subject_id: int) -> None:
        """Let an item be known that was made since."""
        self._subjects[item_id] = subject_id

    def _of(self, key: str, item_id: int) -> list[int]:
        if key not in self._rows:
            number, subject = _ROWS[key]
            query = select(subject, number).join(Item, col(Item.subject_id) == subject).distinct()
            found: dict[int, list[int]] = {}
            for owner, each in self._session.exec(query.where(self._here).order_by(number)):
                found.setdefault(owner, []).append(each)
            self._rows[key] = found
        return self._rows[key].get(self._subjects[item_id], [])


def _each(value: Any, find: Any) -> Any:
    """Return a number, or each of a list of them, found; none stays none, and 0 nothing."""
    if isinstance(value, list):
        return [find(each) for each in value]
    return find(value) if value else value

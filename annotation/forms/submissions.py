"""Form tasks' complete items, numbers of submissions, and answers by condition."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from annotation.work.submissions import full_items, is_current
from normalization.grouping import nested
from storage.overlap import for_gold
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tasks import Task, of_task


def complete_items(session: Session, project_id: int, task: Task) -> frozenset[int]:
    """Return the ids of the complete items of the task."""
    return frozenset(session.exec(full_items(of_task(project_id, task))))


def submissions_so_far(session: Session, project_id: int, task: Task) -> dict[int, int]:
    """Return the number of current submissions that count for gold, by item of the task."""
    query = (
        select(Annotation.item_id, func.count())
        .join(Item)
        .where(of_task(project_id, task), is_current(), for_gold())
        .group_by(col(Annotation.item_id))
    )
    return dict(session.exec(query).all())


def answers_in(session: Session, *conditions: ColumnElement[bool]) -> dict[int, dict[str, Any]]:
    """Return the answers of the matching annotations, by annotation and field.

    The conditions are on `Annotation` and its `Item`.
    """
    query = (
        select(AnnotationAnswer.annotation_id, AnnotationAnswer.field, AnnotationAnswer.value)
        .join(Annotation)
        .join(Item)
        .where(*conditions)
        .order_by(col(AnnotationAnswer.annotation_id), col(AnnotationAnswer.field))
    )
    return nested(session.exec(query))

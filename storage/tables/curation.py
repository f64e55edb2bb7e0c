"""The table of curated questions admitted to the project. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime
from storage.tables import augmentation as _augmentation

_OTHERS = (_augmentation.AugmentedQuestion,)  # what this table refers to


class Admission(AppendOnly, table=True):
    """The admission of a curated question, and the project's question made from it.

    `item_id` is the item that it was curated under; `person_id` is None for the operator.
    """

    augmented_question_id: int = Field(foreign_key="augmented_question.id", unique=True)
    question_id: int = Field(foreign_key="question.id", unique=True)
    item_id: int = Field(foreign_key="item.id")
    person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)

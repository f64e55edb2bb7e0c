"""The annotation tasks, and SQL conditions on their items."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, and_, func
from sqlalchemy.orm import Mapped
from sqlmodel import col, select

from messages import say
from storage.tables.core import Item, QuestionRow

OWN = "own:"  # begins the key of a task that a project brought; its name and version follow


class Task(StrEnum):
    """The question put to a person about an item.

    The members are the product's tasks. ``Task("own:relevance")`` is a task of a project's own: a
    key like theirs, which iterating over the class does not name.
    """

    CITATION_MAPPING = "citation_mapping"  # which provisions answer the question?
    OCR_CORRECTION = "ocr_correction"  # what does the page say?
    OCR_VERIFICATION = "ocr_verification"  # is that what the page says?
    MCQ_SOLVABILITY = "mcq_solvability"  # does the question really need both provisions?
    ANSWER_RATING = "answer_rating"  # is the model's answer correct?
    JUDGE_REVIEW = "judge_review"  # what holds where judge and people differ?
    FACTOR_TAGGING = "factor_tagging"  # which options of each sub-factor apply to the court case?
    CURATION = "curation"  # is the question that a model wrote worth asking, and what is its gold?
    RESEARCH = "research"  # which passage states the rule of law that answers the question?
    ATTRIBUTION = "attribution_review"  # which gold claim is each claim, and does law support it?

    @classmethod
    def _missing_(cls, value: object) -> Task | None:
        """Return a project's own task as a member, None for any other value."""
        if not isinstance(value, str) or not value.startswith(OWN):
            return None
        made = str.__new__(cls, value)
        made._name_ = made._value_ = value
        return made

    @property
    def is_own(self) -> bool:
        """Whether it is a project's own task, not one of the product's."""
        return self.startswith(OWN)


def is_task(name: object) -> bool:
    """Return True for the key of a task, a project's own included."""
    return name in tuple(Task) or (isinstance(name, str) and name.startswith(OWN))


def in_order(tasks: Collection[str]) -> list[Task]:
    """Return these tasks in the order of the product's, then projects' own ones by name."""
    own = sorted(each for each in tasks if each.startswith(OWN))
    return [*(each for each in Task if each in tasks), *map(Task, own)]


def display_name(
    task: str, language: str, below: str = "tasks", titles: Mapping[str, str] | None = None
) -> str:
    """Return the name of a task; of a project's own, its title among these, or else its key's."""
    if task.startswith(OWN):
        return (titles or {}).get(task) or task.removeprefix(OWN)
    return say(f"{below}.{task}", language)


# One submission settles an item of these, whatever a project's overlap is: the second opinion
# is a task of its own, or has seen all submissions already.
ONCE = (Task.OCR_CORRECTION, Task.OCR_VERIFICATION, Task.JUDGE_REVIEW)


# An `Item`'s name and description for lists, with `QuestionRow` outer joined: for a question
# its id and text.
NAME: ColumnElement[str] = func.coalesce(Item.external_id, QuestionRow.external_id)
TITLE: ColumnElement[str] = func.coalesce(Item.title, QuestionRow.text)


def beginning_of(text: ColumnElement[str] | Mapped[str], characters: int) -> ColumnElement[str]:
    """Return the beginning of a text, cut in SQL: the whole of it may be very long."""
    return func.substr(text, 1, characters)


def of_task(project_id: object, task: str = Task.CITATION_MAPPING) -> ColumnElement[bool]:
    """Return the condition that the query's `Item` is of that project and task."""
    return and_(col(Item.project_id) == project_id, col(Item.task) == task)


def rows_on_items(table: Any, *conditions: Any) -> Any:
    """Return the query of a table's rows whose `Item` meets the conditions, by id."""
    query = select(table).join(Item, col(Item.id) == table.item_id)
    return query.where(*conditions).order_by(col(table.id))

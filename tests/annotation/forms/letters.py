"""A task for tests: whether a letter is a vowel, and why."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from annotation.forms.form import Answers, Form
from annotation.people.roles import ProjectMember
from errors import UserError, Where
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.annotation.house import SLUG, House


class Letters(Form):
    """The form: `vowel` is true or false, `why` is text; an item called `hidden` is Ann's alone."""

    task = Task.ANSWER_RATING

    def __init__(self, kept_from: frozenset[int] = frozenset()) -> None:
        self.kept_from = kept_from

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        if field == "vowel" and isinstance(value, bool):
            return value
        if field == "why" and isinstance(value, str) and "vowel" in answers:
            return value.strip()
        raise UserError("item_unknown", Where(field=field), item=value)

    def fit(self, answers: Answers) -> None:
        if "vowel" not in answers:
            raise UserError("nothing_decided")

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        return self.kept_from


def letters(house: House, *names: str) -> list[int]:
    """Make an item of each letter."""
    with house.ws.writing() as session:
        project = find_project(session, SLUG)
        subjects = [
            Subject(n, name, f"Letter {name}", {"face": n}) for n, name in enumerate(names, 1)
        ]
        return add_items(session, project.id, Task.ANSWER_RATING, subjects, house.ws.clock())

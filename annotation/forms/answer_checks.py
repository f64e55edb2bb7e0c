"""Checks of answers shared by several forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlmodel import Session

from annotation.forms.form import Answers
from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import current, told
from annotation.work.submissions import TEXT_LIMIT, checked_text, says_something
from corpus.files.declarations import KEY
from errors import UserError, Where
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class AnswerChecks:
    """Checks that raise one form's error codes: `unfit` for a bad value, `lacking` for none."""

    unfit: str
    lacking: str = ""

    def refuse(self, field: str, value: Any) -> NoReturn:
        """Raise UserError for an invalid value of the field."""
        raise UserError(self.unfit, Where(field=field), value=str(value)[:60])

    def require(self, answers: Answers, fields: tuple[str, ...]) -> None:
        """Raise UserError unless all the fields are answered."""
        for field in fields:
            if answers.get(field) is None:
                raise UserError(self.lacking, Where(field=field))

    def one_of(self, *known: str) -> Callable[[str, Any], str]:
        """Return a check that a value is one of these."""

        def check(field: str, value: Any) -> str:
            if not isinstance(value, str) or value not in known:
                self.refuse(field, value)
            return str(value)

        return check

    def opened(self, field: str, value: Any) -> bool:
        """Check that a step is marked as opened; it cannot be closed again."""
        if value is not True:
            self.refuse(field, value)
        return True

    def cause(self, field: str, value: Any) -> str:
        """Check that a value has the syntax of a cause's key."""
        if not isinstance(value, str) or not KEY.fullmatch(value):
            self.refuse(field, value)
        return str(value)

    def text(self, field: str, value: Any, limit: int = TEXT_LIMIT) -> str:
        """Check that a text has a visible character; return it in its stored form."""
        if not isinstance(value, str):
            self.refuse(field, value)
        text = checked_text(value, field, limit)
        if not says_something(text):
            self.refuse(field, value)
        return text

    def known_cause(
        self, session: Session, project_id: int, task: Task, field: str, cause: str
    ) -> None:
        """Raise UserError for a cause that is not in the project's codebook of the task."""
        found = current(session, project_id, "codebook", task)
        book = parse(told(found, "codebook", task, EVERY).text, task)
        if cause not in {option.key for option in book.options}:
            self.refuse(field, cause)


def require_reason(answers: Answers, code: str) -> None:
    """Raise the UserError `code` unless a reason is given."""
    if not says_something(answers.get("reason", "")):
        raise UserError(code, Where(field="reason"))

"""Tables of reformulation: wordings of options as yes/no questions, and decisions on them.

The newest wording of an option is the one that is shown; a decision names the one it was on. Rows
are only ever added.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = _tables.Project, _tables.QuestionRow, _models.LlmCall  # what these tables refer to


class Reformulation(AppendOnly, table=True):
    """One wording of one option of a question (`question_id`) as a yes/no question of its own.

    `place` counts the options of the question from 1; `option` is its text, `correct` whether it is
    correct by the source, None if unknown. `worded_by` is ``template`` or ``model``.
    """

    __table_args__ = (
        CheckConstraint("place > 0", name="counted_from_one"),
        one_of("worded_by", "template", "model"),
    )
    project_id: int = Field(foreign_key="project.id", index=True)
    question_id: int = Field(foreign_key="question.id", index=True)
    place: int
    label: str
    option: str
    correct: bool | None = None
    wording: str
    worded_by: str
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    prompt_version: str = ""
    at: datetime = Field(sa_type=UtcDateTime)


class ReformulationDecision(AppendOnly, table=True):
    """A decision on a wording: approved as it is, with other words, or refused.

    `wording` is the approved one, "" if it was refused; `made_question_id` is the question made
    from it. `person_id` is None for the operator.
    """

    __table_args__ = (
        one_of("kind", "approve", "edit", "refuse"),
        CheckConstraint(
            "(kind = 'refuse') = (made_question_id IS NULL)", name="approved_has_its_question"
        ),
    )
    reformulation_id: int = Field(foreign_key="reformulation.id", index=True)
    kind: str
    wording: str = ""
    reason: str = ""
    person_id: int | None = Field(default=None, foreign_key="person.id")
    made_question_id: int | None = Field(default=None, foreign_key="question.id", unique=True)
    at: datetime = Field(sa_type=UtcDateTime)

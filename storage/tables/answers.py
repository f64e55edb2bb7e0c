"""Tables of models' answers: answer settings and the outcome per question.

A non-empty answer is also a `JudgeCase`, so people and judges can judge it; refused, cut-off and
unreadable ones are counted from here. Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables
from storage.tables import judging as _judging
from storage.tables import models as _models

_OTHERS = (  # what these tables refer to
    _tables.Project,
    _tables.Snapshot,
    _tables.QuestionRow,
    _judging.JudgeCase,
    _models.LlmCall,
)


class AnswerRun(AppendOnly, table=True):
    """A setting under which a model answers the project's questions; `system` names its answers.

    `context` describes what is shown to the model: {kind, k, seed} and whatever the kind needs, for
    example {run}. `format` is the form of its answers. One setting has one row, however often it is
    used. `snapshot_id` is None where the project had no law.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "system"),
        one_of("format", "free", "per_provision", "choice_generated", "choice_likelihood"),
    )
    project_id: int = Field(foreign_key="project.id")
    snapshot_id: int | None = Field(default=None, foreign_key="snapshot.id")
    system: str
    context: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    format: str
    seed: int
    role: str
    server: str
    model: str
    prompt_version: str
    person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ModelAnswer(AppendOnly, table=True):
    """A model's answer to one question under one setting; the newest row counts.

    `passage` is 0 where the whole context was shown, else the place of the one passage that was
    shown alone. `context` lists what was shown, in order: {unit, label, origin, text_sha256,
    characters}, `origin` being for example ``gold``, ``neighbour``, ``random``, ``retrieved`` or
    ``pseudo``. `claims` are those of a per-provision answer by the ids it gave, valid or not. `raw`
    is the reply verbatim, for ``failed`` the reason why there is none. `choice` is the label of the
    option chosen, `logprobs` the log-probability of each label.

    ``cut_off`` is a reply that reached its token limit, ``invalid`` one that does not have the form
    asked for, ``unread`` one that chooses no option, ``no_logprobs`` one without log-probabilities
    where the likeliest option was wanted, which is the server's failure, not the model's.
    """

    __table_args__ = (
        UniqueConstraint("answer_run_id", "question_id", "passage", "llm_call_id"),
        one_of(
            *("state", "answered", "refused", "empty", "cut_off", "invalid", "unread"),
            *("no_logprobs", "failed"),
        ),
        CheckConstraint("passage >= 0", name="passage_is_counted"),
    )
    answer_run_id: int = Field(foreign_key="answer_run.id", index=True)
    question_id: int = Field(foreign_key="question.id", index=True)
    passage: int = 0
    state: str
    raw: str
    answer: str = ""
    claims: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    context: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    choice: str | None = None
    logprobs: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    judge_case_id: int | None = Field(default=None, foreign_key="judge_case.id", index=True)
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    prompt_version: str = ""
    at: datetime = Field(sa_type=UtcDateTime)

"""Tables of multiple-choice questions: generation, votes, and their wordings as yes/no questions.

A question rests on two provisions of one snapshot, the first of which leads to the second. Its
review is in `annotation` and derived. Rows are only ever added.

Tables of reformulation: wordings of options as yes/no questions, and decisions on them.

The newest wording of an option is the one that is shown; a decision names the one it was on. Rows
are only ever added.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, Dated, between, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_FIRST = _tables.Project, _models.LlmCall  # they are referred to


class McqMaking(Dated, table=True):
    """One generation run or import of questions.

    `wanted` describes the pairs asked for, or the file read; `linked` is how many pairs the
    citation graph had of that kind. `person_id` is None for the operator.
    """

    __table_args__ = (one_of("kind", "generate", "import"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    kind: str
    snapshot_id: int = Field(foreign_key="snapshot.id")
    wanted: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    linked: int | None = None
    seed: int
    server: str = ""
    model: str = ""
    person_id: int | None = Field(default=None, foreign_key="person.id")


class Mcq(Dated, table=True):
    """A question with five options, the last of which is that it cannot be determined.

    `answer` is the index of the right option, 0 to 3. `edge_kind` are the types of the edges from
    `a_unit_id` to `b_unit_id`, joined by ``+``. `source` keeps further fields of an imported file.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id"), between("answer", 0, 3))
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    snapshot_id: int = Field(foreign_key="snapshot.id")
    a_unit_id: int = Field(foreign_key="unit.id", index=True)
    b_unit_id: int = Field(foreign_key="unit.id", index=True)
    edge_kind: str
    query: str
    options: list[str] = Field(sa_column=Column(JSON, nullable=False))
    answer: int
    explanation: str
    language: str
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    prompt_version: str = ""
    seed: int
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class McqAttempt(AppendOnly, table=True):
    """One attempt at a question, and its outcome: kept, or why not.

    `detail` gives particulars of the reason; `draft` is what was written, None where nothing fits
    the form. `name` is the question's external id if it is kept.
    """

    __table_args__ = (
        UniqueConstraint("making_id", "name"),
        one_of(
            "outcome",
            *("kept", "refused", "invalid"),
            *("format", "meta", "citing", "duplicate", "leaked", "position"),
        ),
        CheckConstraint("(outcome = 'kept') = (mcq_id IS NOT NULL)", name="kept_has_its_question"),
    )
    making_id: int = Field(foreign_key="mcq_making.id")
    name: str
    a_unit_id: int = Field(foreign_key="unit.id", index=True)
    b_unit_id: int = Field(foreign_key="unit.id")
    edge_kind: str
    outcome: str
    detail: str = ""
    draft: dict[str, Any] | None = Field(sa_column=Column(JSON(none_as_null=True)))
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    mcq_id: int | None = Field(default=None, foreign_key="mcq.id", unique=True)
    prompt_version: str = ""


class McqVote(Dated, table=True):
    """A model's answer to a question under a setting; the newest row of a repeat counts.

    `choice` is the index of the option chosen, 0 to 4, and None unless `state` is ``chosen``; both
    are as the answer was read when it came. ``refused`` is declared by the server; a refusal in
    words is ``unparsed``. `raw` is the reply, which figures read anew (`storage.mcq.votes`).
    `logprobs` has one value for each option, None for one that the server left out. `wording` is
    the digest of the question and options that were asked, which a person may have corrected since.
    `llm_call_id` is None for a vote from a file.
    """

    __table_args__ = (
        UniqueConstraint("mcq_id", "setting", "repeat", "llm_call_id"),
        one_of("setting", "zero", "a", "b", "ab"),
        one_of("state", "chosen", "empty", "several", "out_of_range", "unparsed", "refused"),
        between("choice", 0, 4),
        CheckConstraint("(state = 'chosen') = (choice IS NOT NULL)", name="chosen_has_a_choice"),
    )
    mcq_id: int = Field(foreign_key="mcq.id", index=True)
    setting: str
    server: str
    model: str
    repeat: int
    choice: int | None = None
    state: str
    raw: str
    logprobs: list[float | None] | None = Field(sa_column=Column(JSON(none_as_null=True)))
    wording: str
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id", index=True)
    prompt_version: str = ""


_OTHERS = _tables.Project, _tables.QuestionRow, _models.LlmCall  # what these tables refer to


class Reformulation(Dated, table=True):
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


class ReformulationDecision(Dated, table=True):
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

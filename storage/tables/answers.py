"""Tables of models' answers: settings, outcomes, judges' verdicts, and claims.

A non-empty answer is also a `JudgeCase`, so people and judges can judge it; refused, cut-off and
unreadable ones are counted from here. Rows are only ever added.

Answers for judges, and their verdicts. Rows are only ever added.

Tables of attribution: answers split into claims, and the labels of claims against gold.

Rows are only ever added; the newest row per key counts.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import Dated, one_of
from storage.tables import core as _tables
from storage.tables import models as _models


class JudgeCase(Dated, table=True):
    """One system's answer to one question, with all that is needed to judge it.

    `external_id` is the question's id as the file has it, `reference` the official answer, `kind`
    the type of question, empty if unknown. `provisions` is a list of objects {label, text} that may
    have a `unit`, its semantic id. `question_id` is the project's question of that id.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id", "system"),)
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    system: str
    question: str
    reference: str
    provisions: list[dict[str, str]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False)
    )
    kind: str = ""
    language: str
    answer: str
    question_id: int | None = Field(default=None, foreign_key="question.id")
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class Verdict(Dated, table=True):
    """A judge's verdict on an answer or a pair; the newest row per key counts.

    `judge` is the judge's name in reports. A pairwise verdict compares the case's answer, the
    `first`, with that of `other_case_id`, or with the official answer where that is null; the first
    was shown second where `swapped` is true. `verdict` is null unless `state` is ``said``: the
    judge answered something else (``unread``), declined, or no answer came. `raw` is its reply,
    `prompt` the prompt's name and version, and `source` further fields of a file.
    """

    __table_args__ = (
        Index("ix_verdict_case_id_judge", "case_id", "judge"),
        one_of("kind", "binary", "pairwise"),
        one_of("verdict", "correct", "incorrect", "first", "second", "tie"),
        one_of("state", "said", "unread", "refused", "failed"),
        CheckConstraint("(verdict IS NULL) <> (state = 'said')", name="says_what_is_said"),
    )
    case_id: int = Field(foreign_key="judge_case.id")
    other_case_id: int | None = Field(default=None, foreign_key="judge_case.id")
    judge: str
    kind: str
    swapped: bool = False
    verdict: str | None = None
    state: str
    raw: str = ""
    prompt: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    imported: bool
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


_OTHERS = (  # what these tables refer to
    _tables.Project,
    _tables.Snapshot,
    _tables.QuestionRow,
    JudgeCase,
    _models.LlmCall,
)


class AnswerRun(Dated, table=True):
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


class ModelAnswer(Dated, table=True):
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


class AnswerClaims(Dated, table=True):
    """The atomic claims of one text: of an answer, or of a question's official answer.

    Of an official answer `case_id` is None. `question` is the question's id as the file has it,
    `text_sha256` the digest of the text that was split. `splitter` names who split it: a model, or
    ``form`` for an answer that lists its claims by provision. `claims` lists {text, cites}, where
    `cites` are the ids cited for the claim, as written. ``unread`` is a reply that does not have
    the form asked for, ``cut_off`` one that reached its token limit.
    """

    __table_args__ = (one_of("state", "said", "unread", "refused", "cut_off", "failed"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    case_id: int | None = Field(default=None, foreign_key="judge_case.id", index=True)
    question: str
    text_sha256: str
    splitter: str
    state: str
    claims: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    raw: str = ""
    prompt_version: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")


class AttributionCase(Dated, table=True):
    """A pair of an answer's claims and the gold claims that they are compared with."""

    __table_args__ = (UniqueConstraint("predicted_id", "gold_id"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    case_id: int = Field(foreign_key="judge_case.id", index=True)
    predicted_id: int = Field(foreign_key="answer_claims.id")
    gold_id: int = Field(foreign_key="answer_claims.id")


class ClaimLabels(Dated, table=True):
    """A judge's labels of every predicted claim of a case, in order.

    `labels` lists {label, gold, supported, also}: ``match``, ``partial`` or ``none``, the index of
    the gold claim that it matches (from 0, None for none), whether the provisions that the claim
    cites support it (None if not judged), and the other gold claims that it matches, {gold, label}
    each, which may be left out.
    """

    __table_args__ = (one_of("state", "said", "unread", "refused", "cut_off", "failed"),)
    attribution_case_id: int = Field(foreign_key="attribution_case.id", index=True)
    judge: str
    state: str
    labels: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    raw: str = ""
    prompt_version: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")

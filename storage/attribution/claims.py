"""Claims of answers, their comparison with gold claims, and labels of claims.

Rows are only ever added. The newest row per key counts, except that a failed or empty one never
replaces a good one: a call that failed today does not undo yesterday's.

Answers whose claims and citations are scored, with the context shown to the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy
from sqlmodel import Session, col

from storage.answers import WHOLE_TEXTS, newest_answers
from storage.db.columns import add_rows, select_view, view_of
from storage.tables.answers import (
    AnswerClaims,
    AnswerRun,
    AttributionCase,
    ClaimLabels,
    ModelAnswer,
)
from storage.tables.core import QuestionRow

SAID = "said"
MATCH, PARTIAL, NONE = LABELS = ("match", "partial", "none")
FORM = "form"  # the splitter of answers that list their claims themselves
ClaimsKey = tuple[int | None, str, str, str]
"""The key of claims: case (None: the official answer), question, digest of the text, splitter."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic statement, and the ids of the provisions cited for it, as written, each once."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a predicted claim: `gold` is the index of the gold claim that it matches.

    That is the first of its matches, else the first of its partial matches; `also` are the other
    gold claims that it matches, each with ``match`` or ``partial``. `supported` is whether the
    provisions that it cites support it, None where that was not judged.
    """

    label: str
    gold: int | None = None
    supported: bool | None = None
    also: tuple[tuple[int, str], ...] = ()

    @property
    def relations(self) -> tuple[tuple[int, str], ...]:
        """Every gold claim that it matches, wholly or in part, with the label."""
        return () if self.gold is None else ((self.gold, self.label), *self.also)


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The claims of one text; the fields are those of `AnswerClaims`."""

    id: int
    case_id: int | None
    question: str
    text_sha256: str
    splitter: str
    state: str
    claims: tuple[Claim, ...]
    raw: str
    prompt_version: str
    llm_call_id: int | None
    at: datetime

    @property
    def key(self) -> ClaimsKey:
        """The case, question, text and splitter of the claims."""
        return self.case_id, self.question, self.text_sha256, self.splitter


@dataclass(frozen=True, slots=True)
class AttributionCaseView:
    """An answer's claims beside the gold claims; `case_id` is the answer's `JudgeCase`."""

    id: int
    case_id: int
    predicted: ClaimsView
    gold: ClaimsView


@dataclass(frozen=True, slots=True)
class LabelsView:
    """The labels of one case by one judge; the fields are those of `ClaimLabels`."""

    id: int
    attribution_case_id: int
    judge: str
    state: str
    labels: tuple[Label, ...]
    raw: str
    prompt_version: str
    llm_call_id: int | None
    at: datetime


def claims_by_id(session: Session, project_id: int) -> dict[int, ClaimsView]:
    """Return every row of claims of a project by its id, in order of creation."""
    query = select_view(AnswerClaims, ClaimsView).where(col(AnswerClaims.project_id) == project_id)
    rows = session.execute(query.order_by(col(AnswerClaims.id)))
    return {row.id: _claims_view(row) for row in rows}


def standing_claims(session: Session, project_id: int) -> dict[ClaimsKey, ClaimsView]:
    """Return a project's newest claims by their key; a failure replaces no success."""
    return standing_of(claims_by_id(session, project_id).values())


def standing_of(rows: Iterable[ClaimsView]) -> dict[ClaimsKey, ClaimsView]:
    """Return the newest row per key of rows in order of creation; a failure replaces no success."""
    return _standing((each.key, each) for each in rows)


def attribution_cases(
    session: Session, project_id: int, claims: Mapping[int, ClaimsView] | None = None
) -> list[AttributionCaseView]:
    """Return every case of a project with its claims, in order of creation.

    `claims` are those of `claims_by_id`, if they have been read already.
    """
    if claims is None:
        claims = claims_by_id(session, project_id)
    return [
        AttributionCaseView(number, case, claims[predicted], claims[gold])
        for number, case, predicted, gold in _cases(session, project_id)
    ]


def case_numbers(session: Session, project_id: int) -> dict[tuple[int, int], int]:
    """Return the id of every case of a project by the row ids of its predicted and gold claims."""
    rows = _cases(session, project_id)
    return {(predicted, gold): number for number, _, predicted, gold in rows}


def standing_labels(session: Session, project_id: int) -> dict[tuple[int, str], LabelsView]:
    """Return the newest labels by attribution case and judge; a failure replaces no success."""
    query = (
        select_view(ClaimLabels, LabelsView)
        .join(AttributionCase)
        .where(col(AttributionCase.project_id) == project_id)
        .order_by(col(ClaimLabels.attribution_case_id), col(ClaimLabels.id))
    )
    return _standing(
        ((row.attribution_case_id, row.judge), _labels_view(row)) for row in session.execute(query)
    )


def times_labelled(session: Session, project_id: int) -> Counter[tuple[int, str]]:
    """Count the rows of labels by attribution case and judge."""
    query = (
        sqlalchemy.select(col(ClaimLabels.attribution_case_id), col(ClaimLabels.judge))
        .join(AttributionCase)
        .where(col(AttributionCase.project_id) == project_id)
    )
    return Counter((case, judge) for case, judge in session.execute(query))


def claims_json(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """Serialize claims for `AnswerClaims.claims`."""
    return [{"text": each.text, "cites": list(each.cites)} for each in claims]


def labels_json(labels: Iterable[Label]) -> list[dict[str, Any]]:
    """Serialize labels for `ClaimLabels.labels`."""
    return [
        {
            "label": each.label,
            "gold": each.gold,
            "supported": each.supported,
            "also": [{"gold": gold, "label": label} for gold, label in each.also],
        }
        for each in labels
    ]


def add_attribution_cases(
    session: Session,
    project_id: int,
    pairs: Iterable[tuple[ClaimsView, ClaimsView]],
    at: datetime,
) -> list[AttributionCaseView]:
    """Add a case for each pair of predicted and gold claims; return the new ones.

    Pairs that exist already are skipped, repeated ones added once. Predicted claims without a case
    are skipped.
    """
    there = set(case_numbers(session, project_id))
    made: list[tuple[AttributionCase, ClaimsView, ClaimsView]] = []
    for predicted, gold in pairs:
        if (predicted.id, gold.id) not in there and predicted.case_id is not None:
            there.add((predicted.id, gold.id))
            row = AttributionCase(
                project_id=project_id,
                case_id=predicted.case_id,
                predicted_id=predicted.id,
                gold_id=gold.id,
                at=at,
            )
            made.append((row, predicted, gold))
    add_rows(session, [row for row, _, _ in made])
    return [
        AttributionCaseView(row.id or 0, row.case_id, predicted, gold)
        for row, predicted, gold in made
    ]


def _cases(session: Session, project_id: int) -> list[tuple[int, int, int, int]]:
    """Return per case its id, the answer's id, and those of its predicted and gold claims."""
    names = ("id", "case_id", "predicted_id", "gold_id")
    query = (
        sqlalchemy.select(*(getattr(AttributionCase, name) for name in names))
        .where(col(AttributionCase.project_id) == project_id)
        .order_by(col(AttributionCase.id))
    )
    return [(row[0], row[1], row[2], row[3]) for row in session.execute(query)]


_Key = TypeVar("_Key")
_Said = TypeVar("_Said", ClaimsView, LabelsView)


def _standing(rows: Iterable[tuple[_Key, _Said]]) -> dict[_Key, _Said]:
    """Return the current row of each key: the newest, but a failure replaces no success."""
    found: dict[_Key, _Said] = {}
    for key, each in rows:
        before = found.get(key)
        if before is None or each.state == SAID or before.state != SAID:
            found[key] = each
    return found


def read_claims(values: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """Read `AnswerClaims.claims`."""
    return tuple(
        Claim(str(each["text"]), tuple(dict.fromkeys(map(str, each.get("cites") or ()))))
        for each in values
    )


def _claims_view(row: Any) -> ClaimsView:
    """Return a row as claims."""
    return view_of(ClaimsView, row, claims=read_claims(row.claims))


def _labels_view(row: Any) -> LabelsView:
    """Return a row as labels."""
    return view_of(LabelsView, row, labels=tuple(map(_label, row.labels)))


def _label(values: Mapping[str, Any]) -> Label:
    """Read a label of a claim."""
    also = tuple((each["gold"], each["label"]) for each in values.get("also") or ())
    return Label(values["label"], values["gold"], values["supported"], also)


@dataclass(frozen=True, slots=True)
class ModelAnswerView:
    """The outcome of a question under a setting that shows the whole context.

    `case_id` is its `JudgeCase`, None where the answer is empty. `claims` are by provision id, None
    unless it answers by provision. `shown` are the ids of the provisions of its context.
    """

    case_id: int | None
    question: str
    system: str
    state: str
    format: str
    model: str
    context: Mapping[str, Any]
    claims: Mapping[str, Sequence[str]] | None
    shown: tuple[str, ...]
    snapshot_id: int


def model_answers(session: Session, project_id: int) -> list[ModelAnswerView]:
    """Return the newest text answer per (setting, question), in this order."""
    columns: tuple[Any, ...] = (
        col(ModelAnswer.judge_case_id).label("case_id"),
        col(QuestionRow.external_id).label("question"),
        *(AnswerRun.system, ModelAnswer.state, AnswerRun.format, AnswerRun.model),
        *(AnswerRun.context, ModelAnswer.claims, col(ModelAnswer.context).label("shown")),
        AnswerRun.snapshot_id,
    )
    return [
        view_of(ModelAnswerView, row, shown=tuple(e["unit"] for e in row.shown if e.get("unit")))
        for row in newest_answers(session, project_id, columns, *WHOLE_TEXTS)
    ]

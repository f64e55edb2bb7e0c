"""Attribution report: claims against official answers, citations against gold, per system.

Answers by provision and free ones share one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.people.roles import Act, reading_as
from evaluation.attribution import TESTED
from evaluation.figure import RESAMPLES
from evaluation.ranking.compare import CROSSED, Inference, columns, strata
from evaluation.scores import Column
from services.attribution.scored_answers import SystemLine, scored_answers
from services.gold.gold_set import GoldSize
from services.runs.strata import no_column
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.answers import (
    AnswerClaims,
    AttributionCase,
    ClaimLabels,
    JudgeCase,
    ModelAnswer,
)
from storage.tables.augmentation import AxesRow
from storage.tables.core import Adjudication, Annotation, QuestionRow, SnapshotUse, UndoneDecision
from storage.tables.law import ParallelGroupsRow

_MADE_OF = (
    *(JudgeCase, ModelAnswer, AnswerClaims, AttributionCase, ClaimLabels),
    *(Annotation, Adjudication, UndoneDecision, SnapshotUse, QuestionRow),
    *(AxesRow, ParallelGroupsRow),
)  # append-only tables


@dataclass(frozen=True, slots=True)
class AttributionReport:
    """The whole report; `judge` is whose labels it uses, None without labels.

    `tests` are the measures by which every two systems are compared.
    `gold` is the gold set for citations, the widest, None without law. `columns` are those that
    split the questions; `parts` has the lines per value of the column `split`, where one is chosen.
    """

    judge: str | None
    judges: tuple[str, ...]
    lines: tuple[SystemLine, ...]
    tests: Mapping[str, Column]
    columns: tuple[str, ...]
    split: str
    parts: Mapping[str, tuple[SystemLine, ...]] = field(default_factory=dict)
    gold: GoldSize | None = None


def report(
    ws: Workspace,
    project_slug: str,
    judge: str | None = None,
    resamples: int = RESAMPLES,
    by: int | None = None,
    split: str = "",
) -> AttributionReport:
    """Return the report by a judge's labels, by default the judge with most labels.

    `split` is a column whose values get figures of their own, or several joined by CROSSED. Raises
    UserError for `by` (None: the operator) who may not see scores, for an unknown project, for a
    judge without labels, and for a column that splits nothing.
    """
    found, inference = scored_answers(ws, project_slug, judge, by), Inference(resamples)
    known = columns(found.columns)
    for column in split.split(CROSSED) if split else ():
        if column not in known:
            raise no_column(column, known)
    parts = strata(found.columns, split) if split else {}
    whole = found.compared(inference, found.questions, TESTED)
    return AttributionReport(
        found.judge,
        found.judges,
        found.lines(whole, found.questions),
        {name: whole[name] for name in TESTED},
        tuple(known),
        split,
        {
            value: found.lines(found.compared(inference, questions), questions)
            for value, questions in parts.items()
        },
        found.gold,
    )


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the report may change.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, _, _):
        return newest_ids(session, _MADE_OF)

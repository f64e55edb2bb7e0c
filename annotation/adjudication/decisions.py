"""Decisions in citation mapping, and when an item needs an adjudicator.

Views of disputes for adjudicators, as plain values.

Spans and ids are those of `annotation.mapping.candidate_views`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Literal

import sqlalchemy
from sqlalchemy import ColumnElement, exists, func
from sqlmodel import Session, col, select

from annotation.mapping.candidate_views import CandidateView, CitationView
from annotation.people.members import PersonView
from annotation.people.roles import Role
from annotation.work.discussions import Discussion
from annotation.work.submissions import Submission
from normalization.grouping import grouped
from storage.overlap import newest_not_withdrawn
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    Item,
    Person,
    Settlement,
    StatuteRow,
    UnitRow,
)
from storage.tables.people import PersonEvent
from storage.tasks import Task, of_task

Cause = Literal["differ", "unsure", "flagged", "source", "recalled"]
State = Literal["open", "sent_back", "agreed", "decided"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A unit accepted by a decision; `label` is its citation form, `evidence` the words decided."""

    unit_id: int
    semantic_id: str
    label: str
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """An adjudicator's decision on an item of any task: answer, reason and submissions compared.

    `answers` is the answer to a form; in citation mapping it is `units` or `no_provision`, with the
    law, candidates and versions that it was made under. `conflict`: the adjudicator had submitted
    an answer of their own on the item. `administrator`: an administrator decided, for want of an
    adjudicator.
    """

    settlement_id: int
    item_id: int
    person: str
    reason: str
    annotation_ids: tuple[int, ...]
    at: datetime
    conflict: bool = False
    administrator: bool = False
    answers: Mapping[str, Any] = field(default_factory=dict)
    units: tuple[Accepted, ...] = ()
    no_provision: bool = False
    snapshot_id: int = 0
    candidate_set_id: int = 0
    guideline_version: str = ""
    codebook_version: str = ""
    seconds: float = 0.0

    @property
    def number(self) -> int:
        """Id of the decision."""
        return self.settlement_id

    @property
    def unit_ids(self) -> tuple[int, ...]:
        """Ids of its units."""
        return tuple(each.unit_id for each in self.units)

    @property
    def labels(self) -> tuple[str, ...]:
        """Citation forms of its units, in the order of their semantic ids."""
        return tuple(each.label for each in self.units)


@dataclass(frozen=True, slots=True)
class RoundView:
    """One referral of a case: by whom, why, to whom, and who has answered.

    `recalled` and `recall_reason` are set if it was recalled. Earlier referrals have been answered
    by all or recalled.
    """

    person: str
    at: datetime
    reason: str
    people: tuple[str, ...]
    waiting: tuple[str, ...]
    recalled: datetime | None
    recall_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeCase:
    """A case as shown to an adjudicator; each annotation model adds its sides.

    `earlier` are superseded submissions that were sent back, `rounds` the referrals, oldest first.
    `revising`: somebody has withdrawn theirs to change it, so the case cannot be decided now. `own`
    is the time of the adjudicator's own submission on the item, None if there is none.
    """

    item_id: int
    external_id: str
    state: State
    earlier: tuple[Any, ...]
    rounds: tuple[RoundView, ...]
    revising: bool
    own: datetime | None


@dataclass(frozen=True, slots=True)
class SideView:
    """One person's submission. `decisions` maps the ids of the case's units to decisions.

    `seconds` is None for a submission made in another tool.

    `taken_back` counts their earlier withdrawals, `read_before` the messages of others they could
    read at the last of them. `confidence` is 1 (guessing) to 5 (certain), None if not given. `own`:
    they are the adjudicator who is looking; `answered`: it was made after the case was sent back.
    `source`: it is nobody's, but what the source of an audited question labels.
    `evidence` has the words marked in units.
    """

    person: PersonView
    at: datetime
    seconds: float | None
    comment: str
    flag: str
    no_provision: bool
    decisions: dict[int, str]
    taken_back: int
    read_before: int = 0
    confidence: int | None = None
    own: bool = False
    answered: bool = False
    source: bool = False
    evidence: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView(DisputeCase):
    """A case of citation mapping: question, submissions side by side, and all units involved.

    `candidates` are the suggested units, then those added by people; their `decision` is always
    None, the sides have theirs. `suggested` are the units that every side accepts. `annotation_ids`
    are the submissions shown.
    """

    question: str
    answer: str
    language: str
    causes: tuple[str, ...]
    citations: tuple[CitationView, ...]
    sides: tuple[SideView, ...]
    candidates: tuple[CandidateView, ...]
    suggested: tuple[int, ...]
    decision: Settled | None
    annotation_ids: tuple[int, ...]
    snapshot_id: int
    candidate_set_id: int
    guideline_version: str

    @property
    def before(self) -> int | None:
        """Id of the decision shown, None if there is none."""
        return None if self.decision is None else self.decision.number


def causes(submissions: Sequence[Submission]) -> tuple[Cause, ...]:
    """Return the reasons for which a complete item needs an adjudicator; empty if all agree.

    People differ if their accepted units differ, by semantic id, or if only some say that there is
    no provision. In a blind audit, they may also differ from the source's labels.
    """
    found: list[Cause] = []
    if len({(submission.accepted, submission.no_provision) for submission in submissions}) > 1:
        found.append("differ")
    if any(submission.unsure for submission in submissions):
        found.append("unsure")
    if any(submission.flag for submission in submissions):
        found.append("flagged")
    if any(each.audited is not None and each.accepted != each.audited for each in submissions):
        found.append("source")
    return tuple(found)


def reasons(submissions: Sequence[Submission], talk: Discussion | None) -> tuple[Cause, ...]:
    """Return `causes`, or else "recalled" for a discussion recalled before all answered.

    Those who answered may then agree with others' earlier answers, but nobody confirmed it.
    """
    found = causes(submissions)
    if not found and talk is not None and talk.unanswered(submissions):
        return ("recalled",)
    return found


_STORED = {
    *("item_id", "reason", "at", "answers", "no_provision", "snapshot_id", "candidate_set_id"),
    *("guideline_version", "codebook_version", "seconds"),
}


def decision_table(task: str) -> type[Adjudication] | type[Settlement]:
    """Return the table of a task's decisions: of units of a snapshot, or of a form's answers."""
    return Adjudication if task == Task.CITATION_MAPPING else Settlement


def current_decisions(
    session: Session,
    project_id: int,
    task: str = Task.CITATION_MAPPING,
    item_id: int | None = None,
) -> dict[int, Settled]:
    """Return the current decisions on items of a task, by item; with `item_id`, only on that."""
    table: Any = decision_table(task)
    here = [of_task(project_id, task), *([] if item_id is None else [col(Item.id) == item_id])]
    query = (
        select(table, Person.name, *circumstances(table))
        .join(Person)
        .join(Item)
        .where(*here, newest_not_withdrawn(table))
        .order_by(col(Item.order))
    )
    rows = session.exec(query).all()
    units = _units(session, here) if rows and table is Adjudication else {}
    return {
        row.item_id: Settled(
            settlement_id=row.id or 0,
            person=name,
            annotation_ids=tuple(row.annotation_ids),
            conflict=bool(conflict),
            administrator=bool(administrator),
            units=tuple(units.get(row.id or 0, ())),
            **row.model_dump(include=_STORED),
        )
        for row, name, conflict, administrator in rows
    }


def newest(session: Session, table: Any, item_id: int) -> int | None:
    """Return the id of the newest decision on an item, withdrawn or not; None before the first."""
    found: int | None = session.scalar(select(func.max(table.id)).where(table.item_id == item_id))
    return found


@cache
def circumstances(
    table: type[Adjudication] | type[Settlement],
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return SQL tests: its maker had answered the item; decided as administrator. Needs `Person`.

    A conflict: the adjudicator had submitted an answer on the item. Withdrawn or not, they had a
    view.
    """
    labelled = exists().where(
        col(Annotation.item_id) == col(table.item_id),
        col(Annotation.person_id) == col(table.person_id),
        col(Annotation.kind) == "submit",
    )
    return labelled, decided_as(table) == Role.ADMINISTRATOR


def decided_as(table: type[Adjudication] | type[Settlement]) -> ColumnElement[str]:
    """Return SQL for the role in which a decision was made, for a query with `Person`.

    That is the role before the first change since, or else today's.
    """
    since = select(col(PersonEvent.payload)["before"].as_string()).where(
        col(PersonEvent.person_id) == col(table.person_id),
        col(PersonEvent.kind) == "role",
        col(PersonEvent.at) > col(table.at),
    )
    before = since.order_by(col(PersonEvent.id)).limit(1).correlate(table).scalar_subquery()
    return func.coalesce(before, col(Person.role))


def _units(session: Session, where: Sequence[ColumnElement[bool]]) -> dict[int, list[Accepted]]:
    """Return the accepted units of each decision on these items, by its id."""
    query = (
        sqlalchemy.select(col(AdjudicationLabel.adjudication_id))
        .add_columns(*map(col, (UnitRow.id, UnitRow.semantic_id, StatuteRow.title, UnitRow.label)))
        .add_columns(col(AdjudicationLabel.evidence))
        .join(UnitRow, col(UnitRow.id) == AdjudicationLabel.unit_id)
        .join(StatuteRow)
        .join(Adjudication)
        .join(Item)
        .where(*where)
        .order_by(col(AdjudicationLabel.adjudication_id), col(UnitRow.semantic_id))
    )
    return grouped(
        (decision, Accepted(unit_id, semantic_id, f"{title} {label}", evidence))
        for decision, unit_id, semantic_id, title, label, evidence in session.execute(query)
    )

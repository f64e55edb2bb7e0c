"""Current submissions, and who may read them; checks of what people enter.

A person's rows on an item form a chain; its last row decides whether there is a current submission.
Others' labels are read only by `complete`, whose query returns nothing of an item until it has all
the submissions that it wants, and by `named`, for submissions that were complete when an
adjudicator named them. Everything else reads one person's own rows, or counts.

Origin of submissions imported from another tool: file, author there, time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import chain, combinations
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, ScalarSelect, bindparam, exists, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from annotation.mapping.evidence import common, overlap
from annotation.work.audits import audited_labels
from annotation.work.draft import MIGRATE
from corpus.limits import COMMENT, length
from errors import UserError, Where
from normalization import storable
from normalization.grouping import grouped, nested
from storage.db.rows import chunks, rows_with
from storage.overlap import for_gold, required_submissions
from storage.tables.core import (
    Annotation,
    AnnotationAnswer,
    AnnotationLabel,
    DraftEvent,
    Item,
    Person,
    UnitRow,
)
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import Comment, Confidence
from storage.tasks import Task, of_task

TEXT_LIMIT = COMMENT
LISTED = 500  # characters of a question in a list; no real one has more
LEAST, MOST = 1, 5  # confidence: guessing, certain


def checked_text(text: str, field: str, limit: int = TEXT_LIMIT, where: Where | None = None) -> str:
    """Return the text in its stored form; raise UserError if it is longer than the limit.

    Unicode is composed, lone surrogates become question marks and NUL is left out. `where` is the
    line of a file that the text comes from.
    """
    text = fit_text(text)
    if length(text) > limit:
        at = Where(field=field) if where is None else Where(where.file, where.line, field)
        raise UserError("text_too_long", at, limit=limit, length=length(text))
    return text


def checked_reason(reason: str, missing: str = "reason_missing", limit: int = TEXT_LIMIT) -> str:
    """Return the reason as `checked_text` does; raise UserError `missing` if it says nothing."""
    text = checked_text(reason, "reason", limit)
    if not says_something(text):
        raise UserError(missing, Where(field="reason"))
    return text


def fit_text(text: object) -> str:
    """Return the text as `checked_text` stores it, of any length; "" if it is not a string."""
    if not isinstance(text, str):
        return ""
    return storable(text).strip()


def says_something(text: str) -> bool:
    """Return True if the text has a visible character."""
    return any(each.isprintable() and not each.isspace() for each in text)


def beginning(text: str, most: int = LISTED) -> str:
    """Return the text shortened for a list, with an ellipsis if cut."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def checked_confidence(value: object) -> int | None:
    """Return a valid confidence, or None if not given; raise UserError for other values."""
    if value is None:
        return None
    if type(value) is not int or not LEAST <= value <= MOST:
        shown = str(value)[:20]
        raise UserError("confidence_unknown", Where(field="confidence"), value=shown)
    return value


def keep_confidence(session: Session, annotation_id: int, value: int | None) -> None:
    """Store the confidence of a new submission; None stores nothing."""
    if value is not None:
        session.add(Confidence(annotation_id=annotation_id, value=value))


def confidence_of(session: Session, annotation_ids: Iterable[int]) -> dict[int, int]:
    """Return the confidence by submission; those without one are absent."""
    query = select(Confidence.annotation_id, Confidence.value)
    return dict(rows_with(session, query, Confidence.annotation_id, annotation_ids))


class Decision(StrEnum):
    """A person's decision on a unit in citation mapping; only `ACCEPT` adds it to the answer."""

    ACCEPT = "accept"  # the question is answered by this provision
    REJECT = "reject"  # it is not
    UNSURE = "unsure"  # cannot tell: sends the item to adjudication, never counts as accepting


_ADD_LABEL = sqlalchemy.insert(AnnotationLabel.__table__)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class UnitDecision:
    """A submission's decision on one unit, with the words that answer, if they were marked."""

    unit_id: int
    semantic_id: str
    label: str
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission of any task, with the versions it was made under.

    `labels` and `no_provision` are the answer in citation mapping, `answers` that of a form, by
    field. `seconds` is None if not measured. `confidence` is 1 (guessing) to 5 (certain).
    `taken_back` counts the person's earlier withdrawals on the item, `read_before` the messages of
    others in the thread at the last of them. `audited` are the source's labels that a complete item
    is a blind audit of, None if it is none.
    """

    annotation_id: int
    item_id: int
    subject_id: int
    external_id: str
    person_id: int
    person: str
    at: datetime
    seconds: float | None
    candidate_set_id: int
    snapshot_id: int
    guideline_version: str
    codebook_version: str
    no_provision: bool
    comment: str
    flag: str
    confidence: int | None
    taken_back: int
    read_before: int
    labels: tuple[UnitDecision, ...]
    answers: Mapping[str, Any]
    audited: frozenset[str] | None = None

    @property
    def accepted(self) -> frozenset[str]:
        """Semantic ids of the accepted units; unsure is not accepting."""
        return frozenset(said.semantic_id for said in self.labels if said.label == Decision.ACCEPT)

    @property
    def unsure(self) -> bool:
        """True if any unit is unsure."""
        return any(said.label == Decision.UNSURE for said in self.labels)

    @property
    def answer(self) -> frozenset[str] | None:
        """The set of units answered; empty for "no provision in this corpus".

        None if no unit is accepted and "no provision" is not chosen: the submission is unsure
        throughout and gives no set, which differs from an empty one.
        """
        return self.accepted if self.accepted or self.no_provision else None


def shared_evidence(submissions: Iterable[Submission]) -> dict[str, dict[str, Any]]:
    """Return the evidence that all who marked any in a unit have in common, by semantic id."""
    found = {unit: common(words) for unit, words in _evidence_by_unit(submissions).items()}
    return {unit: words for unit, words in found.items() if words}


def overlaps_of(submissions: Iterable[Submission]) -> list[float]:
    """Return the F1 over characters of each two people's words in each unit that both marked."""
    pairs = (
        pair for words in _evidence_by_unit(submissions).values() for pair in combinations(words, 2)
    )
    found = (overlap(*pair) for pair in pairs)
    return [each for each in found if each is not None]


def _evidence_by_unit(submissions: Iterable[Submission]) -> dict[str, list[Mapping[str, Any]]]:
    """Return each person's evidence for a unit, by its semantic id, ascending."""
    said = [label for each in submissions for label in each.labels]
    units = sorted({label.semantic_id for label in said if label.evidence})
    return {u: [e.evidence for e in said if e.semantic_id == u and e.evidence] for u in units}


_READ = 1.0  # seconds


def plausible_seconds(seconds: float | None) -> float | None:
    """Return a duration, None if unknown or too short to have read the item.

    An imported label has no time. Less than a second means that a program made it, such as the
    loading of the sample: nobody read anything, so it is no evidence of pace.
    """
    return seconds if seconds is not None and seconds >= _READ else None


def superseding(old: Annotation, **changed: Any) -> Annotation:
    """Return a new row, not stored, that supersedes `old` and equals it but for `changed`."""
    alike = {name: getattr(old, name) for name in Annotation.model_fields.keys() - {"id"}}
    return Annotation(**alike | changed | {"supersedes_id": old.id})


@cache  # aliases are slow to build, and this condition is in every query of a queue
def is_current() -> ColumnElement[bool]:
    """Return the SQL condition that an `Annotation` row is a submission not superseded."""
    later = aliased(Annotation)
    superseded = exists().where(col(later.supersedes_id) == col(Annotation.id))
    return (col(Annotation.kind) == "submit") & ~superseded


def chain_head(session: Session, person_id: int, item_id: int) -> int | None:
    """Return the id of the person's newest row on the item, None before the first."""
    asked = {"item_id": item_id, "person_id": person_id}
    found: int | None = session.execute(_chain_head(), asked).scalar()
    return found


def add_labels(
    session: Session,
    annotation_id: int,
    labels: Iterable[tuple[int, str]],
    evidence: Mapping[int, Any],
) -> None:
    """Store the labels of a submission from (unit id, label) pairs, with their evidence."""
    of = {"annotation_id": annotation_id}
    rows = [of | {"unit_id": u, "label": label, "evidence": evidence.get(u)} for u, label in labels]
    if rows:
        session.connection().execute(_ADD_LABEL, rows)


def labels_of(session: Session, annotation_ids: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return the label of each unit, by submission id and the unit's database id."""
    query, of = select(AnnotationLabel), AnnotationLabel.annotation_id
    rows = rows_with(session, query, of, annotation_ids)
    return nested((row.annotation_id, row.unit_id, row.label) for row in rows)


def evidence_of(session: Session, annotation_id: int) -> dict[int, Any]:
    """Return the evidence marked in a submission, by the unit's database id."""
    query = select(AnnotationLabel.unit_id, AnnotationLabel.evidence)
    rows = session.exec(query.where(AnnotationLabel.annotation_id == annotation_id))
    return {unit: evidence for unit, evidence in rows if evidence}


@cache  # building a statement takes longer than running it
def _chain_head() -> Any:
    """Query of the id of the person's newest row on the item, submission or withdrawal."""
    on_item = col(Annotation.item_id) == bindparam("item_id")
    mine = col(Annotation.person_id) == bindparam("person_id")
    query = sqlalchemy.select(col(Annotation.id)).where(on_item, mine)
    return query.order_by(col(Annotation.id).desc()).limit(1)


def complete(
    session: Session,
    project_id: int,
    task: str = Task.CITATION_MAPPING,
    item_id: int | None = None,
) -> dict[int, list[Submission]]:
    """Return the current submissions of every complete item of a task, in queue order.

    `storage.overlap` defines how many an item wants and which submissions count. With `item_id`,
    only that item. Submissions of an item are sorted by author's name, so the order does not reveal
    who was first.
    """
    here = of_task(project_id, task), *(() if item_id is None else (col(Item.id) == item_id,))
    full = col(Annotation.item_id).in_(full_items(*here))
    labels = audited_labels(session, project_id) if task == Task.CITATION_MAPPING else {}
    return grouped(
        (each.item_id, replace(each, audited=labels.get(each.item_id, each.audited)))
        for each in _read(session, *here, is_current(), for_gold(), full)
    )


def full_items(*conditions: ColumnElement[bool]) -> SelectOfScalar[int]:
    """Return the query for the ids of complete items that match the conditions on `Item`."""
    return (
        select(Annotation.item_id)
        .join(Item)
        .where(is_current(), for_gold(), *conditions)
        .group_by(col(Annotation.item_id), col(Item.id))
        .having(func.count() >= required_submissions())
    )


def named(
    session: Session, project_id: int, annotation_ids: Sequence[int]
) -> tuple[Submission, ...]:
    """Return the submissions with these ids, current or not, in the order of ids.

    Only for those that were complete according to `annotation.work.discussions`. Ids that are no
    submission of the project are left out.
    """
    here = col(Item.project_id) == project_id, col(Annotation.kind) == "submit"
    found = (_read(session, *here, col(Annotation.id).in_(ids)) for ids in chunks(annotation_ids))
    return tuple(sorted(chain(*found), key=lambda each: each.annotation_id))


def migrated_from(session: Session, project_id: int, task: str = "") -> dict[int, int]:
    """Map each migrated submission of a task, or of any, to the original made by its person."""
    here = of_task(project_id, task) if task else col(Item.project_id) == project_id
    query = (
        select(Annotation.id, Annotation.supersedes_id)
        .join(DraftEvent)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(here, Annotation.kind == "submit", DraftEvent.kind == MIGRATE)
    )
    found: dict[int, int] = {}
    for number, before in session.exec(query.order_by(col(Annotation.id))):
        found[number or 0] = found.get(before or 0, before or 0)
    return found


@cache
def withdrawal_count() -> ScalarSelect[int]:
    """Return the SQL count of withdrawals by the author of an `Annotation` row on its item."""
    other = aliased(Annotation)
    made_by = sqlalchemy.select(col(DraftEvent.kind)).where(
        col(DraftEvent.id) == col(other.event_id)
    )
    theirs = made_by.correlate(other).scalar_subquery() == "withdraw"  # and no migration's
    count = sqlalchemy.select(func.count()).where(*_withdrawal_conditions(other), theirs)
    return count.correlate(Annotation).scalar_subquery()


@cache
def _messages_before_withdrawal() -> ScalarSelect[int]:
    """Return the SQL count of others' messages at the author's last withdrawal, 0 if none.

    The author may have read them then.
    """
    other = aliased(Annotation)
    last = sqlalchemy.select(func.max(col(other.at))).where(*_withdrawal_conditions(other))
    return (
        sqlalchemy.select(func.count())
        .where(col(Comment.item_id) == col(Annotation.item_id))
        .where(col(Comment.person_id) != col(Annotation.person_id))
        .where(col(Comment.at) <= last.correlate(Annotation).scalar_subquery())
        .correlate(Annotation)
        .scalar_subquery()
    )


def _withdrawal_conditions(other: type[Annotation]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for withdrawals by the author of an `Annotation` row on its item."""
    return (
        col(other.kind) == "withdraw",
        col(other.item_id) == col(Annotation.item_id),
        col(other.person_id) == col(Annotation.person_id),
    )


def _read(session: Session, *conditions: ColumnElement[bool]) -> list[Submission]:
    """Return the submissions that match conditions on `Annotation` and `Item`, in queue order."""
    of, item = Annotation, Item
    made: Any = (  # the fields of a Submission, in its order
        sqlalchemy.select(*map(col, (of.id, of.item_id)))
        .add_columns(func.coalesce(item.subject_id, 0), func.coalesce(item.external_id, ""))
        .add_columns(*map(col, (of.person_id, Person.name, of.at, of.seconds)))
        .add_columns(*map(col, (of.candidate_set_id, of.snapshot_id, of.guideline_version)))
        .add_columns(*map(col, (of.codebook_version, of.no_provision, of.comment, of.flag)))
        .add_columns(col(Confidence.value), withdrawal_count(), _messages_before_withdrawal())
        .join(Person)
        .join(Item)
        .outerjoin(Confidence)
        .where(*conditions)
        .order_by(col(Item.order), col(Person.name), col(of.id))
    )
    rows: Sequence[Any] = session.execute(made).all()
    labels, answers = _labels_and_answers(session, [row[0] for row in rows])
    made = ([*row, tuple(labels.get(row[0], ())), answers.get(row[0], {})] for row in rows)
    return [Submission(*each) for each in made]


def _labels_and_answers(
    session: Session, ids: Sequence[int]
) -> tuple[dict[int, list[UnitDecision]], dict[int, dict[str, Any]]]:
    """Return the labels by semantic id, and the answers by field, of each of the submissions."""
    label, answer = AnnotationLabel, AnnotationAnswer
    said = (
        sqlalchemy.select(*map(col, (label.annotation_id, label.unit_id)))
        .add_columns(*map(col, (UnitRow.semantic_id, label.label, label.evidence)))
        .join(UnitRow)
        .order_by(col(label.annotation_id), col(UnitRow.semantic_id))
    )
    rows = rows_with(session, said, label.annotation_id, ids)
    labels = grouped((number, UnitDecision(*decision)) for number, *decision in rows)
    given = sqlalchemy.select(*map(col, (answer.annotation_id, answer.field, answer.value)))
    given = given.order_by(col(answer.field))
    return labels, nested(rows_with(session, given, answer.annotation_id, ids))


TOOLS = {
    "label-studio": "Label Studio",
    "argilla": "Argilla",
    "potato": "Potato",
    "prodigy": "Prodigy",
    "doccano": "doccano",
    "inception": "INCEpTION",
}
"""Display name of each tool, by its name on the command line."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The tool and file a submission was imported from, and its author and time there.

    `user` is the tool's user name, "" if withheld; `made_at` is None if the file has no time.
    """

    tool: str
    file: str
    sha256: str
    user: str
    made_at: datetime | None

    def as_dict(self) -> dict[str, Any]:
        """Return the origin as JSON values, withheld ones left out; the time in ISO 8601."""
        said = {"tool": self.tool, "file": self.file, "sha256": self.sha256, "user": self.user}
        at = None if self.made_at is None else self.made_at.isoformat()
        return {name: value for name, value in said.items() if value} | {"made_at": at}

    def without_names(self) -> Origin:
        """Return a copy without what may identify people: user name and file name."""
        return replace(self, user="", file="")


@cache
def was_imported() -> ColumnElement[bool]:
    """Return the SQL condition that an `Annotation` row is an imported submission."""
    return exists().where(col(ImportedLabel.event_id) == col(Annotation.event_id))


def origins_in(session: Session, project_id: int) -> dict[int, Origin]:
    """Return the origin of each imported submission of a project, by its id.

    A migrated submission keeps the origin of the one it was migrated from.
    """
    query = (
        select(Annotation.id, LabelFile, ImportedLabel)
        .join(ImportedLabel, col(ImportedLabel.event_id) == Annotation.event_id)
        .join(LabelFile)
        .where(LabelFile.project_id == project_id, Annotation.kind == "submit")
        .order_by(col(Annotation.id))
    )
    found = {number or 0: _origin(file, label) for number, file, label in session.exec(query)}
    if found:
        before = migrated_from(session, project_id)
        found |= {new: found[old] for new, old in before.items() if old in found}
    return found


def _origin(file: LabelFile, label: ImportedLabel) -> Origin:
    """Return the tool, file and source user of an imported label."""
    return Origin(file.tool, file.name, file.sha256, label.source_user, label.made_at)


def origins_of(
    session: Session, table: Any, ids: Sequence[int]
) -> dict[int, tuple[Origin, int | None]]:
    """Return the origin, and who imported it, of draft events or submission rows by id."""
    event = DraftEvent.id if table is DraftEvent else Annotation.event_id
    within = col(event).between(col(ImportedLabel.first_event_id), col(ImportedLabel.event_id))
    query = (
        select(table.id, LabelFile, ImportedLabel)
        .join(
            ImportedLabel,
            (col(ImportedLabel.person_id) == table.person_id)
            & (col(ImportedLabel.item_id) == table.item_id)
            & within,
        )
        .join(LabelFile)
    )
    rows = rows_with(session, query, table.id, ids)
    return {n: (_origin(file, label), file.by_person_id) for n, file, label in rows}


def imported_by_person(session: Session, project_id: int, task: str) -> Mapping[int, int]:
    """Return the number of current submissions imported per person; zeros are absent."""
    origins = origins_in(session, project_id)
    if not origins:
        return {}
    query = select(Annotation.id, Annotation.person_id).join(
        Item, col(Item.id) == Annotation.item_id
    )
    rows = session.exec(query.where(of_task(project_id, task), is_current()))
    return Counter(person for number, person in rows if number in origins)

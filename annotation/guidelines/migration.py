"""Migration of answers to a new version of a guideline or codebook: explicit, previewed, recorded.

The lead defines for each answer whether it stays the ``same``, becomes another answer, or is to be
given ``again``; the changes between codebook versions apply unless the lead says otherwise
(`annotation.forms.taking_over`). A submission whose answers all stay or change is superseded by one
under the new version; decision, time and seconds stay its author's. One with an answer to be given
again, or that would be invalid, is reopened: its draft keeps all other answers, and its author
finds it in their queue.

Left unchanged, with the reason: items that an adjudicator has decided, or that are in discussion;
submissions that others' work depends on; and those that nobody could answer again, because the
batch is closed or the person has left.

Plan of a migration: the fate of each submission.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.form import FORMS, form_of
from annotation.forms.submissions import answers_in
from annotation.forms.taking_over import becomes_of, changes
from annotation.guidelines.documents import EVERY, Edition, version_at, versions_in
from annotation.guidelines.versions import number_of
from annotation.people.roles import Act, may, reading_as, writing_as
from annotation.work.draft import MIGRATE, add_event
from annotation.work.rules import FATES, LEFT, SAME, Fate, Step, TakenOver, Why, rules_of
from annotation.work.slots import act_of
from annotation.work.submissions import (
    checked_reason,
    confidence_of,
    full_items,
    is_current,
    keep_confidence,
    superseding,
)
from corpus.limits import NOTE
from errors import UserError, Where
from storage.db.columns import view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tables.people import Batch, BatchItem, DocumentMigration, Referral
from storage.tasks import NAME, of_task


@dataclass(frozen=True, slots=True)
class Answer:
    """A current submission, and its form after the migration."""

    row: Annotation
    external_id: str
    person: str
    after: TakenOver
    fate: Fate


def submissions_under(
    session: Session, project_id: int, kind: str, task: str, number: int
) -> list[tuple[Annotation, str, Person, datetime | None]]:
    """Return the current submissions made under that version, in queue order.

    Each with the name of its item, its author, and when its batch was closed.
    """
    query = (
        select(Annotation, NAME, Person, Batch.closed_at)
        .join(Item)
        .outerjoin(QuestionRow)
        .join(Person)
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch)
        .where(of_task(project_id, task), is_current())
        .order_by(col(Item.order), col(Person.name), col(Annotation.id))
    )
    column = f"{kind}_version"
    return [each for each in session.exec(query) if number_of(getattr(each[0], column)) == number]


def answers_under(session: Session, task: str, step: Step, from_number: int) -> list[Answer]:
    """Return the submissions made under that version with their fate, in queue order."""
    rows = submissions_under(session, step.project_id, step.kind, task, from_number)
    rules = rules_of(session, step.project_id, task)
    after = rules.migrated(session, step, [row for row, *_ in rows])
    done = set(session.exec(select(Item.id).where(of_task(step.project_id, task), decided())))
    talked = {each for row in session.exec(select(Referral)) for each in row.annotation_ids}
    found = []
    for row, external_id, person, closed_at in rows:
        made = after[row.id or 0]
        fate = made.fate
        if row.item_id in done:
            fate = "settled"
        elif row.id in talked:
            fate = "referred"
        elif fate == "again":
            fate = _fate_if_again(session, task, row, person, closed_at)
        found.append(Answer(row, external_id, person.name, made, fate))
    return found


def _fate_if_again(
    session: Session, task: str, row: Annotation, person: Person, closed_at: datetime | None
) -> Fate:
    """Return the fate of a submission to be answered again, which depends on whether it can be."""
    if closed_at is not None:
        return "closed"
    if not (person.active and may(person.role, act_of(task))):
        return "away"
    try:
        rules_of(session, person.project_id, task).withdrawn(session, row.item_id)
    except UserError:
        return "held"
    return "again"


def named_items(
    session: Session, project_id: int, task: str, names: Sequence[str]
) -> frozenset[int]:
    """Return the ids of the items with these names. Raises UserError for an unknown one."""
    if not names:
        return frozenset()
    query = select(NAME, Item.id).outerjoin(QuestionRow)
    known = dict(session.exec(query.where(of_task(project_id, task))).all())
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UserError("questions_unknown", ids=", ".join(unknown), count=len(unknown))
    return frozenset(known[name] or 0 for name in names)


REASON_LIMIT = NOTE
_ANSWER_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")


@dataclass(frozen=True, slots=True)
class MigrationRow:
    """The fate of one submission; None while its item is incomplete.

    Answers are shown to nobody before the item is complete. `why` are the reasons for answering
    again or dropping an answer.
    """

    item_id: int
    external_id: str
    person: str
    fate: Fate | None
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The effect of a migration: counts by fate, and the submissions."""

    counts: Mapping[Fate, int]
    lines: tuple[MigrationRow, ...]

    @property
    def moved(self) -> int:
        """Number of submissions superseded or reopened."""
        return sum(self.counts[fate] for fate in FATES if fate not in LEFT)

    def as_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        lines = [
            {"question": line.external_id, "person": line.person, "fate": line.fate}
            | ({"why": [why.as_dict() for why in line.why]} if line.why else {})
            for line in self.lines
        ]
        return {"counts": dict(self.counts), "submissions": lines}


@dataclass(frozen=True, slots=True)
class Choices:
    """The possible mappings of a form's answers, named as in `Step.answers`.

    `changed` are the changes implied by the codebook versions, `options` the possible options by
    field. `items` are those with answers.
    """

    answers: tuple[str, ...]
    changed: Mapping[str, str]
    options: Mapping[str, Sequence[str]]
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MigrationView:
    """A past migration; `person` is None for the operator."""

    id: int
    kind: str
    from_number: int
    to_number: int
    answers: Mapping[str, str]
    reason: str
    person: str | None
    at: datetime


def preview(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    from_number: int,
    to_number: int,
    answers: Mapping[str, str],
    by: int | None = None,
    items: Sequence[str] = (),
) -> Outcome:
    """Return a migration's effect without applying it. Raises UserError as `migrate_answers`."""
    with reading_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        numbers = from_number, to_number
        step, _ = _step(session, project.id, kind, task, numbers, answers, items)
        return _outcome(session, step, task, answers_under(session, task, step, from_number))


def migrate_answers(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    from_number: int,
    to_number: int,
    answers: Mapping[str, str],
    reason: str,
    by: int | None = None,
    items: Sequence[str] = (),
) -> Outcome:
    """Migrate the submissions of one version to a later one; return the effect.

    `answers` maps answers (`annotation.work.rules`): those left out stay the same, or change
    as the codebook versions imply. `items` are the names of items to be answered again in any case.
    All is applied or nothing. Raises UserError without permission to edit guidelines, for an
    unknown document, version, item or answer, a version that is not later, a missing reason, and if
    there is nothing to migrate.
    """
    reason = checked_reason(reason, limit=REASON_LIMIT)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        numbers = from_number, to_number
        step, to = _step(session, project.id, kind, task, numbers, answers, items)
        found = answers_under(session, task, step, from_number)
        outcome = _outcome(session, step, task, found)
        if not outcome.moved:
            raise UserError("migration_empty", number=from_number)
        made = DocumentMigration(
            project_id=project.id,
            kind=kind,
            task=task,
            from_number=from_number,
            to_number=to.number,
            to_version=to.version,
            answers=_stored_mapping(session, step, task),
            reason=reason,
            by_person_id=by,
            at=ws.clock(),
        )
        add_row(session, made)
        _apply(session, made, [each for each in found if each.fate not in LEFT])
        return outcome


def choices(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    from_number: int,
    to_number: int,
    by: int | None = None,
) -> Choices:
    """Return the form answers made under one version, implied changes, and options to map them to.

    Raises UserError as `preview`.
    """
    with reading_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        step, _ = _step(session, project.id, kind, task, (from_number, to_number), {}, ())
        form = form_of(session, project.id, task)
        rows = submissions_under(session, project.id, kind, task, from_number)
        ids = {row.id for row, *_ in rows}
        said = answers_in(session, of_task(project.id, task), is_current())
        answers = {
            name: None
            for number, given in said.items()
            if number in ids
            for field, value in given.items()
            if field not in form.closed
            for coded in (form.coded_as(field),)
            for name in (coded, *(f"{coded}.{each}" for each in form.options_named(field, value)))
            if _ANSWER_NAME.fullmatch(name)  # excludes free text
        }
        options = form.options_in(step.new[EVERY]) if kind == "codebook" else {}
        return Choices(
            answers=tuple(sorted(answers)),
            changed={name: each.now for name, each in changes(form, step).items()},
            options=options,
            items=tuple(dict.fromkeys(name for _, name, *_ in rows)),
        )


def migrations(
    ws: Workspace, project_slug: str, kind: str, task: str, by: int | None = None
) -> list[MigrationView]:
    """Return the migrations of a document, newest first."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        names = dict(session.exec(select(Person.id, Person.name)).all())
        here = (DocumentMigration.project_id == project.id, DocumentMigration.kind == kind)
        query = select(DocumentMigration).where(*here, DocumentMigration.task == task)
        return [
            view_of(MigrationView, row, person=names.get(row.by_person_id))
            for row in session.exec(query.order_by(col(DocumentMigration.id).desc()))
        ]


def _step(
    session: Session,
    project_id: int,
    kind: str,
    task: str,
    numbers: tuple[int, int],
    answers: Mapping[str, str],
    items: Sequence[str],
) -> tuple[Step, Edition]:
    """Return the step and the version it leads to. Raises UserError unless that is later."""
    start, end = numbers
    if end <= start:
        raise UserError("migration_back", Where(field="to"), old=start, new=end)
    to = version_at(session, project_id, kind, task, end)
    editions = versions_in(session, project_id, kind, task)
    old = next((edition.texts for edition in editions if edition.number == start), None)
    named = named_items(session, project_id, task, items)
    return Step(project_id, kind, old, to.texts, answers, named), to


def _stored_mapping(session: Session, step: Step, task: str) -> dict[str, str]:
    """Return the mapping to be stored, for a form including the changes of the codebook."""
    said = {old: new for old, new in step.answers.items() if new not in (SAME, old)}
    if task in FORMS:
        changed = becomes_of(form_of(session, step.project_id, task), step)
        said = {**step.answers, **{name: each.now for name, each in changed.items()}}
    return dict(sorted(said.items()))


def _outcome(session: Session, step: Step, task: str, answers: Iterable[Answer]) -> Outcome:
    """Count the submissions by fate, and list them; on incomplete items mostly without fate."""
    counts = Counter[Fate]()
    shown = set(session.exec(full_items(of_task(step.project_id, task))))
    lines = []
    for each in answers:
        counts[each.fate] += 1
        told = each.row.item_id in shown or each.fate in LEFT[:2]
        why = each.after.why if told and each.fate not in LEFT else ()
        fate = each.fate if told else None
        lines.append(MigrationRow(each.row.item_id, each.external_id, each.person, fate, why))
    return Outcome({fate: counts[fate] for fate in FATES}, tuple(lines))


def _apply(session: Session, migration: DocumentMigration, answers: Sequence[Answer]) -> None:
    """Write a migration: resubmit or withdraw each person's submission."""
    sure = confidence_of(session, [each.row.id or 0 for each in answers])
    rules = rules_of(session, migration.project_id, migration.task)
    for each in answers:
        becomes = "withdraw" if each.fate == "again" else "submit"
        payload = {
            "migration_id": migration.id,
            "document": migration.kind,
            "from": migration.from_number,
            "to": migration.to_version,
            **each.after.payload,
            "becomes": becomes,
            "reason": migration.reason,
        }
        old = each.row
        event_id = add_event(session, old.person_id, old.item_id, MIGRATE, migration.at, payload)
        number = add_row(session, _superseding_row(each, becomes, migration, event_id))
        if becomes == "submit":
            rules.store_taken(session, number, each.after)
            keep_confidence(session, number, sure.get(old.id or 0))


def _superseding_row(
    answer: Answer, becomes: str, migration: DocumentMigration, event_id: int
) -> Annotation:
    """Return the row that resubmits or withdraws (`becomes`) a submission that is migrated."""
    version = {f"{migration.kind}_version": migration.to_version}
    at = answer.row.at if becomes == "submit" else migration.at  # a decision keeps its time
    none = answer.after.no_provision
    return superseding(
        answer.row, kind=becomes, no_provision=none, event_id=event_id, at=at, **version
    )

"""Taking answers over to a new version of a guideline or codebook: explicit, previewed, recorded.

Whoever leads says for each answer what becomes of it: it stays the ``same``, becomes another
answer, or is to be given ``again``. A submission whose answers all stay or change is superseded by
one that carries the new version; the decision, its time and its seconds stay its person's. One
with an answer to be given again, or that would say nothing any more, or accept beside "no
provision", is given back: its draft keeps all other answers, and its person finds it in their
queue.

What is left as it is, with the reason: items that an adjudicator has settled, or has sent back and
whose submissions are being talked over; and what nobody could answer again, because the batch is
closed or the person is away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.guidelines.documents import Edition, version_at
from annotation.guidelines.migration_plan import (
    AGAIN,
    ANSWERS,
    FATES,
    LEFT,
    NO_PROVISION,
    SAME,
    Answer,
    Fate,
    answers_under,
)
from annotation.people.roles import Act, require_by
from annotation.work.draft import MIGRATE, add_event
from annotation.work.submissions import complete, confidence_of, keep_confidence
from corpus.limits import NOTE
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project
from storage.tables.core import Annotation, AnnotationLabel, Person
from storage.tables.people import DocumentMigration

REASON_LIMIT = NOTE


@dataclass(frozen=True, slots=True)
class MigrationRow:
    """What becomes of one submission; `fate` is None while its item wants more submissions.

    What somebody said is shown to nobody before all submissions of the item are in.
    """

    item_id: int
    external_id: str
    person: str
    fate: Fate | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a migration does, or did: how many of each fate, and which submissions."""

    counts: Mapping[Fate, int]
    lines: tuple[MigrationRow, ...]

    @property
    def moved(self) -> int:
        """How many submissions are superseded or given back."""
        return sum(self.counts[fate] for fate in FATES if fate not in LEFT)

    def as_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        lines = [
            {"question": each.external_id, "person": each.person, "fate": each.fate}
            for each in self.lines
        ]
        return {"counts": dict(self.counts), "submissions": lines}


@dataclass(frozen=True, slots=True)
class MigrationView:
    """A migration that was made; `person` is None for the operator of the machine."""

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
) -> Outcome:
    """Return what a migration would do, doing nothing. Raises UserError as `migrate_answers`."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.EDIT_GUIDELINES)
        version_at(session, project.id, kind, task, _later(from_number, to_number))
        found = answers_under(session, project, kind, task, from_number, _checked(answers))
        return _outcome(session, project, found)


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
) -> Outcome:
    """Take the submissions made under one version over to a later one; return what was done.

    `answers` says what becomes of each of `ANSWERS`: ``same``, another answer, or ``again``; what
    is left out stays the same. All happens at once or not at all. Raises UserError for somebody
    who may not edit guidelines, an unknown document or version, one that is not later, an answer
    that is not known, a missing reason, and where there is nothing to take over.
    """
    chosen, reason = _checked(answers), _reason(reason)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        who = require_by(session, project.id, by, Act.EDIT_GUIDELINES)
        to = version_at(session, project.id, kind, task, _later(from_number, to_number))
        found = answers_under(session, project, kind, task, from_number, chosen)
        outcome = _outcome(session, project, found)
        if not outcome.moved:
            raise UserError("migration_empty", number=from_number)
        made = DocumentMigration(
            project_id=project.id,
            kind=kind,
            task=task,
            from_number=from_number,
            to_number=to.number,
            to_version=to.version,
            answers=dict(sorted(chosen.items())),
            reason=reason,
            by_person_id=None if who is None else who.person_id,
            at=ws.clock(),
        )
        session.add(made)
        session.flush()
        _move(session, made, to, [each for each in found if each.fate not in LEFT])
        return outcome


def migrations(
    ws: Workspace, project_slug: str, kind: str, task: str, by: int | None = None
) -> list[MigrationView]:
    """Return the migrations of a document, newest first."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_LAW)
        names = dict(session.exec(select(Person.id, Person.name)).all())
        here = (DocumentMigration.project_id == project.id, DocumentMigration.kind == kind)
        query = select(DocumentMigration).where(*here, DocumentMigration.task == task)
        return [
            MigrationView(
                id=row.id or 0,
                kind=row.kind,
                from_number=row.from_number,
                to_number=row.to_number,
                answers=row.answers,
                reason=row.reason,
                person=names.get(row.by_person_id),
                at=row.at,
            )
            for row in session.exec(query.order_by(col(DocumentMigration.id).desc()))
        ]


def _later(from_number: int, to_number: int) -> int:
    if to_number <= from_number:
        raise UserError("migration_back", Where(field="to"), old=from_number, new=to_number)
    return to_number


def _reason(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()
    if not text:
        raise UserError("reason_missing", Where(field="reason"))
    if len(text) > REASON_LIMIT:
        limit = {"limit": REASON_LIMIT, "length": len(text)}
        raise UserError("text_too_long", Where(field="reason"), **limit)
    return text


def _checked(answers: Mapping[str, str]) -> dict[str, str]:
    """Return what changes; raise UserError for an answer that is not known."""
    for answer, becomes in answers.items():
        others = () if answer == NO_PROVISION else ANSWERS[:-1]
        if answer not in ANSWERS or becomes not in (SAME, AGAIN, *others):
            said = f"{answer} = {becomes}"
            raise UserError("migration_answer", Where(field="answers"), said=said)
    return {old: new for old, new in answers.items() if new not in (SAME, old)}


def _outcome(session: Session, project: ProjectView, found: Sequence[Answer]) -> Outcome:
    counts = Counter(each.fate for each in found)
    shown = complete(session, project.id)
    lines = tuple(
        MigrationRow(
            item_id=each.row.item_id,
            external_id=each.external_id,
            person=each.person,
            fate=each.fate if each.row.item_id in shown or each.fate in LEFT[:2] else None,
        )
        for each in found
    )
    return Outcome({fate: counts[fate] for fate in FATES}, lines)


def _move(session: Session, made: DocumentMigration, to: Edition, found: Sequence[Answer]) -> None:
    sure = confidence_of(session, [each.row.id or 0 for each in found])
    for each in found:
        becomes = "withdraw" if each.fate == AGAIN else "submit"
        payload = {
            "migration_id": made.id,
            "document": made.kind,
            "from": made.from_number,
            "to": to.version,
            "answers": {
                old: None if new == AGAIN else new for old, new in sorted(made.answers.items())
            },
            "becomes": becomes,
            "reason": made.reason,
        }
        old = each.row
        event_id = add_event(session, old.person_id, old.item_id, MIGRATE, made.at, payload)
        row = _superseding(each, becomes, made, event_id)
        session.add(row)
        session.flush()
        if becomes == "submit":
            session.add_all(
                AnnotationLabel(annotation_id=row.id or 0, unit_id=unit, label=said)
                for unit, said in sorted(each.labels.items())
            )
            keep_confidence(session, row.id or 0, sure.get(old.id or 0))


def _superseding(each: Answer, becomes: str, made: DocumentMigration, event_id: int) -> Annotation:
    old = each.row
    versions: dict[str, Any] = {
        "guideline_version": old.guideline_version,
        "codebook_version": old.codebook_version,
        f"{made.kind}_version": made.to_version,
    }
    return Annotation(
        item_id=old.item_id,
        person_id=old.person_id,
        kind=becomes,
        no_provision=each.no_provision,
        comment=old.comment,
        flag=old.flag,
        supersedes_id=old.id,
        snapshot_id=old.snapshot_id,
        candidate_set_id=old.candidate_set_id,
        event_id=event_id,
        seconds=old.seconds,
        at=old.at if becomes == "submit" else made.at,  # a decision keeps the time it was made
        **versions,
    )

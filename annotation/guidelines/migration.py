"""Taking answers over to a new version of a guideline or codebook: explicit, previewed, recorded.

Whoever leads says for each answer what becomes of it: it stays the ``same``, becomes another
answer, or is to be given ``again``; of a codebook whose text is kept, what its versions say goes
before that where nobody says otherwise (`annotation.forms.taking_over`). A submission whose answers
all stay or change is superseded by one that carries the new version; the decision, its time and its
seconds stay its person's. One with an answer to be given again, or that could not be submitted as
it is after, is given back: its draft keeps all other answers, and its person finds it in their
queue.

What is left as it is, with the reason: items that an adjudicator has settled, or has sent back and
whose submissions are being talked over; what the work of others rests on; and what nobody could
answer again, because the batch is closed or the person is away.
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
from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.documents import Edition, version_at, versions_in
from annotation.guidelines.migration_plan import (
    Answer,
    answers_under,
    named_items,
    submissions_under,
)
from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.draft import MIGRATE, add_event
from annotation.work.rules import rules_of
from annotation.work.submissions import confidence_of, full_items, keep_confidence, stands
from annotation.work.taking_over import FATES, LEFT, SAME, Fate, Step, Why
from corpus.limits import NOTE
from errors import UserError, Where
from normalization import storable
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, Person
from storage.tables.people import DocumentMigration
from storage.tasks import of_task

REASON_LIMIT = NOTE
_NAMED = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")


@dataclass(frozen=True, slots=True)
class MigrationRow:
    """What becomes of one submission; `fate` is None while its item wants more submissions.

    What somebody said is shown to nobody before all submissions of the item are in. `why` says why
    an answer is to be given again, or is left out.
    """

    item_id: int
    external_id: str
    person: str
    fate: Fate | None
    why: tuple[Why, ...] = ()


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
            {"question": line.external_id, "person": line.person, "fate": line.fate}
            | ({"why": [why.as_dict() for why in line.why]} if line.why else {})
            for line in self.lines
        ]
        return {"counts": dict(self.counts), "submissions": lines}


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be said of answers to a form: of which ones, by the names of `Step.answers`.

    `changed` is what becomes of those that the versions of the codebook part, `options` what
    options may become, by field. `items` are those that were answered.
    """

    answers: tuple[str, ...]
    changed: Mapping[str, str]
    options: Mapping[str, Sequence[str]]
    items: tuple[str, ...]


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
    items: Sequence[str] = (),
) -> Outcome:
    """Return what a migration would do, doing nothing. Raises UserError as `migrate_answers`."""
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
    """Take the submissions made under one version over to a later one; return what was done.

    `answers` says what becomes of answers (`annotation.work.taking_over`): what is left out stays
    the same, or becomes what the versions of the codebook say. `items` are the names of items that
    are to be answered again whatever was said of them. All happens at once or not at all. Raises
    UserError for somebody who may not edit guidelines, an unknown document, version or item, a
    version that is not later, an answer that is not known, a missing reason, and where there is
    nothing to take over.
    """
    reason = _reason(reason)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, who):
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
            answers=_said(step, task),
            reason=reason,
            by_person_id=None if who is None else who.person_id,
            at=ws.clock(),
        )
        session.add(made)
        session.flush()
        _move(session, made, [each for each in found if each.fate not in LEFT])
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
    """Return what may be said of the answers of a form made under one version.

    Raises UserError as `preview`.
    """
    with reading_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        step, _ = _step(session, project.id, kind, task, (from_number, to_number), {}, ())
        form = form_of(task)
        rows = submissions_under(session, project.id, kind, task, from_number)
        ids = {row.id for row, *_ in rows}
        said = answers_in(session, of_task(project.id, task), stands())
        answers = {
            name: None
            for number, given in said.items()
            if number in ids
            for field, value in given.items()
            if field not in form.closed
            for coded in (form.coded_as(field),)
            for name in (coded, *(f"{coded}.{each}" for each in form.options_said(field, value)))
            if _NAMED.fullmatch(name)  # not what somebody wrote in words
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


def _step(
    session: Session,
    project_id: int,
    kind: str,
    task: str,
    numbers: tuple[int, int],
    answers: Mapping[str, str],
    items: Sequence[str],
) -> tuple[Step, Edition]:
    """Return the step, and the version that it leads to."""
    start, end = numbers
    if end <= start:
        raise UserError("migration_back", Where(field="to"), old=start, new=end)
    to = version_at(session, project_id, kind, task, end)
    editions = versions_in(session, project_id, kind, task)
    old = next((edition.texts for edition in editions if edition.number == start), None)
    named = named_items(session, project_id, task, items)
    return Step(project_id, kind, old, to.texts, answers, named), to


def _said(step: Step, task: str) -> dict[str, str]:
    """Return what became of answers as it is kept: for a form also what the codebook made of it."""
    said = {old: new for old, new in step.answers.items() if new not in (SAME, old)}
    if task in FORMS:
        changed = becomes_of(form_of(task), step)
        said = {**step.answers, **{name: each.now for name, each in changed.items()}}
    return dict(sorted(said.items()))


def _reason(text: str) -> str:
    text = storable(text).strip()
    if not text:
        raise UserError("reason_missing", Where(field="reason"))
    if len(text) > REASON_LIMIT:
        limit = {"limit": REASON_LIMIT, "length": len(text)}
        raise UserError("text_too_long", Where(field="reason"), **limit)
    return text


def _outcome(session: Session, step: Step, task: str, found: Iterable[Answer]) -> Outcome:
    counts = Counter[Fate]()
    shown = set(session.exec(full_items(of_task(step.project_id, task))))
    lines = []
    for each in found:
        counts[each.fate] += 1
        told = each.row.item_id in shown or each.fate in LEFT[:2]
        why = each.after.why if told and each.fate not in LEFT else ()
        fate = each.fate if told else None
        lines.append(MigrationRow(each.row.item_id, each.external_id, each.person, fate, why))
    return Outcome({fate: counts[fate] for fate in FATES}, tuple(lines))


def _move(session: Session, made: DocumentMigration, found: Sequence[Answer]) -> None:
    sure = confidence_of(session, [each.row.id or 0 for each in found])
    rules = rules_of(made.task)
    for each in found:
        becomes = "withdraw" if each.fate == "again" else "submit"
        payload = {
            "migration_id": made.id,
            "document": made.kind,
            "from": made.from_number,
            "to": made.to_version,
            **each.after.payload,
            "becomes": becomes,
            "reason": made.reason,
        }
        old = each.row
        event_id = add_event(session, old.person_id, old.item_id, MIGRATE, made.at, payload)
        row = _superseding(each, becomes, made, event_id)
        session.add(row)
        session.flush()
        if becomes == "submit":
            rules.store_taken(session, row.id or 0, each.after)
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
        no_provision=each.after.no_provision,
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

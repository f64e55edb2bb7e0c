"""Import of form task records: material shown, answers and decisions.

The material shown must be that of the project's items: rows that the file does not hold, such as
drafts of pages, verdicts and suggestions, have to exist. Answers must be in the form's stored
shape; that they follow from the acts, and refer to existing units and options, is checked
afterwards.
"""

from __future__ import annotations

from typing import Any

from sqlmodel import col, select

from annotation.exchange.fields import FORM_SUBMISSION, columns_of, decision_fields
from annotation.exchange.finding import Finder, fits_form
from annotation.exchange.lines import RecordReader
from annotation.exchange.shown_names import ShownNames, fits_shown, form_tasks
from annotation.forms.form import form_of
from errors import UserError
from normalization.grouping import grouped
from storage.tables.core import (
    Annotation,
    AnnotationAnswer,
    CandidateSet,
    Item,
    Settlement,
)
from storage.tables.people import DocumentMigration
from storage.tasks import Task, of_task

_CORRECTION = "correction"  # shown in a verification, besides the draft


def begin_task(reader: Finder, line: RecordReader) -> None:
    """Start reading another task: the following lines are its records."""
    task = line.one_of("task", *form_tasks(reader.session, reader.project.id))
    if task in reader.read:
        line.refuse("exchange_field", "task")
    reader.read.add(task)
    reader.begin(task)
    reader.names = ShownNames(reader.session, reader.project.id, task)
    reader.before = _candidate_sets(reader, task)


def add_shown(reader: Finder, line: RecordReader) -> None:
    """Match the material in the line with what the item shows, or add it if the item has less."""
    said = dict(line.objects("shown"))
    if _CORRECTION in said:
        number = said[_CORRECTION]
        said[_CORRECTION] = reader.earlier(line, Annotation, number, "shown")
        _ensure_verification_item(reader, line, said[_CORRECTION])
    item_id, snapshot = reader.item(line), reader.snapshot(line)
    try:
        shown = reader.names.with_ids(item_id, said)
    except (KeyError, TypeError):
        line.refuse("exchange_shown", "shown", item=line.text("item"))
    here = reader.before.get(item_id, [])
    row = here.pop(0) if here else _next_set(reader, item_id, snapshot, shown)
    wanted = (snapshot, shown)
    if (row.snapshot_id, row.shown or {}) != wanted or not fits_shown(reader.task, shown):
        line.refuse("exchange_shown", "shown", item=line.text("item"))
    reader.keep(row)


def _next_set(
    reader: Finder, item_id: int, snapshot: int, material: dict[str, Any]
) -> CandidateSet:
    """Return a new candidate set, not stored yet; a verification's dates from its correction."""
    correction = material.get(_CORRECTION)
    at = reader.at if correction is None else reader.session.get_one(Annotation, correction).at
    return CandidateSet(
        item_id=item_id, snapshot_id=snapshot, method=reader.task, shown=material, created_at=at
    )


def form_payload(reader: Finder, line: RecordReader, kind: str) -> dict[str, Any]:
    """Return an act's payload with ids of this database, after checking its shape."""
    said = line.objects("payload")
    if not fits_form(kind, said):
        line.refuse("exchange_field", "payload")
    item_id = reader.item(line)
    rest = {name: value for name, value in said.items() if name not in ("shown", "migration")}
    if kind == "open":
        row = reader.earlier(line, CandidateSet, said["shown"], "payload")
        _refuse_other(reader, line, CandidateSet, row, item_id, "payload")
        rest["candidate_set_id"] = row
    if kind == "migrate":
        made = said["migration"]
        rest["migration_id"] = reader.earlier(line, DocumentMigration, made, "payload")
        changed = {field: change["now"] for field, change in said["fields"].items() if change}
        _refuse_not_stored(reader, line, item_id, changed, "payload")
    if kind == "label" and said["value"] is not None:
        _refuse_not_stored(reader, line, item_id, {said["field"]: said["value"]}, "payload")
    return rest


def refuse_unfit(
    reader: Finder, line: RecordReader, item_id: int, answers: dict[str, Any], field: str
) -> None:
    """Refuse answers that no adjudicator could give on the item."""
    _refuse_not_stored(reader, line, item_id, answers, field)
    try:
        form_of(reader.session, reader.project.id, reader.task).fit_decided(answers)
    except UserError:
        line.refuse("exchange_field", field)


def add_submission(reader: Finder, line: RecordReader) -> None:
    """Add a submission or withdrawal, with its answers."""
    item_id, kind = reader.item(line), line.one_of("kind", "submit", "withdraw")
    answers = line.objects("answers")
    if kind == "submit":
        _refuse_not_stored(reader, line, item_id, answers, "answers")
        try:
            form_of(reader.session, reader.project.id, reader.task).fit(answers)
        except UserError:
            line.refuse("exchange_field", "answers")
    elif answers:
        line.refuse("exchange_field", "answers")
    row = reader.keep(Annotation(**columns_of(reader, FORM_SUBMISSION, line)))
    number = reader.id_of(row)
    reader.session.add_all(
        AnnotationAnswer(annotation_id=number, field=field, value=value)
        for field, value in sorted(answers.items())
    )
    reader.add_confidence(line, row)


def add_settlement(reader: Finder, line: RecordReader) -> None:
    """Add an adjudicator's decision."""
    row = Settlement(**columns_of(reader, decision_fields(Settlement), line))
    refuse_unfit(reader, line, row.item_id, row.answers, "answers")
    for number in row.annotation_ids:
        _refuse_other(reader, line, Annotation, number, row.item_id, "submissions")
    reader.keep(row)


def _refuse_not_stored(
    reader: Finder, line: RecordReader, item_id: int, answers: dict[str, Any], field: str
) -> None:
    """Refuse answers that differ from the form's stored shape."""
    item = reader.session.get_one(Item, item_id)
    form = form_of(reader.session, item.project_id, reader.task)
    for name, value in answers.items():
        try:
            kept = form.read_back(reader.session, item, name, value)
        except UserError:
            line.refuse("exchange_field", field)
        if kept is None or kept != value:
            line.refuse("exchange_field", field)


def _refuse_other(
    reader: Finder, line: RecordReader, table: Any, number: int, item_id: int, field: str
) -> None:
    """Refuse a row of another item."""
    if reader.session.get_one(table, number).item_id != item_id:
        line.refuse("exchange_field", field)


def _ensure_verification_item(reader: Finder, line: RecordReader, correction: int) -> None:
    """Add the verification item that a line is about, if missing; refuse lines that fit none."""
    name = line.text("item")
    made = reader.session.get_one(Annotation, correction)
    page = reader.session.get_one(Item, made.item_id)
    if reader.task != Task.OCR_VERIFICATION or page.task != Task.OCR_CORRECTION:
        line.refuse("exchange_field", "shown")
    if page.external_id != name:
        line.refuse("exchange_field", "shown")
    if name in reader.items:
        return
    row = Item(
        project_id=reader.project.id,
        task=reader.task,
        order=len(reader.items) + 1,
        subject_id=page.subject_id,
        external_id=name,
        title=page.title,
    )
    reader.session.add(row)
    reader.items[name] = reader.id_of(row)
    reader.names.add(reader.items[name], page.subject_id or 0)


def _candidate_sets(reader: Finder, task: str) -> dict[int, list[CandidateSet]]:
    """Return the candidate sets of each item of the task, oldest first."""
    query = select(CandidateSet).join(Item)
    query = query.where(of_task(reader.project.id, task)).order_by(col(CandidateSet.id))
    return grouped((row.item_id, row) for row in reader.session.exec(query))

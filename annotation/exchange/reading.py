"""Import of annotation records into a project that has law and questions and nothing else.

All references must exist: records of the file in an earlier line, questions, snapshots and units in
the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.adjudication.decisions import decision_table
from annotation.exchange.fields import FIELDS, columns_of, decision_fields
from annotation.exchange.finding import (
    ACTS,
    FORM_ACTS,
    LABELS,
    Finder,
    fits_answer,
    fits_citation,
    fits_why,
)
from annotation.exchange.form_reading import (
    add_settlement,
    add_shown,
    add_submission,
    begin_task,
    form_payload,
    refuse_unfit,
)
from annotation.exchange.lines import RecordReader
from annotation.exchange.shown_names import TASK
from annotation.guidelines.codebook_tree import refuse_unsound
from annotation.mapping.evidence import is_evidence
from annotation.people.members import CASE_DRAFT
from errors import UserError
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    CandidateWay,
    DraftEvent,
    Person,
    UndoneDecision,
)
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import (
    Batch,
    BatchEvent,
    BatchItem,
    BatchPerson,
    Comment,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)


class Reader(Finder):
    """Adds records to a project, one line after the other, inside a writing transaction."""

    def add(self, line: RecordReader) -> str:
        """Add one record; return its type. Raises UserError for invalid records and references."""
        kind = line.text("type")
        known = _READERS if self.task == TASK else _FORM_READERS
        if kind not in known:
            line.refuse("exchange_type", "type", kind=kind, known=", ".join(known))
        known[kind](self, line)
        return kind

    def _columns(self, line: RecordReader, kind: str) -> dict[str, Any]:
        """Return the columns of a record that is a row of its own."""
        return columns_of(self, FIELDS[kind], line)

    def _check_head(self, line: RecordReader) -> None:
        """Refuse a file whose overlap is not the project's; a head adds nothing."""
        overlap = line.number("overlap")
        if overlap != self.project.overlap:
            wanted = {"overlap": overlap, "here": self.project.overlap}
            line.refuse("exchange_overlap", "overlap", **wanted)

    def _add_person(self, line: RecordReader) -> None:
        """Match a person by name, or add them; refuse a repeated name, and another role."""
        columns = self._columns(line, "person")
        name = columns["name"]
        if name in self.people:
            line.refuse("exchange_twice", "name", name=name)
        person = self.here.get(name) or self.keep(Person(project_id=self.project.id, **columns))
        if person.role != columns["role"]:
            line.refuse("exchange_role", "role", name=name)
        self.people[name] = person

    def _add_person_event(self, line: RecordReader) -> None:
        """Add an event, but no draft of a case, and none of people who were here before."""
        columns = self._columns(line, "person_event")
        own = columns["kind"] == CASE_DRAFT  # by a case's number in the old workspace
        if not own and line.text("person") not in self.here:  # who keep their history here
            self.keep(PersonEvent(**columns))

    def _add_document(self, line: RecordReader) -> None:
        columns = {"task": TASK, **self._columns(line, "document")}
        if columns["kind"] == "codebook":
            try:
                refuse_unsound(columns["text"], columns["task"])
            except UserError:
                line.refuse("exchange_field", "text")
        self.keep(Document(project_id=self.project.id, **columns))

    def _add_migration(self, line: RecordReader) -> None:
        columns = self._columns(line, "migration")
        self.keep(DocumentMigration(project_id=self.project.id, task=self.task, **columns))

    def _add_candidates(self, line: RecordReader) -> None:
        citations = line.members("citations")
        if not all(fits_citation(each) for each in citations):
            line.refuse("exchange_field", "citations")
        row = self.keep(CandidateSet(citations=citations, **self._columns(line, "candidates")))
        set_id = self.id_of(row)
        if line.fields.get("spec") is not None:  # files of before version 1 may have none
            spec, instead = line.objects("spec"), line.fields.get("in_place_of")
            if not isinstance(instead, str | None):
                line.refuse("exchange_field", "in_place_of")
            way = CandidateWay(candidate_set_id=set_id, spec=spec, in_place_of=instead)
            self.session.add(way)
        for each in line.members("units"):
            if not isinstance(each, dict) or each.get("rank") not in range(1, 1_000_000):
                line.refuse("exchange_field", "units")
            unit = self.unit(line, each.get("unit"), row.snapshot_id)
            why = each.get("why") or []
            if not fits_why(why, citations):
                line.refuse("exchange_field", "units")
            self.session.add(
                CandidateRow(candidate_set_id=set_id, unit_id=unit, rank=each["rank"], why=why)
            )

    def _add_batch(self, line: RecordReader) -> None:
        columns = self._columns(line, "batch")
        row = self.keep(Batch(project_id=self.project.id, task=self.task, **columns))
        self.batches[row.name] = row
        batch_id = self.id_of(row)
        for item, position, calibration in line.parts("items", str, int, bool):
            where = {"item_id": self.item(line, item), "position": position}
            self.session.add(BatchItem(batch_id=batch_id, calibration=calibration, **where))
        for person, added in line.parts("people", str, str):
            at = line.as_time(added, "people")
            number = self.person(line, "people", person)
            self.session.add(BatchPerson(batch_id=batch_id, person_id=number, added_at=at))

    def _add_batch_event(self, line: RecordReader) -> None:
        name, columns = line.text("batch"), self._columns(line, "batch_event")
        if name not in self.batches:
            line.refuse("exchange_batch", "batch", name=name)
        of_people = columns["kind"] == "people"
        payload = {
            key: [
                self.person(line, "payload", each) if of_people else self.item(line, each)
                for each in value
            ]
            if isinstance(value, list)
            else value
            for key, value in line.objects("payload").items()
        }
        batch_id = self.id_of(self.batches[name])
        self.keep(BatchEvent(batch_id=batch_id, payload=payload, **columns))

    def _add_known_answer(self, line: RecordReader) -> None:
        """Import a known answer of a calibration item."""
        row = KnownAnswer(**self._columns(line, "known_answer"))
        if self.task != TASK:
            refuse_unfit(self, line, row.item_id, row.answer, "answer")
        elif not fits_answer(row.answer):
            line.refuse("exchange_field", "answer")
        self.keep(row)

    def _add_event(self, line: RecordReader) -> None:
        of_form = self.task != TASK
        kind = line.one_of("kind", *(FORM_ACTS if of_form else ACTS))
        payload = form_payload(self, line, kind) if of_form else self.payload(line, kind)
        self.keep(DraftEvent(kind=kind, payload=payload, **self._columns(line, "event")))

    def _add_submission(self, line: RecordReader) -> None:
        row = self.keep(Annotation(**self._columns(line, "submission")))
        labels = line.parts("labels", str, str)
        if any(label not in LABELS for _, label in labels):
            line.refuse("exchange_field", "labels")
        evidence = self._evidence(line)
        for unit, label in labels:
            unit_id = self.unit(line, unit, row.snapshot_id)
            said = {"unit_id": unit_id, "label": label, "evidence": evidence.get(unit)}
            self.session.add(AnnotationLabel(annotation_id=self.id_of(row), **said))
        self.add_confidence(line, row)

    def _add_adjudication(self, line: RecordReader) -> None:
        fields = decision_fields(Adjudication)
        row = self.keep(Adjudication(**columns_of(self, fields, line)))
        evidence = self._evidence(line)
        for each in line.members("units"):
            if not isinstance(each, dict):
                line.refuse("exchange_field", "units")
            unit = self.unit(line, each.get("unit"), self.snapshot(line, each.get("snapshot", "")))
            words = evidence.get(each["unit"])
            number = self.id_of(row)
            self.session.add(
                AdjudicationLabel(adjudication_id=number, unit_id=unit, evidence=words)
            )

    def _evidence(self, line: RecordReader) -> dict[str, Any]:
        """Return the evidence of a submission or decision by unit; a file may have none."""
        found = line.objects("evidence") if "evidence" in line.fields else {}
        if not all(map(is_evidence, found.values())):
            line.refuse("exchange_field", "evidence")
        return found

    def _add_undone(self, line: RecordReader) -> None:
        """Add the withdrawal of a decision; refuse one of another person or item."""
        table: Any = decision_table(self.task)
        number = self.earlier(line, table, line.number("decision"), "decision")
        which: dict[str, Any] = {f"{table.__tablename__}_id": number}
        row = UndoneDecision(**self._columns(line, "undone_decision"), **which)
        made = self.session.get_one(table, number)
        if (made.item_id, made.person_id) != (row.item_id, row.person_id):
            line.refuse("exchange_field", "decision")
        self.keep(row)

    def _add_imported_label(self, line: RecordReader) -> None:
        """Add a label's origin; its first and last event must be its person's on its item."""
        columns = self._columns(line, "imported_label")
        ids = [self.earlier(line, DraftEvent, each, "events") for each in line.members("events")]
        made = [self.session.get_one(DraftEvent, each) for each in ids]
        whose = columns["item_id"], columns["person_id"]
        strange = any((each.item_id, each.person_id) != whose for each in made)
        if len(ids) != 2 or ids[0] > ids[1] or strange:
            line.refuse("exchange_field", "events")
        self.keep(ImportedLabel(first_event_id=ids[0], event_id=ids[1], **columns))

    def _add_label_file(self, line: RecordReader) -> None:
        self.keep(LabelFile(project_id=self.project.id, **self._columns(line, "label_file")))

    def _add_comment(self, line: RecordReader) -> None:
        self.keep(Comment(**self._columns(line, "comment")))

    def _add_referral(self, line: RecordReader) -> None:
        self.keep(Referral(**self._columns(line, "referral")))


_OF_EVERY_TASK: Mapping[str, Callable[[Reader, RecordReader], None]] = {
    "task": begin_task,
    "migration": Reader._add_migration,
    "batch": Reader._add_batch,
    "batch_event": Reader._add_batch_event,
    "known_answer": Reader._add_known_answer,
    "event": Reader._add_event,
    "undone_decision": Reader._add_undone,
    "comment": Reader._add_comment,
    "referral": Reader._add_referral,
}
_READERS: Mapping[str, Callable[[Reader, RecordReader], None]] = {
    "annotations": Reader._check_head,
    "person": Reader._add_person,
    "person_event": Reader._add_person_event,
    "document": Reader._add_document,
    "candidates": Reader._add_candidates,
    "submission": Reader._add_submission,
    "label_file": Reader._add_label_file,
    "imported_label": Reader._add_imported_label,
    "adjudication": Reader._add_adjudication,
    **_OF_EVERY_TASK,
}
_FORM_READERS: Mapping[str, Callable[[Reader, RecordReader], None]] = {
    "shown": add_shown,
    "submission": add_submission,
    "settlement": add_settlement,
    **_OF_EVERY_TASK,
}

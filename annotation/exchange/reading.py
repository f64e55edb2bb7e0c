"""Import of annotation records into a project that has law and questions and nothing else.

All references must exist: records of the file in an earlier line, questions, snapshots and units in
the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.adjudication.decisions import decision_table
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
from annotation.exchange.task_records import add_imported_label, add_label_file
from annotation.guidelines.codebook_tree import parse
from annotation.mapping.evidence import is_evidence
from annotation.people.members import CASE_DRAFT
from annotation.people.roles import Role
from construction.tagging.reading import parse as read_factors
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
from storage.tables.people import (
    ASKED,
    DECLINED,
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
from storage.tasks import Task


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

    def _check_head(self, line: RecordReader) -> None:
        overlap = line.number("overlap")
        if overlap != self.project.overlap:
            wanted = {"overlap": overlap, "here": self.project.overlap}
            line.refuse("exchange_overlap", "overlap", **wanted)

    def _add_person(self, line: RecordReader) -> None:
        name = line.text("name")
        if name in self.people:
            line.refuse("exchange_twice", "name", name=name)
        role = line.one_of("role", *Role)
        if name in self.here:
            if self.here[name].role != role:
                line.refuse("exchange_role", "role", name=name)
            self.people[name] = self.here[name]
            return
        self.people[name] = self.keep(
            Person(
                project_id=self.project.id,
                name=name,
                role=role,
                active=line.flag("active"),
                created_at=line.time("created_at"),
            )
        )

    def _add_person_event(self, line: RecordReader) -> None:
        person_id = self.person(line)
        own = line.text("kind") == CASE_DRAFT  # by a case's number in the old workspace
        if own or line.text("person") in self.here:  # keeps their history here
            return
        self.keep(
            PersonEvent(
                person_id=person_id,
                kind=line.text("kind"),
                payload=line.objects("payload"),
                by_person_id=self.by(line),
                at=line.time("at"),
            )
        )

    def _add_document(self, line: RecordReader) -> None:
        kind = line.one_of("kind", "guideline", "codebook")
        task = line.one_of("task", *Task) if "task" in line.fields else TASK
        if kind == "codebook":
            self._refuse_unparsable(line, task)
        self.keep(
            Document(
                project_id=self.project.id,
                kind=kind,
                task=task,
                number=line.number("number"),
                language=line.text("language"),
                text=line.text("text"),
                note=line.text("note"),
                by_person_id=self.by(line),
                at=line.time("at"),
            )
        )

    def _refuse_unparsable(self, line: RecordReader, task: str) -> None:
        """Refuse a codebook that cannot be parsed."""
        try:
            if task == Task.FACTOR_TAGGING:
                read_factors(line.text("text"))
            else:
                parse(line.text("text"), task)
        except UserError:
            line.refuse("exchange_field", "text")

    def _add_migration(self, line: RecordReader) -> None:
        self.keep(
            DocumentMigration(
                project_id=self.project.id,
                kind=line.one_of("kind", "guideline", "codebook"),
                task=self.task,
                from_number=line.number("from"),
                to_number=line.number("to"),
                to_version=line.text("to_version"),
                answers=line.objects("answers"),
                reason=line.text("reason"),
                by_person_id=self.by(line),
                at=line.time("at"),
            )
        )

    def _add_candidates(self, line: RecordReader) -> None:
        snapshot = self.snapshot(line)
        row = self.keep(
            CandidateSet(
                item_id=self.item(line),
                snapshot_id=snapshot,
                method=line.text("method"),
                citations=self._citations(line),
                created_at=line.time("at"),
            )
        )
        if line.fields.get("spec") is not None:  # files of before version 1 may have none
            spec, instead = line.objects("spec"), line.fields.get("in_place_of")
            if not isinstance(instead, str | None):
                line.refuse("exchange_field", "in_place_of")
            set_id = self.id_of(row)
            way = CandidateWay(candidate_set_id=set_id, spec=spec, in_place_of=instead)
            self.session.add(way)
        for each in line.members("units"):
            if not isinstance(each, dict) or each.get("rank") not in range(1, 1_000_000):
                line.refuse("exchange_field", "units")
            unit = self.unit(line, each.get("unit"), snapshot)
            why = each.get("why") or []
            if not fits_why(why, row.citations):
                line.refuse("exchange_field", "units")
            set_id = self.id_of(row)
            self.session.add(
                CandidateRow(candidate_set_id=set_id, unit_id=unit, rank=each["rank"], why=why)
            )

    def _citations(self, line: RecordReader) -> list[dict[str, Any]]:
        """Return the citations of a candidate set, checked for their form."""
        found = line.members("citations")
        if not all(fits_citation(each) for each in found):
            line.refuse("exchange_field", "citations")
        return found

    def _add_batch(self, line: RecordReader) -> None:
        name = line.text("name")
        row = self.keep(
            Batch(
                project_id=self.project.id,
                task=self.task,
                name=name,
                overlap=line.number("overlap"),
                sequence=line.one_of("sequence", "given", "random", "informative"),
                seed=line.number("seed"),
                practice=line.flag("practice"),
                deadline=line.maybe_time("deadline"),
                closed_at=line.maybe_time("closed_at"),
                created_at=line.time("created_at"),
            )
        )
        self.batches[name] = row
        batch_id = self.id_of(row)
        for item, position, calibration in line.parts("items", str, int, bool):
            where = {"item_id": self.item(line, item), "position": position}
            self.session.add(BatchItem(batch_id=batch_id, calibration=calibration, **where))
        for person, added in line.parts("people", str, str):
            at = line.as_time(added, "people")
            number = self.person(line, "people", person)
            self.session.add(BatchPerson(batch_id=batch_id, person_id=number, added_at=at))

    def _add_batch_event(self, line: RecordReader) -> None:
        name, kind = line.text("batch"), line.text("kind")
        if name not in self.batches:
            line.refuse("exchange_batch", "batch", name=name)
        payload = {
            key: [
                self.person(line, "payload", each) if kind == "people" else self.item(line, each)
                for each in value
            ]
            if isinstance(value, list)
            else value
            for key, value in line.objects("payload").items()
        }
        self.keep(
            BatchEvent(
                batch_id=self.id_of(self.batches[name]),
                kind=kind,
                payload=payload,
                by_person_id=self.by(line),
                at=line.time("at"),
            )
        )

    def _add_known_answer(self, line: RecordReader) -> None:
        """Import a known answer of a calibration item."""
        answer = line.objects("answer")
        item_id = self.item(line)
        if self.task == TASK and not fits_answer(answer):
            line.refuse("exchange_field", "answer")
        if self.task != TASK:
            refuse_unfit(self, line, item_id, answer, "answer")
        self.keep(
            KnownAnswer(
                item_id=item_id,
                answer=answer,
                explanation=line.text("explanation"),
                supersedes_id=self.maybe_earlier(line, KnownAnswer, "supersedes"),
                by_person_id=self.by(line),
                at=line.time("at"),
            )
        )

    def _add_event(self, line: RecordReader) -> None:
        of_form = self.task != TASK
        kind = line.one_of("kind", *(FORM_ACTS if of_form else ACTS))
        payload = form_payload(self, line, kind) if of_form else self.payload(line, kind)
        self.keep(
            DraftEvent(
                item_id=self.item(line),
                person_id=self.person(line),
                kind=kind,
                payload=payload,
                undoes_id=self.maybe_earlier(line, DraftEvent, "undoes"),
                at=line.time("at"),
            )
        )

    def _add_submission(self, line: RecordReader) -> None:
        row = self.keep(
            Annotation(
                kind=line.one_of("kind", "submit", "withdraw"),
                comment=line.text("comment"),
                flag=line.text("flag"),
                no_provision=line.flag("no_provision"),
                event_id=self.earlier(line, DraftEvent, line.number("event"), "event"),
                **self.made(line, Annotation),
            )
        )
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
        row = self.keep(
            Adjudication(
                reason=line.text("reason"),
                annotation_ids=self.submissions(line),
                no_provision=line.flag("no_provision"),
                **self.made(line, Adjudication),
            )
        )
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
        table: Any = decision_table(self.task)
        row = self.earlier(line, table, line.number("decision"), "decision")
        item_id, person_id = self.item(line), self.person(line)
        made = self.session.get_one(table, row)
        if (made.item_id, made.person_id) != (item_id, person_id):
            line.refuse("exchange_field", "decision")
        self.keep(
            UndoneDecision(
                item_id=item_id,
                person_id=person_id,
                reason=line.text("reason"),
                at=line.time("at"),
                **{f"{table.__tablename__}_id": row},
            )
        )

    def _add_comment(self, line: RecordReader) -> None:
        self.keep(
            Comment(
                item_id=self.item(line),
                person_id=self.person(line),
                reply_to_id=self.maybe_earlier(line, Comment, "replies_to"),
                text=line.text("text"),
                kind=line.one_of("kind", ASKED, DECLINED) if "kind" in line.fields else "",
                at=line.time("at"),
            )
        )

    def _add_referral(self, line: RecordReader) -> None:
        self.keep(
            Referral(
                item_id=self.item(line),
                person_id=self.person(line),
                reason=line.text("reason"),
                annotation_ids=self.submissions(line),
                at=line.time("at"),
            )
        )


_READERS: Mapping[str, Callable[[Reader, RecordReader], None]] = {
    "annotations": Reader._check_head,
    "person": Reader._add_person,
    "person_event": Reader._add_person_event,
    "document": Reader._add_document,
    "migration": Reader._add_migration,
    "candidates": Reader._add_candidates,
    "batch": Reader._add_batch,
    "batch_event": Reader._add_batch_event,
    "known_answer": Reader._add_known_answer,
    "event": Reader._add_event,
    "submission": Reader._add_submission,
    "label_file": add_label_file,
    "imported_label": add_imported_label,
    "adjudication": Reader._add_adjudication,
    "undone_decision": Reader._add_undone,
    "comment": Reader._add_comment,
    "referral": Reader._add_referral,
    "task": begin_task,
}
_FORM_READERS: Mapping[str, Callable[[Reader, RecordReader], None]] = {
    "task": begin_task,
    "migration": Reader._add_migration,
    "shown": add_shown,
    "batch": Reader._add_batch,
    "batch_event": Reader._add_batch_event,
    "known_answer": Reader._add_known_answer,
    "event": Reader._add_event,
    "submission": add_submission,
    "settlement": add_settlement,
    "undone_decision": Reader._add_undone,
    "comment": Reader._add_comment,
    "referral": Reader._add_referral,
}

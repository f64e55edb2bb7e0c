"""Resolution of a record's references, to the project or to earlier records.

Shapes of records: acts on a draft, and known answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from annotation.exchange.lines import RecordReader
from annotation.exchange.shown_names import TASK, ShownNames, item_names, snapshot_hashes
from annotation.mapping.evidence import is_evidence
from annotation.work.carry_over import carries_draft_over, fits_taken_up, with_units_replaced
from annotation.work.submissions import Decision
from storage.law.corpus import unit_ids
from storage.projects import ProjectView
from storage.tables.core import Annotation, CandidateSet, Person
from storage.tables.people import Batch, Confidence, DocumentMigration

LABELS = tuple(str(each) for each in Decision)
ACTS: Mapping[str, set[str]] = {
    "open": {"candidates"},
    "label": {"unit", "snapshot", "decision"},
    "add": {"unit", "snapshot"},
    "no_provision": {"value"},
    "comment": {"text"},
    "flag": {"text"},
    "skip": {"reason"},
    "undo": set(),
    "submit": set(),
    "withdraw": set(),
    "migrate": {"migration", "document", "from", "to", "answers", "becomes", "reason"},
}  # required keys of each act's payload
_TEXTS = ("text", "reason", "field", "guideline_version", "codebook_version")
OURS = {"unit_id", "candidate_set_id", "migration_id"}  # ids of one database, never in a file
_FIELD = {"field", "value"}  # keys of a form label
_CHANGE = {"of", "was", "now"}  # keys of a migrated field's change, unless it is cleared
FORM_ACTS: Mapping[str, set[str]] = {
    **{kind: said for kind, said in ACTS.items() if kind not in ("add", "no_provision")},
    "open": {"shown"},
    "label": _FIELD,
    "migrate": ACTS["migrate"] - {"answers"} | {"fields"},
}


def fits(kind: str, said: Mapping[str, Any]) -> bool:
    """Return True if a payload, as in files, has the shape of its act in citation mapping."""
    texts = all(isinstance(said[name], str) for name in ("text", "reason") if name in said)
    decision = said.get("decision")
    known = decision is None or decision in LABELS
    if not said.keys() >= ACTS[kind] or said.keys() & (OURS | _FIELD if kind == "label" else OURS):
        return False
    if "evidence" in said and not is_evidence(said["evidence"]):
        return False
    if kind == "migrate" and not (_tells_migration(said) and fits_answers(said["answers"])):
        return False
    if kind == "open" and carries_draft_over(said) and not fits_taken_up(said):
        return False
    return texts and known and isinstance(said.get("value", True), bool)


def fits_form(kind: str, payload: Mapping[str, Any]) -> bool:
    """Return True if a payload has the shape of its act on a form; its value is not checked."""
    texts = (payload[name] for name in _TEXTS if name in payload)
    if not payload.keys() >= FORM_ACTS[kind] or payload.keys() & OURS:
        return False
    if not all(isinstance(text, str) for text in texts):
        return False
    if kind == "open" and carries_draft_over(payload):
        return fits_taken_up(payload) and not any(payload[name] for name in ("carried", "added"))
    if kind == "migrate":
        return fits_form_migration(payload)
    return payload.get("seal", True) is True


def fits_form_migration(payload: Mapping[str, Any]) -> bool:
    """Return True if the payload's field changes have the shape that `fold` reads."""
    fields = payload["fields"]
    known = isinstance(fields, dict) and all(
        change is None
        or (isinstance(change, dict) and change.keys() == _CHANGE and isinstance(change["of"], str))
        for change in fields.values()
    )
    return known and _tells_migration(payload)


def _tells_migration(payload: Mapping[str, Any]) -> bool:
    """Return True if the payload tells the document, its version, and what the labels become."""
    named = all(isinstance(payload[name], str) for name in ("document", "to"))
    return named and payload["becomes"] in ("submit", "withdraw")


def fits_answers(answers: Any) -> bool:
    """Return True if a migration's answers map old labels to new ones, or to None if reopened."""
    if not isinstance(answers, dict) or answers.keys() - {*LABELS, "no_provision"}:
        return False
    given_back = answers.get("no_provision") is None
    return given_back and all(new is None or new in LABELS for new in answers.values())


def fits_answer(answer: Mapping[str, Any]) -> bool:
    """Return True if a known answer has the shape of citation mapping's."""
    units = answer.get("units")
    named = isinstance(units, list) and all(isinstance(unit, str) for unit in units)
    return named and isinstance(answer.get("no_provision"), bool)


def fits_citation(value: Any) -> bool:
    """Return True if this is a stored citation of a candidate set."""
    if not isinstance(value, dict) or not isinstance(value.get("targets"), list):
        return False
    texts = all(isinstance(value.get(name), str) for name in ("text", "status"))
    return texts and all(type(value.get(name)) is int for name in ("start", "end"))


def fits_why(reasons: Any, citations: Sequence[Any]) -> bool:
    """Return True if these are the stored reasons of a candidate; citations are indexed from 0."""
    if not isinstance(reasons, list) or not all(isinstance(each, dict) for each in reasons):
        return False
    for each in reasons:
        place = each.get("citation")
        if not isinstance(each.get("source"), str):
            return False
        if each["source"] == "citation" and place not in range(len(citations)):
            return False
    return True


# Payload keys that hold a name in files, a database id in the workspace
_REFERENCE_KEYS = ("candidates", "unit", "snapshot", "migration")


class Finder:
    """Resolves the references of a line to the project or to earlier lines."""

    def __init__(self, session: Session, project: ProjectView, at: datetime) -> None:
        self.session, self.project, self.at = session, project, at
        self.read: set[str] = set()  # the form tasks read so far
        self.before: dict[int, list[CandidateSet]] = {}  # earlier candidate sets by item
        self.names: ShownNames
        self.task: str = TASK  # task of the current lines
        self.items: dict[str, int] = {}
        self.begin(TASK)
        hashes = snapshot_hashes(session, project.id)
        self._snapshots = {digest: number for number, digest in hashes.items()}
        self._units: dict[int, dict[str, int]] = {}
        found = session.exec(select(Person).where(Person.project_id == project.id))
        self.here = {person.name: person for person in found}  # people before the import
        self.people: dict[str, Person] = {}
        self.batches: dict[str, Batch] = {}
        self._rows_by_table: dict[str, list[Any]] = {}

    def begin(self, task: str) -> None:
        """Resolve items among those of this task from now on."""
        named = item_names(self.session, self.project.id, task).items()
        self.task, self.items = task, {name: number for number, name in named}

    def item(self, line: RecordReader, name: Any = None) -> int:
        """Return the id of an item by name, by default of the line's own."""
        name = line.text("item") if name is None else name
        if not isinstance(name, str) or name not in self.items:
            line.refuse("exchange_item", "item", item=name)
        return self.items[name]

    def person(self, line: RecordReader, field: str = "person", name: Any = None) -> int:
        """Return the id of a person of an earlier line."""
        name = line.text(field) if name is None else name
        if not isinstance(name, str) or name not in self.people:
            line.refuse("exchange_person", field, name=name)
        return self.id_of(self.people[name])

    def by(self, line: RecordReader) -> int | None:
        """Return the id of the line's actor; None for the operator."""
        return None if line.fields.get("by") is None else self.person(line, "by")

    def snapshot(self, line: RecordReader, digest: Any = None) -> int:
        """Return the id of the project's snapshot with that content hash."""
        digest = line.text("snapshot") if digest is None else digest
        if not isinstance(digest, str) or digest not in self._snapshots:
            line.refuse("exchange_snapshot", "snapshot", digest=str(digest)[:12])
        return self._snapshots[digest]

    def unit(self, line: RecordReader, semantic: Any, snapshot: int) -> int:
        """Return the id of a unit of the snapshot."""
        if snapshot not in self._units:
            self._units[snapshot] = unit_ids(self.session, snapshot)
        if not isinstance(semantic, str) or semantic not in self._units[snapshot]:
            line.refuse("exchange_unit", "unit", unit=semantic)
        return self._units[snapshot][semantic]

    def earlier(self, line: RecordReader, table: Any, number: Any, field: str) -> int:
        """Return the id of the row created from the n-th record of a table."""
        rows = self._rows_by_table.get(table.__tablename__, [])
        fits = isinstance(number, int) and not isinstance(number, bool) and 0 < number <= len(rows)
        if not fits:
            line.refuse("exchange_number", field, number=number, count=len(rows))
        return self.id_of(rows[number - 1])

    def maybe_earlier(self, line: RecordReader, table: Any, field: str) -> int | None:
        """Return the id of an earlier row, or None if the line has null."""
        number = line.fields.get(field)
        return None if number is None else self.earlier(line, table, number, field)

    def id_of(self, row: Any) -> int:
        """Return the row's id, flushing it if necessary."""
        if row.id is None:
            self.session.flush()
        return int(row.id)

    def keep(self, row: Any) -> Any:
        """Add a row and append it to the records of its table."""
        self.session.add(row)
        self._rows_by_table.setdefault(row.__tablename__, []).append(row)
        return row

    def payload(self, line: RecordReader, kind: str) -> dict[str, Any]:
        """Return an act's payload with ids of this database, after checking its shape."""
        said = line.objects("payload")
        if not fits(kind, said):
            line.refuse("exchange_field", "payload")
        rest = {name: value for name, value in said.items() if name not in _REFERENCE_KEYS}
        if kind == "open":
            shown = said["candidates"]
            rest["candidate_set_id"] = self.earlier(line, CandidateSet, shown, "payload")
            if carries_draft_over(said):
                law = self.session.get_one(CandidateSet, rest["candidate_set_id"]).snapshot_id
                rest = with_units_replaced(rest, lambda name: self.unit(line, name, law))
        if kind == "migrate":
            made = said["migration"]
            rest["migration_id"] = self.earlier(line, DocumentMigration, made, "payload")
        if "unit" in said:
            snapshot = self.snapshot(line, said.get("snapshot", ""))
            rest["unit_id"] = self.unit(line, said["unit"], snapshot)
        return rest

    def add_confidence(self, line: RecordReader, row: Annotation) -> None:
        """Add the confidence of a submission, if the line has it."""
        if line.fields.get("confidence") is not None:
            value = line.number("confidence")
            if not 1 <= value <= 5:
                line.refuse("exchange_field", "confidence")
            self.session.add(Confidence(annotation_id=self.id_of(row), value=value))

    def submissions(self, line: RecordReader) -> list[int]:
        """Return the ids of the submissions in the line."""
        numbers = line.members("submissions")
        return [self.earlier(line, Annotation, number, "submissions") for number in numbers]

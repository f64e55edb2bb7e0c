"""What each record of a history says, as plain values: semantic ids and names, no database ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.settling import labelled_by
from annotation.taken_up import takes_up, translated, units_of
from storage.people_tables import (
    AccountEvent,
    Batch,
    BatchEvent,
    Comment,
    Confidence,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tables import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    DraftEvent,
    Item,
    Person,
    QuestionRow,
    RunRow,
    Snapshot,
    UnitRow,
)

TABLES: Mapping[str, Any] = {
    "draft": DraftEvent,
    "submission": Annotation,
    "adjudication": Adjudication,
    "referral": Referral,
    "comment": Comment,
    "known_answer": KnownAnswer,
    "candidates": CandidateSet,
    "batch": BatchEvent,
    "person": PersonEvent,
    "account": AccountEvent,
    "guideline": Document,
    "migration": DocumentMigration,
    "snapshot": Snapshot,
    "run": RunRow,
}
# Without a name, these are the operator's.
_SIGNED = ("known_answer", "batch", "person", "guideline", "migration")
_CHUNK = 500  # ids in one query


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `key` names its record: ``draft-12``; `kind` is ``draft.label``.

    `item` is the question's external id, `person` the name of who did it, None for the operator
    of the machine; `about` is the name of whom it happened to. `details` are JSON values.
    """

    key: str
    at: datetime
    kind: str
    item: str | None
    person: str | None
    about: str | None
    details: dict[str, Any]

    @property
    def by_operator(self) -> bool:
        """Whether the operator of the machine did it; of other kinds nobody's name is recorded."""
        return self.person is None and self.kind.partition(".")[0] in _SIGNED

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values; the time in ISO 8601."""
        return {
            "key": self.key,
            "at": self.at.isoformat(),
            "kind": self.kind,
            "item": self.item,
            "person": self.person,
            "about": self.about,
            "details": self.details,
        }


class Teller:
    """Tells records of one project, looking up what they refer to."""

    def __init__(self, session: Session, project_id: int) -> None:
        self._session = session
        people = select(Person).where(Person.project_id == project_id)
        rows = session.exec(people).all()
        self.names = {row.id: row.name for row in rows}
        self._owners = {row.account_id: row.name for row in rows if row.account_id is not None}
        items = select(Item.id, QuestionRow.external_id).join(
            QuestionRow, col(QuestionRow.id) == Item.question_id
        )
        self.items = dict(session.exec(items.where(Item.project_id == project_id)).all())
        shots = select(Snapshot).where(Snapshot.project_id == project_id)
        self._snapshots = {row.id: row for row in session.exec(shots)}
        batches = select(Batch.id, Batch.name).where(Batch.project_id == project_id)
        self._batches = dict(session.exec(batches).all())
        self._units: dict[int, str] = {}

    def tell(self, found: Iterable[tuple[str, int, str]]) -> list[Entry]:
        """Return the records named by (family, id, kind), in that order."""
        wanted = list(found)
        rows: dict[tuple[str, int], Any] = {}
        for family in {family for family, _, _ in wanted}:
            ids = [number for name, number, _ in wanted if name == family]
            for row in self._by_ids(TABLES[family], TABLES[family].id, ids):
                rows[family, row.id] = row
        said = self._labels(wanted)
        return [self._entry(*each, rows[each[0], each[1]], said) for each in wanted]

    def _by_ids(self, table: Any, column: Any, ids: list[int]) -> Iterable[Any]:
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            yield from self._session.exec(select(table).where(col(column).in_(part)))

    def _labels(self, wanted: list[tuple[str, int, str]]) -> dict[tuple[str, int], dict[str, Any]]:
        """Return what the submissions and decisions among them say of units."""
        made = [number for family, number, _ in wanted if family == "submission"]
        decided = [number for family, number, _ in wanted if family == "adjudication"]
        sets = [number for family, number, _ in wanted if family == "candidates"]
        labels = list(self._by_ids(AnnotationLabel, AnnotationLabel.annotation_id, made))
        accepted = list(self._by_ids(AdjudicationLabel, AdjudicationLabel.adjudication_id, decided))
        self._learn([row.unit_id for row in (*labels, *accepted)])
        said: dict[tuple[str, int], dict[str, Any]] = {}
        for row in labels:
            at = said.setdefault(("submission", row.annotation_id), {})
            at.setdefault("labels", {})[self._units[row.unit_id]] = row.label
        for row in accepted:
            at = said.setdefault(("adjudication", row.adjudication_id), {})
            at.setdefault("units", []).append(self._units[row.unit_id])
        for row in self._by_ids(Confidence, Confidence.annotation_id, made):
            said.setdefault(("submission", row.annotation_id), {})["confidence"] = row.value
        for start in range(0, len(decided), _CHUNK):
            part = col(Adjudication.id).in_(decided[start : start + _CHUNK])
            for number in self._session.exec(
                select(Adjudication.id).where(part, labelled_by(Adjudication))
            ):
                said.setdefault(("adjudication", number or 0), {})["own_label"] = True
        for row in self._by_ids(CandidateRow, CandidateRow.candidate_set_id, sets):
            at = said.setdefault(("candidates", row.candidate_set_id), {"candidates": 0})
            at["candidates"] += 1
        return said

    def _learn(self, ids: list[int]) -> None:
        unknown = sorted({number for number in ids if number not in self._units})
        for start in range(0, len(unknown), _CHUNK):
            part = unknown[start : start + _CHUNK]
            query = select(UnitRow.id, UnitRow.semantic_id).where(col(UnitRow.id).in_(part))
            self._units |= {number or 0: name for number, name in self._session.exec(query)}

    def _entry(
        self,
        family: str,
        number: int,
        kind: str,
        row: Any,
        said: Mapping[tuple[str, int], dict[str, Any]],
    ) -> Entry:
        more = said.get((family, number), {})
        units = more.get("labels"), more.get("units")
        if units[0]:
            more = more | {"labels": dict(sorted(units[0].items()))}
        if units[1]:
            more = more | {"units": sorted(units[1])}
        by = {"person": "by_person_id", "batch": "by_person_id"}.get(family, "person_id")
        if family in ("known_answer", "guideline", "migration"):
            by = "by_person_id"
        about = self._owners.get(getattr(row, "account_id", 0))
        if family == "person":
            about = self.names.get(row.person_id)
        return Entry(
            key=f"{family}-{number}",
            at=row.created_at if hasattr(row, "created_at") else row.at,
            kind=f"{family}.{kind}",
            item=self.items.get(getattr(row, "item_id", None)),
            person=self.names.get(getattr(row, by, None)),
            about=about,
            details=more | _DETAILS[family](self, row),
        )

    def _draft(self, row: DraftEvent) -> dict[str, Any]:
        plain = dict(row.payload)
        unit = plain.pop("unit_id", None)
        plain.pop("candidate_set_id", None)
        migration = plain.pop("migration_id", None)
        if migration is not None:
            plain["migration"] = f"migration-{migration}"
        if unit is not None:
            self._learn([unit])
            plain["unit"] = self._units.get(unit)
        if takes_up(plain):
            self._learn([*units_of(plain)])
            plain = translated(plain, lambda each: self._units[int(each)])
        return plain | ({"undoes": f"draft-{row.undoes_id}"} if row.undoes_id else {})

    def _world(self, row: Annotation | Adjudication) -> dict[str, Any]:
        return {
            "no_provision": row.no_provision,
            "seconds": row.seconds,
            "snapshot": self._snapshots[row.snapshot_id].content_hash,
            "guideline": row.guideline_version,
            "codebook": row.codebook_version,
        }

    def _submission(self, row: Annotation) -> dict[str, Any]:
        said = {"comment": row.comment, "flag": row.flag} | _after("submission", row)
        return self._world(row) | said

    def _adjudication(self, row: Adjudication) -> dict[str, Any]:
        between = [f"submission-{number}" for number in row.annotation_ids]
        said = {"reason": row.reason, "submissions": between} | _after("adjudication", row)
        return self._world(row) | said

    def _candidates(self, row: CandidateSet) -> dict[str, Any]:
        return {
            "method": row.method,
            "snapshot": self._snapshots[row.snapshot_id].content_hash,
            "citations": len(row.citations),
        }

    def _batch(self, row: BatchEvent) -> dict[str, Any]:
        known = self.names if row.kind == "people" else self.items
        named = {
            name: [known.get(each) for each in value] if isinstance(value, list) else value
            for name, value in row.payload.items()
        }
        return {"batch": self._batches[row.batch_id]} | named

    def _run(self, row: RunRow) -> dict[str, Any]:
        snapshot = self._snapshots[row.snapshot_id]
        return {"method": row.method, "params": row.params, "snapshot": snapshot.content_hash}


def _after(family: str, row: Annotation | Adjudication) -> dict[str, Any]:
    return {"supersedes": f"{family}-{row.supersedes_id}"} if row.supersedes_id else {}


def _person(_teller: Teller, row: PersonEvent) -> dict[str, Any]:
    return dict(row.payload)


def _account(_teller: Teller, _row: AccountEvent) -> dict[str, Any]:
    return {}  # payloads hold the hashes of links and the addresses people signed in from


def _snapshot(_teller: Teller, row: Snapshot) -> dict[str, Any]:
    effective = None if row.effective is None else row.effective.isoformat()
    return {"name": row.name, "effective": effective, "content_hash": row.content_hash}


def _document(_teller: Teller, row: Document) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("kind", "number", "language", "note")}


def _migration(_teller: Teller, row: DocumentMigration) -> dict[str, Any]:
    steps = {"from": row.from_number, "to": row.to_number}
    return steps | {"answers": dict(row.answers), "reason": row.reason}


def _known(_teller: Teller, row: KnownAnswer) -> dict[str, Any]:
    return dict(row.answer) | {"explanation": row.explanation}


def _comment(_teller: Teller, row: Comment) -> dict[str, Any]:
    reply = {"replies_to": f"comment-{row.reply_to_id}"} if row.reply_to_id else {}
    return {"text": row.text} | reply


def _referral(_teller: Teller, row: Referral) -> dict[str, Any]:
    between = [f"submission-{number}" for number in row.annotation_ids]
    return {"reason": row.reason} | ({"submissions": between} if between else {})


_DETAILS: Mapping[str, Callable[[Teller, Any], dict[str, Any]]] = {
    "draft": Teller._draft,
    "submission": Teller._submission,
    "adjudication": Teller._adjudication,
    "referral": _referral,
    "comment": _comment,
    "known_answer": _known,
    "candidates": Teller._candidates,
    "batch": Teller._batch,
    "person": _person,
    "account": _account,
    "guideline": _document,
    "migration": _migration,
    "snapshot": _snapshot,
    "run": Teller._run,
}

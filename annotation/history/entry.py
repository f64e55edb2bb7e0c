"""One entry of a history: what happened, when, by whom, to whom; and filters of a history.

Also the details of records without references. Migrated drafts and submissions are rows of the
annotator whose answer it is, made by whoever migrated them (see `annotation.guidelines.migration`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ScalarSelect, Select
from sqlalchemy import select as rows_of
from sqlalchemy.orm import aliased
from sqlmodel import col

from annotation.work.draft import MIGRATE
from storage.tables.cases import CaseImport, CaseSetting, QueryChoice, TypologyRow
from storage.tables.core import (
    Adjudication,
    Annotation,
    CandidateSet,
    DraftEvent,
    RunRow,
    Settlement,
    Snapshot,
    UndoneDecision,
)
from storage.tables.exchange import ImportedFile, LabelFile
from storage.tables.mcq import McqVote
from storage.tables.people import (
    AccountEvent,
    BatchEvent,
    Comment,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tables.runs import (
    DatasheetAnswersRow,
    ExperimentRow,
    RunMark,
    SavedView,
    SearchLevels,
    SplitRow,
)

# Families whose rows without a name are the operator's. A draft or submission is nameless only
# if the operator migrated it to a new version of a guideline or codebook.
_SIGNED = (
    *("draft", "submission", "known_answer", "batch", "person", "guideline", "migration"),
    *("levels", "experiment", "run_mark", "split", "datasheet", "labels", "verdicts"),
    *("questions", "saved_view"),
)


EXPORTED = ("key", "at", "kind", "item", "person", "about", "details")  # fields of an entry


@dataclass(frozen=True, slots=True)
class Entry:
    """One event. `key` names its record: ``draft-12``; `kind` is ``draft.label``.

    `item` is the question's external id, `person` the name of the actor, None for the operator;
    `about` is the name of the person concerned. `details` are JSON values. `snapshot_id` is the id
    of the snapshot whose hash is in the details; it is not exported.
    """

    key: str
    at: datetime
    kind: str
    item: str | None
    person: str | None
    about: str | None
    details: dict[str, Any]
    snapshot_id: int | None = None
    signed: bool = False  # the actor is recorded, though not for every record of the kind

    @property
    def by_operator(self) -> bool:
        """Whether the operator did it; False for kinds whose actor is not recorded."""
        signed = self.signed or self.kind.partition(".")[0] in _SIGNED
        return self.person is None and signed

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values; the time in ISO 8601."""
        return {name: getattr(self, name) for name in EXPORTED} | {"at": self.at.isoformat()}


TABLES: Mapping[str, Any] = {
    "draft": DraftEvent,
    "submission": Annotation,
    "adjudication": Adjudication,
    "settlement": Settlement,
    "undone": UndoneDecision,
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
    "run_mark": RunMark,
    "saved_view": SavedView,
    "experiment": ExperimentRow,
    "court_cases": CaseImport,
    "typology": TypologyRow,
    "case_query": QueryChoice,
    "suggestions": CaseSetting,
    "levels": SearchLevels,
    "split": SplitRow,
    "datasheet": DatasheetAnswersRow,
    "labels": LabelFile,
    "votes": McqVote,
    "verdicts": ImportedFile,
    "questions": ImportedFile,
}
"""The table of each family; entries of one time are in this order."""
FAMILIES = tuple(TABLES)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of a history; None for no restriction.

    `kinds` are families (``draft``) or kinds (``draft.label``); `since` is inclusive, `until`
    exclusive. `person_id` is the actor or the person concerned.
    """

    item_id: int | None = None
    person_id: int | None = None
    kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


def migrations_of(table: Any) -> Select[Any]:
    """Return the query of (id, migration's id) of the migrated rows of drafts or submissions."""
    event = aliased(DraftEvent)
    query = rows_of(col(table.id), col(DocumentMigration.id))
    query = query.join(event, _is_event_of(table, event))
    return query.join(DocumentMigration, _made_by_migration(event))


def migrated_by(table: Any) -> ScalarSelect[Any]:
    """Return an SQL column with the person who migrated a row, null for other rows."""
    event = aliased(DraftEvent)
    query = rows_of(col(DocumentMigration.by_person_id)).join(event, _made_by_migration(event))
    return query.where(_is_event_of(table, event)).correlate(table).scalar_subquery()


def _is_event_of(table: Any, event: Any) -> Any:
    """SQL condition that a draft event belongs to a row of drafts or submissions."""
    return event.id == (table.event_id if table is Annotation else table.id)


def _made_by_migration(event: Any) -> Any:
    """SQL condition that a draft event was written by a migration."""
    migration = event.payload["migration_id"].as_integer()
    return (event.kind == MIGRATE) & (col(DocumentMigration.id) == migration)


def supersedes(family: str, row: Any) -> dict[str, Any]:
    """Return the record that a row supersedes as a field of its details; none for the first."""
    return {"supersedes": f"{family}-{row.supersedes_id}"} if row.supersedes_id else {}


def named_keys(row: Any) -> list[str]:
    """Return the record keys, ``submission-<id>``, of the submissions that a row names."""
    return [f"submission-{number}" for number in row.annotation_ids]


def _undone(row: UndoneDecision) -> dict[str, Any]:
    """Return the details of an undone decision."""
    ruled = "settlement" if row.adjudication_id is None else "adjudication"
    undoes = f"{ruled}-{row.adjudication_id or row.settlement_id}"
    return {"undoes": undoes, "reason": row.reason}


def _reader_of_columns(**names: str) -> Callable[[Any], dict[str, Any]]:
    """Return a function that reads these columns of a row, by the names of the details."""
    return lambda row: {name: getattr(row, column) for name, column in names.items()}


PLAIN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "settlement": lambda row: (
        {"given": dict(row.answers), "reason": row.reason, "submissions": named_keys(row)}
        | supersedes("settlement", row)
    ),
    "undone": _undone,
    "referral": lambda row: (
        {"reason": row.reason} | ({"submissions": named_keys(row)} if row.annotation_ids else {})
    ),
    "comment": lambda row: (
        {"text": row.text}
        | ({"replies_to": f"comment-{row.reply_to_id}"} if row.reply_to_id else {})
    ),
    "known_answer": lambda row: dict(row.answer) | {"explanation": row.explanation},
    "person": lambda row: dict(row.payload),
    "account": lambda _row: {},  # payloads hold hashes of links and addresses of sign-ins
    "guideline": _reader_of_columns(kind="kind", number="number", language="language", note="note"),
    "migration": lambda row: {
        "from": row.from_number,
        "to": row.to_number,
        "answers": dict(row.answers),
        "reason": row.reason,
    },
    "snapshot": lambda row: {
        "name": row.name,
        "effective": row.effective and row.effective.isoformat(),
        "content_hash": row.content_hash,
    },
    "court_cases": _reader_of_columns(name="name", content_hash="content_hash"),
    "typology": _reader_of_columns(number="number", note="note"),
    "suggestions": _reader_of_columns(suggestions="suggestions"),
    "levels": lambda row: {"levels": list(row.levels)},
    "run_mark": lambda row: {"run": row.run_id} | ({"text": row.text} if row.text else {}),
    "saved_view": lambda row: (
        {"name": row.name} | ({"runs": list(row.view["runs"])} if row.view else {})
    ),
    "datasheet": _reader_of_columns(number="number", note="note"),
    "labels": _reader_of_columns(
        tool="tool", file="name", content_hash="sha256", label_count="labels"
    ),
    "verdicts": _reader_of_columns(file="name", content_hash="sha256", verdict_count="lines"),
    "questions": _reader_of_columns(file="name", content_hash="sha256", question_count="lines"),
}

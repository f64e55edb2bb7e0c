"""The fields of each type of record: how a column is written to a file, and read from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from annotation.exchange.finding import Finder
from annotation.exchange.lines import RecordReader
from annotation.exchange.shown_names import TASK
from annotation.people.roles import Role
from storage.tables.core import Annotation, CandidateSet, DraftEvent
from storage.tables.exchange import LabelFile
from storage.tables.people import ASKED, DECLINED, Comment, KnownAnswer
from storage.tasks import Task

_ALWAYS = object()


class Field(NamedTuple):
    """A field of a record and its column; left out of the record where this is the `default`.

    `write` turns a column's value into the field's, given the names of rows in the file. `read`
    returns the column's value of a line; None for a field that is read in another way.
    """

    key: str
    column: str
    write: Callable[[Any, Any], Any]
    read: Callable[[Finder, RecordReader], Any] | None
    default: Any = _ALWAYS


def time_of(at: datetime | None) -> str | None:
    """Return a time as in records, in ISO 8601; None for none."""
    return None if at is None else at.isoformat()


def _plain(read: Callable[..., Any], key: str, *known: str, column: str = "") -> Field:
    """Return a field with the column's own value, read by a method of `RecordReader`."""
    return Field(
        key, column or key, lambda _, value: value, lambda _, line: read(line, key, *known)
    )


def _time(key: str, column: str = "", read: Callable[..., Any] = RecordReader.time) -> Field:
    """Return a field with a time."""
    return Field(key, column or key, lambda _, at: time_of(at), lambda _, line: read(line, key))


def _earlier(key: str, table: Any, column: str) -> Field:
    """Return a field with the number of a row of an earlier record."""
    return Field(
        key,
        column,
        lambda names, row_id: names.number(table, row_id),
        lambda reader, line: reader.earlier(line, table, line.number(key), key),
    )


def _maybe_earlier(key: str, table: Any, column: str) -> Field:
    """Return a field with the number of a row of an earlier record, or null."""
    return _earlier(key, table, column)._replace(
        read=lambda reader, line: reader.maybe_earlier(line, table, key)
    )


def _given(key: str) -> Field:
    """Return a field that the writer gives; it is no column's alone, and read apart."""
    return Field(key, "", lambda _, value: value, None)


_text, _flag = partial(_plain, RecordReader.text), partial(_plain, RecordReader.flag)
_number, _objects = partial(_plain, RecordReader.number), partial(_plain, RecordReader.objects)
_one_of = partial(_plain, RecordReader.one_of)

_ITEM = Field("item", "item_id", lambda names, item: names.items[item], Finder.item)
_PERSON = Field("person", "person_id", lambda names, who: names.people[who], Finder.person)
_BY = Field("by", "by_person_id", lambda names, who: names.people.get(who or 0), Finder.by)
_AT = _time("at")
_SNAPSHOT = Field(
    "snapshot", "snapshot_id", lambda names, law: names.snapshots[law], Finder.snapshot
)
_SUBMISSIONS = Field(
    "submissions",
    "annotation_ids",
    lambda names, ids: [names.number(Annotation, each) for each in ids],
    Finder.submissions,
)
_DOCUMENT = _one_of("kind", "guideline", "codebook")


def _common_fields(table: Any, answer: Field, set_key: str, seconds: Field) -> tuple[Field, ...]:
    """Return the fields common to submissions and decisions of citation mapping."""
    return (
        *(_ITEM, _PERSON, answer, _maybe_earlier("supersedes", table, "supersedes_id")),
        *(_SNAPSHOT, _earlier(set_key, CandidateSet, "candidate_set_id")),
        *(_text("guideline_version"), _text("codebook_version"), seconds, _AT),
    )


def _submission_fields(answer: Field, set_key: str) -> tuple[Field, ...]:
    """Return the fields of a submission or withdrawal."""
    measured = _plain(RecordReader.amount_or_none, "seconds")
    return (
        _one_of("kind", "submit", "withdraw"),
        *_common_fields(Annotation, answer, set_key, measured),
        *(_earlier("event", DraftEvent, "event_id"), _text("comment"), _text("flag")),
    )


FORM_SUBMISSION = _submission_fields(_given("answers"), "shown")
FIELDS: Mapping[str, tuple[Field, ...]] = {
    "person": (_text("name"), _one_of("role", *Role), _flag("active"), _time("created_at")),
    "person_event": (_PERSON, _text("kind"), _objects("payload"), _BY, _AT),
    "document": (
        *(_DOCUMENT, _number("number"), _text("language"), _text("text"), _text("note")),
        *(_BY, _AT, _one_of("task", *Task)._replace(default=TASK)),
    ),
    "migration": (
        *(_DOCUMENT, _number("from", column="from_number"), _number("to", column="to_number")),
        *(_text("to_version"), _objects("answers"), _text("reason"), _BY, _AT),
    ),
    "candidates": (
        *(_ITEM, _SNAPSHOT, _text("method"), _given("spec"), _given("in_place_of")),
        *(_objects("citations")._replace(read=None), _given("units"), _time("at", "created_at")),
    ),
    "batch": (
        *(_text("name"), _number("overlap")),
        *(_one_of("sequence", "given", "random", "informative"), _number("seed")),
        *(_flag("practice"), _time("deadline", read=RecordReader.maybe_time)),
        *(_time("closed_at", read=RecordReader.maybe_time), _time("created_at")),
    ),
    "batch_event": (_given("batch"), _text("kind"), _given("payload"), _BY, _AT),
    "known_answer": (
        *(_ITEM, _objects("answer"), _text("explanation")),
        *(_maybe_earlier("supersedes", KnownAnswer, "supersedes_id"), _BY, _AT),
    ),
    "event": (
        *(_ITEM, _PERSON, _text("kind")._replace(read=None), _given("payload")),
        *(_maybe_earlier("undoes", DraftEvent, "undoes_id"), _AT),
    ),
    "submission": _submission_fields(_flag("no_provision"), "candidates"),
    "label_file": (
        *(_text("tool"), _text("name"), _text("sha256"), _text("guide_sha256")),
        *(_number("labels"), _BY, _AT),
    ),
    "imported_label": (
        *(_earlier("file", LabelFile, "label_file_id"), _ITEM, _PERSON),
        *(_time("made_at", read=RecordReader.maybe_time), _text("place"), _text("source_user")),
        *(_one_of("status", "submitted", "draft", "discarded"), _text("said"), _given("events")),
    ),
    "undone_decision": (_ITEM, _PERSON, _given("decision"), _text("reason"), _AT),
    "comment": (
        *(_ITEM, _PERSON, _maybe_earlier("replies_to", Comment, "reply_to_id"), _text("text")),
        *(_one_of("kind", ASKED, DECLINED)._replace(default=""), _AT),
    ),
    "shown": (_ITEM, _SNAPSHOT, _given("shown")),
    "referral": (_ITEM, _PERSON, _text("reason"), _SUBMISSIONS, _AT),
}
"""The fields of records that are a row each, in the order of the file."""


def decision_fields(table: Any) -> tuple[Field, ...]:
    """Return the fields of an adjudicator's decision, in citation mapping or on a form."""
    supersedes = _maybe_earlier("supersedes", table, "supersedes_id")
    if table.__tablename__ == "settlement":
        return _ITEM, _PERSON, _objects("answers"), _text("reason"), supersedes, _SUBMISSIONS, _AT
    measured = _plain(RecordReader.amount, "seconds")
    made = _common_fields(table, _flag("no_provision"), "candidates", measured)
    return *made, _text("reason"), _SUBMISSIONS


def record_of(writer: Any, fields: tuple[Field, ...], row: Any, **given: Any) -> dict[str, Any]:
    """Return a row's fields as in a file; `given` are those that are no column's alone."""
    values = (
        (each, given.get(each.key) if not each.column else getattr(row, each.column))
        for each in fields
    )
    return {each.key: each.write(writer, value) for each, value in values if value != each.default}


def columns_of(reader: Finder, fields: tuple[Field, ...], line: RecordReader) -> dict[str, Any]:
    """Return the columns that a line gives. Raises UserError for an invalid field or reference."""
    return {
        each.column: each.read(reader, line)
        for each in fields
        if each.read and (each.default is _ALWAYS or each.key in line.fields)
    }

"""Reader of labels in exports of other annotation tools.

`foreign_tools` yields the records of each tool's file; here the fields that a guide names are
picked from them. Predictions, suggestions, relations and what no user wrote are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from annotation.exchange.foreign_tools import SHAPE_ERRORS, Given, Record, Value, records
from errors import UserError, Where

Status = Literal["submitted", "draft", "discarded"]
STATUS: Mapping[str, Status] = {
    "submitted": "submitted",
    "draft": "draft",
    "pending": "draft",
    "discarded": "discarded",
}
"""Our status for each word that the tools have for theirs."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys in a file: of the question's id, of the choices and of the comment."""

    item: str
    choices: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """One user's label of one record. `choices` are the tool's own names, `user` its own id.

    `made_at` is the time of the last change, in UTC if the file names no zone; None if it has none.
    """

    item: str
    user: str
    status: Status
    choices: tuple[str, ...]
    comment: str
    where: Where
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a file in order, and the errors of unreadable ones."""

    read: tuple[Foreign, ...]
    unread: tuple[UserError, ...] = ()


def read_labels(path: Path, tool: str, fields: Fields) -> Labels:
    """Return the labels of a file of that tool.

    Unreadable records and labels are reported, and the others are read. Raises UserError for an
    unknown tool, a file that is not JSON, and one without any record of the tool's format.
    """
    read, unread, fitting = list[Foreign](), list[UserError](), False
    for record in records(path, tool):
        if isinstance(record, UserError):
            unread.append(record)
            continue
        try:
            item = _as_name(record.ids[fields.item])
            fitting = True
        except SHAPE_ERRORS:
            unread.append(UserError("labels_shape", record.where, tool=tool))
            continue
        for given in record.given:
            try:
                label = _picked(item, given(), fields, record.where)
            except UserError as error:
                unread.append(error)
            except SHAPE_ERRORS:
                unread.append(UserError("labels_shape", record.where, tool=tool))
            else:
                read += [label] if label else []
    if unread and not fitting:
        raise unread[0]
    return Labels(tuple(read), tuple(unread))


def _picked(item: str, given: Given, fields: Fields, where: Where) -> Foreign | None:
    """Return the label in the fields named, None where the user wrote in neither."""
    if given.twice:
        raise UserError("labels_twice", where, item=item, user=given.user)
    choices = given.values.get(fields.choices, Value())
    comment = given.values.get(fields.comment, Value()) if fields.comment else Value()
    stated = choices.status or comment.status or given.status
    if not stated:
        return None
    texts = tuple(map(_as_text, comment.each))
    return Foreign(
        item,
        given.user,
        STATUS[stated],
        tuple(map(_as_text, choices.each)),
        "\n".join(texts),
        where,
        given.made_at,
    )


def _as_name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("no name")
    return str(value)


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


@dataclass(frozen=True, slots=True)
class Survey:
    """Names in a file that `Fields` could use: for question id, choices and comment."""

    items: tuple[str, ...]
    choices: tuple[str, ...]
    comments: tuple[str, ...]


def survey(path: Path, tool: str) -> Survey:
    """Return the names in a file in order of appearance.

    Raises UserError for an unknown tool, a file that is not JSON, and one without any record of the
    tool's format.
    """
    items, choices, comments = dict[str, None](), dict[str, None](), dict[str, None]()
    failed: UserError | None = None
    fitting = False
    for record in records(path, tool):
        if isinstance(record, UserError):
            failed = failed or record
            continue
        fitting = True
        items.update(dict.fromkeys(map(str, record.ids)))
        for name, value in _values(record):
            if value.kind in ("choices", "either"):
                choices[name] = None
            if value.kind in ("text", "either"):
                comments[name] = None
    if failed and not fitting:
        raise failed
    return Survey(tuple(items), tuple(choices), tuple(comments))


def _values(record: Record) -> list[tuple[str, Value]]:
    """Return the values of a record's readable labels by name."""
    found: list[tuple[str, Value]] = []
    for given in record.given:
        try:
            found += given().values.items()
        except SHAPE_ERRORS:
            continue
    return found


def users_and_choices(labels: Sequence[Foreign]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the users who labelled and the choices they made, in the order of the file."""
    users = dict.fromkeys(label.user for label in labels)
    choices = dict.fromkeys(choice for label in labels for choice in label.choices)
    return tuple(users), tuple(choices)

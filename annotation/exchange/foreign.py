"""Reader of labels in exports of other annotation tools: Label Studio and Argilla.

Label Studio's JSON export is a list of tasks, each with `data` and `annotations`; of an annotation
the results of type choices and textarea are read, spans and relations are not. Argilla's is a list,
or JSONL, of records with `responses` by question (SDK 2) or by user (server and SDK 1).
Predictions, suggestions and drafts that no user wrote are left out.

Overview of another tool's file, to be offered by a form: names, users and choices.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value

FILE_BYTES = 512 * 1024**2
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_SHAPE_ERRORS = (KeyError, TypeError, AttributeError, ValueError)
Status = Literal["submitted", "draft", "discarded"]


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
    readers = {"label-studio": _task, "argilla": _record}
    if tool not in readers:
        raise UserError("labels_tool", Where(field="tool"), tool=tool, known=", ".join(readers))
    read, unread, fitting = list[Foreign](), list[UserError](), False
    for where, record in file_records(path):
        made: Iterator[Callable[[], Foreign | None]] = iter(())
        try:
            made = iter(tuple(readers[tool](record, fields, where)))
            fitting = True
        except _SHAPE_ERRORS:
            unread.append(UserError("labels_shape", where, tool=tool))
        for label in made:
            try:
                found = label()
            except UserError as error:
                unread.append(error)
            except _SHAPE_ERRORS:
                unread.append(UserError("labels_shape", where, tool=tool))
            else:
                read += [found] if found else []
    if unread and not fitting:
        raise unread[0]
    return Labels(tuple(read), tuple(unread))


def file_records(path: Path) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the unchecked records of a JSON list or of JSONL, each with its place."""
    text = read_text(path, path.name, FILE_BYTES)
    listed = _BLANK.match(text)
    start = listed.end() if listed else 0
    yield from (_members if text.startswith("[", start) else _lines)(text, path.name, start)


def _members(text: str, name: str, start: int) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the members of a list one by one, since parsing all at once takes much memory."""
    at, number = _after_blank(text, start + 1), 0
    more = not text.startswith("]", at)
    while more:
        number += 1
        where = Where(name, field=f"[{number}]")
        try:
            record, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise UserError("labels_json", where) from error
        yield where, composed_value(record)
        at = _after_blank(text, at)
        more = text.startswith(",", at)
        at = _after_blank(text, at + 1) if more else at
    if not text.startswith("]", at) or _after_blank(text, at + 1) != len(text):
        raise UserError("labels_json", Where(name))


def _lines(text: str, name: str, _start: int) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the JSON objects of a text, one per line, with their place; skip blank lines."""
    start, number = 0, 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        if line := text[start:end].strip():
            where = Where(name, number)
            yield where, _json(line, where)
        start = end + 1


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _json(text: str, where: Where) -> Any:
    try:
        return composed_value(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UserError("labels_json", where) from error


def _task(
    task: Mapping[str, Any], fields: Fields, where: Where
) -> Iterator[Callable[[], Foreign | None]]:
    """Yield a reader of each annotation of a task."""
    item = _as_name(task["data"][fields.item])
    for made in task["annotations"]:
        yield partial(_annotation, item, made, fields, where)


def _annotation(item: str, annotation: Mapping[str, Any], fields: Fields, where: Where) -> Foreign:
    """Return the label of an annotation, without spans and relations."""
    choices: list[str] = []
    words: list[str] = []
    for result in annotation["result"] or ():
        name, kind = result.get("from_name"), result.get("type")
        if name == fields.choices and kind == "choices":
            choices += map(_as_text, _as_list(result["value"]["choices"]))
        elif name == fields.comment and kind == "textarea":
            words += map(_as_text, _as_list(result["value"]["text"]))
    status: Status = "discarded" if annotation.get("was_cancelled") else "submitted"
    made_at = _time(annotation.get("updated_at") or annotation.get("created_at"))
    user = annotation.get("completed_by")  # a number, or an object with the user's e-mail
    user = user.get("email") or user.get("id") if isinstance(user, dict) else user
    return Foreign(item, _as_user(user), status, tuple(choices), "\n".join(words), where, made_at)


@dataclass(slots=True)
class _Answers:
    """One user's answers to the questions of a record: (value, status) by question."""

    given: dict[str, tuple[Any, str]] = field(default_factory=dict)
    times: list[datetime] = field(default_factory=list)
    twice: bool = False


def _record(
    record: Mapping[str, Any], fields: Fields, where: Where
) -> Iterator[Callable[[], Foreign | None]]:
    """Yield a reader of each user's label of a record."""
    item = _as_name(_item_id(record, fields.item))
    users: dict[str, _Answers] = {}
    for user, question, value, status, time in _responses(record.get("responses") or {}):
        answers = users.setdefault(user, _Answers())
        answers.twice |= question in answers.given
        answers.given[question] = value, status
        answers.times += [made_at] if (made_at := _time(time)) else []
    for user, answers in users.items():
        yield partial(_label_of_user, item, user, answers, fields, where)


def _label_of_user(
    item: str, user: str, answers: _Answers, fields: Fields, where: Where
) -> Foreign | None:
    if answers.twice:
        raise UserError("labels_twice", where, item=item, user=user)
    value, status = answers.given.get(fields.choices, (None, ""))
    words, other = answers.given.get(fields.comment, (None, "")) if fields.comment else (None, "")
    choices = () if value is None else tuple(map(_as_text, _as_list(value)))
    comment = "" if words is None else _as_text(words)
    stated = status or other
    if not stated:
        return None
    at = max(answers.times, default=None)
    return Foreign(item, user, _status(stated), choices, comment, where, at)


def _item_id(record: Mapping[str, Any], key: str) -> Any:
    if key in ("id", "external_id"):
        return record[key]
    metadata = record.get("metadata") or {}
    return metadata[key] if key in metadata else record["fields"][key]


def _responses(responses: Any) -> Iterator[tuple[str, str, Any, str, Any]]:
    """Yield (user, question, value, status, time) from either layout."""
    if isinstance(responses, dict):
        for question, given in responses.items():
            for each in given:
                yield (
                    _as_user(each.get("user_id")),
                    question,
                    each.get("value"),
                    each.get("status") or "submitted",
                    _response_time(each),
                )
        return
    for each in responses:
        for question, answer in (each.get("values") or {}).items():
            user, status = _as_user(each.get("user_id")), each.get("status") or "submitted"
            yield user, question, answer.get("value"), status, _response_time(each)


def _response_time(response: Mapping[str, Any]) -> Any:
    return response.get("updated_at") or response.get("inserted_at")


def _time(value: Any) -> datetime | None:
    """Return the time in a text, None if there is none."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _status(stated: str) -> Status:
    """Return our status for the tool's; raises KeyError for any other."""
    known: dict[str, Status] = {
        "submitted": "submitted",
        "draft": "draft",
        "pending": "draft",
        "discarded": "discarded",
    }
    return known[stated]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _as_user(value: Any) -> str:
    """Return a user's id as in the file; `null` for a deleted user."""
    return value if isinstance(value, str) else json.dumps(value)


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
    readers = {"label-studio": _names_of_task, "argilla": _names_of_record}
    if tool not in readers:
        raise UserError("labels_tool", Where(field="tool"), tool=tool, known=", ".join(readers))
    found: dict[str, dict[str, None]] = {"item": {}, "choices": {}, "comment": {}}
    failed: UserError | None = None
    fitting = False
    for where, record in file_records(path):
        try:
            for kind, name in readers[tool](record):
                found[kind][str(name)] = None
            fitting = True
        except (KeyError, TypeError, AttributeError):
            failed = failed or UserError("labels_shape", where, tool=tool)
    if failed and not fitting:
        raise failed
    return Survey(*(tuple(names) for names in found.values()))


def users_and_choices(labels: Sequence[Foreign]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the users who labelled and the choices they made, in the order of the file."""
    users = dict.fromkeys(label.user for label in labels)
    choices = dict.fromkeys(choice for label in labels for choice in label.choices)
    return tuple(users), tuple(choices)


def _names_of_task(task: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (use, field name) of each field in a Label Studio task."""
    for name in task["data"]:
        yield "item", name
    for made in task["annotations"]:
        for result in made["result"] or ():
            kind = {"choices": "choices", "textarea": "comment"}.get(result.get("type"))
            if kind is not None and result.get("from_name"):
                yield kind, result["from_name"]


def _names_of_record(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (use, field name) of each field in an Argilla record."""
    for name in ("id", "external_id"):
        if name in record:
            yield "item", name
    for names in (record.get("metadata") or {}, record.get("fields") or {}):
        for name in names:
            yield "item", name
    given = record.get("responses") or {}
    listed = [given] if isinstance(given, dict) else [each.get("values") or {} for each in given]
    for names in listed:
        for name in names:
            yield "choices", name
            yield "comment", name

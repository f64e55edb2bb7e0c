"""Labels of other annotation tools, read from their exports: Label Studio and Argilla.

Label Studio's JSON export is a list of tasks, each with `data` and `annotations`; of an annotation
the results of type choices and textarea are read. Argilla's is a list, or JSONL, of records with
`responses` by question (SDK 2) or by user (server and SDK 1). Predictions, suggestions and drafts
of the tool that no user wrote are not labels and are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value

FILE_BYTES = 512 * 1024**2
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
Status = Literal["submitted", "draft", "discarded"]


@dataclass(frozen=True, slots=True)
class Fields:
    """Where a file keeps what: the keys of the question's id, of the choices and of the comment."""

    item: str
    choices: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """What one user said of one record. `choices` are the tool's own words, `user` its own id.

    `made_at` is when they last said it by the file, in UTC where it names no zone; None where the
    file does not say.
    """

    item: str
    user: str
    status: Status
    choices: tuple[str, ...]
    comment: str
    where: Where
    made_at: datetime | None = None


def read_labels(path: Path, tool: str, fields: Fields) -> list[Foreign]:
    """Return the labels of a file of that tool, in its order.

    Raises UserError, with the record, for another tool, a file that is no JSON, and a record that
    does not have the shape of the tool's exports or the fields that were named.
    """
    readers = {"label-studio": _task, "argilla": _record}
    if tool not in readers:
        raise UserError("labels_tool", Where(field="tool"), tool=tool, known=", ".join(readers))
    found: list[Foreign] = []
    for where, record in file_records(path):
        try:
            found += readers[tool](record, fields, where)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise UserError("labels_shape", where, tool=tool) from error
    return found


def file_records(path: Path) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the records of a JSON list or of JSONL, each with its place; the reader checks them."""
    text = read_text(path, path.name, FILE_BYTES)
    listed = _BLANK.match(text)
    start = listed.end() if listed else 0
    yield from (_members if text.startswith("[", start) else _lines)(text, path.name, start)


def _members(text: str, name: str, start: int) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the members of a list one by one: all at once take many times the file's memory."""
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


def _task(task: Mapping[str, Any], fields: Fields, where: Where) -> Iterator[Foreign]:
    item = _name(task["data"][fields.item])
    for made in task["annotations"]:
        choices: list[str] = []
        words: list[str] = []
        for result in made["result"]:
            value, name = result["value"], result.get("from_name")
            if name == fields.choices and result["type"] == "choices":
                choices += map(_text, _listed(value["choices"]))
            elif name == fields.comment and result["type"] == "textarea":
                words += map(_text, _listed(value["text"]))
        status: Status = "discarded" if made.get("was_cancelled") else "submitted"
        user = made["completed_by"]  # a number, or an object with the user's e-mail
        user = _name(user["email"] if isinstance(user, dict) else user)
        made_at = _time(made.get("updated_at") or made.get("created_at"))
        yield Foreign(item, user, status, tuple(choices), "\n".join(words), where, made_at)


def _record(record: Mapping[str, Any], fields: Fields, where: Where) -> Iterator[Foreign]:
    item = _name(_item(record, fields.item))
    said: dict[str, dict[str, tuple[Any, str]]] = {}
    times: dict[str, datetime] = {}
    for user, question, value, status, time in _responses(record.get("responses") or {}):
        if question in said.setdefault(user, {}):
            raise UserError("labels_twice", where, item=item, user=user)
        said[user][question] = value, status
        if (made_at := _time(time)) is not None:
            times[user] = max(made_at, times.get(user, made_at))
    for user, answers in said.items():
        value, status = answers.get(fields.choices, (None, ""))
        words, other = answers.get(fields.comment, (None, "")) if fields.comment else (None, "")
        choices = () if value is None else tuple(map(_text, _listed(value)))
        comment = "" if words is None else _text(words)
        stated = status or other
        if stated:
            at = times.get(user)
            yield Foreign(item, user, _status(stated), choices, comment, where, at)


def _item(record: Mapping[str, Any], key: str) -> Any:
    if key in ("id", "external_id"):
        return record[key]
    metadata = record.get("metadata") or {}
    return metadata[key] if key in metadata else record["fields"][key]


def _responses(found: Any) -> Iterator[tuple[str, str, Any, str, Any]]:
    """Yield (user, question, value, status, time) of either layout."""
    if isinstance(found, dict):
        for question, given in found.items():
            for each in given:
                yield (
                    _name(each["user_id"]),
                    question,
                    each["value"],
                    each.get("status") or "submitted",
                    _when(each),
                )
        return
    for each in found:
        for question, answer in (each.get("values") or {}).items():
            user = _name(each["user_id"])
            yield user, question, answer["value"], each["status"], _when(each)


def _when(response: Mapping[str, Any]) -> Any:
    return response.get("updated_at") or response.get("inserted_at")


def _time(said: Any) -> datetime | None:
    """Return the time that a text says, None where it says none."""
    if not isinstance(said, str):
        return None
    try:
        found = datetime.fromisoformat(said)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _status(stated: str) -> Status:
    known: dict[str, Status] = {
        "submitted": "submitted",
        "draft": "draft",
        "pending": "draft",
        "discarded": "discarded",
    }
    return known[stated]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("no name")
    return str(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value

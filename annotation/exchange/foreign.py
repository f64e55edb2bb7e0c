"""Labels of other annotation tools, read from their exports: Label Studio and Argilla.

Label Studio's JSON export is a list of tasks, each with `data` and `annotations`; of an annotation
the results of type choices and textarea are read. Argilla's is a list, or JSONL, of records with
`responses` by question (SDK 2) or by user (server and SDK 1). Predictions, suggestions and drafts
of the tool that no user wrote are not labels and are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value

FILE_BYTES = 512 * 1024**2
Status = Literal["submitted", "draft", "discarded"]


@dataclass(frozen=True, slots=True)
class Fields:
    """Where a file keeps what: the keys of the question's id, of the choices and of the comment."""

    item: str
    choices: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """What one user said of one record. `choices` are the tool's own words, `user` its own id."""

    item: str
    user: str
    status: Status
    choices: tuple[str, ...]
    comment: str
    where: Where


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
    if text.lstrip().startswith("["):
        for number, record in enumerate(_json(text, Where(path.name)), 1):
            yield Where(path.name, field=f"[{number}]"), record
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                where = Where(path.name, number)
                yield where, _json(line, where)


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
        yield Foreign(item, user, status, tuple(choices), "\n".join(words), where)


def _record(record: Mapping[str, Any], fields: Fields, where: Where) -> Iterator[Foreign]:
    item = _name(_item(record, fields.item))
    said: dict[str, dict[str, tuple[Any, str]]] = {}
    for user, question, value, status in _responses(record.get("responses") or {}):
        if question in said.setdefault(user, {}):
            raise UserError("labels_twice", where, item=item, user=user)
        said[user][question] = value, status
    for user, answers in said.items():
        value, status = answers.get(fields.choices, (None, ""))
        words, other = answers.get(fields.comment, (None, "")) if fields.comment else (None, "")
        choices = () if value is None else tuple(map(_text, _listed(value)))
        comment = "" if words is None else _text(words)
        stated = status or other
        if stated:
            yield Foreign(item, user, _status(stated), choices, comment, where)


def _item(record: Mapping[str, Any], key: str) -> Any:
    if key in ("id", "external_id"):
        return record[key]
    metadata = record.get("metadata") or {}
    return metadata[key] if key in metadata else record["fields"][key]


def _responses(found: Any) -> Iterator[tuple[str, str, Any, str]]:
    """Yield (user, question, value, status) of either layout."""
    if isinstance(found, dict):
        for question, given in found.items():
            for each in given:
                yield (
                    _name(each["user_id"]),
                    question,
                    each["value"],
                    each.get("status") or "submitted",
                )
        return
    for each in found:
        for question, answer in (each.get("values") or {}).items():
            yield _name(each["user_id"]), question, answer["value"], each["status"]


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

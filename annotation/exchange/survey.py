"""Overview of another tool's file, to be offered by a form: names, users and choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.exchange.foreign import Foreign, file_records
from errors import UserError, Where


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
    readers = {"label-studio": _task, "argilla": _record}
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


def _task(task: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (use, field name) of each field in a Label Studio task."""
    for name in task["data"]:
        yield "item", name
    for made in task["annotations"]:
        for result in made["result"] or ():
            kind = {"choices": "choices", "textarea": "comment"}.get(result.get("type"))
            if kind is not None and result.get("from_name"):
                yield kind, result["from_name"]


def _record(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
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

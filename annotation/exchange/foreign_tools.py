"""Records of other tools' exports: ids, and the values of each user's label.

Label Studio's JSON export is a list of tasks, each with `data` and `annotations`; choices, texts,
ratings, numbers, pairwise choices and spans of text are read, relations and what is drawn on images
are not. Argilla's is a list, or JSONL, of records with
`responses` by question (SDK 2) or by user (server and SDK 1). Potato writes JSONL with
`label_annotations` by schema, one file a user or one for all; Prodigy JSONL with `answer` beside
`accept` (choice) or `label` (classification); doccano JSONL with `label`, one file a user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value

FILE_BYTES = 512 * 1024**2
SHAPE_ERRORS = (KeyError, TypeError, AttributeError, ValueError)
"""What a record of another shape than the tool's raises while it is read."""

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_CHOSEN = {"choices": "choices", "rating": "rating", "number": "number", "pairwise": "selected"}
_UNSET = (None, False, "", "0", "false", "False")  # values of a Potato label that is not chosen


@dataclass(frozen=True, slots=True)
class Value:
    """A label's value as the file has it: choices, a text, or (a tool that tells neither) either.

    `units` says whether the offsets of spans count characters or UTF-16 units, as JavaScript does.
    `status` is the tool's own word where it stands at the value, not at the label; `text` is what
    the spans are of, where the file has it.
    """

    raw: Any = None
    kind: Literal["choices", "text", "spans", "either"] = "either"
    status: str = ""
    units: Literal["characters", "utf-16"] = "characters"
    text: str = ""

    @property
    def each(self) -> list[Any]:
        """The value as a list; empty where it is missing."""
        if self.raw is None:
            return []
        return self.raw if isinstance(self.raw, list) else [self.raw]

    @property
    def spans(self) -> list[tuple[int, int, str]]:
        """The value as (start, end, label); raises one of `SHAPE_ERRORS` for anything else."""
        found: list[tuple[int, int, str]] = []
        for each in self.each:
            if isinstance(each, list | tuple):  # of doccano and INCEpTION
                start, end, *labels = each
            else:
                labels = each.get("labels") or [each.get("label") or each["name"]]
                start, end = each["start"], each["end"]
            if not all(isinstance(at, int) for at in (start, end)):
                raise ValueError("no offset")
            found += [(start, end, str(label)) for label in labels]
        return found


@dataclass(slots=True)
class Given:
    """One user's label of a record: values by name, status and time of the last change.

    `twice` says that the user answered a question of the record more than once.
    """

    user: str
    status: str = ""
    values: dict[str, Value] = field(default_factory=dict)
    made_at: datetime | None = None
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A record: what may be its question's id, by name, and a reader of each user's label."""

    where: Where
    ids: Mapping[str, Any]
    given: list[Callable[[], Given]]


def records(path: Path, tool: str) -> Iterator[Record | UserError]:
    """Yield the records of a tool's file, and the error of each that has another shape.

    Raises UserError for a file that is not JSON.
    """
    for where, record in file_records(path):
        try:
            ids, given = _TOOLS[tool](record, path)
            yield Record(where, ids, given)
        except SHAPE_ERRORS:
            yield UserError("labels_shape", where, tool=tool)


Parts = tuple[Mapping[str, Any], list[Callable[[], Given]]]


def _label_studio(task: Mapping[str, Any], _path: Path) -> Parts:
    """Return the keys of a task's data, and a reader of each annotation."""
    return {**task["data"]}, [partial(_annotation, each) for each in task["annotations"]]


def _annotation(annotation: Mapping[str, Any]) -> Given:
    """Return the label of an annotation, without relations."""
    user = annotation.get("completed_by")  # a number, or an object with the user's e-mail
    user = user.get("email") or user.get("id") if isinstance(user, dict) else user
    status = "discarded" if annotation.get("was_cancelled") else "submitted"
    given = Given(_as_user(user), status)
    given.made_at = _time(annotation.get("updated_at") or annotation.get("created_at"))
    for result in annotation["result"] or ():
        name, kind = result.get("from_name"), result.get("type")
        if name and kind == "textarea":
            _extend(given, name, Value(result["value"]["text"], "text"))
        elif name and kind in _CHOSEN:
            _extend(given, name, Value(result["value"][_CHOSEN[kind]], "choices"))
        elif name and kind == "labels":
            _extend(given, name, Value(result.get("value"), "spans", units="utf-16"))
    return given


def _extend(given: Given, name: str, value: Value) -> None:
    """Add a value to those of its kind that the field has; spans give way to any other kind."""
    before = given.values.get(name, Value(kind=value.kind))
    if before.kind != value.kind:
        if before.kind != "spans":
            return
        before = Value()
    given.values[name] = replace(value, raw=[*before.each, *value.each])


def _argilla(record: Mapping[str, Any], _path: Path) -> Parts:
    """Return the ids of a record, and a reader of each user's answers."""
    ids: dict[str, Any] = {name: record[name] for name in ("id", "external_id") if name in record}
    for names in (record.get("metadata") or {}, record.get("fields") or {}):
        ids = {**ids, **names, **ids}
    users: dict[str, Given] = {}
    for user, question, value, status, time in _responses(record.get("responses") or {}):
        given = users.setdefault(user, Given(user))
        given.twice |= question in given.values
        spans = bool(value) and isinstance(value, list) and _is_span(value[0])
        given.values[question] = Value(value, "spans" if spans else "either", status)
        times = [each for each in (given.made_at, _time(time)) if each]
        given.made_at = max(times, default=None)
    return ids, [partial(copy, given) for given in users.values()]


def _is_span(value: Any) -> bool:
    return isinstance(value, dict) and "start" in value


def _responses(responses: Any) -> Iterator[tuple[str, str, Any, str, Any]]:
    """Yield (user, question, value, status, time) from either layout."""
    if isinstance(responses, dict):
        said = [(each, each, name) for name, given in responses.items() for each in given]
    else:
        said = [
            (each, answer, name)
            for each in responses
            for name, answer in (each.get("values") or {}).items()
        ]
    for each, answer, question in said:
        status = each.get("status") or "submitted"
        time = each.get("updated_at") or each.get("inserted_at")
        yield _as_user(each.get("user_id")), question, answer.get("value"), status, time


def _potato(line: Mapping[str, Any], _path: Path) -> Parts:
    """Return the ids of a line and its user's labels; a schema's labels are choices or a text."""
    user = line.get("user_id", line.get("user"))
    given = Given(_as_user(user), "submitted")
    for schema, labels in line["label_annotations"].items():
        texts = [text for name, text in labels.items() if str(name).startswith("text_box")]
        chosen = [name for name, value in labels.items() if value not in _UNSET]
        given.values[schema] = Value(texts, "text") if texts else Value(chosen, "choices")
    for span in line.get("span_annotations") or ():
        _extend(given, span["schema"], Value([span], "spans", units="utf-16"))
    ids = {name: value for name, value in line.items() if isinstance(value, str | int)}
    return ids, [partial(copy, given)]


def _prodigy(line: Mapping[str, Any], _path: Path) -> Parts:
    """Return the ids of a line and its label: options taken, or the one label put to the user.

    Whoever rejects a label chose "not LABEL"; whoever rejects a choice, or ignores the task, set it
    aside.
    """
    answer, label = line["answer"], line.get("label")
    user = line.get("_annotator_id") or line.get("_session_id")
    aside = answer == "ignore" or (answer == "reject" and not isinstance(label, str))
    given = Given(_as_user(user), "discarded" if aside else "submitted")
    seconds = line.get("_timestamp")
    given.made_at = None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    for name, value in line.items():
        if isinstance(value, str) and name[0] != "_" and name not in ("answer", "label"):
            given.values[name] = Value(value, "text")
    if "accept" in line:
        given.values["accept"] = Value(line["accept"], "choices")
    if "spans" in line:
        given.values["spans"] = Value(line["spans"], "spans", text=_text(line))
    if label is not None:
        rejected = answer == "reject" and isinstance(label, str)
        given.values["label"] = Value(f"not {label}" if rejected else label, "choices")
    ids = {n: each for n, each in line.items() if isinstance(each, str | int) and n != "answer"}
    return {**ids, **(line.get("meta") or {})}, [partial(copy, given)]


def _text(line: Mapping[str, Any]) -> str:
    """Return the text that the spans of a line refer to, "" if the line has none."""
    text = line.get("text")
    return text if isinstance(text, str) else ""


def _doccano(line: Mapping[str, Any], path: Path) -> Parts:
    """Return the ids of a line and its label; the user is the file's name, as doccano writes it."""
    given = Given(_as_user(line.get("username", path.stem)), "submitted")
    label = line["label"]
    are_spans = bool(label) and all(isinstance(each, list) for each in label)
    given.values["label"] = (
        Value(label, "spans", text=_text(line)) if are_spans else Value(label, "choices")
    )
    if "Comments" in line:
        given.values["Comments"] = Value(line["Comments"], "text")
    ids = {name: value for name, value in line.items() if isinstance(value, str | int)}
    return ids, [partial(copy, given)]


_TOOLS: Mapping[str, Callable[[Mapping[str, Any], Path], Parts]] = {
    "label-studio": _label_studio,
    "argilla": _argilla,
    "potato": _potato,
    "prodigy": _prodigy,
    "doccano": _doccano,
}


def _as_user(value: Any) -> str:
    """Return a user's id as in the file; `null` for a deleted user."""
    return value if isinstance(value, str) else json.dumps(value)


def _time(value: Any) -> datetime | None:
    """Return the time in a text, None if there is none."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def file_records(path: Path) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the unchecked records of a JSON list or of JSONL, each with its place."""
    text = read_text(path, path.name, FILE_BYTES)
    listed = _BLANK.match(text)
    start = listed.end() if listed else 0
    yield from (_members if text.startswith("[", start) else _lines)(text, path.name, start)


def _members(text: str, name: str, start: int) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """Yield the members of a JSON list, each with its place, one by one to save memory."""
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
    """Return the offset after white space."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _json(text: str, where: Where) -> Any:
    """Parse JSON with composed characters (NFC). Raises UserError naming the place."""
    try:
        return composed_value(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UserError("labels_json", where) from error
